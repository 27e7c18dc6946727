"""Tests of credprop.networks."""
