"""Tests of credprop.prepare."""
