"""Time and peak memory of one step of the core functions, as ratios within one run.

One step is similarity, propagation and loss, forward and backward. It is compared with

(a) the textbook form, which expands similarity, credibility and the self-mask to (n, K, n) and the
    adjustment to (n, K, K); skipped where one of its tensors would exceed 2 GB;
(b) the lower bound: only the similarity matrix, forward and backward.
"""

import math
import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from credprop import functional as cp

SIZES = [(512, 10), (1024, 10), (1024, 100), (2048, 1000)]  # (views, classes)
WIDTH = 128
LIMIT = 2 * 10**9  # bytes of one tensor
REPEATS = 20


Step = Callable[[Tensor, Tensor], None]


def core_step(z: Tensor, q: Tensor) -> None:
    """One step by the published functions: the similarity matrix is computed once and shared."""
    similarity = cp.angular_similarity(z)
    with torch.no_grad():
        cp.mean_of_views(cp.propagate(similarity, q))
    cp.soft_contrastive_loss(similarity, q).mean().backward()


def floor_step(z: Tensor, q: Tensor) -> None:
    """Only the similarity matrix."""
    cp.angular_similarity(z).mean().backward()


def textbook_step(z: Tensor, q: Tensor) -> None:
    """The same mathematics with every index of the paper as an axis of a tensor."""
    n, k = q.shape
    unit = z / z.norm(dim=1, keepdim=True)
    limit = 1 - torch.finfo(z.dtype).eps
    similarity = 1 - (unit @ unit.T).clamp(-limit, limit).arccos() / math.pi

    with torch.no_grad():
        others = 1 - torch.eye(n)
        phi = similarity[:, None].repeat(1, k, 1)  # (n, k, n)
        weight = q.T[None].repeat(n, 1, 1) * others[:, None].repeat(1, k, 1)  # (n, k, n)
        support = weight.sum(dim=2)
        psi = (phi * weight).sum(dim=2) / support.clamp(min=1e-12)
        rivals = psi[:, None].repeat(1, k, 1).masked_fill(torch.eye(k, dtype=torch.bool), -math.inf)
        new_q = psi - rivals.amax(dim=2)  # (n, k)
        (new_q[: n // 2] + new_q[n // 2 :]) / 2

    s = q.amax(dim=1)
    m = (q @ q.T) * others
    a = (similarity / 0.1).exp() * others
    log_p = similarity / 0.1 - (a * s).sum(dim=1, keepdim=True).log()
    (-s * (m * log_p).sum(dim=1) / m.sum(dim=1).clamp(min=1e-12)).mean().backward()


def batch(views: int, k: int) -> tuple[Tensor, Tensor]:
    """Random embeddings and clipped credibility vectors, every tenth of them zero."""
    generator = torch.Generator().manual_seed(0)
    z = torch.randn(views, WIDTH, generator=generator)
    labels = torch.randint(k, (views // 2,), generator=generator)
    s = torch.rand(views // 2, 1, generator=generator)
    s[::10] = 0
    return z, (torch.nn.functional.one_hot(labels, k) * s).repeat(2, 1)


def run(step: Step, z: Tensor, q: Tensor) -> None:
    """One step from a new leaf tensor, so that no gradient is accumulated."""
    step(z.detach().requires_grad_(), q)


def seconds(steps: list[Step], z: Tensor, q: Tensor) -> list[float]:
    """Best time of each step.

    The steps alternate, so that other load affects them all, and each has an untimed warm-up run, so that
    none pays for caches emptied by another.
    """
    best = [math.inf] * len(steps)
    for repeat in range(REPEATS):
        for i, step in enumerate(steps):
            if repeat >= 3 and best[i] > 0.5:  # three runs suffice for a slow step
                continue
            run(step, z, q)
            start = time.perf_counter()
            run(step, z, q)
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def peak_bytes(step: Step, z: Tensor, q: Tensor) -> int:
    """Peak memory of tensors during the step, above that before it."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        run(step, z, q)
    held, peak = 0, 0
    assert profiler.profiler is not None
    for event in profiler.profiler.kineto_results.events():
        if event.name() == "[memory]":
            held += event.nbytes()
            peak = max(peak, held)
    return peak


def main() -> None:
    """Print the table."""
    torch.set_num_threads(2)
    print("views classes |  core ms   MB | textbook ms     MB | time a/core  memory a/core | time core/b")
    for views, k in SIZES:
        z, q = batch(views, k)
        fits = 4 * views * k * max(views, k) <= LIMIT
        steps: list[Step] = [core_step, floor_step]
        if fits:
            steps.append(textbook_step)
        times = seconds(steps, z, q)
        memory = peak_bytes(core_step, z, q)
        row = f"{views:5} {k:7} | {1e3 * times[0]:8.1f} {memory / 1e6:4.0f} | "
        if fits:
            expanded = peak_bytes(textbook_step, z, q)
            row += f"{1e3 * times[2]:11.0f} {expanded / 1e6:6.0f} | "
            row += f"{times[2] / times[0]:11.1f} {expanded / memory:14.1f}"
        else:
            row += f"{'over 2 GB':>18} | {'':26}"
        print(f"{row} | {times[0] / times[1]:11.2f}")


if __name__ == "__main__":
    main()
