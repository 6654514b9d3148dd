"""Trials: damage collections, kill commands, and ask while others write, until a fault shows (docs/trials.md)."""
