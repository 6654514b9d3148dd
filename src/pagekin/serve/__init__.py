"""Asking: the public `Collection`, the shell, and the files they write."""
