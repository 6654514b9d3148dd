"""Paper 1's tables against slow twins made of sets, other libraries, and the similarity graph that `build` makes."""

import random
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from scipy.cluster.hierarchy import fcluster

from pagekin.acquire import linqs
from pagekin.cluster.flexible import flexible
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.labelled import Caps
from pagekin.evaluate.papers.paper1 import ALPHAS, cut, experiment, matched, plot, table
from pagekin.evaluate.papers.tables import Options
from pagekin.index.similarity.graph import Similarity, similarity_graph
from pagekin.model import Rows

SHORT = {"Cit": "co-citation", "Bib": "coupling", "Ams": "amsler"}


def made(path, links, labels):
    """A collection of these links, with labels that came with the data."""
    pages = pa.table({"url": list(labels), "label": pa.array(list(labels.values()), pa.string())})
    table = pa.table({"source": [a for a, _ in links], "target": [b for _, b in links]})
    with writing(path) as writer:
        writer.add(tabulate(rows=[Rows(links=table, pages=pages)])[0])
    return Store(path)


def some_web(path, seed, labels="xyz", hosts=9):
    """Pages on a few hosts; most have a label, some have no links; citers link to related pages together."""
    chance = random.Random(seed)
    names = [f"http://h{i % hosts}.example/p{i}" for i in range(60)]
    links = [(chance.choice(names[:55]), chance.choice(names[:55])) for _ in range(260)]
    return made(path, links, {name: chance.choice([*labels, *labels, None]) for name in names})


def of(answer, table):
    return [
        {key: value for key, value in row.items() if key != "table"} for row in answer.results if row["table"] == table
    ]


# Slow twins


class Twin:
    """The labelled pages, or their hosts, and links between, in sets of names."""

    def __init__(self, store, level, caps):
        def name(page):
            return store.url(page) if level == "page" else store.value("host", page)

        everything = [(name(a), name(int(b))) for a in range(store.size) for b in store.arrays.targets(a)]
        links = {(a, b) for a, b in everything if a != b}
        out, into = self._sides(links)
        heads = {name(page): page for page in range(store.size)} if level == "page" else self._heads(store)
        kept = set()
        for page, citers in into.items():
            fitting = [q for q in citers if not caps.out or len(out[q]) <= caps.out]
            fitting.sort(key=lambda q: (-len(into.get(q, ())), heads[q]))
            kept |= {(q, page) for q in fitting[: caps.into]}
        self.out, self.into = self._sides(kept)
        labels = store.graph.pages["label"].to_pylist()
        self.labelled = sorted({name(page) for page in range(store.size) if labels[page]}, key=heads.get)
        self.pages = [name(page) for page in range(store.size) if labels[page]]

    @staticmethod
    def _heads(store):
        best = {}
        for page in range(store.size):
            url, host = store.url(page), store.value("host", page)
            if host not in best or (len(url), url) < best[host][0]:
                best[host] = ((len(url), url), page)
        return {host: page for host, (_, page) in best.items()}

    @staticmethod
    def _sides(links):
        out, into = {}, {}
        for a, b in links:
            out.setdefault(a, set()).add(b)
            into.setdefault(b, set()).add(a)
        return out, into

    def around(self, measure, page):
        into, out = self.into.get(page, set()), self.out.get(page, set())
        return {"Cit": into, "Bib": out, "Ams": into | out}[measure]

    def alike(self, measure):
        found = {}
        for i, a in enumerate(self.labelled):
            for b in self.labelled[i + 1 :]:
                one, other = self.around(measure, a), self.around(measure, b)
                direct = (b in self.out.get(a, ())) + (a in self.out.get(b, ()))
                sim = (len(one & other) + direct) / len(one | other | {a, b})
                if sim:
                    found[a, b] = sim
        return found

    def edges(self, measure):
        alike = self.alike(measure)
        delta = 0.1 * sum(alike.values()) / len(alike)
        return {pair: sim for pair, sim in alike.items() if delta <= sim <= 0.95}


