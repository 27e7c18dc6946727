"""Scenarios: how many rows of each class are labeled, unlabeled or left out, and how many labels are wrong.

A base case and three severities of each of the paper's five data variables, for any labeled data set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

SEVERITIES = (1, 2, 3)
ABOUT = {
    "base": "8 % of every class labeled (20 labels at least, half of the class at most)",
    "few-label": "25 (half of base, if that is less), 4, 2 labels a class; the rest become unlabeled",
    "open-set": "a third, two thirds, all of the strangers' classes join the unlabeled rows",
    "noisy-label": "20, 40, 60 % of the labels (of two classes 10, 20, 30 %) moved to another class",
    "imbalanced-unlabeled": "the last half of the classes keep 20, 10, 0 % of their unlabeled rows",
    "imbalanced-labeled": "the last half of the classes keep labels as in few-label; the others are dropped",
}
ABOUT_LABELS = {"labels-N, labels-N%": "all classes, with N labels each, or N % of their rows labeled"}
_LABELS = "labels-"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The numbers behind the scenarios; percentages are whole numbers."""

    known: int = 40  # % of the classes that are in-distribution (ID)
    fewest_known: int = 3  # where there would be fewer, all classes are
    base: int = 8  # % of a class that is labeled
    base_least: int = 20
    base_most: int = 50  # % of a class
    base_labels: int | None = None  # a number of labels in place of a percentage
    few: tuple[int, int, int] = (25, 4, 2)  # labels a class; the first is half of the base case's if less
    noise: tuple[int, int, int] = (20, 40, 60)  # % of all given labels
    noise_of_two: tuple[int, int, int] = (10, 20, 30)  # the same where there are two classes
    kept: tuple[int, int, int] = (20, 10, 0)  # % of the unlabeled rows


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What a cell is made of, class by class in order: the first `k` are ID, the others are strangers.

    `labels` and `unlabeled` count the rows of each class that are in the cell; the others are left out.
    `wrong` counts the labels that name another class than the true one.
    """

    name: str
    severity: int
    k: int
    labels: tuple[int, ...]
    unlabeled: tuple[int, ...]
    wrong: int = 0

    @property
    def cell(self) -> str:
        """Its name with its severity: `base`, `few-label-2`."""
        return self.name if not self.severity else f"{self.name}-{self.severity}"


def rules_for(counts: Sequence[int]) -> Rules:
    """The rules for training classes of these sizes: those of the paper for CIFAR-100, else the default.

    The default percentage is what the paper took of CIFAR-10: 400 labels of 5,000.
    """
    cifar100 = list(counts) == [500] * 100
    return Rules(base_labels=100) if cifar100 else Rules()


def scenarios(counts: Sequence[int], rules: Rules | None = None) -> list[Scenario]:
    """All scenarios of training classes of these sizes: 16, or 13 where no class is left for strangers."""
    rules = rules or rules_for(counts)
    k = len(counts) * rules.known // 100
    k = len(counts) if k < rules.fewest_known else k
    base = _base(counts, k, rules)
    found = [base, *(s for i in range(3) for s in _of_severity(base, counts, rules, i))]
    order = in_order([scenario.cell for scenario in found])
    return sorted(found, key=lambda scenario: order.index(scenario.cell))


def choose_scenarios(counts: Sequence[int], wanted: Sequence[str]) -> list[Scenario]:
    """Those that are wanted, by `all`, by a name (all severities), by a cell (`few-label-2`) or by labels.

    `labels-2` and `labels-5%` are cells of which all classes are learned, each with this many labels or this
    share of its rows labeled; `all` does not mean them.
    """
    there = scenarios(counts)
    known = {"all", *(word for s in there for word in (s.name, s.cell))}
    by_labels = [name for name in dict.fromkeys(wanted) if name.startswith(_LABELS)]
    for name in wanted:
        if name not in known and name not in by_labels:
            raise ValueError(_unknown(there, name))
    chosen = [s for s in there if {"all", s.name, s.cell} & set(wanted)]
    return chosen + [_labeled(name, counts) for name in by_labels]


def _labeled(name: str, counts: Sequence[int]) -> Scenario:
    """All classes, with as many labels as the name says."""
    if min(counts) < 2:
        raise ValueError(f"{name} needs two training rows or more of every class; leave rare classes out")
    labels = tuple(_amount(name.removeprefix(_LABELS), n) for n in counts)
    unlabeled = tuple(n - m for n, m in zip(counts, labels, strict=True))
    return Scenario(name=name, severity=0, k=len(counts), labels=labels, unlabeled=unlabeled)


def _amount(amount: str, n: int) -> int:
    """Labels of a class of `n` rows: one at least, all but one at most."""
    number = amount.removesuffix("%")
    if not number.isdecimal() or not int(number):
        raise ValueError(f"no scenario is named {_LABELS + amount!r}; labels-2, labels-5% and the like are")
    wanted = int(number) if number == amount else round(int(number) * n / 100)
    return min(max(wanted, 1), n - 1)


def in_order(cells: Sequence[str]) -> list[str]:
    """Names of cells, each once, in the order of a table."""
    order = [f"{name}-{i}" if i else name for name in ABOUT for i in (0, *SEVERITIES)]
    order += [cell for cell in dict.fromkeys(cells) if cell not in order]
    return sorted(set(cells), key=order.index)


def _base(counts: Sequence[int], k: int, rules: Rules) -> Scenario:
    if k < 2 or min(counts[:k]) < 2:
        smallest = min(counts[:k], default=0)
        raise ValueError(
            "scenarios need two classes or more with two training rows or more each, not "
            f"{k} of which one has {smallest}; take more rows, or leave rare classes out"
        )
    known = [_base_labels(n, rules) if c < k else 0 for c, n in enumerate(counts)]
    unlabeled = [n - m if c < k else 0 for c, (n, m) in enumerate(zip(counts, known, strict=True))]
    return Scenario(name="base", severity=0, k=k, labels=tuple(known), unlabeled=tuple(unlabeled))


def _base_labels(n: int, rules: Rules) -> int:
    """Labels of a class of `n` rows in the base case."""
    wanted = rules.base_labels or max(round(rules.base * n / 100), rules.base_least)
    return min(wanted, n * rules.base_most // 100)


def _few(base: Scenario, rules: Rules, i: int) -> list[int]:
    """Labels a class where labels are few, class by class; never more than the base case has."""
    if i:
        return [min(rules.few[i], labels) for labels in base.labels]
    return [min(rules.few[0], labels // 2 or labels) for labels in base.labels]


def _of_severity(base: Scenario, counts: Sequence[int], rules: Rules, i: int) -> list[Scenario]:
    """The scenarios of the severity `i` + 1."""
    few, k = _few(base, rules, i), base.k
    tail = range(k - k // 2, k)  # the last floor(k / 2) classes
    strangers = round((i + 1) * (len(counts) - k) / 3)
    noise = (rules.noise if k > 2 else rules.noise_of_two)[i]
    freed = [u + m - f for u, m, f in zip(base.unlabeled, base.labels, few, strict=True)]
    joined = [n if k <= c < k + strangers else base.unlabeled[c] for c, n in enumerate(counts)]
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


def _unknown(there: Sequence[Scenario], name: str) -> str:
    names = dict.fromkeys(s.name for s in there)
    if name.startswith("open-set") and "open-set" not in names:
        return f"this data has no cell {name!r}: with fewer than 8 classes none are left for strangers"
    listed = ", ".join(names)
    return f"no scenario is named {name!r}; there are all, {listed}, each also with -1, -2, -3, and labels-N"
