"""Faults that are known and not mended yet: a pattern of what the fuzzer calls them (`*`, `?`), and why they stay.

A test that meets one is expected to fail, and the program counts it apart. Mending a fault removes its line.
"""

KNOWN: dict[str, str] = {}
