"""Third-party libraries without their progress bars, warnings and log messages."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec

_LOUD = ("transformers", "sentence_transformers", "huggingface_hub")


@contextmanager
def silenced() -> Iterator[None]:
    """Silence transformers and related libraries; errors come through.

    Their settings are global to the process and restored afterwards.
    """
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        for name in _LOUD:
            logger = logging.getLogger(name)
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.ERROR)
        _hide_bars(stack)
        yield


def _hide_bars(stack: ExitStack) -> None:
    """No progress bars until the stack is closed."""
    if not (find_spec("huggingface_hub") and find_spec("transformers")):
        return
    from huggingface_hub import utils as hub
    from transformers.utils import logging as bars

    off = hub.are_progress_bars_disabled()
    stack.callback(hub.disable_progress_bars if off else hub.enable_progress_bars)
    if bars.is_progress_bar_enabled():
        stack.callback(bars.enable_progress_bar)
    bars.disable_progress_bar()
