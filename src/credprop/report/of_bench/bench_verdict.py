"""The verdict: whether CCP matches the supervised baseline in all cells, and which methods do not."""

from typing import Any

from credprop.report.formatting import several
from credprop.report.of_bench.bench_formatting import (
    CHOSEN_PER_CELL,
    PageData,
    between,
    cell_name,
    grouped,
    listed,
    score,
    signed,
    size,
)

_CLOSE = 0.005  # up to half a point below the baseline counts as close


def judge(bench: PageData) -> dict[str, Any]:
    """A tone, a headline, sentences, and the main numbers."""
    tone, headline, sentences = _headline(bench)
    sentences = [*sentences, *_best(bench), *_below(bench)]
    return {
        "tone": tone,
        "headline": headline,
        "sentences": sentences,
        "bars": [],
        "findings": _findings(bench),
    }


def compared(bench: PageData) -> dict[str, dict[str, Any]]:
    """The cells in which both the baseline and the chosen variant of CCP were run."""
    return {c: own for c, own in bench["chosen"]["cells"].items() if own["difference"] is not None}


def _headline(bench: PageData) -> tuple[str, str, list[str]]:
    cells = compared(bench)
    if not bench["methods"]:
        done = "Every run failed" if bench["errors"] else "No run has finished yet"
        return "unknown", done, ["There are no results to show."]
    if bench["baseline"] not in bench["methods"]:
        sentence = "Add `--method supervised` to compare the methods with the supervised baseline."
        return "unknown", "The supervised baseline was not run", [sentence]
    if not cells:
        sentence = "Add `--method ccp-alone ccp-untrusted` to compare CCP with the supervised baseline."
        return "unknown", "CCP was not run in the cells of the supervised baseline", [sentence]
    below = {cell: own["difference"] for cell, own in cells.items() if own["below"]}
    tone = "ahead" if not below else "level" if min(below.values()) >= -_CLOSE else "behind"
    where = "all" if not below else f"{len(cells) - len(below)} of"
    where = f"{where} {several(len(cells), 'cell')}" if len(cells) > 1 or below else "the one cell"
    name = CHOSEN_PER_CELL if _variants(bench) else "CCP"
    return tone, f"{name}: at or above the supervised baseline in {where}", _about_ccp(bench, below)


def _variants(bench: PageData) -> list[str]:
    """The variants of CCP, other than `ccp-alone`, that were chosen for some cells."""
    kinds = {(own["method"], own["first"]) for own in compared(bench).values()}
    variants = []
    if ("ccp-untrusted", False) in kinds:
        variants.append("`ccp-untrusted` with noisy labels")
    if ("ccp-alone", True) in kinds:
        variants.append("`ccp-alone` after its first iteration with outliers (open-set)")
    return variants


def _about_ccp(bench: PageData, below: dict[str, float]) -> list[str]:
    test = bench["chosen"]["test"]
    spread = f", 95 % interval over seeds {between(test['interval'])}" if test["interval"] else ""
    side = "above" if test["mean"] >= 0 else "below"
    sentences = [f"Its mean accuracy is {size(test['mean'])} {side} `{bench['baseline']}`{spread}."]
    if below:
        worst = min(below, key=below.__getitem__)
        names = grouped(list(below))
        far = f"; the largest gap is in {cell_name(worst)}, {size(below[worst])}" if len(below) > 1 else ""
        by = f", by {size(below[worst])}" if len(below) == 1 else ""
        sentences.append(f"It is below in {names}{by}{far}.")
    if variants := _variants(bench):
        sentences.append(
            f"The variant is chosen per cell: {', '.join(variants)}, otherwise `ccp-alone`. "
            "Choosing it needs knowledge of the problem, which no single method in the table has."
        )
    if missing := grouped(bench["chosen"]["missing"]):
        sentences.append(f"The chosen variant was not run in {missing}.")
    return sentences


def _best(bench: PageData) -> list[str]:
    ranks = {name: own["mean_rank"]["value"] for name, own in bench["methods"].items() if own["mean_rank"]}
    if len(ranks) < 2:
        return []
    first = min(ranks, key=ranks.__getitem__)
    wins: dict[str, int] = {}
    for cell in bench["best"].values():
        wins |= {name: wins.get(name, 0) + 1 for name in cell["methods"]}
    most = max(wins, key=wins.__getitem__)
    rank = f"Of {len(ranks)} ranked methods, `{first}` has the best mean rank, {ranks[first]:.1f}"
    if wins.get(first) == wins[most]:
        return [f"{rank}, and is best in {wins[most]} of {several(len(bench['best']), 'cell')}."]
    return [f"{rank}; `{most}` is best in the most cells, {wins[most]} of {len(bench['best'])}."]


def _below(bench: PageData) -> list[str]:
    counts = {
        name: len(own["below"])
        for name, own in bench["methods"].items()
        if own["below"] is not None and name not in bench["unranked"]
    }
    if not counts:
        return []
    never = [f"`{name}`" for name, count in counts.items() if not count]
    worse = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    cells = len(bench["methods"][bench["baseline"]]["accuracy"])
    named = [f"`{name}` in {counts[name]}{f' of {cells}' if name == worse[0] else ''}" for name in worse]
    sentences = [f"Never below the supervised baseline: {listed(never, 8)}."] if never else []
    return [*sentences, f"Below the supervised baseline: {listed(named, 8)}."] if worse else sentences


def _findings(bench: PageData) -> list[dict[str, str]]:
    cells, test = compared(bench), bench["chosen"]["test"]
    cards = []
    if cells:
        above = sum(not own["below"] for own in cells.values())
        cards.append(
            _card(f"{above} of {len(cells)}", "cells in which CCP is at or above the supervised baseline", "")
        )
        note = between(test["interval"]) and f"95 % interval {between(test['interval'])}"
        cards.append(
            _card(signed(test["mean"]), "points vs. the supervised baseline, mean over cells and seeds", note)
        )
    chosen = bench["chosen"]["cells"]
    if chosen and len(bench["methods"]) > 1:
        worst = max(chosen, key=lambda cell: chosen[cell]["regret"])
        best = bench["best"][worst]
        note = f"in {cell_name(worst)}, behind {listed(best['methods'], 2)} with {score(best['accuracy'])} %"
        regret = chosen[worst]["regret"]
        meaning = "points behind the best method in the worst cell"
        cards.append(_card(f"{100 * regret:.1f}", meaning, note if regret > 0 else ""))
    failed = several(bench["errors"], "run") + " failed" if bench["errors"] else "none failed"
    cards.append(_card(f"{bench['runs']:,}", f"{'run' if bench['runs'] == 1 else 'runs'} finished", failed))
    return cards


def _card(value: str, meaning: str, note: str) -> dict[str, str]:
    return {"value": value, "meaning": meaning, "note": note}
