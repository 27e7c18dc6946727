"""Tests of credprop.augment."""
