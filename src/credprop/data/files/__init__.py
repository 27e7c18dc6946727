"""Readers of tables, .npz files and folders of images: each gives a `Source`."""
