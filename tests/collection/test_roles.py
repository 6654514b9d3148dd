"""What a site repeats is told from what an author chose, as by a slow twin and whatever the order of adding."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from pagekin.collection import graph as graphs
from pagekin.collection.ingest import ingest
from pagekin.collection.repeats import needed
from pagekin.collection.roles import ROLES
from pagekin.collection.store import Store
from pagekin.url import page_id
from tests.role_twin import Twin, capture, random_sites
from tests.small_webs import collection, edges

A = "http://a.example/"


def roles(store):
    """Page → the roles of its links, for pages that were fetched."""
    fetched = store.graph.pages["fetched"].is_valid().to_pylist()
    return {store.url(page): [ROLES[role] for role in store.links_of(page)["role"].to_pylist()]
            for page in range(store.size) if fetched[page]}  # fmt: skip


def repeated(store):
    """Page → for each line, whether the site repeats it, for pages that were fetched."""
    start, again = store.graph.stretches.start.tolist(), store.graph.repeated.tolist()
    return {url: again[start[page] : start[page + 1]] for url in roles(store) for page in [store.number(page_id(url))]}


@pytest.mark.parametrize("seed", range(5))
def test_random_sites_as_their_twin(tmp_path, seed):
    captures = random_sites(seed)
    store, twin = collection(tmp_path / "s.kin", *captures), Twin(captures)
    assert roles(store) == twin.roles()
    assert repeated(store) == twin.without_words()


def test_the_random_sites_have_everything():
    found = Counter(role for seed in range(5) for of in Twin(random_sites(seed)).roles().values() for role in of)
    assert min(found[role] for role in ROLES) > 100


@pytest.mark.parametrize("order", range(3))
def test_the_order_of_adding_does_not_matter(tmp_path, order):
    captures, random = random_sites(order), Random(order)
    whole, path = collection(tmp_path / "whole.kin", *captures), tmp_path / "s.kin"
    shuffled = random.sample(captures, len(captures))
    former = [capture(each.url, f"<nav><a href={each.url}>x</a></nav><p>As it was.", fetched=1) for each in shuffled]
    ingest(path, [shuffled[:9], former[5:12]], part_pages=1 + 4 * order)  # versions that lose, before and after
    ingest(path, [random.sample(captures, 3), shuffled[4:]], part_pages=17)
    ingest(path, [former[:3], shuffled[:5]])
    store = Store(path)
    assert graphs.same(store.graph, whole.graph)
    assert graphs.same(store.graph, graphs.from_snapshot(store.snapshot()))  # as written, and as made now
    assert roles(store) == roles(whole) and store.boilerplate.equals(whole.boilerplate)


def test_several_passes_over_several_blocks_find_the_same(tmp_path, monkeypatch):
    captures = random_sites(3)
    once = collection(tmp_path / "s.kin", *captures)
    made, said = graphs.from_snapshot(once.snapshot()), once.count_boilerplate()
    for row_bytes, block in ((7, 1), (50, 50), (500, 3), (0, 1)):
        monkeypatch.setattr("pagekin.collection.repeats.memory", lambda: 5_000)
        monkeypatch.setattr("pagekin.collection.repeats.ROW_BYTES", row_bytes)
        monkeypatch.setattr("pagekin.collection.repeats.BLOCK", block)
        assert graphs.same(graphs.from_snapshot(once.snapshot()), made)
        assert once.count_boilerplate().equals(said)
    assert 0 < made.repeated.sum() < made.repeated.size and said.num_rows


def test_on_how_many_pages_a_pair_must_stand():
    sizes = np.array([0, 1, 2, 3, 5, 6, 7, 12, 19, 20, 21, 1_000_000])
    assert needed(sizes).tolist() == [3, 3, 3, 3, 3, 3, 4, 6, 10, 10, 10, 10]


MENU = "".join(f"<a href={A}{name}>{name}</a> " for name in ("start", "about", "shop"))


def test_one_page_has_no_template(tmp_path):
    store = collection(tmp_path / "s.kin", capture(A, f"<div>{MENU}</div><p>Bees are kept."))
    assert roles(store) == {A: ["content"] * 3} and not any(repeated(store)[A])
    assert store.graph.content is store.graph.arrays


def test_a_site_whose_every_page_is_one_template(tmp_path):
    """Pages with equal bytes count once; those that differ in a title alone are the template's as a whole."""
    body = f"<html lang=en><div>{MENU}</div><p>Nothing is said here."
    alike = [capture(f"{A}{n}", body) for n in range(12)]
    assert all(of == ["content"] * 3 for of in roles(collection(tmp_path / "alike.kin", *alike)).values())
    titled = [capture(f"{A}{n}", f"<title>Page {n}</title>{body}") for n in range(12)]
    store = collection(tmp_path / "titled.kin", *titled)
    assert all(of == ["template"] * 3 for of in roles(store).values())
    assert not store.graph.repeated.any(), "or the pages would say nothing at all"
    assert store.graph.content.out.size == 0 and store.seeing().arrays.out.size == 0


