"""A blend of networks is the mean of their probabilities."""

import torch
from torch import Tensor, nn

from credprop.networks import Blend, Model, build_model
from credprop.training import predict_logits


def member(seed: int, encoder: nn.Module | str = "mlp") -> Model:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        sample = torch.randn(4, 5)
        return build_model(encoder, sample, 3, (torch.full((5,), 0.5), torch.full((5,), 2.0))).eval()


def rows() -> Tensor:
    return torch.randn(6, 5, generator=torch.Generator().manual_seed(9))


def test_it_averages_probabilities_at_their_temperatures() -> None:
    members = {"a": member(0), "b": member(1, nn.Identity())}
    temperature, weights = torch.tensor([0.5, 2.0]), torch.tensor([3.0, 1.0])  # weights need not sum to one
    found = Blend(members, temperature, weights, "a").eval()(rows()).exp()
    expected = torch.zeros(6, 3).double()
    for own, t, w in zip(members.values(), (0.5, 2.0), (0.75, 0.25), strict=True):
        expected += w * (own(own.standardize(rows())).double() / t).softmax(dim=1)
    torch.testing.assert_close(found, expected.detach())


def test_one_member_is_left_as_it_is() -> None:
    own = member(0)
    blend = Blend.of_one("ccp", own)
    torch.testing.assert_close(
        predict_logits(blend, rows()).softmax(dim=1), predict_logits(own, rows()).softmax(dim=1)
    )
    assert blend.placing is own
    assert blend.weight_of == {"ccp": 1.0}


def test_a_row_does_not_depend_on_its_batch() -> None:
    blend = Blend({"a": member(0), "b": member(1)}, torch.ones(2), torch.ones(2), "b")
    assert torch.equal(predict_logits(blend, rows())[:2], predict_logits(blend, rows()[:2]))
