"""Whether texts hold anything for labels to spread along; where they do not, the labels alone are better.

The words of a text and what the pretrained network makes of it are two views. Each spreads the given labels
to the unlabeled rows by itself. Where labels follow what texts are about, the two agree on them more than on
shuffled ones. Where they do not, refined labels would be guesses that look credible.
"""

import torch

from credprop.ccp.state import Run, Stage
from credprop.data import Tokens
from credprop.functional import (
    angular_similarity,
    initial_credibility,
    luck_of,
    ridge_inverse,
    similarity_to,
)
from credprop.training.inference import project
from credprop.training.subsets import evenly, witnesses

LEVEL = 0.1  # shuffled labels may do as well as often as this
_FEWEST = 20  # labels that can tell; two of every class, for shuffling single ones only renames the classes
_ROWS = 2048  # unlabeled ones at most that labels are spread to


def may_abstain(run: Run, stage: Stage) -> bool:
    """Whether the first iteration is to begin, and trusted labels of texts can tell if it is any use."""
    settings, data = run.settings, run.data
    begins = settings.abstain and stage.iteration == 1 and run.learner is None
    suited = settings.pretrain is not None and settings.trust_labels and not settings.softmax
    fewest = int(torch.bincount(data.labels[data.given], minlength=data.k).min())
    enough = fewest >= 2 and _FEWEST <= len(data.given) < len(data)
    return begins and suited and enough and data.guesses is None and isinstance(data.x, Tokens)


def luck_of_labels(run: Run) -> float:
    """How often shuffled labels would be spread as consistently by words and by the pretrained network."""
    data = run.data
    assert isinstance(data.x, Tokens)
    given = witnesses(data.labels)
    rows = evenly((data.labels < 0).nonzero()[:, 0], _ROWS)
    both, n = torch.cat([rows, given]), len(rows)
    y = initial_credibility(data.labels[given], data.k)
    words, z = data.x[both].bags(), project(run.model, data.x, both)
    by_words = similarity_to(words[:n], words[n:]) @ ridge_inverse(angular_similarity(words[n:]), y)
    generator = torch.Generator().set_state(run.generator.get_state())  # the run itself draws nothing
    return luck_of(by_words, similarity_to(z[:n], z[n:]), y, generator=generator)
