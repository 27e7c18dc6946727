"""Random numbers that torch draws from its global state, kept apart from the caller's."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def isolated_random_state(seed: int) -> Iterator[None]:
    """A global random state of our own, for first weights and dropout; the caller's is left as it was."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
