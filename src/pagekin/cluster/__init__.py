"""Pages in groups: hierarchies of a similarity graph (paper 1) and its connected components."""
