"""Third-party libraries are silent for a while, and as they were afterwards."""

import logging
import warnings

import pytest

from credprop.frozen.silence import silenced


def fail() -> None:
    """Warn, log and fail."""
    warnings.warn("loud", UserWarning, stacklevel=1)
    logging.getLogger("transformers").warning("loud")
    raise KeyError


def test_only_errors_come_through(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("transformers")
    logger.addHandler(caplog.handler)
    level = logger.level
    with pytest.raises(KeyError), silenced():
        fail()
    assert not caplog.records
    assert logger.level == level
    logger.removeHandler(caplog.handler)


@pytest.mark.parametrize("shown", [True, False])
def test_progress_bars_come_back_only_if_they_were_there(shown: bool) -> None:
    from huggingface_hub import utils

    before = utils.are_progress_bars_disabled()
    (utils.enable_progress_bars if shown else utils.disable_progress_bars)()
    with silenced():
        assert utils.are_progress_bars_disabled()
    assert utils.are_progress_bars_disabled() is not shown
    (utils.disable_progress_bars if before else utils.enable_progress_bars)()
