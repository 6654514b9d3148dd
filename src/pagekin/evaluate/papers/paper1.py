"""Tables 2–8 and Figures 3–4 of paper 1 (Li et al. 2007, 6.2–6.3), for any labelled collection (`labelled`)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.cluster.flexible import Hierarchy, ranking
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.labelled import Caps, Experiment
from pagekin.evaluate.papers.tables import Options, PaperTables, labels
from pagekin.graph.shared_neighbours import shared
from pagekin.index.similarity import candidates as components
from pagekin.index.similarity.neighbourhoods import Level, Measure, neighbourhoods
from pagekin.kernels import Ints

ALPHAS = (0.06, 0.25, 0.5, 0.8)  # Figure 3, Table 8
LISTED = 15  # the length of the paper's ordering lists; places beyond are X
MOST_CLUSTERED = 10_000  # pages in a dendrogram: 800 MB
DRAWN_ROWS, DRAWN_NODES = 50, 150  # in a dendrogram of Figure 3, and in Figure 4; the paper left out nodes, too

CAPTIONS = {
    "2": "In- and out-links of the labelled pages, by the most in-links of a page and the most out-links of a citer",
    "3": "The same with other caps, and with hosts instead of pages",
    "4": "Similarity graph of the labelled pages",
    "5": "Similarity graph of their hosts",
    "6": "Overall recall: the share of labelled pages that are similar to another one",
    "7": "Precision and recall of each category: the largest component cut into as many clusters, α = 0.5",
    "8": "Ordering lists by co-citation count and by the clustering at each α; X: beyond place 15",
}

SHORT: dict[Measure, str] = {"co-citation": "Cit", "coupling": "Bib", "amsler": "Ams"}
IN_CAPS, OUT_CAPS = (10, 20, 50), (50, 100, 500, 1000)  # as in the paper


def table(store: Store, options: Options) -> PaperTables:
    """Tables 2–8 as rows, each with the number of its table."""
    made = experiment(store, options)
    notes = list(made.labels.notes)
    if len(made.categories) == 1:
        notes.append(f"all labelled pages are in one category, {made.categories[0]}, so table 7 says nothing")
    if made.hosts < 2:
        notes.append("all labelled pages are on one host, so the rows about hosts are left out")
    if not made.asked:
        notes.append("no labelled page is similar to another one by co-citation, so table 8 is left out")
    results = [{"table": name, **row} for name, rows in _TABLES.items() for row in rows(made)]
    about = {
        "file": str(options.labels) if options.labels else None,
        "pages": int(made.cited.nodes.size),
        "categories": made.categories,
    }
    return PaperTables((), "; ".join(notes) or None, tuple(results), "paper1", about, CAPTIONS)


def experiment(store: Store, options: Options) -> Experiment:
    """The collection with its labels; a figure needs the same similarity graphs as the tables."""
    return store.memo.get("paper1", options.labels, lambda: Experiment(store, labels(store, options)))


def _links(made: Experiment, level: Level, caps: Sequence[Caps]) -> Iterator[dict[str, Any]]:
    """In- and out-links of the labelled nodes; ALL counts the labelled nodes and those at the other ends, each once."""
    for cap in caps:
        around = neighbourhoods(made.store, "co-citation", level, *cap)
        nodes = made.labelled(around)[0]
        met = np.zeros(around.nodes, bool)
        met[nodes] = True
        into = np.concatenate([around.links.citers(node) for node in nodes.tolist()])
        out = np.concatenate([around.links.targets(node) for node in nodes.tolist()])
        met[into] = met[out] = True
        yield {
            "data set": f"{level}s{cap}", "IL": into.size, "IPP": into.size / nodes.size,
            "OL": out.size, "OPP": out.size / nodes.size, "ALL": int(met.sum()),
        }  # fmt: skip


def _similar(made: Experiment, level: Level, asked: Sequence[tuple[Measure, Caps]]) -> Iterator[dict[str, Any]]:
    """How many pairs the similarity graph keeps, their share of all pairs, and the average similarity."""
    for measure, caps in asked:
        graph = made.graph(level, measure, caps)
        n, kept = graph.nodes.size, graph.edges[2].size
        yield {
            "measure": f"{SHORT[measure]}{caps}", "alike": graph.pairs, "δ": graph.delta, "pairs": kept,
            "share": kept / max(1, n * (n - 1) // 2), "average": graph.mean,
        }  # fmt: skip


def _recalls(made: Experiment) -> Iterator[dict[str, Any]]:
    """The share of the labelled pages that each measure retrieves."""
    asked: list[tuple[Level, Caps]] = [("page", Caps(20, 1000)), ("page", Caps(50, 1000))]
    if made.hosts > 1:
        asked += [("host", Caps(50, 50)), ("host", Caps(50, 100))]
    for level, caps in asked:
        row: dict[str, Any] = {"data set": f"{level}s{caps}"}
        for measure, short in SHORT.items():
            graph = made.graph(level, measure, caps)
            nodes, pages = made.labelled(graph.around)
            row[short] = float(pages[graph.retrieved[nodes]].sum() / pages.sum())
        yield row


def _precisions(made: Experiment) -> Iterator[dict[str, Any]]:
    """Precision and recall of each category at α = 0.5."""
    for caps in (Caps(20, 1000), Caps(50, 1000)):
        for measure, short in SHORT.items():
            graph = made.graph("page", measure, caps)
            nodes = graph.largest()
            if nodes.size > MOST_CLUSTERED:
                nodes = graph.near(int(nodes[0]), MOST_CLUSTERED)
            cluster = cut(graph.clustered(nodes, 0.5), len(made.categories))
            found = matched(cluster, [made.labels.of[made.page(node)] for node in nodes.tolist()], made.categories)
            for label, (precision, hits) in zip(made.categories, found, strict=True):
                yield {
                    "data set": f"pages{caps}", "measure": short, "clustered": nodes.size, "category": label,
                    "precision": precision, "recall": hits / len(made.labels.pages[label]),
                }  # fmt: skip


def cut(hierarchy: Hierarchy, clusters: int) -> Ints:
    """The cluster of every page, with the last merges undone to get `clusters` clusters, numbered by their first page.

    >>> from pagekin.cluster.flexible import flexible
    >>> cut(flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2]), 2).tolist()
    [0, 0, 1, 0]
    """
    n = hierarchy.size
    first = np.arange(2 * n - 1)
    ends = []
    for row, (i, j) in enumerate(hierarchy.merges[: max(0, n - clusters), :2].astype(int).tolist()):
        first[n + row] = min(first[i], first[j])
        ends.append((first[i], first[j]))
    a, b = np.array(ends, np.int32).reshape(-1, 2).T
    return components.labels(n, a, b)


def matched(cluster: Ints, labels: Sequence[frozenset[str]], categories: Sequence[str]) -> list[tuple[float, int]]:
    """Precision and hits of each category, with clusters matched to categories one to one by largest overlap.

    A category without a cluster has 0 for both.

    >>> matched(np.array([0, 0, 1, 0]), [frozenset("x"), frozenset("y"), frozenset("y"), frozenset("x")], ["x", "y"])
    [(0.6666666666666666, 2), (1.0, 1)]
    """
    from scipy.optimize import linear_sum_assignment

    overlap = np.zeros((len(categories), int(cluster.max()) + 1), np.int64)
    place = {label: at for at, label in enumerate(categories)}
    for group, theirs in zip(cluster.tolist(), labels, strict=True):
        for label in theirs:
            overlap[place[label], group] += 1
    size = np.bincount(cluster)
    found = [(0.0, 0)] * len(categories)
    for category, group in zip(*linear_sum_assignment(overlap, maximize=True), strict=True):
        hits = int(overlap[category, group])
        found[category] = (float(hits / size[group]), hits)
    return found


def _orderings(made: Experiment) -> Iterator[dict[str, Any]]:
    """The places on the lists of the pages asked about, for each page on any list; the page itself has place 0."""
    lists: dict[str, dict[int, int]] = {}
    for node in made.asked:
        lists[f"{made.number(node)}: Cit"] = _placed(node, _by_count(made, node))
        nodes = made.cited.near(node)
        for alpha in ALPHAS:
            order, _ = ranking(made.cited.clustered(nodes, alpha), int(np.searchsorted(nodes, node)))
            lists[f"{made.number(node)}: α={alpha}"] = _placed(node, nodes[order].tolist())
    listed = {node for places in lists.values() for node in places}
    for node in sorted(listed, key=lambda node: (made.category(node), node)):
        where = {"category": made.category(node), "page": made.store.url(made.page(node)), "No.": made.number(node)}
        yield where | {name: places.get(node, "X") for name, places in lists.items()}


def _placed(node: int, order: Sequence[int]) -> dict[int, int]:
    return {node: 0} | {other: place for place, other in enumerate(order[:LISTED], 1)}


def _by_count(made: Experiment, node: int) -> list[int]:
    """The labelled pages that are cited together with a page, most often cited first, then in page order."""
    found, count = shared(made.cited.around.links, "in", "out", node)
    others = np.isin(found, made.cited.nodes) & (found != node)
    found, count = found[others], count[others]
    return found[np.lexsort((found, -count))].tolist()  # type: ignore[no-any-return]


def _of_pages(made: Experiment) -> Iterator[dict[str, Any]]:
    return _links(made, "page", [Caps(cap, 1000) for cap in IN_CAPS])


def _of_hosts(made: Experiment) -> Iterator[dict[str, Any]]:
    caps = [Caps(50, cap) for cap in OUT_CAPS]
    yield from _links(made, "page", caps)
    if made.hosts > 1:
        yield from _links(made, "host", caps)


def _similar_pages(made: Experiment) -> Iterator[dict[str, Any]]:
    asked: list[tuple[Measure, Caps]] = [("co-citation", Caps(cap, 1000)) for cap in IN_CAPS]
    asked += [("coupling", Caps(None, 1000)), *(("amsler", Caps(cap, 1000)) for cap in IN_CAPS)]
    return _similar(made, "page", asked)


def _similar_hosts(made: Experiment) -> Iterator[dict[str, Any]]:
    asked: list[tuple[Measure, Caps]] = [("co-citation", Caps(50, 1000))]
    asked += [("coupling", Caps(None, cap)) for cap in OUT_CAPS]
    asked += [("amsler", Caps(50, cap)) for cap in OUT_CAPS]
    return _similar(made, "host", asked if made.hosts > 1 else [])


_TABLES = {
    "2": _of_pages, "3": _of_hosts, "4": _similar_pages, "5": _similar_hosts,
    "6": _recalls, "7": _precisions, "8": _orderings,
}  # fmt: skip


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw Figures 3 and 4 for the first page of Table 8: its dendrogram at four values of α, and the pages near it."""
    from pagekin.cluster.dendrogram import around
    from pagekin.evaluate.figures import categories, dendrogram, figure, save

    made = experiment(store, options)
    if not made.asked:
        raise PagekinError("no labelled page is similar to another one by co-citation, so there is nothing to draw")
    node = made.asked[0]
    nodes = made.cited.near(node)
    page = figure(16, 19)
    grid = page.add_gridspec(2, len(ALPHAS), left=0.02, right=0.96, top=0.97, bottom=0.03, wspace=0.3, hspace=0.12)
    for column, alpha in enumerate(ALPHAS):
        axes = page.add_subplot(grid[0, column])
        drawing = around(made.cited.clustered(nodes, alpha), int(np.searchsorted(nodes, node)), DRAWN_ROWS)
        names = [
            str(made.number(nodes[row.page])) if row.page is not None else f"… {row.pages:,}" for row in drawing.rows
        ]
        dendrogram(axes, drawing, names)
        axes.set_title(f"({'abcd'[column]}) α = {alpha}", fontsize=11)
    drawn = made.cited.near(node, DRAWN_NODES)
    axes = page.add_subplot(grid[1, :])
    a, b, sim = components.edges_among(*made.cited.rows, drawn)
    shown = [made.category(each) for each in drawn.tolist()]
    categories(
        axes, a, b, sim, shown, [str(made.number(each)) for each in drawn.tolist()], int(np.searchsorted(drawn, node))
    )
    axes.set_title(
        f"Similarity by co-citation around page {made.number(node)}: the {drawn.size:,} nearest pages",
        fontsize=11,
    )
    save(page, path, path.suffix.lower()[1:])
