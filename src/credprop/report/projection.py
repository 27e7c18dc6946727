"""The samples on the map and their positions in two dimensions."""

import numpy as np

from credprop.report.evidence import Evidence

POINTS = 2_000
_FIRST = 1_500  # at most this many are labeled samples, to leave room for unlabeled ones
_STEPS = 500  # 2,000 points take about six seconds on one core
_LEAST = 60  # fewer samples are projected by PCA


def choose_points(evidence: Evidence, points: int = POINTS) -> np.ndarray:
    """Sorted indices of the samples on the map: labeled ones first, drawn with a fixed seed."""
    shuffled = np.random.default_rng(0).permutation(len(evidence))
    first = (evidence.given >= 0)[shuffled]
    first &= first.cumsum() <= _FIRST * points // POINTS
    order = np.concatenate([shuffled[first], shuffled[~first]])
    return np.sort(order[:points])


def two_dimensions(z: np.ndarray) -> tuple[np.ndarray, str]:
    """Positions (n, 2) in which small distances mean small angles, and the name of the projection."""
    z = np.nan_to_num(np.asarray(z, dtype=float).reshape(len(z), -1))
    length = np.linalg.norm(z, axis=1, keepdims=True)
    components = principal_components(z / np.where(length > 0, length, 1), 50)
    spread = components[:, 0].std()
    if len(z) < _LEAST or spread == 0:
        return components[:, :2], "PCA"
    from sklearn.manifold import TSNE

    start = (components[:, :2] / spread * 1e-4).astype(np.float32)
    tsne = TSNE(
        perplexity=min(30, len(z) / 4),
        init=start,
        max_iter=_STEPS,
        learning_rate="auto",
        random_state=0,
        n_jobs=1,
    )
    return tsne.fit_transform(components.astype(np.float32)), "t-SNE"


def principal_components(z: np.ndarray, most: int) -> np.ndarray:
    """The first 2 to `most` principal components, with signs that make their largest weights positive."""
    u, s, v = np.linalg.svd(z - z.mean(axis=0), full_matrices=False)
    sign = np.where(np.take_along_axis(v, np.abs(v).argmax(axis=1)[:, None], axis=1)[:, 0] < 0, -1, 1)
    s = np.where(s > 1e-9 * max(1.0, s.max(initial=0)), s, 0)
    components: np.ndarray = (u * (s * sign))[:, :most]
    return np.pad(components, ((0, 0), (0, max(0, 2 - components.shape[1]))))
