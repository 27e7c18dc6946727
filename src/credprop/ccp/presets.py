"""Settings by name: the paper's, and `auto`, which suits the data and names the additions that it uses."""

import math
from collections.abc import Callable

from credprop.augment import ImageAugment, TextAugment, VectorAugment
from credprop.ccp.additions.first_iteration import settle, slow_where_uneven
from credprop.ccp.additions.targets import balance_classes, balance_labels, regress_on_labels, square_strength
from credprop.ccp.settings import Additions, Settings
from credprop.data import PartlyLabeled, Tokens
from credprop.networks import TextNetwork
from credprop.networks.text_network import Convolution
from credprop.training import Phase

ADDITIONS = (  # all there are
    slow_where_uneven,
    settle,
    regress_on_labels,
    square_strength,
    balance_labels,
    balance_classes,
)
_BALANCED = (square_strength, balance_labels, balance_classes)


def _cifar(encoder: str, iterations: int) -> Settings:
    """The paper's settings for CIFAR; what a phase's schedule ends at is from the authors' program."""
    return Settings(
        encoder=encoder,
        augment=ImageAugment(),
        pretrain=Phase(epochs=512, batch_size=512, lr=0.06, schedule_epochs=1028, patience=40),
        first=Phase(epochs=50, batch_size=512, lr=0.0006, schedule_epochs=400),
        refine=Phase(epochs=400, batch_size=512, lr=0.06, schedule_epochs=400, patience=4),
        build=Phase(epochs=512, batch_size=64, lr=0.06, schedule_epochs=512),
        iterations=iterations,
    )


_TWO_BRANCHES = (((32, 5), (16, 3)), ((32, 9), (16, 7)))
_THREE_BRANCHES = (((64, 5), (32, 3)), ((64, 9), (32, 7)), ((64, 13), (32, 9)))


def _paper_text(
    data: PartlyLabeled,
    branches: tuple[tuple[Convolution, ...], ...],
    dropout: float = 0.0,
    decay: float = 0.0,
) -> Settings:
    """The paper's settings for texts, where the first iteration is like the others."""
    phase = Phase(epochs=40, batch_size=256, lr=0.00004)
    return Settings(
        encoder=TextNetwork(vocabulary=_vocabulary(data), branches=branches, dropout=dropout),
        augment=TextAugment(),
        pretrain=None,
        first=phase,
        refine=phase,
        build=phase,
        iterations=8,
        projector=(64, 32),
        classifier=(64,),
        optimizer="adam",
        weight_decay=decay,
    )


def _vocabulary(data: PartlyLabeled) -> int:
    if not isinstance(data.x, Tokens):
        raise ValueError(f"this preset is for text, x holds {data.kind}; choose another, or `auto`")
    return data.x.vocabulary


def _vectors(data: PartlyLabeled) -> Settings:
    """For vectors: a small network, and 980 to 1,380 steps; more where four epochs of each phase are more.

    A fast first iteration favors the classes with many labels, a slow one gives rows to classes that are
    missing among the unlabeled ones. Views of components keep all of them: what one says, no other repeats.
    """
    size = 256
    steps = math.ceil(len(data) / size)  # of an epoch
    pretraining = min(max(400, 40 * steps), 800)
    return Settings(
        encoder="mlp",
        augment=VectorAugment(noise=1.0, drop=0.0, mix=0.0) if data.components else VectorAugment(),
        pretrain=Phase(epochs=_epochs(pretraining, steps), batch_size=size, lr=0.06),
        first=Phase(epochs=_epochs(60, steps), batch_size=size, lr=0.06),
        refine=Phase(epochs=_epochs(80, steps), batch_size=size, lr=0.15, patience=4),
        build=Phase(epochs=_epochs(200, steps), batch_size=size, lr=0.06),
        iterations=5,
        projector=(128, 64),
        weight_average=0.99,
        additions=Additions(
            rate=(slow_where_uneven,), epoch=(settle,), targets=(regress_on_labels, *_BALANCED)
        ),
    )


def _images(data: PartlyLabeled) -> Settings:
    """For images: a small residual network that two CPU cores train in minutes."""
    size = 256
    steps = math.ceil(len(data) / size)
    return Settings(
        encoder="resnet-small",
        augment=ImageAugment(area=0.2, color=0.4, hue=0.1),
        pretrain=Phase(epochs=_epochs(1550, steps), batch_size=size, lr=0.15),
        first=Phase(epochs=_epochs(200, steps), batch_size=size, lr=0.006),
        refine=Phase(epochs=_epochs(120, steps), batch_size=size, lr=0.06, patience=4),
        build=Phase(epochs=_epochs(400, steps), batch_size=size, lr=0.06),
        iterations=2,
        projector=(128, 64),
        weight_average=0.99,
        additions=Additions(targets=_BALANCED),
    )


def _text(data: PartlyLabeled) -> Settings:
    """For texts: a network of two branches that two CPU cores train in minutes.

    Views that share few words make the pretraining learn which words go together: most tokens are hidden.
    """
    size = 256
    steps = math.ceil(len(data) / size)
    pretraining = min(max(400, 50 * steps), 1000)
    network = TextNetwork(
        vocabulary=_vocabulary(data), width=64, branches=(((64, 1),), ((64, 3),)), normalized=True
    )
    return Settings(
        encoder=network,
        augment=TextAugment(kinds=("hide",), share=(0.5, 0.8)),
        pretrain=Phase(epochs=_epochs(pretraining, steps), batch_size=size, lr=0.01),
        first=Phase(epochs=_epochs(100, steps), batch_size=size, lr=0.01),
        refine=Phase(epochs=_epochs(100, steps), batch_size=size, lr=0.01),
        build=Phase(epochs=_epochs(200, steps), batch_size=size, lr=0.01),
        iterations=5,
        projector=(64, 32),
        classifier=(64,),
        optimizer="adam",
        weight_decay=0.0,
        weight_average=0.99,
        additions=Additions(targets=_BALANCED),
    )


def _epochs(steps: int, steps_an_epoch: int) -> int:
    """Epochs that make about this many steps, four at least."""
    return max(4, round(steps / steps_an_epoch))


def _auto(data: PartlyLabeled) -> Settings:
    """What suits the kind of the data."""
    return {"vectors": _vectors, "images": _images, "text": _text}[data.kind](data)


PRESETS: dict[str, Callable[[PartlyLabeled], Settings]] = {
    "auto": _auto,
    "cifar10": lambda data: _cifar("wrn-28-2", iterations=24),
    "cifar100": lambda data: _cifar("wrn-28-8", iterations=12),
    "text-ag-news": lambda data: _paper_text(data, _TWO_BRANCHES),
    "text-dbpedia": lambda data: _paper_text(data, _TWO_BRANCHES),
    "text-rotten-tomatoes": lambda data: _paper_text(data, _TWO_BRANCHES, dropout=0.8, decay=0.001),
    "text-yahoo": lambda data: _paper_text(data, _THREE_BRANCHES, dropout=0.8, decay=0.001),
}


def choose_settings(data: PartlyLabeled, preset: str = "auto") -> Settings:
    """The settings of this name, for this data."""
    check_preset(preset)
    return PRESETS[preset](data)


def check_preset(preset: str) -> None:
    """An error where none has this name."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}; use one of {', '.join(PRESETS)}")
