"""Outliers: samples that belong to no class, found by their distance from all labeled samples."""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

_CHUNK = 4096  # rows compared at once with all labeled ones


def outlier_scores(features: Float[Tensor, "n d"], given: np.ndarray) -> np.ndarray:
    """Angle between each sample and the nearest other labeled one, as a share of the half circle.

    The class of a label does not matter: a labeled sample belongs to some class, so wrong labels do
    no harm.
    """
    unit = normalize(features.float(), dim=1)
    labeled = torch.from_numpy(np.flatnonzero(given >= 0))
    place = torch.full((len(unit),), -1)
    place[labeled] = torch.arange(len(labeled))
    nearest = []
    for rows in torch.arange(len(unit)).split(_CHUNK):
        cosine = unit[rows] @ unit[labeled].T  # (rows, labeled)
        own = (place[rows] >= 0).nonzero()[:, 0]
        cosine[own, place[rows][own]] = -1  # a labeled sample is compared with the others
        nearest.append(cosine.amax(dim=1))
    return (torch.cat(nearest).clamp(-1, 1).arccos() / torch.pi).numpy()


def angle_to_nearest(features: Float[Tensor, "n d"], labeled: Float[Tensor, "g d"]) -> np.ndarray:
    """Angle between each new sample and the nearest labeled one, as a share of the half circle."""
    others = normalize(labeled.float(), dim=1)
    nearest = [(chunk @ others.T).amax(dim=1) for chunk in normalize(features.float(), dim=1).split(_CHUNK)]
    return (torch.cat(nearest).clamp(-1, 1).arccos() / torch.pi).numpy()


def find_outliers(score: np.ndarray, given: np.ndarray, false_discoveries: float = 0.1) -> np.ndarray:
    """Which unlabeled samples are outliers, at this expected share of false alarms among them.

    The scores of labeled samples, each compared with the others, give the null distribution: Student's, with
    their mean and deviation. Outliers are the unlabeled samples that pass Benjamini and Hochberg's procedure
    at this rate of false discoveries. With a handful of labels there is no evidence and no outlier.
    """
    from scipy import stats

    labeled, unlabeled = score[given >= 0], np.flatnonzero(given < 0)
    found = np.zeros(len(score), dtype=bool)
    if not len(unlabeled) or len(labeled) < 2 or np.ptp(labeled) == 0:
        return found
    beyond = (score[unlabeled] - labeled.mean()) / (labeled.std(ddof=1) * np.sqrt(1 + 1 / len(labeled)))
    p_value = stats.t.sf(beyond, df=len(labeled) - 1)
    order = np.argsort(p_value, kind="stable")
    passes = p_value[order] <= false_discoveries * np.arange(1, len(order) + 1) / len(order)
    if passes.any():
        found[unlabeled[order[: passes.nonzero()[0].max() + 1]]] = True
    return found
