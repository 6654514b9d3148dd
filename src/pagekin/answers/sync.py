"""`--sync`: drop from a collection what is gone from where it came from, if that is not suspiciously much."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagekin.collection.removal import remove
from pagekin.collection.sync import MOST_GONE, Compared, with_answers, with_folders
from pagekin.collection.writer import Writer, writing
from pagekin.errors import CollectionError, UsageError
from pagekin.wording import option

FIRST = 5  # pages that a refusal names


@dataclass(frozen=True)
class Sync:
    """How to drop what is gone; `yes`: however much it is."""

    yes: bool = False

    def before_add(self, path: Path, folders: Sequence[Path]) -> dict[str, Any]:
        """Remove the pages whose files are gone from folders; returns fields of the report. Raises if it refuses.

        This comes first: another file may now have a page's address, and is read then.
        """
        if others := [folder for folder in folders if not folder.is_dir()]:
            raise UsageError(f"{option('sync')} compares a folder with the collection; {others[0]} is not a folder")
        if not path.exists():
            return {"compared": 0}
        with writing(path) as writer:
            compared = with_folders(writer.store(), folders)
            if refusal := self._refusal(writer, compared):
                raise CollectionError(refusal)
            return _dropped(writer, compared)

    def after_crawl(self, path: Path, starts: Iterable[str], gone: set[str]) -> dict[str, Any]:
        """Remove the pages below the starts that have answered that they are gone; returns fields of the report."""
        with writing(path) as writer:
            compared = with_answers(writer.store(), starts, gone)
            refusal = self._refusal(writer, compared)
            return {"refused": refusal} if refusal else _dropped(writer, compared)

    def _refusal(self, writer: Writer, compared: Compared) -> str | None:
        if self.yes or not compared.too_many:
            return None
        store = writer.store()
        named = ", ".join(store.url(page) for page in compared.gone[:FIRST].tolist())
        more = " …" if compared.gone.size > FIRST else ""
        return (
            f"{compared.gone.size:,} of {compared.held.size:,} pages would go, which is more than {MOST_GONE:.0%}: "
            f"{named}{more}; "
            f"if they are really gone, {option('yes')} removes them"
        )


def _dropped(writer: Writer, compared: Compared) -> dict[str, Any]:
    found = {"compared": int(compared.held.size), "gone": int(compared.gone.size)}
    if not compared.gone.size:
        return found
    return found | {"dropped": remove(writer, compared.gone, and_status=False).indexes}
