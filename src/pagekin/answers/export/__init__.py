"""A collection as files for other programs: spreadsheets, notebooks, Gephi, Pajek, documentation sites.

    related     every page's related pages, by one method
    graph       the links
    similarity  who is alike by how much, as `assisted` uses it
    pages       the pages

The ending of the file says the format (`ROW_FILES`, `GRAPH_FILES`); `related` may also go to a folder, one JSON a page.
Everything is written, there are no caps; a file is there when it is whole, or not at all.
"""

from pathlib import Path

from pagekin.answers.collection import Collection
from pagekin.answers.export.files import ROW_FILES, whole
from pagekin.answers.export.folder import write_folder
from pagekin.answers.export.graphs import GRAPH_FILES, write_graph
from pagekin.answers.export.tables import Alike, Answers, Links, Pages
from pagekin.collection.store import Store
from pagekin.errors import UsageError, unknown
from pagekin.methods import DEFAULT
from pagekin.methods import method as named_method
from pagekin.methods.assisted import Assisted

WHAT = ("related", "graph", "similarity", "pages")


def export(site: Path, what: str, path: Path, method: str | None = None, k: int = 15) -> str:
    """Write what is asked for to a path and say what was written; `k` is for `related`.

    `method` is for `related`, and for `similarity` an `assisted` whose similarity graph is meant. Links, pairs and
    pages are streamed; of `related`, k numbers a page are held.
    """
    if what not in WHAT:
        raise unknown("export", what, WHAT)
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if what == "related" and (path.is_dir() or not path.suffix):
        pages = write_folder(Collection(site), path, method or DEFAULT, k)
        return f"wrote the related pages of {_count(pages, 'page')} to {path}, with an index.json"
    ending = _ending(what, path)
    store = Collection(site).store
    k = min(k, max(store.size, 1))
    rows = _rows(store, what, method, k)
    with whole(path) as beside:
        if ending in GRAPH_FILES and not isinstance(rows, Pages):
            written = write_graph(store, rows, beside, ending)
            return f"wrote {_count(written.nodes, 'page')} and {_count(written.edges, rows.edge)} to {path}"
        count = ROW_FILES[ending](rows.schema, rows.batches(), beside)
    return f"wrote {_count(count, rows.row)} to {path}"


def _rows(store: Store, what: str, method: str | None, k: int) -> Answers | Links | Alike | Pages:
    if what == "related":
        return Answers(store, method or DEFAULT, k)
    if what == "similarity":
        named = named_method(method or "assisted")
        if not isinstance(named, Assisted):
            raise UsageError(f"a similarity graph belongs to 'assisted(…)', not to '{method}'")
        return Alike(store, named.index)
    return Links(store) if what == "graph" else Pages(store)


def _ending(what: str, path: Path) -> str:
    """The ending of a file that can hold it."""
    ending = path.suffix.lower()
    fitting = [*ROW_FILES, *(GRAPH_FILES if what != "pages" else ())]
    if ending not in fitting:
        given = f"not '{ending}'" if ending else f"and '{path}' has none"
        folder = "; or name a folder for one JSON a page, without an ending or existing" if what == "related" else ""
        raise UsageError(f"the ending says the format of {what}: {' '.join(fitting)}, {given}{folder}")
    return ending


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
