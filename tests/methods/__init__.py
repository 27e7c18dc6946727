"""Tests of credprop.methods."""
