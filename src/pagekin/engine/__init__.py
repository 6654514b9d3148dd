"""Runs batch work on this machine: `local` on its cores, `relational` in DuckDB, within `memory`."""
