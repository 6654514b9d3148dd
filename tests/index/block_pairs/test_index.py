"""Block co-citation against a slow, readable twin that follows paper 3 step by step, on random blocks."""

from collections import defaultdict
from math import exp, log

import numpy as np
import pytest

from pagekin.collection.schema import empty, table
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import UsageError
from pagekin.index.base import derive, opened
from pagekin.index.block_pairs.index import PAIR_BYTES, BlockPairs
from pagekin.index.block_pairs.tables import anchor_words
from pagekin.methods.block import BlockCoCitation
from pagekin.parse.words import Analyser
from pagekin.url import canonical, host, page_id, site

ANCHORS = ["The hive", "hive  THE", "honey bees", "honey", "bees and honey", "next", "home", "", " ", "x" * 10_000]
RULES = [
    BlockPairs(),
    BlockPairs(scope="site"),
    BlockPairs(max_repeats=2, max_site=3.0),
    BlockPairs(scope="site", max_repeats=1, near=2, keep=4),
    BlockPairs(min_score=0.5, near=1, max_links=5),
    BlockPairs(dynamic="keep", max_site=1.2),
    BlockPairs(weight="pagerank", max_repeats=2),
    BlockPairs(scope="site", weight="hub", max_repeats=3),
    BlockPairs(scope="site", max_repeats=2, dynamic="keep"),
]


def collection(path, links, fetched=True, texts=(), aliases=(), language="en", **settings):
    """A collection from rows (source, block, position, target, anchor); all sources are fetched, none, or those given.

    Texts are by address, and an alias leads to an address; settings are the collection's own.
    """
    texts, aliases = dict(texts), dict(aliases)
    urls = sorted({row[0] for row in links} | {row[3] for row in links} | texts.keys())
    sources = {row[0] for row in links}
    fetched = (sources if fetched else set()) if isinstance(fetched, bool) else fetched
    rows = sorted(links, key=lambda row: (row[0], row[2]))
    tables = empty() | {
        "pages": table(
            "pages",
            {
                "id": [page_id(url) for url in urls],
                "url": urls,
                "host": [host(url) for url in urls],
                "site": [site(host(url)) if host(url) else "" for url in urls],
                "language": [language if url in sources else "" for url in urls],
                "fetched": [1_000 if url in fetched else None for url in urls],
            },
        ),
        "links": table(
            "links",
            {
                "source": [page_id(row[0]) for row in rows],
                "target": [page_id(row[3]) for row in rows],
                "block": [row[1] for row in rows],
                "position": [row[2] for row in rows],
                "anchor": [row[4] for row in rows],
                "rel": [""] * len(rows),
            },
        ),
        "text": table("text", {"page": [page_id(url) for url in texts], "text": list(texts.values())}),
        "aliases": table("aliases", {"alias": list(aliases), "page": [page_id(to) for to in aliases.values()]}),
    }
    for name, key in (("pages", "id"), ("links", "source"), ("text", "page")):
        tables[name] = tables[name].sort_by([(key, "ascending"), *([("position", "ascending")] * (name == "links"))])
    with writing(path, **settings) as writer:
        writer.add(tables)
        writer.fold()
    return Store(path)


def made(store, rule, threads=None):
    """The index by itself: page number → [(page number, score)]."""
    folder = store.path / f"made-{threads}"
    folder.mkdir()
    rule.make(store, folder, threads)
    index = rule.open(folder)
    number = {int(page): n for n, page in enumerate(store.graph.ids)}
    return {
        number[int(page)]: [
            (number[other], score) for other, score in zip(*(part.tolist() for part in index.of(page)), strict=True)
        ]
        for page in index.ids
    }


def random_blocks(seed, pages=40, sites=6):
    """Pages of several blocks, some blocks copied from page to page as a template is, with odd targets among them."""
    rng = np.random.default_rng(seed)
    urls = [f"http://w{i % 3}.s{i % sites}.example/{i}" for i in range(pages)]
    urls += ["http://s0.example/", "http://s0.example/?q=1", "http://s1.example/x?y", "http://s2.example/paper.PDF"]
    template = [(str(rng.choice(urls)), str(rng.choice(ANCHORS))) for _ in range(4)]
    links = []
    for source in urls[:pages]:
        position = 0
        for block in range(rng.integers(1, 5)):
            size = int(rng.choice([1, 2, 3, 4, 8, 14]))
            held = [(str(rng.choice(urls[: 8 + size])), str(rng.choice(ANCHORS))) for _ in range(size)]
            for target, anchor in template if rng.random() < 0.4 else held:
                links.append((source, block, position, target, anchor))
                position += 1
    return links


