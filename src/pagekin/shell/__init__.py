"""The commands, thin over `answers`: one file a group."""
