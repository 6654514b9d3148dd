"""A collection at rest: immutable parts under one manifest, merged by rules that no order of adding can change."""

from pagekin.errors import UnsupportedSystemError

try:
    import fcntl  # noqa: F401  # the lock of a writer (`store`)
except ModuleNotFoundError:
    raise UnsupportedSystemError(
        "pagekin runs on Linux and macOS; on Windows, run it inside WSL: it locks collections with flock, which this "
        "system does not have"
    ) from None