def twin(store, rule, weight):
    """Paper 3, one sentence of it a step, without a thought for speed."""
    stems = Analyser().reading("en")
    graph = store.graph
    url, where = graph.pages["url"].to_pylist(), graph.pages["site"].to_pylist()
    fetched = graph.pages["fetched"].is_valid().to_pylist()
    number = {address: n for n, address in enumerate(url)}
    blocks = defaultdict(list)
    anchored = set()
    for row in graph.links.to_pylist():
        blocks[row["source"], row["block"]].append(row)
        anchored |= {row["source"]} if row["anchor"].strip() else set()
    kept = {}
    for (source, block), rows in sorted(blocks.items()):
        if not 2 <= len(rows) <= rule.max_links or block < 0:
            continue
        held = {}
        for row in sorted(rows, key=lambda row: row["position"]):
            target = row["target"]
            if url[target].lower().endswith(".pdf"):
                continue
            if "?" in url[target] and rule.dynamic == "host":
                target = number.get(url[target][: url[target].index("/", 7) + 1])
            if target is not None and target not in held:
                held[target] = (row["position"], row["anchor"])
        bare = not fetched[source] and source not in anchored
        held = {p: link for p, link in held.items() if (link[1].strip() or bare) and p != source}
        if rule.scope == "web":
            held = {p: link for p, link in held.items() if where[p] != where[source]}
        kept[source, block] = held
    of_template = template(kept, blocks, url, where, number, rule) if rule.scope == "site" else set()
    held_by = defaultdict(int)
    for held in kept.values():
        for p in held:
            held_by[p] += 1
    of_page = {}
    for (source, block), held in sorted(kept.items()):
        for p1, (i, a1) in held.items():
            for p2, (j, a2) in held.items():
                if p1 == p2 or (rule.scope == "web" and where[p1] == where[p2]):
                    continue
                if ((source, block, p1) in of_template) != ((source, block, p2) in of_template):
                    continue
                near = 1 if abs(i - j) <= rule.near else exp(-(abs(i - j) - rule.near) / 2)
                w1, w2 = anchor_words(a1, stems), anchor_words(a2, stems)
                alike = len(w1 & w2) / len(w1 | w2) if w1 | w2 else 0
                of_page.setdefault((source, p1, p2), (a2, near * (1 + alike) * weight[source]))
    by_site = defaultdict(lambda: defaultdict(list))
    for (source, p1, p2), (anchor, score) in of_page.items():
        by_site[p1, p2, where[source]][" ".join(anchor.lower().split())].append(score)
    total = defaultdict(float)
    for (p1, p2, _), anchors in by_site.items():
        given = sum(sum(sorted(scores)[-rule.max_repeats :]) for scores in anchors.values())
        total[p1, p2] += min(rule.max_site, given) if rule.scope == "web" else given
    related = defaultdict(list)
    for (p1, p2), given in total.items():
        score = given / (1 + log(held_by[p2]))
        if score >= rule.min_score:
            related[p1].append((p2, score))
    best = {p: sorted(found, key=lambda f: (-float(f"{f[1]:.12g}"), f[0])) for p, found in related.items()}
    return {p: found[: rule.keep] for p, found in best.items()}


def template(kept, blocks, url, where, number, rule):
    """The links that a site has by one anchor on more than r pages and over half of those with links."""
    linking, having = defaultdict(set), defaultdict(set)
    for source, block in blocks:
        for row in blocks[source, block]:
            target = row["target"]
            if "?" in url[target] and rule.dynamic == "host":
                target = number.get(url[target][: url[target].index("/", 7) + 1])
            linking[where[source]].add(source)
            having[where[source], target, " ".join(row["anchor"].lower().split())].add(source)
    found = set()
    for (source, block), held in kept.items():
        for p, (_, anchor) in held.items():
            pages = having[where[source], p, " ".join(anchor.lower().split())]
            if anchor.strip() and rule.max_repeats < len(pages) > len(linking[where[source]]) / 2:
                found.add((source, block, p))
    return found


