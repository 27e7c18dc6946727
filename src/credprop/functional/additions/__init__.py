"""The mathematics of what credprop adds to the paper, as pure as the paper's own."""
