"""Reads folders, archives, tables and crawls as `Capture`, `Rows`, `Redirect` and `Skipped` items."""