def test_a_picture_at_the_top_of_every_page_is_the_template_s(tmp_path):
    """A logo has no neighbour but the page's beginning; the first link of a text may be the same on many pages."""
    logo = f"<div><a href={A}><img src=l.png alt=Bees></a></div>"
    pages = [
        capture(f"{A}{n}", f"{logo}<p>Number {n}, of <a href={A}hive>the hive</a>, is told here.") for n in range(12)
    ]
    assert set(map(tuple, roles(collection(tmp_path / "s.kin", *pages)).values())) == {("template", "content")}
    pages = [capture(f"{A}{n}", f"<p>Number {n}, of <a href={A}hive>the hive</a>, is told here.") for n in range(12)]
    assert set(map(tuple, roles(collection(tmp_path / "t.kin", *pages)).values())) == {("content",)}


def test_a_menu_of_a_section_leads_to_its_own_page(tmp_path):
    """Of 40 pages, five have a menu of their section: too few, were it not that it leads to the page itself."""

    def section(n, names):
        menu = "".join(f"<li><a href={A}{each}>Part {each}</a>" for each in names)
        return capture(f"{A}{n}", f"<p>Part {n} is about bees in a hive of the kind {n}.</p><ul>{menu}</ul>")

    others = [capture(f"{A}{n}", f"<p>Number {n} is about something else, {n}.") for n in range(5, 40)]
    own = collection(tmp_path / "own.kin", *(section(n, range(5)) for n in range(5)), *others)
    assert roles(own)[f"{A}2"] == ["template"] * 5
    chosen = collection(tmp_path / "chosen.kin", *(section(n, range(30, 35)) for n in range(5)), *others)
    assert roles(chosen)[f"{A}2"] == ["content"] * 5


def test_a_site_of_two_templates(tmp_path):
    menus = MENU, MENU.replace(A, f"{A}de/")
    own = "<p>Number {} has <a href=x{}>one link</a> of its own."
    pages = [capture(f"{A}{n}", f"<div>{menus[n % 2]}</div>{own.format(n, n)}") for n in range(24)]
    assert set(map(tuple, roles(collection(tmp_path / "s.kin", *pages)).values())) == {("template",) * 3 + ("content",)}


def test_a_menu_that_pretends_to_be_content(tmp_path):
    pages = [capture(f"{A}{n}", f"<div class=content>{MENU}</div><p>On {n}, see <a href={A}x>x</a>, and nothing else.")
             for n in range(12)]  # fmt: skip
    found = roles(collection(tmp_path / "s.kin", *pages))
    assert set(map(tuple, found.values())) == {("template", "template", "template", "content")}


def test_a_list_that_two_pages_share_stays_content(tmp_path):
    shared = f"<h2>My favourites</h2><ul>{MENU.replace('<a', '<li><a')}</ul>"
    pages = [capture(f"{A}{n}", f"<p>Page {n}.</p>{shared if n < 2 else ''}<p>The end of {n}.") for n in range(30)]
    store = collection(tmp_path / "s.kin", *pages)
    assert roles(store)[f"{A}0"] == roles(store)[f"{A}1"] == ["content"] * 3
    assert not store.graph.repeated.any()


