"""Options that take several values at once."""

from collections.abc import Set
from typing import Any

from typer.core import TyperCommand


class ManyValues(TyperCommand):
    """A command whose list options take values in a row: `--method ccp supervised`.

    Where it has an argument, only if that comes first: after such an option it would be one more value.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What is left of the arguments once options are read."""
        takes_argument = any(p.param_type_name == "argument" for p in self.params)
        argument_first = bool(args) and not args[0].startswith("-")
        options = {name for p in self.params if getattr(p, "multiple", False) for name in p.opts}
        return super().parse_args(
            ctx, spread(args, options) if argument_first or not takes_argument else args
        )


def spread(args: list[str], options: Set[str]) -> list[str]:
    """The same arguments with such an option named again before each further value."""
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
