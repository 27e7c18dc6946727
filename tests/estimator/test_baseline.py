"""The supervised baseline learns from the given labels only, in as many steps."""

import numpy as np

from credprop.estimator import fit_supervised_baseline, make_fit_inputs
from credprop.estimator.learning import learn
from estimator.small import TRUTH, X, Y, quick


def test_it_predicts_and_has_no_refined_labels() -> None:
    ccp = quick(budget=0.1)
    inputs = make_fit_inputs(ccp, X, Y)
    learn(ccp, inputs)
    baseline = fit_supervised_baseline(ccp, inputs)
    assert (baseline.predict(X) == TRUTH).mean() > 0.9
    assert not hasattr(baseline, "refined_")
    assert baseline.n_features_in_ == 4


def test_it_is_the_same_for_the_same_inputs_and_leaves_the_classifier_as_it_was() -> None:
    ccp = quick()
    inputs = make_fit_inputs(ccp, X, Y)
    learn(ccp, inputs)
    before = ccp.predict_proba(X)
    one, other = (fit_supervised_baseline(ccp, inputs).predict_proba(X) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.array_equal(ccp.predict_proba(X), before)
