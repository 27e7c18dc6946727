"""The core's tests."""
