"""The commands, a thin layer over `answers`, one file for each group."""
