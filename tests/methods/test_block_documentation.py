"""`block` on the documentation of Python and PostgreSQL: full lists, and not of what the navigation bar has."""

from collections import Counter

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.methods import method
from tests.debian import unpacked

BASE = "http://docs.example/"
FULL = 15
MOST = 0.5  # "most pages"
EVERYBODY = 0.2  # what is in more than one list of five is furniture

PACKAGES = {"python3.11-doc": "python3.11/html", "postgresql-doc-15": "postgresql-doc-15/html"}


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_most_pages_have_a_full_list_and_the_navigation_is_not_everybody_s_kin(package, tmp_path, capsys):
    folder = unpacked(package, tmp_path) / PACKAGES[package]
    Collection(tmp_path / "docs.kin").add(folder, base_url=BASE, text=False)
    Collection(tmp_path / "docs.kin").build(method=["block(scope=site)"])
    store, asked = Store(tmp_path / "docs.kin"), method("block(scope=site)")
    pages = [page for page, there in enumerate(store.graph.pages["fetched"].is_valid().to_pylist()) if there]
    assert len(pages) > 500
    lists = [set(asked.related(store, page, FULL).pages.tolist()) for page in pages]
    full = sum(len(found) == FULL for found in lists) / len(pages)

    cited = {page: store.arrays.citers(page).size for page in range(store.size)}
    bar = [page for page in cited if cited[page] > MOST * len(pages)]
    held = Counter(page for found in lists for page in found)
    with capsys.disabled():
        print(f"\n{package}: {full:.1%} of {len(pages)} lists are full; of what most pages cite, in so many lists:")
        print(", ".join(f"{store.url(page).removeprefix(BASE) or '/'} {held[page] / len(pages):.1%}" for page in bar))
    assert full > MOST
    assert bar
    assert {store.url(page): held[page] for page in bar if held[page] > EVERYBODY * len(pages)} == {}
