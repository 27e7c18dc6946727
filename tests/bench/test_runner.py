"""A bench does every run once, with failing methods, dying processes and interruptions."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import tiny_methods
from credprop.bench import Dataset, load_dataset, plan_bench, read_results, run_bench
from credprop.bench.results_folder import RESULTS, run_key
from credprop.bench.run_cell import Bench
from credprop.bench.runner import Progress, choose_methods, seconds_left


@pytest.fixture(scope="module")
def digits() -> Dataset:
    """Few of them, for speed."""
    return load_dataset("digits", rows=600)


def plan(data: Dataset, methods: list[str], cells: list[str], seeds: int = 2, **more: Any) -> Bench:
    return plan_bench(data, methods, cells, range(seeds), module="bench.tiny_methods", **more)


def test_a_failed_run_is_a_row_with_its_error_and_is_repeated(
    digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = plan(digits, ["broken", "supervised"], ["base"])
    rows = run_bench(bench, tmp_path / "b")
    failed = [row for row in rows if row["method"] == "broken"]
    assert [row["error"] for row in failed] == ["RuntimeError: it broke in two lines"] * 2
    assert [row["accuracy"] for row in failed] == [None] * 2
    assert all(row["accuracy"] for row in rows if row["method"] == "supervised")
    again = run_bench(bench, tmp_path / "b")
    assert Counter(map(run_key, again)) == Counter(map(run_key, rows))
    (tmp_path / "repaired").touch()
    monkeypatch.setenv("BENCH_REPAIRED", str(tmp_path / "repaired"))
    repaired = run_bench(bench, tmp_path / "b")
    assert [row["error"] for row in repaired] == [None] * 4
    assert (tmp_path / "b" / RESULTS).read_text().count("\n") == 4


def test_failed_runs_that_are_not_asked_for_stay_as_they_are(digits: Dataset, tmp_path: Path) -> None:
    run_bench(plan(digits, ["broken"], ["base"]), tmp_path / "b")
    rows = run_bench(plan(digits, ["supervised"], ["base"]), tmp_path / "b")
    assert sorted(row["method"] for row in rows) == ["broken", "broken", "supervised", "supervised"]


def test_a_process_that_dies_is_a_failed_run_and_not_the_end(digits: Dataset, tmp_path: Path) -> None:
    rows = run_bench(plan(digits, ["crash", "supervised"], ["base"]), tmp_path / "b", jobs=2)
    errors = {(row["method"], row["seed"]): row["error"] for row in rows}
    assert len(rows) == len(errors) == 4
    assert "the process died" in errors.pop(("crash", 1))
    assert set(errors.values()) == {None}


def test_more_seeds_continue_from_fewer_and_nothing_is_repeated(
    digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("BENCH_LOG", str(log))
    seen: list[Progress] = []
    run_bench(plan(digits, ["slow"], ["base"], seeds=1), tmp_path / "b")
    run_bench(plan(digits, ["slow"], ["base"], seeds=3), tmp_path / "b", on_progress=seen.append)
    assert [line.split()[2] for line in log.read_text().splitlines()] == ["0", "1", "2"]
    assert [(p.done, p.planned) for p in seen] == [(1, 3), (2, 3), (3, 3)]
    assert seen[0].row is None
    assert seen[0].seconds_left is not None
    assert 0.2 < seen[0].seconds_left < 3
    assert seen[-1].seconds_left == 0


def start(folder: Path, log: Path, jobs: int) -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("killable.py")
    path = os.pathsep.join([str(script.parents[1]), *sys.path])
    environment = os.environ | {"BENCH_LOG": str(log), "PYTHONPATH": path}
    return subprocess.Popen([sys.executable, script, folder, str(jobs)], env=environment)


def wait_for(folder: Path, rows: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while len(read_results(folder)) < rows and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


def wait_for_the_end_of(processes: set[int]) -> None:
    end = time.monotonic() + 10
    while any(map(alive, processes)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, processes)), "processes of a killed bench live on"


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def begun(log: Path) -> Counter[tuple[int, int]]:
    """How often a run with this many labels and this seed was begun; no two cells have as many labels."""
    words = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    return Counter((int(labels), int(seed)) for _, labels, seed in words)


def test_a_bench_killed_twice_continues_and_loses_or_repeats_nothing(tmp_path: Path) -> None:
    folder, log = tmp_path / "b", tmp_path / "log"
    labels = {0: 80, 1: 40, 2: 16, 3: 8}  # by severity
    for rows, jobs in ((3, 2), (9, 1), (16, 1)):
        written = {(labels[row["severity"]], row["seed"]) for row in read_results(folder)}
        before = begun(log)
        process = start(folder, log, jobs)
        wait_for(folder, rows, process)
        if rows < 16:
            assert process.poll() is None, "it ended before it could be killed"
            process.send_signal(signal.SIGKILL)
        assert process.wait() == (0 if rows == 16 else -signal.SIGKILL)
        wait_for_the_end_of({int(line.split()[0]) for line in log.read_text().splitlines()})
        assert not written & (begun(log) - before).keys(), "a finished run was repeated"
    found = read_results(folder)
    assert len(found) == (folder / RESULTS).read_text().count("\n") == 4 * 4
    assert len({run_key(row) for row in found}) == 16
    assert not [row for row in found if row["error"]]


def test_longest_methods_come_first_and_all_leaves_out_methods_that_do_not_support_images(
    digits: Dataset,
) -> None:
    tasks = plan(digits, ["all"], ["base"], seeds=1).tasks
    assert [task.method for task in tasks] == ["centroid", "broken", "crash", "slow", "supervised"]
    assert "centroid" in choose_methods(["all"], "vectors", "bench.tiny_methods")
    assert "centroid" not in choose_methods(["all"], "images", "bench.tiny_methods")
    assert choose_methods(["centroid", "all"], "images", "bench.tiny_methods") == list(tiny_methods.METHODS)
    with pytest.raises(
        ValueError, match="unknown method 'magic'; use one of all, ablations, supervised, centroid"
    ):
        choose_methods(["magic"], "vectors", "bench.tiny_methods")


def test_the_time_left_is_estimated_from_what_runs_took() -> None:
    assert seconds_left(["a", "b"], {}, 2) is None
    assert seconds_left([], {"a": [3.0]}, 2) == 0
    assert seconds_left(["a", "a"], {"a": [2.0, 4.0]}, 1) == pytest.approx(6)
    assert seconds_left(["a", "a"], {"a": [2.0, 4.0]}, 2) == pytest.approx(3)
    assert seconds_left(["a"], {"a": [2.0, 4.0]}, 8) == pytest.approx(3)  # one run is on one process
    assert seconds_left(["comatch"], {"a": [2.0]}, 1) == pytest.approx(4.4)  # by its rough cost
    assert seconds_left(["comatch"], {"a": [2.0], "comatch": [10.0]}, 1) == pytest.approx(10)


def test_a_test_set_of_only_outliers_is_refused(digits: Dataset) -> None:
    outliers = dataclasses.replace(digits, test_y=np.full_like(digits.test_y, 9))
    with pytest.raises(ValueError, match="no test row is of an in-distribution class"):
        plan(outliers, ["supervised"], ["base"])


def test_ablations_are_run_when_asked_for_and_are_no_part_of_all() -> None:
    everything = choose_methods(["all"], "vectors")
    assert len(everything) == 20
    changed = choose_methods(["ablations"], "vectors")
    assert changed[:3] == ["ccp-alone", "ccp-untrusted", "seal"]
    assert changed[3] == "ccp-no-subsampling"
    assert not set(changed[3:]) & set(everything)
    assert choose_methods(["ccp-dmax-0.1", "supervised"], "images") == ["supervised", "ccp-dmax-0.1"]
    assert len(choose_methods(["ablations", "all"], "vectors")) == 20 + len(changed[3:])