def test_a_small_box_of_a_large_site_is_found_and_a_link_of_many_texts_stays(tmp_path):
    def body(n):
        box = f"<ul>{''.join(f'<li><a href={A}b{i}>b{i}</a>' for i in range(3))}</ul>" if n < 10 else ""
        text = (
            f"in our way we also looked at <a href={A}known>the known one</a> and at its neighbours" if n < 50 else ""
        )
        return (
            f"<p>On day {n} of the long journey {text} until the evening of day {n} came.</p><hr>{box}<p>So {n} ended."
        )

    store = collection(tmp_path / "s.kin", *(capture(f"{A}{n}", body(n)) for n in range(1_000)))
    found = roles(store)
    assert {tuple(found[f"{A}{n}"]) for n in range(10)} == {("content",) + ("template",) * 3}
    assert {tuple(found[f"{A}{n}"]) for n in range(10, 50)} == {("content",)}
    known = store.number(page_id(f"{A}known"))
    assert store.graph.content.out.tolist() == [known] * 50


def test_links_of_tables_are_content(tmp_path):
    store = collection(tmp_path / "s.kin", edges(*((f"{A}{n}", f"{A}m{m}") for n in range(30) for m in range(4))))
    assert store.graph.links["role"].to_pylist() == [0] * 120
    assert store.graph.content is store.graph.arrays and store.boilerplate.num_rows == 0


def test_many_sites_of_three_pages(tmp_path):
    """Three pages are enough on a site of three; what is on one page each of many sites is none of theirs."""
    pages = []
    for number in range(300):
        base = f"http://s{number}.example/"
        menu = MENU.replace(A, base) if number % 2 else MENU
        pages += [capture(f"{base}{n}", f"<div>{menu if number % 2 or not n else ''}</div><p>Page {n} of {number}.")
                  for n in range(3)]  # fmt: skip
    found = roles(collection(tmp_path / "s.kin", *pages))
    for url, of in found.items():
        odd = int(url.partition(".")[0].removeprefix("http://s")) % 2
        assert of == (["template"] * 3 if odd else ["content"] * 3 if url.endswith("/0") else [])


def test_lists_on_pages_of_tags_are_navigation(tmp_path):
    tag, other = f"{A}tag/bees", f"{A}bees"
    listed = f"<p>All of the posts about bees are in this list, and <a href={A}rss>a feed</a> has them too, in order."
    listed += f"</p><hr><ul><li><a href={A}1>One</a><li><a href={A}2>Two</a></ul>"
    pages = [capture(tag, listed), capture(other, listed + "<p>."), capture("http://b.example/tag", listed + "<p>!")]
    pages += [
        capture(f"{A}1", f"<p>One is about <a rel=tag href={tag}>bees</a> and <a href={other}>bees</a>, mostly."),
        capture(f"{A}2", "<p>Two, by <a rel=tag href=http://b.example/tag>someone else</a>, is not."),
    ]
    found = roles(collection(tmp_path / "s.kin", *pages))
    assert found[tag] == ["content", "navigation", "navigation"]
    assert found[other] == found["http://b.example/tag"] == ["content"] * 3  # nobody of the site calls it a tag's
    assert found[f"{A}1"] == ["navigation", "content"]


def test_a_sentence_beside_a_menu_is_not_part_of_it(tmp_path):
    """The rules of blocks may join a short paragraph to a list beside it."""
    menu = "<ul><li><a href=/one>One</a><li><a href=/two>Two</a><li><a href=/three>Three</a></ul>"
    pages = [
        capture(f"{A}{n}", f"<p>Kind {n} of <a href=/known>bees</a> lives in hive{n}</p>{menu}") for n in range(12)
    ]
    ingest(tmp_path / "s.kin", [pages])
    found = roles(Store(tmp_path / "s.kin"))
    assert found[f"{A}1"] == ["content", "template", "template", "template"]
