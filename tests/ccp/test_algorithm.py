"""Algorithm 1 against plain loops, and that the paper's runs without anything that is not in it."""

import ast
import dataclasses
import re
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch

import oracles
from ccp.conftest import blobs, tiny
from credprop.augment import identity
from credprop.ccp import ADDITIONS, PAPER, PRESETS, Additions, Settings, choose_settings, train
from credprop.ccp.algorithm import contrast_and_propagate, end_iteration, targets_of
from credprop.ccp.setup import new_state, two_views
from credprop.ccp.state import State
from credprop.data import PartlyLabeled, Tokens
from credprop.data.dataset import Rows
from credprop.functional import adjust, angular_similarity, class_similarity, mean_of_views
from credprop.methods import METHODS, choose_method
from credprop.training import Compute, isolated_random_state
from functional.conftest import unclipped_credibility

CPU = Compute(torch.device("cpu"))


@pytest.mark.parametrize("softmax", [False, True])
def test_an_iteration_stores_what_algorithm_2_and_the_opinion_give(
    data: PartlyLabeled, softmax: bool
) -> None:
    index, settings = torch.arange(20), tiny(softmax=softmax)
    with isolated_random_state(0):
        state = new_state(data, settings, 0, CPU)
    state.model.eval()
    if softmax:  # vectors of several classes
        state.tables.q = torch.rand(len(data), data.k, generator=state.generator)
    draws = state.generator.get_state()
    views, q = two_views(state, index), state.tables.q[index].repeat(2, 1)
    state.generator.set_state(draws)
    contrast_and_propagate(state, index)

    similarity = angular_similarity(state.model.project(views)).detach()
    heard = class_similarity(similarity, q)
    expected = mean_of_views(heard.softmax(dim=1) if softmax else adjust(heard))
    torch.testing.assert_close(state.tables.total[index], expected)
    opinion = oracles.propagate(similarity.tolist(), q.tolist(), left_out=lambda j, i: i % 20 == j % 20)
    given = data.given[data.given < 20]
    torch.testing.assert_close(state.tables.judged[given], mean_of_views(torch.tensor(opinion))[given])
    assert state.tables.judgments.nonzero()[:, 0].tolist() == given.tolist()


def stored_vectors(n: int, k: int) -> list[oracles.Matrix]:
    """Adjusted vectors as an iteration stores them, more often for some samples than for others."""
    return [unclipped_credibility(2 + i % 3, k, seed=i).mul(0.2 + i / n).tolist() for i in range(n)]


def ended(stored: list[oracles.Matrix], p_last: int = 100, d_max: float = 0.01, **changes: Any) -> State:
    """A run of unlabeled samples that has ended an iteration in which these vectors were stored."""
    n, k = len(stored), len(stored[0][0])
    data = PartlyLabeled(x=torch.zeros(n, 6), labels=torch.full((n,), -1), k=k)
    state = new_state(data, tiny(**changes), 0, CPU)
    tables = state.tables
    tables.q, tables.full = tables.q.double(), tables.full.double()
    tables.total = torch.stack([torch.tensor(draws, dtype=torch.float64).sum(dim=0) for draws in stored])
    tables.count = torch.tensor([len(draws) for draws in stored])
    state.p_last, state.d_max, state.history = p_last, d_max, [{}]
    end_iteration(state, 3)
    return state


@pytest.mark.parametrize("p_last", [100, 20])
@pytest.mark.parametrize("d_max", [0.0, 0.01, 0.1])
def test_the_end_of_an_iteration_equals_algorithm_1(p_last: int, d_max: float) -> None:
    stored = stored_vectors(120, 4)
    state = ended(stored, p_last, d_max)
    before, after, p = oracles.end_iteration(stored, p_last, d_max)
    assert state.p_last == state.history[0]["p"] == p
    assert (p == 0) == (d_max == 0)
    torch.testing.assert_close(state.tables.full, torch.tensor(before, dtype=torch.float64))
    torch.testing.assert_close(state.tables.q, torch.tensor(after, dtype=torch.float64))
    assert state.d_max == d_max / 2
    labeled = torch.tensor(before).amax(dim=1) > 0
    assert torch.equal(state.tables.labeled_iter, torch.where(labeled, 3, -1))


def test_subsampling_ranks_by_the_mean_itself_and_not_by_the_clipped_strength() -> None:
    # Strengths after the last adjustment: 0.2 and 0.15. Largest means: 0.1 and 0.12.
    state = ended([[[0.1, -0.1]], [[0.12, -0.03]]], d_max=9.0)
    assert state.p_last == 99
    assert state.tables.q[0].tolist() == [0, 0]
    assert state.tables.q[1, 0] > 0


