"""What `build` makes: what the default method and search need, or everything; and what messages tell people to run.

Every command that a message names is run, and the message is gone.
"""

import re

import pytest

from pagekin import Collection
from pagekin.answers.build import to_make
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, UsageError
from pagekin.index.base import INDEXES, is_built, to_build
from pagekin.index.text.index import Text
from pagekin.methods import REGISTRY, method
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import speaking
from tests.small_webs import collection, page

URL = "http://a.example/{}".format
USUAL = {"text", "mirrors", "inverted", "subrelevant", "completions"}
OTHERS = {"similarity", "hierarchy", "keywords", "block-pairs(scope=site)"}


@pytest.fixture
def site(tmp_path):
    pages = (page(URL(n), URL((n + 1) % 6), URL((n + 2) % 6), words=f"bee honey w{n % 2} own{n}") for n in range(6))
    collection(tmp_path / "s.kin", *pages)
    return Collection(tmp_path / "s.kin")


def built(site):
    return set(site.info().built) - {"graph"}


def test_plain_build_makes_what_the_default_method_and_search_need_and_no_more(site):
    assert {each.name for each in site.build().made} == USUAL == built(site)
    assert site.related(URL(0)).note is None
    assert site.search("honey").note is None
    assert site.suggest(prefix="hon").results
    assert site.build().made == ()
    default = method(DEFAULT_METHOD)
    assert {each.name for each in (default.index, *default.ahead)} <= {
        name for name, cls in INDEXES.items() if cls.usual
    }


def test_the_order_is_the_same_whatever_was_imported_first(site, monkeypatch):
    monkeypatch.setattr("pagekin.answers.build.INDEXES", dict(reversed(INDEXES.items())))
    made = [each.name for each in site.build().made]
    assert made == ["mirrors", "text", "inverted", "completions", "subrelevant"]  # as the README and the guides print


def test_all_makes_what_any_method_needs(site):
    assert {each.name for each in site.build(all=True).made} == USUAL | OTHERS == built(site)
    for name, cls in REGISTRY.items():
        chosen = cls().chosen_for(site.store)
        assert all(
            is_built(site.store, each) for each in (chosen.index, *chosen.ahead) if each and each.is_for(site.store)
        )
        assert "build" not in (site.related(URL(0), method=name).note or "")
    assert {row.state for row in site.methods()} == {"ready"}
    assert site.build(all=True).made == ()


def test_plain_build_renews_what_exists_whatever_it_is(site):
    site.build(index=["similarity(measure=amsler)", "keywords"])
    collection(site.path, page(URL(9), URL(0), words="new"))
    made = {each.name for each in site.build().made}
    assert made == USUAL | {"similarity(measure=amsler)", "keywords"}
    assert site.info().stale == ()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"all": True, "index": "text"}, "all makes the indexes of all methods; leave out index"),
        ({"all": True, "method": "block"}, "leave out method"),
        ({"all": True, "drop": "text"}, "drop removes indexes and makes none"),
    ],
)
def test_what_contradicts_itself_is_refused(site, asked, said):
    with pytest.raises(UsageError, match=said):
        site.build(**asked)


def run(said):
    """Run the one command that a message names, as Python spells it."""
    (command,) = re.findall(r'Collection\("[^"]*"\)\.build\(.*\)', said)
    eval(command, {"Collection": Collection})
    return command


@pytest.mark.parametrize("name", [name for name, cls in REGISTRY.items() if cls().index and name != DEFAULT_METHOD])
def test_the_command_for_a_method_that_is_not_built_makes_it_answer(site, name):
    site.build()
    with pytest.raises(NotBuiltError) as error:
        site.related(URL(0), method=name)
    assert "index=" in run(str(error.value))
    assert site.related(URL(0), method=name).results


def test_the_command_of_the_list_of_methods(site):
    assert "all=True" in run(site.methods().note)
    assert site.methods().note is None
    collection(site.path, page(URL(9), URL(0), words="new"))
    assert "all=True" not in run(site.methods().note)
    assert site.methods().note is None


def test_the_command_for_what_an_answer_is_without(site):
    site = Collection(site.path, quick=True)
    assert run(site.related(URL(0)).note).endswith(".build()")
    assert site.related(URL(0)).note is None
    other = to_build(site.store, Text(links="all"))
    assert "index=" in other
    run(other)
    assert "text(links=all)" in built(site)
    assert to_build(site.store, Text(links="all")).endswith(".build()")  # renews it


def test_the_command_for_copies(site):
    assert "copies that differ a little" in site.info().folded
    run(site.info().folded)
    assert site.info().folded == "copies and translations"


@pytest.mark.parametrize(
    ("made", "spelled"),
    [
        ({}, "pagekin build {}"),
        ({"all": True}, "pagekin build {} --all"),
        ({"index": ["similarity(measure=amsler)", "keywords"]},
         "pagekin build {} --index keywords --index mirrors --index 'similarity(measure=amsler)'"),
    ],
)  # fmt: skip
def test_a_removal_names_what_makes_its_indexes_again(site, made, spelled):
    site.build(**made)
    before = built(site)
    removed = site.remove(URL(5))
    assert set(removed.indexes) == before
    assert f"to make them again: {removed.remake}" in repr(removed)
    with speaking("shell"):
        assert to_make(Store(site.path), removed.indexes) == spelled.format(site.path)
    run(removed.remake)
    assert built(site) == before
