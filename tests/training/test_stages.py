"""What one batch leaves behind."""

import pytest
import torch

import oracles
from credprop.ccp.algorithm import batch_losses
from credprop.ccp.setup import new_run, two_views
from credprop.ccp.state import plan
from credprop.data import PartlyLabeled
from credprop.functional import adjust, angular_similarity, class_similarity, mean_of_views
from credprop.training import Compute, isolated_random_state
from training.conftest import tiny


@pytest.mark.parametrize("softmax", [False, True])
def test_an_iteration_stores_what_algorithm_2_and_the_opinion_give(
    data: PartlyLabeled, softmax: bool
) -> None:
    index, settings = torch.arange(20), tiny(softmax=softmax)
    with isolated_random_state(0):
        run = new_run(data, settings, 0, Compute(torch.device("cpu")))
    run.model.eval()
    if softmax:  # vectors of several classes
        run.tables.q = torch.rand(len(data), data.k, generator=run.generator)
    views, q = two_views(run, index), run.tables.q[index].repeat(2, 1)
    batch_losses(run, plan(settings)[1], index, views)

    similarity = angular_similarity(run.model.project(views)).detach()
    heard = class_similarity(similarity, q)
    expected = mean_of_views(heard.softmax(dim=1) if softmax else adjust(heard))
    torch.testing.assert_close(run.tables.total[index], expected)
    opinion = oracles.propagate(similarity.tolist(), q.tolist(), left_out=lambda j, i: i % 20 == j % 20)
    given = data.given[data.given < 20]
    torch.testing.assert_close(run.tables.judged[given], mean_of_views(torch.tensor(opinion))[given])
    assert run.tables.judgments.nonzero()[:, 0].tolist() == given.tolist()
