"""Tests of the trial."""