@pytest.mark.parametrize("seed", range(4))
def test_links_pairs_and_recalls_equal_the_twin_s(tmp_path, seed):
    store = some_web(tmp_path / "w.kin", seed)
    answer = table(store, Options())
    seen = 0
    for row in [*of(answer, "2"), *of(answer, "3")]:
        level, caps = row["data set"].removesuffix(")").split("(")
        twin = Twin(store, level.removesuffix("s"), Caps(*map(int, caps.split(","))))
        into = [q for page in twin.labelled for q in twin.into.get(page, ())]
        out = [q for page in twin.labelled for q in twin.out.get(page, ())]
        n = len(twin.labelled)
        assert (row["IL"], row["OL"]) == (len(into), len(out))
        assert (row["IPP"], row["OPP"]) == (len(into) / n, len(out) / n)
        assert row["ALL"] == len({*twin.labelled, *into, *out})
        seen += 1
    for number, level in (("4", "page"), ("5", "host")):
        for row in of(answer, number):
            measure, caps = row["measure"][:3], [int(cap) for cap in row["measure"][4:-1].split(",")]
            twin = Twin(store, level, Caps(*caps) if len(caps) == 2 else Caps(None, *caps))
            alike, edges, n = twin.alike(measure), twin.edges(measure), len(twin.labelled)
            assert (row["alike"], row["pairs"]) == (len(alike), len(edges))
            assert row["average"] == pytest.approx(sum(alike.values()) / len(alike))
            assert row["share"] == len(edges) / (n * (n - 1) / 2)
            seen += 1
    for row in of(answer, "6"):
        level, caps = row["data set"].removesuffix(")").split("(")
        twin = Twin(store, level.removesuffix("s"), Caps(*map(int, caps.split(","))))
        for measure in SHORT:
            retrieved = {end for pair in twin.edges(measure) for end in pair}  # those with an edge
            assert row[measure] == pytest.approx(sum(page in retrieved for page in twin.pages) / len(twin.pages))
            seen += 1
    assert seen == 3 + 8 + 7 + 9 + 12


@pytest.mark.parametrize("measure", SHORT.values())
def test_where_every_page_is_labelled_it_is_the_graph_that_build_makes(tmp_path, measure):
    names = [f"http://h{i}.example/" for i in range(50)]
    chance = random.Random(7)
    links = [(chance.choice(names), chance.choice(names)) for _ in range(300)]
    store = made(tmp_path / "w.kin", links, {name: "xy"[i % 2] for i, name in enumerate(names)})
    ours = experiment(store, Options()).graph("page", measure, Caps(20, 1000))
    theirs = similarity_graph(store, Similarity(measure, max_in=20, max_out=1000, mirrors="paper"))
    assert (ours.pairs, ours.delta) == (theirs.about.pairs, pytest.approx(theirs.about.delta, rel=1e-12))
    assert [side.tolist() for side in ours.rows] == [side.tolist() for side in theirs.rows]


@pytest.mark.parametrize("seed", range(20))
def test_a_cut_is_scipy_s_where_heights_differ(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 25))
    a, b = np.triu_indices(n, 1)
    hierarchy = flexible(n, a, b, 1 - rng.random(a.size), 0.5)
    for clusters in range(1, n + 1):
        expected = fcluster(hierarchy.merges, clusters, "maxclust")
        found = cut(hierarchy, clusters)
        assert len(set(zip(expected, found, strict=True))) == clusters == len(set(found.tolist()))
    assert cut(hierarchy, n + 5).tolist() == list(range(n))


@pytest.mark.parametrize("seed", range(20))
def test_clusters_go_to_categories_as_the_best_of_all_ways_does(seed):
    rng = np.random.default_rng(seed)
    groups, n = int(rng.integers(1, 5)), 30
    cluster = np.concatenate([np.arange(groups), rng.integers(0, groups, n - groups)])
    labels = [frozenset(rng.choice(list("wxyz"), rng.integers(1, 3)).tolist()) for _ in range(n)]
    found = matched(cluster, labels, list("wxyz"))
    best = max(
        sum(sum(label in theirs for g, theirs in zip(cluster, labels, strict=True) if g == given)
            for label, given in zip("wxyz", way, strict=True))
        for way in permutations([*range(groups), *[None] * (4 - groups)])
    )  # fmt: skip
    assert sum(hits for _, hits in found) == best
    sizes = np.bincount(cluster).tolist()
    assert all(hits == 0 or round(hits / precision) in sizes for precision, hits in found)


def test_precision_and_recall_by_hand(tmp_path):
    """Two citers with three pages each; the last page of the second is of the first category, and z links to both."""
    links = [("q", page) for page in ("a", "b", "c")] + [("r", page) for page in ("d", "e", "f")]
    links += [("s", page) for page in ("a", "b", "c")] + [("t", page) for page in ("d", "e", "f")]
    links += [("z", "a"), ("z", "d")]
    labels = dict(zip("abcdef", "xxxyyx", strict=True)) | {"lonely": "y"}
    rows = of(table(made(tmp_path / "w.kin", links, labels), Options()), "7")
    cited = {row["category"]: row for row in rows if row["measure"] == "Cit" and row["data set"] == "pages(50,1000)"}
    assert {label: (row["precision"], row["recall"]) for label, row in cited.items()} == {
        "x": (1.0, 3 / 4),
        "y": (2 / 3, 2 / 3),
    }
    assert cited["x"]["clustered"] == 6


