"""A separate global random state for what torch draws from it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def isolated_random_state(seed: int) -> Iterator[None]:
    """A context with its own global random state, for initial weights and dropout."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
