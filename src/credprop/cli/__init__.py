"""The command line: parse, call, print. Heavy libraries are imported by the command that needs them."""

from credprop.cli.app import main

__all__ = ["main"]
