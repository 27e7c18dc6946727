"""A run in a process of its own, to be killed: `python killable.py CHECKPOINT RESULT`."""

import sys
import time
from pathlib import Path

import torch
from safetensors.torch import save_file

from ccp.conftest import blobs, tiny
from credprop.ccp import train
from credprop.training import Compute, Phase


def main() -> None:
    """Train, slowly enough to be hit, and write what was learned."""
    torch.set_num_threads(1)
    phase = Phase(epochs=40, batch_size=16, lr=0.05, patience=30)
    settings = tiny(pretrain=phase, first=phase, refine=phase, build=phase)
    compute = Compute(torch.device("cpu"))
    result = train(
        blobs(),
        settings,
        seed=3,
        compute=compute,
        checkpoint=Path(sys.argv[1]),
        on_progress=lambda progress: time.sleep(
            0.03
        ),  # the process that kills it may have to wait for a core
    )
    learned = {"q": result.q, "opinion": result.opinion, "labeled_iter": result.labeled_iter}
    save_file(learned | result.model.state_dict(), sys.argv[2])


if __name__ == "__main__":
    main()
