"""The order of adding does not matter: every history of the same items ends in the same collection.

The twin below decides by the words of the design, one page at a time; histories add the items in any order, cut into
parts anywhere, folded and compacted in between.
"""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.collection.compact import compact
from pagekin.collection.graph import same
from pagekin.collection.store import Store
from pagekin.collection.tabulate import digest, tabulate
from pagekin.collection.writer import writing
from pagekin.model import Capture, Item, Redirect, Rows
from pagekin.parse import parse
from tests.small_webs import edges, page

NAMES = [f"http://{name}.example/" for name in "abcdef"]
names = st.sampled_from(NAMES)
captures = st.builds(
    lambda url, targets, when, title: page(url, *targets, fetched=when, title=title),
    names, st.lists(names, max_size=4), st.integers(1, 3), st.sampled_from(["", "one", "two"]),
)  # fmt: skip
tables = st.lists(st.tuples(names, names, st.sampled_from(["", "x", "y"])), min_size=1, max_size=5).map(
    lambda pairs: edges(*pairs)
)
redirects = st.builds(Redirect, names, names)
items = st.lists(st.one_of(captures, tables, redirects), min_size=1, max_size=8)


def add(writer, item: Item) -> None:
    match item:
        case Capture():
            writer.add(tabulate(pages=[(item, parse(item))])[0])
        case Rows():
            writer.add(tabulate(rows=[item])[0])
        case Redirect():
            writer.add(tabulate(redirects=[item])[0])


def told(store: Store):
    """What a collection says: its pages, its links as written, and who links to whom."""
    graph = store.graph
    urls = graph.pages["url"].to_pylist()
    pages = {row["url"]: (row["title"], row["fetched"], row["digest"]) for row in graph.pages.to_pylist()}
    links = {
        (urls[row["source"]], urls[row["target"]], row["anchor"], row["position"]) for row in graph.links.to_pylist()
    }
    linked = {(urls[p], urls[q]) for p in range(store.size) for q in graph.arrays.targets(p).tolist()}
    return pages, links, linked


def twin(history: list[Item]):
    """The same by the rules of the design, slowly."""
    best: dict[str, Capture] = {}
    for item in history:
        if isinstance(item, Capture):
            other = best.get(item.url)
            if other is None or (item.fetched, digest(item.body)) > (other.fetched, digest(other.body)):
                best[item.url] = item
    links = set()
    for url, capture in best.items():
        links |= {(url, link.target, link.anchor, link.position) for link in parse(capture).links}
    united: dict[tuple[str, str, str], int] = {}
    mentioned = set(best)
    for item in history:
        if isinstance(item, Capture):
            mentioned |= {item.url, *(link.target for link in parse(item).links)}
        elif isinstance(item, Redirect):
            mentioned |= {item.alias, item.target}
        elif item.links is not None:
            places: dict[str, int] = {}
            for row in item.links.to_pylist():
                mentioned |= {row["source"], row["target"]}
                place = places[row["source"]] = places.get(row["source"], -1) + 1
                if row["source"] not in best:
                    key = (row["source"], row["target"], row["anchor"])
                    united[key] = min(united.get(key, place), place)
    links |= {(*key, place) for key, place in united.items()}
    return mentioned, best, links


@settings(max_examples=25, deadline=None)
@given(items, st.data())
def test_every_history_ends_in_the_same_collection(history, data):
    with tempfile.TemporaryDirectory() as folder:
        plain, other = Path(folder) / "plain.kin", Path(folder) / "other.kin"
        with writing(plain) as writer:
            for item in history:
                add(writer, item)
        with writing(other) as writer:
            for item in data.draw(st.permutations(history)):
                add(writer, item)
                step = data.draw(st.sampled_from(["", "", "fold", "compact", "again"]))
                if step == "again":
                    add(writer, item)
                elif step:
                    writer.fold() if step == "fold" else compact(writer)
        first, second = Store(plain), Store(other)
        assert told(first) == told(second)
        assert same(first.graph, second.graph)
        mentioned, best, links = twin(history)
        pages, written, _ = told(first)
        if not any(isinstance(item, Redirect) for item in history):
            assert set(pages) == mentioned
        assert {url for url, row in pages.items() if row[1] is not None} == set(best)
        assert all(pages[url][2] == digest(capture.body) for url, capture in best.items())
        assert written == links
        for table in ("text", "terms", "blocks"):
            assert rows_told(first, table) == rows_told(second, table)


def rows_told(store: Store, table: str):
    return {tuple(row.items()) for rows in store.rows(table) for row in rows.to_pylist()}
