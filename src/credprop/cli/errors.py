"""Exit status and one-line error messages of the commands."""

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import NoReturn

DONE, FAILED, WRONG_INPUT, NOT_PROVEN, INTERRUPTED = 0, 1, 2, 4, 130
_LONGEST = 1000  # characters of a message
_NO_MEMORY = ("can't allocate memory", "out of memory")  # what torch says instead of MemoryError


class NotProvenError(Exception):
    """The result is not proven better than the baseline, though that was required."""


def run_safely(work: Callable[[], None], *, debug: bool, hint: str = "") -> None:
    """Run `work`; turn an exception into one line on standard error and an exit status.

    2: invalid call or input. 1: the command failed. 4: not proven better. 130: interrupted. Warnings and
    tracebacks are shown only with `debug`. `hint` says how to continue after a failure.
    """
    try:
        with warnings.catch_warnings():
            if not debug:
                warnings.simplefilter("ignore")
            work()
    except KeyboardInterrupt:
        _stop(INTERRUPTED, "interrupted" + (f"; {hint}" if hint else ""), debug)
    except BrokenPipeError:  # the reader closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(DONE) from None
    except NotProvenError as error:
        _stop(NOT_PROVEN, str(error), debug)
    except ValueError as error:
        _stop(WRONG_INPUT, str(error), debug)
    except Exception as error:
        _stop(FAILED, _what_failed(error, hint), debug)


def _what_failed(error: Exception, hint: str) -> str:
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{where}" + (f"; fix this, then {hint}" if hint else "")
    if isinstance(error, MemoryError) or any(words in str(error) for words in _NO_MEMORY):
        return "out of memory; use fewer rows or features"
    return f"{type(error).__name__}: {error} (use --debug for the traceback)"


def _stop(status: int, message: str, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    line = " ".join(message.split())
    print(f"credprop: {line[:_LONGEST]}{'...' * (len(line) > _LONGEST)}", file=sys.stderr)
    raise SystemExit(status)
