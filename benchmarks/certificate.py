"""How far the certificate can be believed: simulated data sets whose true difference is known.

    python benchmarks/certificate.py [--sets 250]

All data sets of a line are drawn from one distribution, and all members are linear, so that a set takes a
fraction of a second. In `none` each model sees a half of the features, which tell equally much, so that
neither is better; in `gain` the baseline sees a half and the other model all; in `blend` linear members are
blended as in a fit. The true difference is that of the procedures at this number of labels: the mean over
all sets of a line, on 4,000 test rows each.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import one_hot

from credprop.functional.additions import fit_linear, transductive_mixture
from credprop.trial.candidates import belief_in
from credprop.trial.certificate import Certificate, compare
from credprop.trial.folds import FOLDS, make_folds
from credprop.trial.hidden import Hidden
from credprop.trial.likelihood import fit_likelihood

K, D, TEST = 3, 12, 4000
LABELS = (40, 100, 200)


@dataclass(frozen=True, eq=False)
class World:
    """Rows, the classes of all, and labels of the first ones."""

    x: Tensor
    truth: Tensor
    labels: Tensor
    test_x: Tensor
    test_truth: Tensor


@dataclass(frozen=True)
class Run:
    """A certificate, and the test accuracy of the models that it is about, by name."""

    certificate: Certificate
    accuracy: dict[str, float]


def make_world(labels: int, unlabeled: int, spread: float, seed: int) -> World:
    """Rows of Gaussian classes, always the same ones; both halves of the features tell equally much."""
    half = torch.randn(K, D // 2, generator=torch.Generator().manual_seed(0))
    centers = torch.cat([half, half], dim=1)
    generator = torch.Generator().manual_seed(seed)
    truth = torch.randint(K, (labels + unlabeled + TEST,), generator=generator)
    truth[:K] = torch.arange(K)
    truth[K : 2 * K] = torch.arange(K)  # two labels of a class at least
    x = centers[truth] + spread * torch.randn(len(truth), D, generator=generator)
    n = labels + unlabeled
    given = torch.where(torch.arange(n) < labels, truth[:n], -1)
    return World(x[:n], truth[:n], given, x[n:], truth[n:])


def linear(x: Tensor, labels: Tensor, new: Tensor) -> Tensor:
    """Log-probabilities of new rows by logistic regression on the labeled ones."""
    given = labels >= 0
    weight, bias = fit_linear(x[given], one_hot(labels[given], K).float())
    return (new @ weight.T + bias).log_softmax(dim=1)


def mixture(x: Tensor, labels: Tensor, new: Tensor) -> Tensor:
    """The same, taught by a transductive mixture."""
    q = transductive_mixture(x, labels, linear(x, labels, x))
    weight, bias = fit_linear(x, q)
    return (new @ weight.T + bias).log_softmax(dim=1)


Predict = Callable[[Tensor, Tensor, Tensor], Tensor]


def on(columns: slice, predict: Predict = linear) -> Predict:
    """A model that sees these features only."""
    return lambda x, labels, new: predict(x[:, columns], labels, new[:, columns])


def two_models(world: World, blend: Predict, baseline: Predict) -> Run:
    """A certificate of one model against another, in place of a blend."""
    models = {"blend": blend, "supervised": baseline}
    folds = make_folds(world.labels, generator=torch.Generator().manual_seed(0))
    hidden = torch.cat(folds)
    said = {name: [] for name in models}  # type: dict[str, list[Tensor]]
    for rows in folds:
        labels = world.labels.index_fill(0, rows, -1)
        for name, model in models.items():
            said[name].append(model(world.x, labels, world.x[rows]).argmax(dim=1))
    certificate = certified({name: torch.cat(own) for name, own in said.items()}, world, folds, hidden)
    return Run(certificate, {name: tested(model, world) for name, model in models.items()})


def whole_trial(world: World) -> Run:
    """The certificate of a blend of linear members, as a fit makes it."""
    models = {"supervised": on(slice(0, 6)), "linear": linear, "mixture": mixture}
    folds = make_folds(world.labels, generator=torch.Generator().manual_seed(0))
    said = {name: [] for name in models}  # type: dict[str, list[Tensor]]
    for rows in folds:
        labels = world.labels.index_fill(0, rows, -1)
        for name, model in models.items():
            said[name].append(model(world.x, labels, world.x[rows]))
    hidden = Hidden(folds=folds, log_p=said, labels=[world.labels[rows] for rows in folds])
    predicted = {name: torch.cat(said[name]).argmax(dim=1) for name in ("supervised", "linear")}
    predicted["blend"] = hidden.cross_fitted().argmax(dim=1)
    final = torch.stack([model(world.x, world.labels, world.test_x) for model in models.values()])
    likelihood = fit_likelihood(hidden.of(), hidden.given, belief_in(list(models)))
    accuracy = {name: tested(models[name], world) for name in ("supervised", "linear")}
    accuracy["blend"] = share(likelihood.blend(final).argmax(dim=1) == world.test_truth)
    return Run(certified(predicted, world, folds, hidden.rows), accuracy)


def certified(predicted: dict[str, Tensor], world: World, folds: list[Tensor], hidden: Tensor) -> Certificate:
    """The certificate from predictions of hidden rows."""
    given = int((world.labels >= 0).sum())
    return compare(
        {name: own.numpy() for name, own in predicted.items()},
        world.labels[hidden].numpy(),
        K,
        metric="accuracy",
        folds=len(folds),
        training_labels=given - fmean(len(rows) for rows in folds),
        weights={},
    )


def tested(model: Predict, world: World) -> float:
    """Test accuracy after learning from all labels."""
    return share(model(world.x, world.labels, world.test_x).argmax(dim=1) == world.test_truth)


def share(right: Tensor) -> float:
    """The share of True."""
    return right.double().mean().item()


SCENARIOS: dict[str, Callable[[int, int], Run]] = {
    "none": lambda labels, seed: two_models(
        make_world(labels, 0, 2.0, seed), on(slice(0, 6)), on(slice(6, 12))
    ),
    "gain": lambda labels, seed: two_models(
        make_world(labels, 0, 2.0, seed), on(slice(0, 12)), on(slice(0, 6))
    ),
    "blend": lambda labels, seed: whole_trial(make_world(labels, 300, 1.4, seed)),
}


def summary(name: str, labels: int, runs: list[Run]) -> str:
    """How often the interval holds the true difference, and how often "better" and "worse" are said."""
    differences = {
        baseline: fmean(run.accuracy["blend"] - run.accuracy[baseline] for run in runs)
        for baseline in runs[0].accuracy
        if baseline != "blend"
    }
    if name == "none":
        differences = {"supervised": 0.0}  # by symmetry
    true = [differences[run.certificate.baseline] for run in runs]
    held = [r.certificate.low <= t <= r.certificate.high for r, t in zip(runs, true, strict=True)]
    width = fmean(run.certificate.high - run.certificate.low for run in runs)
    better = np.mean([run.certificate.proven for run in runs])
    worse = np.mean([run.certificate.worse for run in runs])
    hidden = fmean(run.certificate.hidden for run in runs)
    return (
        f"| {name} | {hidden:.0f} | {100 * fmean(true):+.1f} | {np.mean(held):.3f} | {100 * width:.1f} "
        f"| {better:.3f} | {worse:.3f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=250, help="simulated data sets of each scenario and size")
    sets = parser.parse_args().sets
    torch.set_num_threads(1)
    print(f"{sets} data sets a line, {FOLDS} folds\n")
    print("| scenario | hidden labels | true difference | interval holds it | width | better | worse |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, make in SCENARIOS.items():
        for labels in LABELS:
            print(summary(name, labels, [make(labels, seed) for seed in range(sets)]), flush=True)


if __name__ == "__main__":
    main()
