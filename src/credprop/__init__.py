"""Semi-supervised classification you can trust when you do not know how good your data is."""

__version__ = "0.1.0"
