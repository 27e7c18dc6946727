"""Where fetched and computed things stay."""

from pathlib import Path

import pytest

from credprop.files import cache_folder


def test_the_cache_folder_is_the_one_named_or_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("CREDPROP_CACHE", raising=False)
    assert cache_folder() == tmp_path / ".cache" / "credprop"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x" / "credprop"
    monkeypatch.setenv("CREDPROP_CACHE", "~/own")
    assert cache_folder() == tmp_path / "own"
