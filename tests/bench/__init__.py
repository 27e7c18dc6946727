"""Tests of credprop.bench."""
