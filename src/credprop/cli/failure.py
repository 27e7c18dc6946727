"""How a command ends: exit status and one line."""

import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130


def run_safely(work: Callable[[], None], *, debug: bool, hint: str = "") -> None:
    """Do the work; an error becomes one line on standard error and an exit status.

    2: the call or the input is wrong. 1: the work failed. 130: interrupted.
    """
    try:
        work()
    except KeyboardInterrupt:
        _stop(INTERRUPTED, "interrupted" + (f"; {hint}" if hint else ""), debug)
    except ValueError as error:
        _stop(WRONG_INPUT, str(error), debug)
    except OSError as error:
        _stop(
            FAILED,
            f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}{_after(hint)}",
            debug,
        )
    except MemoryError:
        _stop(FAILED, "out of memory; use fewer rows, or half precision in the file", debug)
    except Exception as error:
        _stop(FAILED, f"{type(error).__name__}: {error} (--debug shows where)", debug)


def _after(hint: str) -> str:
    return f"; once that is mended, {hint}" if hint else ""


def _stop(status: int, message: str, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    print(f"credprop: {' '.join(message.split())}", file=sys.stderr)
    raise SystemExit(status)
