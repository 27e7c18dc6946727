"""Tests of credprop.report.of_bench."""
