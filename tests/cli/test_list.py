"""`credprop list` shows what other commands accept."""

import json
from pathlib import Path

import pytest

from cli.shell import (
    arrays,
    credprop,
    error_line,
)


def test_an_unknown_list_is_refused_with_the_known_ones() -> None:
    message = error_line(credprop("list", "planets"))
    for what in ("presets", "encoders", "methods", "scenarios", "datasets"):
        assert what in message


@pytest.mark.parametrize("what", ["presets", "encoders", "methods", "scenarios", "datasets"])
def test_names_are_listed(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "emb").mkdir()
    arrays(tmp_path / "emb")
    monkeypatch.setenv("CREDPROP_DATA", str(tmp_path))
    found = json.loads(credprop("list", what, "--json").stdout)[what]
    listed = credprop("list", what).stdout
    assert all(name in listed for name in found)
    expected = {"presets": "auto", "encoders": "mlp", "methods": "ccp", "scenarios": "", "datasets": "emb/t"}
    assert expected[what] in " ".join(found)


def test_scenarios_and_datasets_are_listed() -> None:
    scenarios = credprop("list", "scenarios", "--json")
    assert list(json.loads(scenarios.stdout)["scenarios"])[:3] == ["base", "few-label", "open-set"]
    datasets = credprop("list", "datasets", "--json")
    listed = json.loads(datasets.stdout)["datasets"]
    assert {"digits", "cifar10", "ag-news", "20newsgroups"} <= listed.keys()
    assert listed["dbpedia"].startswith(
        "texts: 560,000 training, 70,000 test entries in 14 classes; Zhang et al."
    )


def test_methods_say_what_the_default_is_and_what_ablations_change() -> None:
    methods = json.loads(credprop("list", "methods", "--json").stdout)["methods"]
    assert "blended by a trial" in methods["ccp"]
    assert "without a trial" in methods["ccp-alone"]
    assert methods["ccp-no-subsampling"].startswith("Ablation: ccp-alone with d_max = 0")
    assert methods["ccp-no-squaring"] == "Ablation: ccp-alone without square_strength."
