"""Tests of credprop.ccp."""
