"""Tests of credprop.frozen."""