def test_ordering_lists_have_every_place_once_and_count_as_sets_do(tmp_path):
    store = some_web(tmp_path / "w.kin", 3, labels="x")
    labelled = {store.url(page) for page in range(store.size) if store.value("label", page)}
    answer = table(store, Options())
    rows = of(answer, "8")
    number = next(key for key in rows[0] if key.endswith(": Cit")).partition(":")[0]
    asked = next(row["page"] for row in rows if str(row["No."]) == number)
    assert all(row[f"{number}: {column}"] == 0 for row in rows if row["page"] == asked for column in ("Cit", "α=0.5"))
    for alpha in ALPHAS:
        places = sorted(row[f"{number}: α={alpha}"] for row in rows if row[f"{number}: α={alpha}"] != "X")
        assert places == list(range(len(places))) and places[-1] <= 15
    counted = {}
    page = next(page for page in range(store.size) if store.url(page) == asked)
    citers = {page: set(store.arrays.citers(page).tolist()) for page in range(store.size)}
    for other in range(store.size):
        if other != page and store.url(other) in labelled and citers[page] & citers[other]:
            counted[other] = len(citers[page] & citers[other])
    expected = [store.url(other) for other in sorted(counted, key=lambda other: (-counted[other], other))[:15]]
    listed = {row[f"{number}: Cit"]: row["page"] for row in rows if row[f"{number}: Cit"] not in ("X", 0)}
    assert [listed[place] for place in sorted(listed)] == expected


# Bad input


def test_one_category_and_one_host_are_said_and_the_rest_is_there(tmp_path):
    store = some_web(tmp_path / "w.kin", 1, labels="x", hosts=1)
    answer = table(store, Options())
    assert "one category" in answer.note and "one host" in answer.note
    assert {row["table"] for row in answer.results} == {"2", "3", "4", "6", "7", "8"}
    assert not any(row["data set"].startswith("hosts") for row in [*of(answer, "3"), *of(answer, "6")])


def test_labels_that_name_unknown_pages_are_counted_and_the_others_used(tmp_path):
    store = some_web(tmp_path / "w.kin", 2)
    some = [f"http://h{i % 9}.example/p{i},{'ab'[i % 2]}" for i in range(30)]
    (tmp_path / "labels.csv").write_text("\n".join([*some, "http://nowhere.example/,a"]))
    answer = table(store, Options(tmp_path / "labels.csv"))
    assert answer.about["pages"] == 30 and answer.about["categories"] == ["a", "b"]
    assert "1 rows name a page that is not in the collection" in answer.note


def test_pages_that_nothing_links_to_leave_what_can_be_said(tmp_path):
    links = [("a", "x"), ("b", "y")]
    store = made(tmp_path / "w.kin", links, {name: "c" for name in "pqrs"})
    answer = table(store, Options())
    assert "table 8 is left out" in answer.note
    assert of(answer, "6")[0] == {"data set": "pages(20,1000)", "Cit": 0.0, "Bib": 0.0, "Ams": 0.0}
    assert all(row["pairs"] == 0 == row["average"] for row in of(answer, "4"))
    with pytest.raises(PagekinError, match="nothing to draw"):
        plot(store, Options(), {}, tmp_path / "f.svg")


def test_labels_in_separate_components_cluster_the_largest(tmp_path):
    links = [("q", page) for page in "abc"] + [("r", page) for page in "de"]
    rows = of(
        table(made(tmp_path / "w.kin", links, dict.fromkeys("abcde", "x") | {"f": "y", "g": "y"}), Options()), "7"
    )
    assert {row["clustered"] for row in rows if row["measure"] == "Cit"} == {3}
    assert [row["recall"] for row in rows[:2]] == [2 / 5, 0.0]


def test_figures_are_drawn(tmp_path):
    store = some_web(tmp_path / "w.kin", 3)
    plot(store, Options(), {}, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert "α = 0.06" in text and "nearest pages" in text


# Real data


@pytest.mark.data
def test_citeseer(data, tmp_path):
    """What docs/evaluate/paper1.md prints."""
    ingest(tmp_path / "c.kin", [linqs.read(data("citeseer"))])
    found = experiment(Store(tmp_path / "c.kin"), Options())
    for measure, pairs, recall in (("co-citation", 7_823, 0.9749), ("amsler", 20_321, 0.9792)):
        graph = found.graph("page", measure, Caps(50, 1000))
        assert graph.edges[0].size == pairs and graph.nodes.size == 3_312
        assert graph.retrieved[graph.nodes].mean() == pytest.approx(recall, abs=1e-4)
