"""What credprop adds to the paper's algorithm; `Additions` says which of it a run uses."""
