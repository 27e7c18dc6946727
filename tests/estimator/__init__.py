"""Tests of credprop.estimator."""
