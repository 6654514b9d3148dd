"""The similarity graph against a slow twin made of sets, with and without the size bound, for every setting."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import UsageError
from pagekin.index.base import derive, opened
from pagekin.index.similarity.graph import Similarity, similarity_graph, write
from pagekin.url import ancestors, host, site
from tests.small_webs import collection, from_edges, page, random_pairs

MEASURES = ("co-citation", "coupling", "amsler")


def name(i):
    """Addresses that are below one another, on a few hosts of fewer sites."""
    folders = "".join(f"d{i % k}/" for k in range(2, 2 + i % 4))
    return f"http://h{i % 5}.s{i % 3}.example/{folders}" + f"{i}.html" * (i % 7 > 0)


def web(path, seed, n=40, links=250):
    return from_edges(path, [(name(s), name(t)) for s, t in random_pairs(seed, n, links)])


def sets(store, wanted):
    """Nodes in page order, their C(p), and their links, all by hand."""
    urls = store.graph.pages["url"].to_pylist()
    stopped = set(Path(wanted.stop).read_text().split()) if wanted.stop else set()
    chop = {"page": str, "host": host, "site": lambda url: site(host(url))}[wanted.level]
    groups = {}
    for url in urls:
        if url not in stopped:
            groups.setdefault(chop(url), []).append(url)
    heads = {group: min(members, key=lambda url: (len(url), url)) for group, members in groups.items()}
    order = sorted(groups, key=lambda group: urls.index(heads[group]))
    links = set()
    for source, url in enumerate(urls):
        for target in store.arrays.targets(source).tolist():
            a, b = chop(url), chop(urls[target])
            if a != b and not {url, urls[target]} & stopped:
                links.add((a, b))
    degree_in = {g: sum(b == g for _, b in links) for g in order}
    degree_out = {g: sum(a == g for a, _ in links) for g in order}
    kept = set()
    for g in order:
        citers = [a for a, b in links if b == g and degree_out[a] <= (wanted.max_out or np.inf)]
        citers.sort(key=lambda a: (-degree_in[a], order.index(a)))
        kept |= {(a, g) for a in citers[: wanted.max_in]}
    inward = {g: {a for a, b in kept if b == g} for g in order}
    outward = {g: {b for a, b in kept if a == g} for g in order}
    borrowed = dict(inward)
    if wanted.chop_below:
        for g in order:
            if len(inward[g]) < wanted.chop_below:
                lender = next((up for up in ancestors(g) if up in inward and up != g), g)
                borrowed[g] = inward[lender] - {g}
    neighbours = {"co-citation": borrowed, "coupling": outward, "amsler": {g: borrowed[g] | outward[g] for g in order}}
    return order, [heads[g] for g in order], neighbours[wanted.measure], kept


def twin(store, wanted):
    """(mean, pairs, {(a, b): sim}) of all pairs that are alike at all."""
    order, heads, around, links = sets(store, wanted)
    sims = {}
    for (i, a), (j, b) in combinations(enumerate(order), 2):
        direct = ((a, b) in links) + ((b, a) in links)
        shared = len(around[a] & around[b]) + direct
        if shared:
            sims[i, j] = shared / len(around[a] | around[b] | {a, b})
    return order, heads, sims


def edges_of(graph):
    return {
        (int(a), int(b)): s for block in graph.edges() for a, b, s in zip(*(x.tolist() for x in block), strict=True)
    }


@pytest.fixture
def stop(tmp_path):
    (tmp_path / "stop.txt").write_text("\n".join(name(i) for i in (3, 4, 17)))
    return str(tmp_path / "stop.txt")


SETTINGS = [
    *({"measure": m} for m in MEASURES),
    *({"measure": m, "max_in": 3, "max_out": 9} for m in MEASURES),
    *({"measure": m, "level": "host"} for m in MEASURES),
    *({"measure": m, "level": "site", "max_in": 2} for m in MEASURES),
    *({"measure": m, "chop_below": 6} for m in MEASURES),
    *({"measure": m, "delta": d} for m in MEASURES for d in (0.0, 0.2, 1.0)),
    {"stop": True},
    {"mirrors": "paper", "delta": 0.0},
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: ",".join(f"{k}={v}" for k, v in s.items()))
def test_the_graph_is_the_twin_s(tmp_path, settings, seed, stop):
    settings = settings | ({"stop": stop} if "stop" in settings else {})
    store, wanted = web(tmp_path / "s.kin", seed), Similarity(**settings)
    order, heads, sims = twin(store, wanted)
    graph = similarity_graph(store, wanted)
    assert [store.url(store.number(int(i))) for i in graph.head] == heads
    mean = sum(sims.values()) / len(sims)
    assert graph.about.pairs == len(sims)
    assert graph.about.mean == pytest.approx(mean, rel=1e-12)
    delta = 0.1 * mean if wanted.delta is None else wanted.delta
    assert graph.about.delta == pytest.approx(delta, rel=1e-12)
    most = 0.95 if wanted.mirrors == "paper" else 1
    expected = {pair: sim for pair, sim in sims.items() if graph.about.delta <= sim <= most}
    assert edges_of(graph) == expected
    assert graph.about.kept == len(expected)
    assert len(order) == graph.nodes


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("settings", [{}, {"delta": 0.1}, {"chop_below": 6}, {"max_in": 3}], ids=str)
def test_the_size_bound_changes_nothing_and_neither_do_threads_or_memory(tmp_path, monkeypatch, measure, settings):
    store, made = web(tmp_path / "s.kin", 7, n=150, links=1500), []
    for bounded, workers, megabytes in ((True, 1, 1024), (False, 2, 1024), (True, 3, 1)):
        monkeypatch.setenv("PAGEKIN_MEMORY", f"{megabytes}MB")
        folder = tmp_path / f"{bounded}{workers}{megabytes}"
        folder.mkdir()
        write(store, Similarity(measure=measure, **settings), folder, bounded, workers)
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert made[0] == made[1] == made[2]
    assert np.load(tmp_path / "True11024" / "neighbour.npy").size


def test_a_sharp_size_bound(tmp_path):
    """A page with one citer, which is one of another's forty: alike by 1/42, and δ is that or a little more."""
    store = from_edges(tmp_path / "s.kin", [*((f"c{i}", "big") for i in range(40)), ("c0", "small")])
    urls = store.graph.pages["url"].to_pylist()
    pair = tuple(sorted(map(urls.index, ("big", "small"))))
    for delta, found in ((1 / 42, True), (float(np.nextafter(1 / 42, 1)), False)):
        assert (pair in edges_of(similarity_graph(store, Similarity(delta=delta)))) is found


