"""Asking by words: which words go together."""
