"""What is within reach and not held, against a slow twin that walks address by address."""

import random
from pathlib import Path

import pytest

from pagekin.collection.frontier import AT_ONCE, Frontier
from pagekin.model import Capture, Missing, Redirect
from pagekin.url import page_id
from tests.small_webs import collection, edges, page

HOME = "http://a.example/"


def reach(plan):
    return {visit.url: visit.depth for visit in plan.visits}


def anything(url):
    return True


def test_an_empty_collection_has_the_start_to_visit(tmp_path):
    collection(tmp_path / "a.kin", edges(("http://x.example/", "http://y.example/")))
    plan = Frontier(tmp_path / "a.kin", 2).plan({HOME: 0}, anything, frozenset())
    assert reach(plan) == {HOME: 0}
    assert plan.near == ()


def test_what_is_held_old_gone_moved_or_called_otherwise(tmp_path):
    path = tmp_path / "a.kin"
    collection(
        path,
        page(HOME, "b", "gone", "moved", "c", fetched=1_000),
        page(f"{HOME}b", "d", "/", fetched=2_000),
        page(f"{HOME}d", "too-far"),
        Missing(f"{HOME}gone", 404),
        Redirect(f"{HOME}moved", f"{HOME}there"),
        Redirect(f"{HOME}b", f"{HOME}b-by-its-name", "canonical"),
    )
    wanted = {f"{HOME}c": 1, f"{HOME}there": 1, f"{HOME}b-by-its-name": 1}
    assert reach(Frontier(path, 2).plan({HOME: 0}, anything, frozenset())) == wanted
    assert reach(Frontier(path, 3).plan({HOME: 0}, anything, frozenset())) == wanted | {f"{HOME}too-far": 3}
    assert reach(Frontier(path, 2, old=1_500).plan({HOME: 0}, anything, frozenset())) == wanted | {
        HOME: 0,
        f"{HOME}d": 2,
    }
    again = reach(Frontier(path, 1, old=AT_ONCE).plan({HOME: 0}, anything, frozenset()))
    assert again == wanted | {HOME: 0, f"{HOME}b": 1, f"{HOME}gone": 1}
    tried = {page_id(f"{HOME}c")}
    assert f"{HOME}c" not in reach(Frontier(path, 2).plan({HOME: 0}, anything, tried))
    assert Frontier(path, 2).home(f"{HOME}moved") == f"{HOME}there"
    assert Frontier(path, 2).home("http://unknown.example/") == "http://unknown.example/"


def test_an_address_may_be_an_etag_richer(tmp_path):
    from dataclasses import replace

    held = replace(page(HOME), etag='"1"', last_modified="Sat, 01 Jun 2024 12:00:00 GMT")
    collection(tmp_path / "a.kin", held)
    (visit,) = Frontier(tmp_path / "a.kin", 2, old=AT_ONCE).plan({HOME: 0}, anything, frozenset()).visits
    assert (visit.etag, visit.last_modified) == ('"1"', "Sat, 01 Jun 2024 12:00:00 GMT")


def twin(pages, tabled, backlinks, start, radius, allowed):
    """Breadth first, one address at a time: depth by address, of all that is within reach."""
    depth, level = {start: 0}, [start]
    for distance in range(1, radius + 1):
        following = []
        for url in level:
            out = pages.get(url, ())
            back = [source for source, target in backlinks if target == url]
            back += [source for source, target in tabled if target == url and source not in pages]
            back += [source for source, targets in pages.items() if url in targets]  # random links are content
            for other in (*out, *back):
                if other not in depth and other in allowed:
                    depth[other] = distance
                    following.append(other)
        level = following
    return depth


@pytest.mark.parametrize("seed", range(8))
def test_the_plan_is_the_twin_s(tmp_path: Path, seed: int):
    import pyarrow as pa

    rng = random.Random(seed)
    urls = [f"http://h{n % 3}.example/{n}" for n in range(40)]
    pages = {url: rng.sample(urls, 2) for url in rng.sample(urls, 15)}
    tabled, backlinks = ([(rng.choice(urls), rng.choice(urls)) for _ in range(12)] for _ in range(2))
    start, allowed = urls[0], set(rng.sample(urls, 30)) | {urls[0]}
    collection(tmp_path / "a.kin", *(page(url, *targets) for url, targets in pages.items()), edges(*tabled))
    table = pa.table({"source": [a for a, _ in backlinks], "target": [b for _, b in backlinks]})
    for radius in range(5):
        expected = twin(pages, tabled, backlinks, start, radius, allowed)
        plan = Frontier(tmp_path / "a.kin", radius, table).plan({start: 0}, allowed.__contains__, frozenset())
        assert reach(plan) == {url: depth for url, depth in expected.items() if url not in pages}
        assert set(plan.near) == {url for url in expected if url in pages}
        assert list(plan.settled) == sorted(map(page_id, pages))


def menu(url, *chosen, entries=("", "1", "2", "3"), in_nav=False):
    """A page of a site whose template has the same entries everywhere, above the links that its author chose."""
    shown = "".join(f"<li><a href='/{entry}'>Entry {entry}</a>" for entry in entries)
    box = f"<nav><ul>{shown}</ul></nav>" if in_nav else f"<ul>{shown}</ul>"
    text = "".join(f"<p>As it is told at length on <a href='{target}'>page {target}</a> of ours." for target in chosen)
    body = f"<title>{url}</title>{box}<h1>{url}</h1>{text}".encode()
    return Capture(url, body, "text/html", fetched=1_000)


@pytest.mark.parametrize("in_nav", [False, True])
def test_menus_are_not_gone_back_along_and_text_is(tmp_path, in_nav):
    """All pages have a link to the front page in their menu; only `old` links to it from its text."""
    path = tmp_path / "a.kin"
    chain = [menu(f"{HOME}{n}", f"/{n + 1}", in_nav=in_nav) for n in range(3, 12)]
    collection(
        path,
        menu(HOME, in_nav=in_nav), menu(f"{HOME}1", in_nav=in_nav), menu(f"{HOME}2", in_nav=in_nav), *chain,
        menu(f"{HOME}old", "/", "/other", in_nav=in_nav), menu(f"{HOME}far", "/deep", in_nav=in_nav),
    )  # fmt: skip
    for radius, wanted in ((1, {}), (2, {f"{HOME}other": 2}), (3, {f"{HOME}other": 2})):
        assert reach(Frontier(path, radius).plan({HOME: 0}, anything, frozenset())) == wanted
    plan = Frontier(path, 2).plan({HOME: 0}, anything, frozenset())
    assert f"{HOME}old" in plan.near and f"{HOME}far" not in plan.near and f"{HOME}7" not in plan.near
