"""Tests of credprop.ccp.additions."""
