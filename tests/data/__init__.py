"""Tests of credprop.data."""