def test_clamped_labels_are_neither_changed_nor_counted() -> None:
    data = blobs(labels_per_class=5)
    state = new_state(data, tiny(), 0, CPU)
    given, before = data.given, state.tables.q[data.given]
    state.tables.total[:], state.tables.count[:], state.history = 0.1, 1, [{}]
    state.tables.total[15:, 0] = torch.linspace(0.2, 0.9, 75)
    end_iteration(state, 1)
    assert torch.equal(state.tables.q[given], before)
    assert torch.equal(state.tables.full[given], before)
    assert state.history[0]["labeled"] == 75


def test_the_page_names_the_lines_of_the_code_that_carry_the_lines_of_the_paper() -> None:
    root = Path(__file__).parents[2]
    code = (root / "src/credprop/ccp/algorithm.py").read_text().splitlines()
    page = (root / "docs/algorithm.md").read_text()
    rows = re.findall(r"^\| ([0-9, -]+) \|[^|]+\| (\d+) \|", page, flags=re.M)
    explained: set[int] = set()
    for paper, line in rows:
        lines = numbers(paper)
        explained |= lines
        carried = numbers(re.sub(r"[^0-9, -]", " ", code[int(line) - 1].rpartition("#")[2]))
        loop_ends = {4, 12, 13, 18}
        assert lines - loop_ends <= carried, f"line {line} of the code does not carry {paper}"
    assert explained == set(range(1, 24))
    assert len(code) <= 150


def numbers(words: str) -> set[int]:
    """The numbers and ranges in a text: "5, 7-9" gives 5, 7, 8, 9."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", words):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_the_algorithm_names_no_addition() -> None:
    tree = ast.parse((Path(__file__).parents[2] / "src/credprop/ccp/algorithm.py").read_text())
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    words |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not words & {addition.__name__ for addition in ADDITIONS}
    assert not any("additions" in (module or "") for module in imported)


def never(*_: Any) -> NoReturn:
    raise AssertionError("an addition was called")


EVERY_PLACE = [Additions(**{place: (never,)}) for place in ("rate", "epoch", "targets")]


@pytest.mark.parametrize("additions", EVERY_PLACE, ids=["rate", "epoch", "targets"])
@pytest.mark.parametrize("name", ["ccp-paper", "ccp-paper-untrusted"])
def test_the_papers_algorithm_runs_without_any_addition(
    name: str, additions: Additions, data: PartlyLabeled
) -> None:
    settings = tiny(additions=additions)
    choose_method(name)(data, settings, 0, compute=CPU)
    with pytest.raises(AssertionError, match="an addition was called"):  # where they are not switched off
        choose_method("ccp-alone")(data, settings, 0, compute=CPU)


def kinds() -> dict[str, PartlyLabeled]:
    """A little data of every kind."""
    labels = torch.tensor([0, 1, 2, *[-1] * 37])
    x: dict[str, Rows] = {
        "vectors": torch.randn(40, 6, generator=torch.Generator().manual_seed(0)).numpy(),
        "images": torch.rand(40, 8, 8, 3, generator=torch.Generator().manual_seed(0)).numpy(),
        "text": Tokens(torch.randint(1, 30, (40, 5), generator=torch.Generator().manual_seed(0)).numpy(), 30),
    }
    return {kind: PartlyLabeled(x=rows, labels=labels, k=3) for kind, rows in x.items()}


@pytest.mark.parametrize("preset", PRESETS)
def test_only_auto_uses_additions(preset: str) -> None:
    for kind, data in kinds().items():
        if (kind == "text") == preset.startswith("text") or preset == "auto":
            assert (choose_settings(data, preset).additions == PAPER) == (preset != "auto")


def test_no_addition_is_the_default_and_nothing_else_is_taken_for_one() -> None:
    assert Settings.__dataclass_fields__["additions"].default == PAPER == Additions()
    assert not any(vars(PAPER).values())
    with pytest.raises(ValueError, match="additions must be an Additions, not 'settle'"):
        tiny(additions="settle")


def test_the_papers_methods_differ_only_in_trust(data: PartlyLabeled) -> None:
    settings = tiny(additions=EVERY_PLACE[0])
    for name, trusted in (("ccp-paper", True), ("ccp-paper-untrusted", False)):
        found = METHODS[name](data, settings, 0, compute=CPU)
        plain = dataclasses.replace(settings, additions=PAPER, trust_labels=trusted)
        assert found.pseudo_labels is not None
        assert found.pseudo_labels.tolist() == labels_of(train(data, plain, compute=CPU).q)


def labels_of(q: torch.Tensor) -> list[int]:
    return torch.where(q.amax(dim=1) > 0, q.argmax(dim=1), -1).tolist()


def test_in_the_paper_the_classifier_learns_the_vectors_before_subsampling_all_alike() -> None:
    data = blobs()
    state = new_state(data, tiny(augment=identity), 0, CPU)
    state.tables.full = torch.rand(90, 3)
    targets = targets_of(state)
    assert targets.q is state.tables.full
    assert (targets.weight == 1).all()
    assert not targets.shift.any()
    assert not targets.record
    state.settings = tiny(subsample_final=True)
    assert targets_of(state).q is state.tables.q
