"""Tests of credprop.report."""
