"""The model combines encoder, projector and classifier."""

import torch
from torch import Tensor, nn

from credprop.networks import TextNetwork, build_model


def test_heads_have_the_asked_widths_and_share_one_pass_of_the_encoder() -> None:
    sample = torch.randn(4, 6)
    model = build_model("mlp", sample, k=3, projector=(64, 32), classifier=(64,)).eval()
    z, logits = model.both(sample)
    assert z.shape == (4, 32)
    assert logits.shape == (4, 3)
    assert torch.equal(z, model.project(sample))
    assert torch.equal(logits, model(sample))
    assert [m.out_features for m in model.classifier.modules() if isinstance(m, nn.Linear)] == [64, 3]


def test_inputs_are_standardized_with_the_scale_of_the_data() -> None:
    x = torch.tensor([[1.0, 10.0], [3.0, 10.0]])
    model = build_model("mlp", x, k=2, scale=(torch.tensor([2.0, 10.0]), torch.tensor([0.5, 1.0])))
    expected: Tensor = torch.tensor([[-2.0, 0.0], [2.0, 0.0]])
    assert torch.equal(model.standardize(x), expected)


def test_a_model_keeps_ids_and_drops_features_only_in_training() -> None:
    dropping = TextNetwork(vocabulary=11, width=4, branches=(((64, 3),),), dropout=0.5)
    ids = torch.tensor([[1, 2, 3], [4, 5, 0]])
    model = build_model(dropping, ids, k=2, projector=(6, 5), classifier=(7,))
    assert torch.equal(model.standardize(ids), ids)
    model.eval()
    assert torch.equal(model.encoder(ids), model.encoder(ids))
    assert model(ids).shape == (2, 2)
    assert model.project(ids).shape == (2, 5)
    model.train()
    assert 0.2 < (model.encoder(ids) == 0).float().mean() < 0.8
