"""The collections that trials are made on: the demo web with every index, and one whose graph does not cover its parts.

To be made in a child (`child`), because the parent of forks must start no threads.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from trials.questions import Subject

if TYPE_CHECKING:
    import pyarrow as pa

    from pagekin import Collection
    from pagekin.collection.store import Store
    from pagekin.model import Capture

KEPT = ("semantic", "link", "integrated")  # the methods whose answers are kept
BESIDES = ("similarity(measure=amsler)",)  # an index with settings, beside the same one without
HOSTS = 5
PAGE_SHARE, WORD_SHARE = (
    0.2,
    0.01,
)  # of all pages and words, the most frequent first, those before the ones to ask about
WORDS = ["bees", "hive", "honey", "press", "type", "ink", "stars", "comet", "orbit", "bread", "crumb", "loaf"]


def make_demo(path: Path) -> None:
    """The demo web with every index built."""
    from pagekin import demo
    from pagekin.answers.collection import Collection

    with TemporaryDirectory() as folder:
        demo.write(Path(folder) / "web")
        made = Collection(path)
        made.add(Path(folder) / "web")
        made.add(vectors=vector_file(made, Path(folder) / "vectors.parquet"))
        made.build(all=True)
        made.build(index=BESIDES, method=KEPT)


def vector_file(site: "Collection", path: Path, turn: int = 0) -> Path:
    """A file with vectors of two of three pages, others in each turn."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    urls = [url for number, url in enumerate(site.store.graph.pages["url"].to_pylist()) if number % 3]
    numbers = [[1.0 + (len(url) * step + turn) % 7 for step in (1, 2, 3, 5)] for url in urls]
    pq.write_table(pa.table({"url": urls, "vector": numbers}), path)
    return path


def page(url: str, *targets: str, title: str, words: str, anchor: str = "", fetched: int = 1_000) -> "Capture":
    """A page with some words and a list of links."""
    from pagekin.model import Capture

    links = "".join(f'<li><a href="{target}">to {target.rpartition("/")[2]} {anchor}</a>' for target in targets)
    html = f"<title>{title}</title><h1>{title}</h1><p>{words}</p><ul>{links}</ul>"
    return Capture(url, html.encode(), "text/html; charset=utf-8", fetched=fetched, origin="trial")


def pages(first: int, last: int, version: int, note: str = "") -> list["Capture"]:
    """Some pages of a small web on a few hosts, in one version: a later one has other words and other links."""
    return [
        page(
            address(number),
            *(address((number * step + version) % 60) for step in (2, 3, 5, 7)),
            title=f"Page {number} {note}".strip(),
            words=" ".join(WORDS[(number + step * version) % len(WORDS)] for step in range(6)) + f" {note}",
            fetched=1_000 * version,
        )
        for number in range(first, last)
    ]


def address(number: int) -> str:
    return f"http://host{number % HOSTS}.example/{number}"


def make_parts(path: Path) -> None:
    """Five parts of which the graph covers two: later versions, a table of links, a redirect, pages without text.

    No index is built: it would be stale, and scrub would rightly make a damaged one anew from all parts.
    """
    import pyarrow as pa

    from pagekin.collection.ingest import ingest
    from pagekin.collection.tabulate import tabulate
    from pagekin.collection.writer import writing
    from pagekin.model import Redirect, Rows
    from pagekin.parse import parse

    ingest(path, [pages(0, 30, 1)])
    ingest(path, [pages(20, 40, 2)])
    ends = {"source": [address(50), address(51)], "target": [address(1), address(1)], "anchor": ["one", "uno"]}
    with writing(path) as writer:
        for captures, rows, redirects, text in (
            (pages(10, 25, 3), [], [Redirect("http://old.example/", address(1))], True),
            ([], [Rows(links=pa.table(ends))], [], True),
            (pages(35, 45, 4), [], [], False),
        ):
            writer.add(tabulate([(one, parse(one)) for one in captures], rows, redirects, text=text)[0])


def subject(path: Path) -> Subject:
    """Pages and a word that many questions have an answer for: pages with many links to them, and a frequent word.

    The pages most linked to stand in templates, and the most frequent words on every page.
    """
    import numpy as np
    import pyarrow as pa

    from pagekin.collection.schema import TERMS
    from pagekin.collection.store import Store

    store = Store(path)
    fetched = np.asarray(store.graph.pages["fetched"].is_valid())
    weight = np.diff(store.arrays.in_start) * (fetched if fetched.any() else 1)
    order = np.argsort(-weight, kind="stable").tolist()
    page, other = (order[int(len(order) * share)] for share in (PAGE_SHARE, 2 * PAGE_SHARE))
    terms = pa.concat_tables([TERMS.empty_table().select(["surface"]), *_surfaces(store)])
    counts = terms["surface"].value_counts().to_pylist()
    words = sorted((-row["counts"], row["values"]) for row in counts if row["values"].isascii()) or [(0, "page")]
    return Subject(store.url(page), store.url(other), words[int(len(words) * WORD_SHARE)][1])


def _surfaces(store: "Store") -> Iterator["pa.Table"]:
    return (rows.select(["surface"]) for rows in store.rows("terms", ["surface"]))
