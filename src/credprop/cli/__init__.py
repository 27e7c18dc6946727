"""The command line: parse, call, print. Heavy libraries are imported by the command that needs them."""

import os

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    # Threads that wait for each other spin only briefly before they sleep. By default they spin so long that
    # a single other program on the machine made a run twelve times slower; so it is three times, and a free
    # machine loses a tenth at most (docs/log.md). Torch reads this when it is imported.
    os.environ.setdefault("GOMP_SPINCOUNT", "10000")
    try:
        from credprop.cli.app import app
    except KeyboardInterrupt:  # a quick hand: nothing has begun yet
        raise SystemExit(130) from None
    app(prog_name="credprop")
