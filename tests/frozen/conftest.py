"""No network, and an empty hub folder: what a test needs is installed or made by it."""

import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder of models from the hub, on a machine that is offline."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(socket.socket, "connect", _refuse)
    return tmp_path / "hub"


def _refuse(*_: Any) -> NoReturn:
    pytest.fail("something tried to reach the network")
