"""Tests of credprop.training."""
