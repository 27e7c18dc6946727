"""The command line. Each command imports the heavy libraries it needs, so that `--help` stays fast."""

import os

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    # Limits how long idle OpenMP threads spin. With the default, one other busy process slowed a run down
    # twelvefold; with this, threefold, at a cost of at most 10 % on an idle machine (docs/log.md). Must be
    # set before torch is imported.
    os.environ.setdefault("GOMP_SPINCOUNT", "10000")
    try:
        from credprop.cli.app import app
    except KeyboardInterrupt:  # before any command has started
        raise SystemExit(130) from None
    app(prog_name="credprop")
