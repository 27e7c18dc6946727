"""The blend of hidden rows by weights that do not know their labels."""

import torch

from credprop.trial.hidden import Hidden
from credprop.trial.likelihood import fit_likelihood


def hidden(folds: int = 3, each: int = 8, k: int = 3) -> Hidden:
    generator = torch.Generator().manual_seed(0)
    rows = list(torch.arange(folds * each).split(each))
    labels = [torch.randint(k, (each,), generator=generator) for _ in rows]
    log_p = {
        name: [torch.randn(each, k, generator=generator).log_softmax(dim=1) for _ in rows]
        for name in ("supervised", "ccp")
    }
    return Hidden(folds=rows, log_p=log_p, labels=labels)


def test_each_fold_is_blended_by_the_likelihood_of_the_others() -> None:
    found, b = hidden(), hidden().cross_fitted()
    for fold in range(3):
        others = [i for i in range(3) if i != fold]
        labels = torch.cat([found.labels[i] for i in others])
        expected = fit_likelihood(found.of(others), labels, found.belief).blend(found.of([fold]))
        torch.testing.assert_close(b[8 * fold : 8 * (fold + 1)], expected)


def test_the_labels_of_a_fold_do_not_matter_to_its_blend() -> None:
    found = hidden()
    other = Hidden(
        folds=found.folds, log_p=found.log_p, labels=[(found.labels[0] + 1) % 3, *found.labels[1:]]
    )
    torch.testing.assert_close(found.cross_fitted()[:8], other.cross_fitted()[:8])
    assert not torch.allclose(found.cross_fitted()[8:], other.cross_fitted()[8:])


def test_halves_of_a_single_fold_take_turns() -> None:
    found = hidden(folds=1)
    other = Hidden(folds=found.folds, log_p=found.log_p, labels=[found.labels[0].clone()])
    other.labels[0][::2] = (other.labels[0][::2] + 1) % 3
    torch.testing.assert_close(found.cross_fitted()[::2], other.cross_fitted()[::2])
