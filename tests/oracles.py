"""The paper's equations and algorithms as plain loops over Python floats, independent of the package.

Slow on purpose: no tensor operation, no shortcut, the indices of the paper as loop variables.
"""

import math
from collections.abc import Callable, Sequence

Vector = list[float]
Matrix = list[Vector]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def clip(v: Sequence[float]) -> Vector:
    return [min(max(x, 0.0), 1.0) for x in v]


def angular_similarity(z: Matrix) -> Matrix:
    def phi(a: Vector, b: Vector) -> float:
        cosine = dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))
        return 1 - math.acos(min(max(cosine, -1.0), 1.0)) / math.pi

    return [[1.0 if i == j else phi(a, b) for j, b in enumerate(z)] for i, a in enumerate(z)]


def adjust(v: Vector) -> Vector:
    return [x - max(y for other, y in enumerate(v) if other != k) for k, x in enumerate(v)]


def propagate(phi: Matrix, q: Matrix, left_out: Callable[[int, int], bool]) -> Matrix:
    """Class similarities of each row j over all i that are not left out, adjusted."""
    result = []
    for j in range(len(q)):
        psi = []
        for k in range(len(q[0])):
            seen = [i for i in range(len(q)) if not left_out(j, i)]
            support = math.fsum(clip(q[i])[k] for i in seen)
            total = math.fsum(phi[j][i] * clip(q[i])[k] for i in seen)
            psi.append(total / support if support > 0 else 0.0)
        result.append(adjust(psi))
    return result


def algorithm_2(first: Matrix, second: Matrix, q: Matrix) -> Matrix:
    """Propagated vectors of n samples from the embeddings of their two views."""
    phi = angular_similarity(first + second)
    views = propagate(phi, q + q, left_out=lambda j, i: i == j)
    n = len(q)
    return [[(a + b) / 2 for a, b in zip(views[j], views[j + n], strict=True)] for j in range(n)]


def soft_contrastive_loss(phi: Matrix, q: Matrix, temperature: float) -> Vector:
    q = [clip(row) for row in q]
    n, omega = len(q), [max(row) for row in q]
    result = []
    for i in range(n):
        m = [0.0 if j == i else dot(q[i], q[j]) for j in range(n)]
        if sum(m) == 0:
            result.append(0.0)
            continue
        normalizer = math.fsum(omega[j] * math.exp(phi[i][j] / temperature) for j in range(n) if j != i)
        terms = [m[j] * (phi[i][j] / temperature - math.log(normalizer)) for j in range(n)]
        result.append(-omega[i] * math.fsum(terms) / math.fsum(m))
    return result


def supcon_loss(phi: Matrix, labels: Sequence[int], temperature: float) -> Vector:
    """Khosla et al. 2020, Eq. 2: the mean over positives outside the logarithm."""
    n, result = len(labels), []
    for i in range(n):
        everyone = math.fsum(math.exp(phi[i][a] / temperature) for a in range(n) if a != i)
        positives = [p for p in range(n) if p != i and labels[p] == labels[i]]
        log_p = [math.log(math.exp(phi[i][p] / temperature) / everyone) for p in positives]
        result.append(-math.fsum(log_p) / len(positives) if positives else 0.0)
    return result


def nt_xent_loss(phi: Matrix, temperature: float) -> Vector:
    """Chen et al. 2020, Eq. 1, with the views of sample i at i and i + n."""
    views, result = len(phi), []
    for i in range(views):
        partner = (i + views // 2) % views
        everyone = math.fsum(math.exp(phi[i][k] / temperature) for k in range(views) if k != i)
        result.append(-math.log(math.exp(phi[i][partner] / temperature) / everyone))
    return result


def soft_cross_entropy(logits: Matrix, q: Matrix) -> Vector:
    result = []
    for g, row in zip(logits, q, strict=True):
        normalizer = math.fsum(math.exp(x) for x in g)
        result.append(
            -math.fsum(c * math.log(math.exp(x) / normalizer) for c, x in zip(clip(row), g, strict=True))
        )
    return result


def mean_of_draws(stored: list[Matrix]) -> Matrix:
    """Mean of the vectors stored for each sample, each sample with its own number of draws."""
    return [[math.fsum(column) / len(draws) for column in zip(*draws, strict=True)] for draws in stored]


def consolidate(mean: Matrix) -> Matrix:
    gamma = max(max(row) for row in mean)
    scaled = [[x / gamma for x in row] if gamma > 0 else row for row in mean]
    return [clip(adjust(row)) for row in scaled]


def subsample(q: Matrix, ranking: Vector, p: int) -> Matrix:
    order = sorted(range(len(q)), key=lambda i: ranking[i])  # Python's sort is stable
    reset = set(order[: p * len(q) // 100])
    return [[0.0] * len(row) if i in reset else row for i, row in enumerate(q)]


def divergence(candidate: Matrix, anchor: Matrix) -> float | None:
    """KL divergence in bits between two class distributions, None where there is no mass left."""
    mass_p = [math.fsum(column) for column in zip(*candidate, strict=True)]
    mass_q = [math.fsum(column) for column in zip(*anchor, strict=True)]
    if sum(mass_p) == 0:
        return None
    p, q = [x / sum(mass_p) for x in mass_p], [x / sum(mass_q) for x in mass_q]
    return math.fsum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def choose_p(q: Matrix, ranking: Vector, p_last: int, d_max: float) -> int:
    """Algorithm 3, a whole pass for every candidate."""
    allowed = []
    for p in range(p_last):
        d = divergence(subsample(q, ranking, p), q)
        if d is not None and d < d_max:
            allowed.append(p)
    return max(allowed, default=0)


def end_iteration(stored: list[Matrix], p_last: int, d_max: float) -> tuple[Matrix, Matrix, int]:
    """The end of Algorithm 1."""
    mean = mean_of_draws(stored)
    q = consolidate(mean)
    confidence = [max(row) for row in mean]
    p = choose_p(q, confidence, p_last, d_max)
    return q, subsample(q, confidence, p), p


def settle(
    phi: Matrix, q: Matrix, free: Sequence[int], rounds: int, d_max: float
) -> list[tuple[Matrix, Matrix]]:
    """What is heard in each round on a fixed similarity, and the credibility that the round begins with."""
    made, p_last = [], 100
    for _ in range(rounds):
        heard = propagate(phi, q, left_out=lambda j, i: i == j)
        made.append((heard, q))
        _, after, p_last = end_iteration([[heard[j]] for j in free], p_last, d_max)
        q = [after[free.index(j)] if j in free else row for j, row in enumerate(q)]
        d_max /= 2
    return made
