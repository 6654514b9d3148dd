"""The memory that a build may use for what grows with the collection: `PAGEKIN_MEMORY`, such as `2GB` or `500MB`."""

import os
import re
import resource

from pagekin.errors import UsageError

SETTING = "PAGEKIN_MEMORY"
SHARE = 0.25  # of the machine's memory, or of what `ulimit -v` allows, if it is not set: others need memory too

_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT])(i?)B?\s*", re.IGNORECASE | re.ASCII)


def memory() -> int:
    """The memory that a build may use, in bytes."""
    written = os.environ.get(SETTING)
    if not written:
        machine, allowed = (
            os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
            resource.getrlimit(resource.RLIMIT_AS)[0],
        )
        return int(SHARE * (machine if allowed == resource.RLIM_INFINITY else min(machine, allowed)))
    return size(written)


def size(written: str) -> int:
    """Read a size as bytes; `GiB` is a power of 1024, `GB` of 1000.

    >>> size("2GB"), size("500 mb"), size("1.5GiB")
    (2000000000, 500000000, 1610612736)
    """
    found = _SIZE.fullmatch(written)
    if found is None or float(found[1]) == 0:
        raise UsageError(f"{SETTING} must be a size such as 2GB or 500MB, not '{written}'")
    number, letter, binary = found.groups()
    return int(float(number) * (1024 if binary else 1000) ** " KMGT".index(letter.upper()))