def test_nothing_is_alike_to_nothing(tmp_path):
    graph = similarity_graph(from_edges(tmp_path / "s.kin", [("a", "a")]), Similarity())
    assert graph.about.pairs == graph.about.kept == 0
    assert graph.about.delta == 0


def test_an_alias_is_its_page_s_node_and_pages_that_come_later_have_none(tmp_path):
    path = tmp_path / "s.kin"
    from_edges(path, [("hub", "a"), ("hub", "b")])
    with writing(path) as writer:
        assert derive(writer, Similarity()) == "3 of 3 pairs have a similarity of 0.04444 or more"
    store = from_edges(path, [("hub", "later")])
    graph = opened(store, Similarity())
    late = store.graph.pages["url"].to_pylist().index("later")
    assert graph.node_of(int(store.graph.ids[late])) is None
    assert [graph.node_of(int(head)) for head in graph.head] == [0, 1, 2]


TEXT = "One two three four five six seven eight nine ten eleven twelve " * 5


def mirror_web(tmp_path, second_text):
    """Two pages cited by the same forty pages, and two more that are alike by links only."""
    both = ("http://a.example/", "http://b.example/")
    citers = [page(f"http://h{i}.example/", *both, words=f"word{i} " * i) for i in range(40)]
    first, second = (page(url, title="t", words=words) for url, words in zip(both, (TEXT, second_text), strict=True))
    return collection(tmp_path / "s.kin", *citers, first, second)


@pytest.mark.parametrize(
    "text, mirrors",
    [(TEXT, 1), (TEXT + " thirteen", 1), (TEXT.upper(), 1), (" ".join(reversed(TEXT.split())), 0), ("", 0)],
    ids=["same", "nearly", "case", "other", "none"],
)
def test_pages_alike_by_links_are_mirrors_when_their_texts_agree(tmp_path, text, mirrors):
    store = mirror_web(tmp_path, text)
    graph = similarity_graph(store, Similarity())
    assert graph.about.mirrors == mirrors
    a, b = (store.graph.pages["url"].to_pylist().index(f"http://{x}.example/") for x in "ab")
    ids = store.graph.ids
    nodes = {graph.node_of(int(ids[a])), graph.node_of(int(ids[b]))}
    assert len(nodes) == 2 - mirrors
    if mirrors:
        (node,) = nodes
        assert int(graph.head[node]) == int(ids[min(a, b)])
        assert graph.members(node).tolist() == sorted((int(ids[a]), int(ids[b])))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"delta": -0.1}, "delta is -0.1; expected 0 to 1"),
        ({"max_out": 0}, "max_out must be at least 1, or none, not 0"),
        ({"chop_below": -2}, "chop_below must be at least 1"),
    ],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(UsageError, match=message):
        Similarity(**settings)


def test_chopping_hosts_and_a_stop_list_that_is_not_there(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("a", "b")])
    with pytest.raises(UsageError, match="chop_below is only for pages, but level=host compares hosts"):
        similarity_graph(store, Similarity(level="host", chop_below=3))
    with pytest.raises(UsageError, match="cannot read the stop list"):
        similarity_graph(store, Similarity(stop=str(tmp_path / "none.txt")))


def test_a_graph_that_was_cut_short_is_damaged(tmp_path):
    path = tmp_path / "s.kin"
    web(path, 1)
    with writing(path) as writer:
        derive(writer, Similarity())
    store = Store(path)
    folder = path / store.manifest.indexes["similarity"].path
    np.save(folder / "bits.npy", np.load(folder / "bits.npy")[:-1])
    with pytest.raises(Exception, match=r"bits\.npy is damaged: .* bytes instead of"):
        opened(store, Similarity())
