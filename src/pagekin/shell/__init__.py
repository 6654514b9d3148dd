"""The commands, a thin layer over `answers`, one file for each group."""

INTERRUPTED = 130  # the exit code a shell expects of a command ended by Ctrl-C
