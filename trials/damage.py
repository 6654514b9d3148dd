"""Damages: what a bad disk, a bad copy or a hand can do to one file of a collection.

A damage is spelled so that it can be repeated on another copy: `flip-12.3` flips bit 3 of byte 12, `cut-0` leaves no
byte, `cut-half` the first half, `cut-1` all but the last, `gone` removes the file, `swap-PATH` exchanges two files.
"""

import os
import random
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

NOT_DAMAGED = ("lock",)  # it holds nothing
EDGE = 16  # bytes at the beginning and at the end, where formats keep what everything else is found by
MIDDLE_FLIPS = 3
_NAME = re.compile(r"\d{6,}-[0-9a-f]{8}")  # what differs between two collections made in the same way


def clone(source: Path, target: Path) -> Path:
    """A copy that shares its files with the original, by hard links: files of a collection are never changed in place.

    The manifest and the lock are copied all the same.
    """
    for file in files(source):
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        if file == "manifest.json":
            shutil.copy2(source / file, target / file)
        else:
            os.link(source / file, target / file)
    return target


def files(site: Path) -> list[str]:
    """The files that can be damaged, as paths within the collection."""
    found = (str(file.relative_to(site)) for file in site.rglob("*") if file.is_file())
    return sorted(file for file in found if file not in NOT_DAMAGED)


def nameless(file: str) -> str:
    """A path without what differs from one making of a collection to the next: `index/graph.*/out.npy`."""
    return _NAME.sub("*", file)


def damages(site: Path, file: str, seed: int) -> list[str]:
    """The damages to try on a file: flips at both ends, in the middle and at random, cuts, removal, exchanges."""
    size = (site / file).stat().st_size
    dice = random.Random(f"{seed} {nameless(file)}")
    bytes_ = [0, size - 1, size // 2, dice.randrange(min(size, EDGE)), size - 1 - dice.randrange(min(size, EDGE))]
    bytes_ += [dice.randrange(size) for _ in range(MIDDLE_FLIPS)]
    flips = [f"flip-{byte}.{dice.randrange(8)}" for byte in dict.fromkeys(bytes_)]
    return [*flips, "cut-half", "cut-0", "cut-1", "gone", *_swaps(site, file, dice)]


def one_flip(site: Path, file: str, seed: int) -> list[str]:
    """A single flip at a random place, for a short run."""
    dice = random.Random(f"{seed} {nameless(file)}")
    return [f"flip-{dice.randrange((site / file).stat().st_size)}.{dice.randrange(8)}"]


def _swaps(site: Path, file: str, dice: random.Random) -> list[str]:
    """An exchange with a file of the same kind in its own folder, and with one in another folder."""
    own = Path(file)
    alike = [
        other for other in files(site) if Path(other).suffix == own.suffix and other not in (file, "manifest.json")
    ]
    here = [other for other in alike if Path(other).parent == own.parent]
    there = [other for other in alike if Path(other).parent != own.parent]
    namesake = [other for other in there if Path(other).name == own.name] or there  # the hardest to tell apart
    return [f"swap-{dice.choice(found)}" for found in (here, namesake) if found and file != "manifest.json"]


def replace(path: Path, held: bytes) -> None:
    """Write a file anew: a clone must never write into a file that it shares with the original."""
    path.unlink(missing_ok=True)
    path.write_bytes(held)


def inflict(site: Path, file: str, damage: str) -> Sequence[str]:
    """Damage a file of a clone, without touching the original; returns the files that are damaged now."""
    kind, _, where = damage.partition("-")
    path = site / file
    held = path.read_bytes()
    path.unlink()  # the original keeps its own link
    match kind, where:
        case "flip", place:
            byte, bit = map(int, place.split("."))
            path.write_bytes(held[:byte] + bytes([held[byte] ^ (1 << bit)]) + held[byte + 1 :])
        case "cut", how:
            path.write_bytes(held[: {"half": len(held) // 2, "0": 0, "1": len(held) - 1}[how]])
        case "swap", other:
            path.write_bytes((site / other).read_bytes())
            replace(site / other, held)
            return file, other
        case "gone", _:
            pass
        case _:
            raise ValueError(
                f"unknown damage '{damage}'; there are flip-BYTE.BIT, cut-half, cut-0, cut-1, gone, swap-FILE"
            )
    return (file,)
