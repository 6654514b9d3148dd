"""Clusters of pages: hierarchies of a similarity graph (paper 1), and what is read off them."""
