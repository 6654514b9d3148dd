"""What the last run knew: where lists belong and what they name, so that the next need not find out again.

It is kept in the collection, `FOLDER.kin/see-also/last.json`. A page with other bytes is looked at again; other options
forget what depends on them; what cannot be read is forgotten. Nothing is lost but time.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pagekin.collection import manifest, sealed
from pagekin.collection.manifest import TUNED
from pagekin.collection.removal import SEE_ALSO
from pagekin.model import PARSER
from pagekin.version import VERSION

FILE = "last.json"


class Known(NamedTuple):
    """What was known of a page: its digest, its `Place`, and what else of a `Leaf` follows from its bytes."""

    digest: str
    at: int  # -1: no place
    box: int
    by: str
    level: int
    leads_on: bool
    language: str
    base: bool
    has_own: bool
    related: Sequence[str] | None = None  # addresses; None: it was not asked about


@dataclass
class Memory:
    """What was known, and which options it depends on."""

    places: str = ""
    lists: str = ""
    state: str = ""  # of the collection, when the run ended
    changed: int = 0  # pages that have changed since all lists were asked for
    pages: dict[str, Known] = field(default_factory=dict)  # by address

    @classmethod
    def read(cls, kin: Path, places: str, lists: str) -> "Memory":
        """What is still good under these options."""
        now = cls(f"{VERSION} {PARSER} {places}", f"{VERSION} {PARSER} {lists}", state_of(kin))
        with suppress(OSError, ValueError, TypeError, KeyError):
            held, _ = sealed.read(kin / SEE_ALSO / FILE)
            pages = {url: Known(*known) for url, known in json.loads(held["pages"]).items()}
            if held["places"] != now.places:
                return now
            if (held["lists"], held["state"]) != (now.lists, now.state):
                pages = {url: known._replace(related=None) for url, known in pages.items()}
            now.changed, now.pages = int(held["changed"]), pages
        return now

    def write(self, kin: Path, changed: int, pages: Mapping[str, Known]) -> None:
        """Keep what is known now."""
        (kin / SEE_ALSO).mkdir(exist_ok=True)
        held: dict[str, Any] = {"places": self.places, "lists": self.lists, "state": state_of(kin), "changed": changed}
        sealed.write(kin / SEE_ALSO / FILE, held | {"pages": json.dumps(pages)})  # as text: twice as fast


def state_of(kin: Path) -> str:
    """What tells a collection from itself after somebody else has added pages or tuned weights."""
    if not kin.exists():
        return ""
    held = manifest.read(kin)
    return f"{held.version} {held.indexes[TUNED].path if TUNED in held.indexes else ''}"
