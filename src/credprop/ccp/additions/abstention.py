"""Whether texts hold anything for labels to spread along; where they do not, the labels alone are better.

The words of a text and what the pretrained network makes of it are two views. Each spreads the given labels
to the unlabeled rows by itself. Where labels follow what texts are about, the two agree on them more than on
shuffled ones. Where they do not, refined labels would be guesses that look credible.
"""

import torch

from credprop.ccp.state import State
from credprop.data import Tokens
from credprop.functional import angular_similarity, initial_credibility, similarity_to
from credprop.functional.additions import ridge_inverse, shuffle_p_value
from credprop.training.inference import project
from credprop.training.subsets import evenly, witnesses

LEVEL = 0.1  # shuffled labels may do as well as often as this
_FEWEST = 20  # labels that can tell; two of every class, for shuffling single ones only renames the classes
_ROWS = 2048  # unlabeled ones at most that labels are spread to


def labels_spread(state: State) -> bool:
    """Whether the given labels spread better than shuffled ones, or there is no way to tell."""
    if not can_tell(state):
        return True
    p_value = state.history[-1]["luck"] = shuffled_labels_p_value(state)
    return p_value <= LEVEL


def can_tell(state: State) -> bool:
    """Whether trusted labels of texts, after a pretraining, are enough to tell."""
    settings, data = state.settings, state.data
    fewest = int(torch.bincount(data.labels[data.given], minlength=data.k).min())
    enough = fewest >= 2 and _FEWEST <= len(data.given) < len(data)
    suited = settings.pretrain is not None and settings.trust_labels and data.guesses is None
    return enough and suited and isinstance(data.x, Tokens)


def shuffled_labels_p_value(state: State) -> float:
    """How often shuffled labels would be spread as consistently by words and by the pretrained network."""
    data = state.data
    assert isinstance(data.x, Tokens)
    given = witnesses(data.labels)
    rows = evenly((data.labels < 0).nonzero()[:, 0], _ROWS)
    both, n = torch.cat([rows, given]), len(rows)
    y = initial_credibility(data.labels[given], data.k)
    words, z = data.x[both].bags(), project(state.model, data.x, both)
    by_words = similarity_to(words[:n], words[n:]) @ ridge_inverse(angular_similarity(words[n:]), y)
    generator = torch.Generator().set_state(state.generator.get_state())  # the run itself draws nothing
    return shuffle_p_value(by_words, similarity_to(z[:n], z[n:]), y, generator=generator)
