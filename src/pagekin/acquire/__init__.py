"""Bytes in: folders, archives, tables and crawls, read as `Capture`, `Rows`, `Redirect` and `Skipped`."""
