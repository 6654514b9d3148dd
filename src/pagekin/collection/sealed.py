"""JSON files that carry a checksum of their own content, and are replaced as a whole: a manifest, a description.

A file is either what was written or refused: one that another process is writing is never seen half, and one in which
a bit has flipped does not pass.
"""

import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import Any

SEAL = "checksum"


def write(path: Path, content: dict[str, Any]) -> None:
    """Write a file atomically and durably."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump({SEAL: _seal(content), **content}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync(path.parent)


def read(path: Path) -> tuple[dict[str, Any], bool]:
    """The content of a file, and whether it has a checksum (older ones have none); damage raises a `ValueError`."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it does not hold an object")
    seal = found.pop(SEAL, None)
    if seal is not None and seal != _seal(found):
        raise ValueError("its content does not match its checksum")
    return found, seal is not None


def _seal(content: dict[str, Any]) -> str:
    return blake2b(json.dumps(content).encode(), digest_size=16).hexdigest()


def sync(folder: Path) -> None:
    """fsync a directory, so that a rename in it survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
