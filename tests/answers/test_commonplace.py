"""A list that nearly every page of a site would get has a note; one that is about the page has none."""

import pytest

from pagekin import Collection, Filters
from tests.small_webs import collection, page

SAYS = "finds nearly the same for every page of a.example"


def site(path, pages, menu, others=lambda i: ()):
    """A site whose pages have a menu, and links of their own."""
    names = [f"http://a.example/menu{i}" for i in range(menu)]
    made = [page(f"http://a.example/{i}", *names, *others(i), words=f"w{i}") for i in range(pages)]
    collection(path, *made, *(page(name, *names, words=name) for name in names))
    return Collection(path)


@pytest.mark.parametrize("method", ["hits(links=all)", "walk(links=all)"])
def test_a_menu_is_the_answer_to_every_question(tmp_path, method):
    made = site(tmp_path / "s.kin", 40, 8)
    for number in (0, 7, 39):
        assert SAYS in made.related(f"http://a.example/{number}", method=method).note
    said = made.related("http://a.example/7", method=method).note
    assert 'try method="fused"' in said
    assert SAYS not in (made.related("http://a.example/7", method="amsler").note or "")


@pytest.mark.parametrize("method", ["hits", "walk"])
def test_groups_of_their_own_are_no_commonplace(tmp_path, method):
    def own(i):
        return [f"http://a.example/{i // 8 * 8 + j}" for j in range(8) if i // 8 * 8 + j != i]

    made = site(tmp_path / "s.kin", 80, 0, own)
    for number in range(0, 80, 11):
        assert SAYS not in (made.related(f"http://a.example/{number}", method=method).note or "")


def test_a_small_site_filters_and_several_seeds_say_nothing(tmp_path):
    small = site(tmp_path / "small.kin", 10, 6)
    assert SAYS not in (small.related("http://a.example/1", method="walk").note or "")
    made = site(tmp_path / "s.kin", 40, 8)
    assert SAYS not in (made.related("http://a.example/1", method="walk", filters=Filters(per_host=9)).note or "")
    assert SAYS not in (made.related("http://a.example/1", "http://a.example/2", method="walk").note or "")


def test_others_are_asked_once(tmp_path, monkeypatch):
    from pagekin.methods.walk import Walk

    made, asked = site(tmp_path / "s.kin", 40, 8), []
    real = Walk.related
    monkeypatch.setattr(Walk, "related", lambda self, store, page, k: asked.append(page) or real(self, store, page, k))
    for number in range(5):
        made.related(f"http://a.example/{number}", method="walk")
    assert len(asked) <= 5 + 5


def test_a_page_with_nothing_but_a_menu_says_so(tmp_path):
    found = site(tmp_path / "s.kin", 40, 8).related("http://a.example/7", method="walk")
    assert not found.results
    assert "only navigation and the template of its site link to or from this page" in found.note
    assert 'method="walk(links=all)"' in found.note
