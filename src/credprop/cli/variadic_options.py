"""Options that accept several values: `--method ccp supervised`."""

from collections.abc import Set
from typing import Any

from typer.core import TyperCommand


class VariadicCommand(TyperCommand):
    """A command whose list options accept several values: `--method ccp supervised`.

    If the command has a positional argument, this works only when the argument comes first. Otherwise, it
    could not be told from a value of the option.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse options; return the remaining arguments."""
        takes_argument = any(p.param_type_name == "argument" for p in self.params)
        argument_first = bool(args) and not args[0].startswith("-")
        options = {name for p in self.params if getattr(p, "multiple", False) for name in p.opts}
        return super().parse_args(
            ctx, spread(args, options) if argument_first or not takes_argument else args
        )


def spread(args: list[str], options: Set[str]) -> list[str]:
    """Arguments with the option repeated before every additional value, as click expects."""
    found: list[str] = []
    option, values = "", 0
    for arg in args:
        if arg.startswith("-"):
            option, values = arg.split("=")[0], arg.count("=")
        elif option in options and values:
            found.append(option)
        else:
            values += 1
        found.append(arg)
    return found
