"""The command line: parse, call, print. Heavy libraries are imported by the command that needs them."""

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    try:
        from credprop.cli.app import app
    except KeyboardInterrupt:  # a quick hand: nothing has begun yet
        raise SystemExit(130) from None
    app(prog_name="credprop")
