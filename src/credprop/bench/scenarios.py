"""Scenarios: how many rows of each class are labeled, unlabeled or left out, and how many labels are wrong.

For any labeled data set: a base case, and each of the paper's five data variables at three severities.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

SEVERITIES = (1, 2, 3)
ABOUT = {
    "base": "8 % of every class is labeled (at least 20 labels, at most half of the class)",
    "few-label": "25 (half of base, if less), 4, 2 labels per class; the other rows become unlabeled",
    "open-set": "a third, two thirds, all of the outlier classes are added to the unlabeled rows",
    "noisy-label": "20, 40, 60 % of the labels are wrong (with two classes: 10, 20, 30 %)",
    "imbalanced-unlabeled": "the last half of the classes keeps 20, 10, 0 % of its unlabeled rows",
    "imbalanced-labeled": "the last half of the classes keeps the labels of few-label; the rest is dropped",
}
ABOUT_LABELS = {
    "labels-N, labels-N%": "all classes are in-distribution, with N labels each, or N % of their rows labeled"
}
_LABELS = "labels-"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The numbers that define the scenarios; percentages are integers."""

    known: int = 40  # % of the classes that are in-distribution (ID)
    fewest_known: int = 3  # with fewer, all classes are ID
    base: int = 8  # % of each class that is labeled
    base_least: int = 20
    base_most: int = 50  # % of a class
    base_labels: int | None = None  # a number of labels instead of a percentage
    few: tuple[int, int, int] = (25, 4, 2)  # labels per class; the first is at most half of the base case
    noise: tuple[int, int, int] = (20, 40, 60)  # % of all given labels
    noise_of_two: tuple[int, int, int] = (10, 20, 30)  # the same with two classes
    kept: tuple[int, int, int] = (20, 10, 0)  # % of the unlabeled rows


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The composition of a cell, by class in order: the first `k` classes are ID, the others are outliers.

    `labels` and `unlabeled` are the numbers of rows of each class in the cell; other rows are left out.
    `wrong` is the number of wrong labels.
    """

    name: str
    severity: int
    k: int
    labels: tuple[int, ...]
    unlabeled: tuple[int, ...]
    wrong: int = 0

    @property
    def cell(self) -> str:
        """The name with the severity: `base`, `few-label-2`."""
        return self.name if not self.severity else f"{self.name}-{self.severity}"


def rules_for(counts: Sequence[int]) -> Rules:
    """The rules for training classes of these sizes: the paper's for CIFAR-100, otherwise the default.

    The default percentage is the paper's for CIFAR-10: 400 labels of 5,000 rows.
    """
    cifar100 = list(counts) == [500] * 100
    return Rules(base_labels=100) if cifar100 else Rules()


def scenarios(counts: Sequence[int], rules: Rules | None = None) -> list[Scenario]:
    """All scenarios for classes of these sizes: 16, or 13 with too few classes for outliers."""
    rules = rules or rules_for(counts)
    k = len(counts) * rules.known // 100
    k = len(counts) if k < rules.fewest_known else k
    base = _base(counts, k, rules)
    found = [base, *(s for i in range(3) for s in _of_severity(base, counts, rules, i))]
    order = in_order([scenario.cell for scenario in found])
    return sorted(found, key=lambda scenario: order.index(scenario.cell))


def choose_scenarios(counts: Sequence[int], wanted: Sequence[str]) -> list[Scenario]:
    """The wanted scenarios: `all`, a name (all severities), a cell (`few-label-2`) or a number of labels.

    In `labels-2` and `labels-5%`, all classes are ID, each with this many labels or this share of labeled
    rows; `all` does not include them.
    """
    known = scenarios(counts)
    names = {"all", *(name for s in known for name in (s.name, s.cell))}
    by_labels = [name for name in dict.fromkeys(wanted) if name.startswith(_LABELS)]
    for name in wanted:
        if name not in names and name not in by_labels:
            raise ValueError(_unknown(known, name))
    chosen = [s for s in known if {"all", s.name, s.cell} & set(wanted)]
    return chosen + [_labeled(name, counts) for name in by_labels]


def _labeled(name: str, counts: Sequence[int]) -> Scenario:
    """All classes with the number of labels in the name."""
    if min(counts) < 2:
        raise ValueError(f"{name} needs at least two training rows of every class; remove rare classes")
    labels = tuple(_amount(name.removeprefix(_LABELS), n) for n in counts)
    unlabeled = tuple(n - m for n, m in zip(counts, labels, strict=True))
    return Scenario(name=name, severity=0, k=len(counts), labels=labels, unlabeled=unlabeled)


def _amount(amount: str, n: int) -> int:
    """Number of labels of a class of `n` rows: at least one, at most all but one."""
    number = amount.removesuffix("%")
    if not number.isdecimal() or not int(number):
        raise ValueError(
            f"unknown scenario {_LABELS + amount!r}; use a number or percentage, like labels-2 or labels-5%"
        )
    wanted = int(number) if number == amount else round(int(number) * n / 100)
    return min(max(wanted, 1), n - 1)


def in_order(cells: Sequence[str]) -> list[str]:
    """Names of cells without repetition, in the order of a table."""
    order = [f"{name}-{i}" if i else name for name in ABOUT for i in (0, *SEVERITIES)]
    order += [cell for cell in dict.fromkeys(cells) if cell not in order]
    return sorted(set(cells), key=order.index)


def _base(counts: Sequence[int], k: int, rules: Rules) -> Scenario:
    if k < 2 or min(counts[:k]) < 2:
        smallest = min(counts[:k], default=0)
        raise ValueError(
            "scenarios need at least two classes with at least two training rows each (the smallest of "
            f"{k} has {smallest}); use more rows, or remove rare classes"
        )
    labels = [_base_labels(n, rules) if c < k else 0 for c, n in enumerate(counts)]
    unlabeled = [n - m if c < k else 0 for c, (n, m) in enumerate(zip(counts, labels, strict=True))]
    return Scenario(name="base", severity=0, k=k, labels=tuple(labels), unlabeled=tuple(unlabeled))


def _base_labels(n: int, rules: Rules) -> int:
    """Number of labels of a class of `n` rows in the base case."""
    wanted = rules.base_labels or max(round(rules.base * n / 100), rules.base_least)
    return min(wanted, n * rules.base_most // 100)


def _few(base: Scenario, rules: Rules, i: int) -> list[int]:
    """Number of labels of each class in few-label; at most that of the base case."""
    if i:
        return [min(rules.few[i], labels) for labels in base.labels]
    return [min(rules.few[0], labels // 2 or labels) for labels in base.labels]


def _of_severity(base: Scenario, counts: Sequence[int], rules: Rules, i: int) -> list[Scenario]:
    """The scenarios of the severity `i` + 1."""
    few, k = _few(base, rules, i), base.k
    tail = range(k - k // 2, k)  # the last floor(k / 2) classes
    outliers = round((i + 1) * (len(counts) - k) / 3)
    noise = (rules.noise if k > 2 else rules.noise_of_two)[i]
    freed = [u + m - f for u, m, f in zip(base.unlabeled, base.labels, few, strict=True)]
    joined = [n if k <= c < k + outliers else base.unlabeled[c] for c, n in enumerate(counts)]
    thinned = [round(rules.kept[i] * u / 100) if c in tail else u for c, u in enumerate(base.unlabeled)]
    fewer = [few[c] if c in tail else m for c, m in enumerate(base.labels)]
    wrong = round(noise * sum(base.labels) / 100)
    found = {
        "few-label": replace(base, labels=tuple(few), unlabeled=tuple(freed)),
        "open-set": replace(base, unlabeled=tuple(joined)),
        "noisy-label": replace(base, wrong=wrong),
        "imbalanced-unlabeled": replace(base, unlabeled=tuple(thinned)),
        "imbalanced-labeled": replace(base, labels=tuple(fewer)),
    }
    if k == len(counts):
        del found["open-set"]
    return [replace(scenario, name=name, severity=i + 1) for name, scenario in found.items()]


def _unknown(known: Sequence[Scenario], name: str) -> str:
    names = dict.fromkeys(s.name for s in known)
    if name.startswith("open-set") and "open-set" not in names:
        return f"scenario {name!r} needs at least 8 classes, some of them for outliers; choose another one"
    listed = ", ".join(names)
    return f"unknown scenario {name!r}; use all, {listed} (also with severity -1, -2, -3), or labels-N"