def same(ours, theirs):
    assert ours.keys() == theirs.keys()
    for page, found in ours.items():
        assert [p for p, _ in found] == [p for p, _ in theirs[page]]
        assert [s for _, s in found] == pytest.approx([s for _, s in theirs[page]], rel=1e-9)


@pytest.mark.parametrize(("seed", "rule"), list(enumerate(RULES)), ids=[repr(rule) for rule in RULES])
def test_every_formula_is_the_twin_s(tmp_path, seed, rule):
    from pagekin.graph.page_weights import weights

    store = collection(tmp_path / "s.kin", random_blocks(seed))
    expected = twin(store, rule, weights(store.arrays, rule.weight))
    assert sum(map(len, expected.values())) > 5
    same(made(store, rule), expected)


@pytest.mark.parametrize("scope", ["web", "site"])
@pytest.mark.parametrize("seed", range(3))
def test_links_with_query_strings_count_for_a_root_that_nobody_knows(tmp_path, seed, scope):
    rng = np.random.default_rng(seed)
    hosts = [f"http://w{i % 2}.d{i}.example/" for i in range(6)]
    targets = [f"{root}find?q={j}" for root in hosts for j in range(4)] + [f"http://t{i}.example/" for i in range(4)]
    targets += [hosts[0], f"{hosts[5]}paper.pdf"]  # one root is known
    links = []
    for n in range(120):
        for i in range(int(rng.integers(2, 9))):
            links.append((f"http://c{n % 9}.example/{n}", 0, i, str(rng.choice(targets)), str(rng.choice(ANCHORS))))
    rule = BlockPairs(scope=scope, keep=30, max_repeats=3)
    for fetched in (True, set(targets[4:7]) | {row[0] for row in links}):
        path = tmp_path / f"{fetched is True}.kin"
        store = collection(path, links, fetched)
        found = made(store, rule)
        same(found, twin(store, rule, np.ones(store.size)))
        shown = {store.url(page) for page in found}
        assert not any("?" in url for url in shown)
        assert shown >= set(hosts)
        assert not store.fetched[[store.number(page_id(root)) for root in hosts[1:]]].any()


def test_the_root_that_nobody_knows_is_an_answer_without_fetched_only(tmp_path):
    from pagekin import Collection, Filters

    hubs = [f"http://hub{i}.example/" for i in range(3)]
    rows = [("http://a.example/", "a"), ("http://b.example/", "b"), ("http://nobody.example/find?q={}", "c")]
    links = [(hub, 0, i, url.format(n), anchor) for n, hub in enumerate(hubs) for i, (url, anchor) in enumerate(rows)]
    collection(tmp_path / "s.kin", links, {*hubs, "http://a.example/", "http://b.example/"})
    site = Collection(tmp_path / "s.kin")
    site.build(method=["block(scope=web)"])
    asked = "http://a.example/", "block(scope=web)"

    def urls(**filters):
        return [page.url for page in site.related(asked[0], method=asked[1], filters=Filters(**filters))]

    assert urls() == ["http://b.example/"]
    assert sorted(urls(fetched=False)) == ["http://b.example/", "http://nobody.example/"]
    scores = [page.score for page in site.related(asked[0], method=asked[1], filters=Filters(fetched=False))]
    assert scores[0] == pytest.approx(scores[1])  # all three links count for one page, as those to b.example


def test_a_table_without_anchors_is_exempt_and_one_with_some_is_not(tmp_path):
    links = [(*row[:4], "") for row in random_blocks(3)]
    bare = collection(tmp_path / "bare.kin", links, fetched=False)
    found = made(bare, BlockPairs())
    assert found
    same(found, twin(bare, BlockPairs(), np.ones(bare.size)))
    assert not made(collection(tmp_path / "fetched.kin", links), BlockPairs())


