"""The verdict in plain words: does CCP keep up with the labels alone everywhere, and who does not."""

from typing import Any

from credprop.report.of_bench.method_words import (
    Found,
    between,
    cell_name,
    grouped,
    listed,
    score,
    signed,
    size,
)
from credprop.report.words import several

_CLOSE = 0.005  # half a point below the baseline is called close


def judge(found: Found) -> dict[str, Any]:
    """A tone, a headline, sentences, and the few numbers that a reader wants first."""
    tone, headline, sentences = _headline(found)
    sentences = [*sentences, *_best(found), *_below(found)]
    return {
        "tone": tone,
        "headline": headline,
        "sentences": sentences,
        "bars": [],
        "findings": _findings(found),
    }


def compared(found: Found) -> dict[str, dict[str, Any]]:
    """The cells in which both the baseline and the paper's variant of CCP were run."""
    return {c: own for c, own in found["paper"]["cells"].items() if own["difference"] is not None}


def _headline(found: Found) -> tuple[str, str, list[str]]:
    cells = compared(found)
    if not found["methods"]:
        done = "Every run failed" if found["errors"] else "No run is done yet"
        return "unknown", done, ["There is no result to show."]
    if found["baseline"] not in found["methods"]:
        sentence = "Without it nothing tells who falls below the labels alone: add `--method supervised`."
        return "unknown", "The baseline, supervised, was not run", [sentence]
    if not cells:
        sentence = "Its place is empty: add `--method ccp ccp-untrusted`."
        return "unknown", "CCP was not run beside the labels alone", [sentence]
    below = {cell: own["difference"] for cell, own in cells.items() if own["below"]}
    tone = "ahead" if not below else "level" if min(below.values()) >= -_CLOSE else "behind"
    where = "all" if not below else f"{len(cells) - len(below)} of"
    where = f"{where} {several(len(cells), 'cell')}" if len(cells) > 1 or below else "the one cell"
    return tone, f"CCP is at or above the labels alone in {where}", _about_ccp(found, below)


def _about_ccp(found: Found, below: dict[str, float]) -> list[str]:
    test, cells = found["paper"]["test"], compared(found)
    spread = f", 95 % interval over seeds {between(test['interval'])}" if test["interval"] else ""
    side = "above" if test["mean"] >= 0 else "below"
    sentences = [f"On average it is {size(test['mean'])} {side} `{found['baseline']}`{spread}."]
    if below:
        worst = min(below, key=below.__getitem__)
        names = grouped(list(below))
        far = f"; farthest in {cell_name(worst)}, by {size(below[worst])}" if len(below) > 1 else ""
        by = f", by {size(below[worst])}" if len(below) == 1 else ""
        sentences.append(f"It is below in {names}{by}{far}.")
    kinds = {(own["method"], own["first"]) for own in cells.values()}
    used = []
    if ("ccp-untrusted", False) in kinds:
        used.append("labels refined like all others (`ccp-untrusted`) where labels are noisy")
    if ("ccp", True) in kinds:
        used.append("one iteration with strangers (open-set)")
    if used:
        sentences.append(
            f"CCP here is the variant that the paper used: {'; '.join(used)}; `ccp` elsewhere. "
            "It is chosen by the cell, a choice that no other method has."
        )
    if missing := grouped(found["paper"]["missing"]):
        sentences.append(f"The variant that the paper used was not run in {missing}.")
    return sentences


def _best(found: Found) -> list[str]:
    ranks = {name: own["mean_rank"]["value"] for name, own in found["methods"].items() if own["mean_rank"]}
    if len(ranks) < 2:
        return []
    first = min(ranks, key=ranks.__getitem__)
    wins: dict[str, int] = {}
    for cell in found["best"].values():
        wins |= {name: wins.get(name, 0) + 1 for name in cell["methods"]}
    most = max(wins, key=wins.__getitem__)
    rank = f"Of {len(ranks)} ranked methods `{first}` has the best mean rank, {ranks[first]:.1f}"
    if wins.get(first) == wins[most]:
        return [f"{rank}, and is first in {wins[most]} of {several(len(found['best']), 'cell')}."]
    return [f"{rank}; `{most}` is first in the most cells, {wins[most]} of {len(found['best'])}."]


def _below(found: Found) -> list[str]:
    counts = {
        name: len(own["below"])
        for name, own in found["methods"].items()
        if own["below"] is not None and name not in found["unranked"]
    }
    if not counts:
        return []
    never = [f"`{name}`" for name, count in counts.items() if not count]
    worse = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    cells = len(found["methods"][found["baseline"]]["accuracy"])
    said = [f"`{name}` in {counts[name]}{f' of {cells}' if name == worse[0] else ''}" for name in worse]
    sentences = [f"Never below the labels alone: {listed(never, 8)}."] if never else []
    return [*sentences, f"Below the labels alone: {listed(said, 8)}."] if worse else sentences


def _findings(found: Found) -> list[dict[str, str]]:
    cells, test = compared(found), found["paper"]["test"]
    cards = []
    if cells:
        above = sum(not own["below"] for own in cells.values())
        cards.append(_card(f"{above} of {len(cells)}", "cells where CCP is at or above the labels alone", ""))
        note = between(test["interval"]) and f"95 % interval {between(test['interval'])}"
        cards.append(
            _card(signed(test["mean"]), "points from the labels alone, mean of cells and seeds", note)
        )
    ours = found["paper"]["cells"]
    if ours and len(found["methods"]) > 1:
        worst = max(ours, key=lambda cell: ours[cell]["regret"])
        best = found["best"][worst]
        note = f"in {cell_name(worst)}, behind {listed(best['methods'], 2)} with {score(best['accuracy'])} %"
        regret = ours[worst]["regret"]
        meaning = "points behind the best method at worst"
        cards.append(_card(f"{100 * regret:.1f}", meaning, note if regret > 0 else ""))
    failed = several(found["errors"], "run") + " failed" if found["errors"] else "none failed"
    cards.append(
        _card(f"{found['runs']:,}", f"{'run is' if found['runs'] == 1 else 'runs are'} done", failed)
    )
    return cards


def _card(value: str, meaning: str, note: str) -> dict[str, str]:
    return {"value": value, "meaning": meaning, "note": note}
