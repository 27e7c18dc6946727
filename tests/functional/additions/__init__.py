"""Tests of credprop.functional.additions."""
