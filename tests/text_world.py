"""Short texts of two classes, an encoder that counts their words, and machines without extras."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from credprop.frozen.protocol import Kind, OnProgress, Vectors, no_progress

SPORT = ["goal", "match", "team", "player", "score", "league", "coach", "final"]
MONEY = ["bank", "market", "stock", "rate", "trade", "profit", "price", "share"]
WORDS = {"sport": SPORT, "money": MONEY}
ROWS, LABELED = 60, 20


def texts(rows: int = ROWS, seed: int = 0) -> list[str]:
    """Texts of both classes in turn, each of eight words of its class."""
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS[truth(i)], 8)) for i in range(rows)]


def truth(row: int) -> str:
    """The class of a row."""
    return ("sport", "money")[row % 2]


def labels(rows: int = ROWS, labeled: int = LABELED) -> list[str | None]:
    """Labels of the first rows, None for the others."""
    return [truth(i) if i < labeled else None for i in range(rows)]


class Counter:
    """A frozen encoder: how often a text has each word. It remembers what it was asked."""

    name = "counter"
    kind: Kind = "text"

    def __init__(self, identity: str = "1") -> None:
        self.identity = identity
        self.asked: list[str] = []

    def encode(self, rows: Sequence[str], on_progress: OnProgress = no_progress) -> Vectors:
        """A number for each word."""
        self.asked += rows
        on_progress(len(rows), len(rows))
        return np.array([[row.split().count(word) for word in SPORT + MONEY] for row in rows], np.float32)


def block(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """As if these were not installed."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def make_counter() -> Any:
    """A frozen encoder by the path of this function, `text_world:make_counter`."""
    return Counter()
