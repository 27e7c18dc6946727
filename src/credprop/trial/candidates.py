"""The candidates of the trial: each learns from partly labeled data and gives probabilities of any row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import one_hot

from credprop.ccp import Pretrained, Progress, Result, Settings, planned_steps, train_on, train_supervised
from credprop.data import PartlyLabeled
from credprop.functional.additions import fit_linear, transductive_mixture
from credprop.networks import Model, build_model
from credprop.training import Compute, embed
from credprop.training.subsets import evenly
from credprop.trial.likelihood import Belief

OnProgress = Callable[[Progress], None]
_SPEAKERS = 10_000  # unlabeled rows at most in a mixture


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """What a candidate learns from: all of it is shared by the folds but the labels in `data`."""

    data: PartlyLabeled
    settings: Settings
    seed: int
    compute: Compute
    pretrained: Pretrained | None
    features: Float[Tensor, "n d"] | None  # of all rows for linear models; None: there are none
    watch: tuple[int, ...] = ()
    checkpoint: Path | None = None
    on_progress: OnProgress = field(default=lambda progress: None)


@dataclass(frozen=True, eq=False)
class Member:
    """A candidate that has learned: its network and, of CCP, the refined labels."""

    model: Model
    result: Result | None = None


def supervised(task: Task) -> Member:
    """The network, trained on the given labels only, in as many steps as all phases of CCP together."""
    steps = planned_steps(task.data, task.settings)
    return Member(
        train_supervised(
            task.data,
            task.settings,
            steps,
            seed=task.seed,
            compute=task.compute,
            on_progress=task.on_progress,
        )
    )


def ccp(task: Task) -> Member:
    """CCP with given labels trusted."""
    return _ccp(task, trust_labels=True)


def ccp_refined(task: Task) -> Member:
    """CCP with given labels refined like all others."""
    return _ccp(task, trust_labels=False)


def _ccp(task: Task, *, trust_labels: bool) -> Member:
    result = train_on(
        task.pretrained,
        task.data,
        replace(task.settings, trust_labels=trust_labels),
        seed=task.seed,
        compute=task.compute,
        checkpoint=task.checkpoint,
        watch=task.watch,
        on_progress=task.on_progress,
    )
    return Member(result.model, result)


def linear(task: Task) -> Member:
    """Logistic regression on the given labels."""
    given = task.data.given
    return _linear(task, given, _one_hot(task.data, given))


def mixture(task: Task) -> Member:
    """Logistic regression on labels from a transductive mixture, whose prior is a logistic regression."""
    data = task.data
    assert task.features is not None
    unlabeled = evenly((data.labels < 0).nonzero()[:, 0], _SPEAKERS)
    rows = torch.cat([data.given, unlabeled])
    x, given = task.features[rows], _one_hot(data, data.given)
    weight, bias = fit_linear(x[: len(given)], given)
    q = transductive_mixture(x, data.labels[rows], (x @ weight.T + bias).log_softmax(dim=1))
    return _linear(task, rows, q)


def _linear(task: Task, rows: Tensor, q: Float[Tensor, "n k"]) -> Member:
    """A linear model of these rows and soft labels."""
    assert task.features is not None
    return Member(linear_network(task, *fit_linear(task.features[rows], q)))


def _one_hot(data: PartlyLabeled, rows: Tensor) -> Float[Tensor, "n k"]:
    return one_hot(data.labels[rows], data.k).float()


CANDIDATES: dict[str, Callable[[Task], Member]] = {
    "supervised": supervised,
    "ccp": ccp,
    "ccp-refined": ccp_refined,
    "linear": linear,
    "mixture": mixture,
}
# Expected weights where labels are quiet, and where they say nothing: what learns from unlabeled
# rows is a little better than what does not, and far better if labels are wrong.
_EXPECTED = {
    "supervised": (0.15, 0.0),
    "ccp": (0.25, 0.25),
    "ccp-refined": (0.2, 0.5),
    "linear": (0.15, 0.0),
    "mixture": (0.25, 0.25),
}
LINEAR = frozenset({"linear", "mixture"})
CCPS = frozenset({"ccp", "ccp-refined"})


def belief_in(names: Sequence[str]) -> Belief:
    """Expected weights of these candidates."""
    quiet, noisy = torch.tensor([_EXPECTED[name] for name in names], dtype=torch.float64).T
    return Belief(quiet / quiet.sum(), noisy / noisy.sum())


def features_of(
    data: PartlyLabeled, settings: Settings, pretrained: Pretrained | None, compute: Compute
) -> Float[Tensor, "n d"] | None:
    """What linear models see: standardized vectors, else encodings of the pretrained network, if any."""
    if data.kind == "vectors":
        mean, scale = data.mean_and_scale()
        return (data.rows(torch.arange(len(data))) - mean) / scale
    if pretrained is None:
        return None
    b = embed(_pretrained_network(data, settings, pretrained, compute), data.x)
    return (b - b.mean(dim=0)) / b.std(dim=0).clamp(min=1e-6)


def linear_network(task: Task, weight: Float[Tensor, "k d"], bias: Float[Tensor, " k"]) -> Model:
    """A network with this linear model of the features as its classifier; its encoder gives the features."""
    data = task.data
    if data.kind == "vectors":
        model = build_model(nn.Identity(), data.sample(), data.k, data.mean_and_scale(), ())
    else:
        assert task.pretrained is not None
        model = _pretrained_network(data, task.settings, task.pretrained, task.compute)
        b = embed(model, data.x)
        mean, scale = b.mean(dim=0), b.std(dim=0).clamp(min=1e-6)
        weight, bias = weight / scale, bias - (weight / scale) @ mean
        model.projector, model.classifier = nn.Sequential(), nn.Sequential(nn.Linear(b.shape[1], data.k))
    (layer,) = model.classifier
    assert isinstance(layer, nn.Linear)
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    return model


def _pretrained_network(
    data: PartlyLabeled, settings: Settings, pretrained: Pretrained, compute: Compute
) -> Model:
    model = build_model(
        settings.encoder, data.sample(), data.k, None, settings.projector, settings.classifier
    )
    model.load_state_dict(pretrained.weights)
    return model.to(compute.device, memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]
