"""Whether texts hold anything for labels to spread along; where they do not, the labels alone are better.

The words of a text and what the pretrained network makes of it are two views. Each spreads the given labels
to the unlabeled rows by itself. Where labels follow what texts are about, the two agree on them more than on
shuffled ones. Where they do not, refined labels would be guesses that look credible.
"""

import torch

from credprop.data import Tokens
from credprop.functional import (
    angular_similarity,
    initial_credibility,
    luck_of,
    ridge_inverse,
    similarity_to,
)
from credprop.training.predict import project
from credprop.training.run import Run, Stage
from credprop.training.second_opinion import WITNESSES, spread

LEVEL = 0.1  # shuffled labels may do as well as often as this
_FEWEST = 20  # labels that can tell; two a class at least, for else shuffling only renames the classes
_ROWS = 2048  # unlabeled ones at most that labels are spread to


def may_abstain(run: Run, stage: Stage) -> bool:
    """Whether the first iteration is to begin, and trusted labels of texts can tell if it is any use."""
    settings, data = run.settings, run.data
    begins = settings.abstain and stage.iteration == 1 and run.learner is None
    suited = settings.pretrain is not None and settings.trust_labels and not settings.softmax
    enough = max(_FEWEST, 2 * data.k) <= len(data.given) < len(data)
    return begins and suited and enough and data.guesses is None and isinstance(data.x, Tokens)


def luck_of_labels(run: Run) -> float:
    """How often shuffled labels would be spread as consistently by words and by the pretrained network."""
    data = run.data
    assert isinstance(data.x, Tokens)
    given = spread(data.given, WITNESSES)
    rows = spread((data.labels < 0).nonzero()[:, 0], _ROWS)
    both = torch.cat([rows, given])
    y = initial_credibility(data.labels[given], data.k)
    words, z = data.x[both].bags(), project(run.model, data.x, both)
    labeled, n = words[len(rows) :], len(rows)
    by_words = similarity_to(words[:n], labeled) @ ridge_inverse(angular_similarity(labeled), y)
    by_network = similarity_to(z[:n], z[n:]) / (y @ y.sum(dim=0))  # means over the labels of a class
    generator = torch.Generator().set_state(run.generator.get_state())  # the run itself draws nothing
    return luck_of(by_words, by_network, y, generator=generator)