def test_parts_and_threads_do_not_change_a_digit(tmp_path, monkeypatch):
    store = collection(tmp_path / "s.kin", random_blocks(4, pages=60))
    one = made(store, BlockPairs(), threads=1)
    assert one == made(store, BlockPairs(), threads=2) == made(store, BlockPairs(), threads=5)
    monkeypatch.setattr("pagekin.index.block_pairs.index.memory", lambda: 100 * PAIR_BYTES)
    monkeypatch.setattr("pagekin.index.block_pairs.tables.BATCH_LINKS", 50)
    monkeypatch.setattr("pagekin.index.block_pairs.tables.BATCH_BYTES", 200)
    monkeypatch.setattr("pagekin.index.block_pairs.tables.BATCH_ANCHORS", 3)
    assert one == made(store, BlockPairs(), threads=3)


def web(links):
    return [(canonical(s), b, i, canonical(t), a) for s, b, i, t, a in links]


def test_a_template_on_every_page_is_merged_from_r_copies_only(tmp_path, monkeypatch):
    bar = [("http://a.example/", "a"), ("http://b.example/", "b"), ("http://c.example/", "c")]
    pages = [f"http://site.example/{i}" for i in range(200)]
    store = collection(tmp_path / "s.kin", [(page, 0, i, *link) for page in pages for i, link in enumerate(bar)])
    counted = []
    from pagekin.index.block_pairs import index as blockindex

    count = blockindex._pair_count
    monkeypatch.setattr(blockindex, "_pair_count", lambda *of: counted.append(count(*of)) or counted[-1])
    found = made(store, BlockPairs())
    assert counted == [9 * 3 * 2]  # nine copies of three pairs, both ways
    same(found, twin(store, BlockPairs(), np.ones(store.size)))


def test_a_block_of_80_links_counts_and_one_of_81_does_not(tmp_path):
    def block(source, size):
        return [(f"http://{source}.example/", 0, i, f"http://{source}{i}.example/", f"n{i}") for i in range(size)]

    store = collection(tmp_path / "s.kin", block("a", 80) + block("b", 81))
    found = made(store, BlockPairs())
    assert len(found) == 80
    assert {store.url(page)[7] for page in found} == {"a"}


def test_links_that_stand_alone_give_no_pairs_and_are_in_no_block(tmp_path):
    links = [("http://h.example/", block, i, f"http://{name}.example/", name)
             for i, (block, name) in enumerate([(0, "a"), (0, "b"), (-1, "c"), (-1, "d"), (2, "e")])]  # fmt: skip
    store = collection(tmp_path / "s.kin", links)
    assert {store.url(page) for page in made(store, BlockPairs())} == {"http://a.example/", "http://b.example/"}


@pytest.mark.parametrize(
    ("given", "said"),
    [("max_links=1", "max_links must be at least 2"), ("near=-1", "near must be at least 0"),
     ("max_repeats=0", "max_repeats must be at least 1"), ("keep=0", "keep must be at least 1"),
     ("max_site=0", "max_site must be greater than 0"), ("max_site=inf", "max_site must be greater than 0"),
     ("min_score=-1", "min_score must be at least 0"), ("scope=all", "unknown value of block"),
     ("weight=best", "unknown value of block")],
)  # fmt: skip
def test_a_value_out_of_range_is_said(given, said):
    from pagekin.methods import method

    with pytest.raises(UsageError, match=said):
        method(f"block({given})")


def test_the_index_is_found_by_the_method(tmp_path):
    store = collection(tmp_path / "s.kin", random_blocks(1))
    with writing(store.path) as writer:
        derive(writer, BlockCoCitation(scope="web").index)
    store = Store(store.path)
    index = opened(store, BlockCoCitation(scope="web").index)
    assert index.ids.size == index.start.size - 1


def test_a_collection_without_links_gives_an_empty_index(tmp_path):
    store = collection(tmp_path / "s.kin", [("http://a.example/", 0, 0, "http://b.example/", "b")])
    assert made(store, BlockPairs()) == {}
    with writing(tmp_path / "none.kin") as writer:
        assert derive(writer, BlockPairs()) == "0 pages with 0 related pages"
