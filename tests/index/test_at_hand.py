"""The default answers whether or not it is built: an index that is quick is made for the answer, else left out."""

import json
import logging
import stat

import pytest

from pagekin import Collection
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.engine.base import Local, using
from pagekin.errors import NotBuiltError
from pagekin.index import base
from pagekin.index.inverted import inverted
from pagekin.index.text.index import Text
from pagekin.wording import speaking
from tests.small_webs import collection, edges, of_words, page, random_words

URL = "http://h.example/{}".format


@pytest.fixture
def site(tmp_path):
    """Two topics by their words, and links across them."""
    bees, trains = "hive honey queen nectar comb", "engine signal coach track steam"
    items = [
        page(URL(f"{i}.html"), URL(f"{(i + 3) % 8}.html"), words=(bees if i % 2 else trains) + f" w{i}")
        for i in range(8)
    ]
    return collection(tmp_path / "s.kin", *items).path


def scores(answer):
    return [(row.url, row.score) for row in answer]


def files(path):
    return {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in path.rglob("*") if file.is_file()}


def test_what_is_worked_out_is_what_would_be_built_and_nothing_is_written(site, caplog):
    before = files(site)
    with caplog.at_level(logging.WARNING, "pagekin"):
        answer = Collection(site).related(URL("1.html"), why=True)
    assert files(site) == before
    assert caplog.messages == [
        f'text is not built, and worked out for this answer; to keep it, run: Collection("{site}").build()'
    ]
    assert answer.method == "fused"
    assert {row.url for row in answer.results[:3]} == {URL(f"{i}.html") for i in (3, 5, 7)}
    assert all(row.why for row in answer)
    assert answer.note is None
    caplog.clear()
    Collection(site).build()
    built = Collection(site).related(URL("1.html"), why=True)
    assert [row.as_dict() for row in built] == [row.as_dict() for row in answer]
    assert not caplog.messages


def test_it_is_worked_out_once_for_many_questions(site, caplog):
    open_all_the_time = Collection(site)
    for i in range(4):
        open_all_the_time.related(URL(f"{i}.html"))
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("quick", [True, False])
def test_what_would_take_long_is_left_out_and_said(site, tmp_path, quick, monkeypatch, caplog):
    if not quick:
        monkeypatch.setattr(base, "AT_HAND_S", 0.0)
    asked = Collection(site, quick=quick)
    answer = asked.related(URL("1.html"), why=True)
    links = {URL("4.html"), URL("6.html")}
    assert {row.url for row in answer} == links, "only pages that it has links in common with"
    said = f'text is not built, so the answer is without words; run: Collection("{site}").build()'
    assert answer.note == said
    assert asked.pair(URL("1.html"), URL("4.html"), why=True).note == said
    assert asked.export("related", tmp_path / "r.csv").note == said
    assert not any("words" in json.dumps(row.as_dict()) for row in answer)
    assert not caplog.messages
    Collection(site).build()
    assert asked.related(URL("1.html")).note is None


def test_an_estimate_goes_by_counts(tmp_path):
    small = collection(tmp_path / "a.kin", page(URL("a.html"), words="bee hive"))
    large = collection(tmp_path / "b.kin", *(page(URL(f"{i}.html"), words=f"bee w{i} v{i} u{i}") for i in range(50)))
    assert Text().seconds(small) == Text().seconds(small) < Text().seconds(large) < base.AT_HAND_S


def test_it_answers_beside_a_writer_and_on_a_folder_that_cannot_be_written(site):
    expected = scores(Collection(site).related(URL("1.html")))
    with writing(site):
        assert scores(Collection(site).related(URL("1.html"))) == expected
    folders = [site, *(each for each in site.rglob("*") if each.is_dir())]
    try:
        for folder in folders:
            folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        assert scores(Collection(site).related(URL("1.html"))) == expected
    finally:
        for folder in folders:
            folder.chmod(stat.S_IRWXU)


@pytest.mark.parametrize("items", [
    [edges(("a", "b"), ("a", "c"), ("d", "b"), ("d", "c"))],
    [page(URL(f"{i}.html"), words="bee hive" if i % 2 else "engine coach") for i in range(6)],
    [page(URL("0.html"), words="bee")],
], ids=["no words", "no links", "one page"])  # fmt: skip
def test_a_collection_that_lacks_something_gets_an_answer_or_a_reason(tmp_path, items):
    store = collection(tmp_path / "s.kin", *items)
    for built in (False, True):
        if built:
            Collection(store.path).build()
        answer = Collection(store.path).related(store.url(1 if store.size > 1 else 0))
        assert answer.results or answer.note
        assert bool(answer.results) == (store.size > 1)


def test_an_index_of_another_version_is_not_used_and_its_error_says_so(site, monkeypatch):
    expected = scores(Collection(site).related(URL("1.html")))
    Collection(site).build()
    read = Text.open

    def of_today(self, folder):
        if site in folder.parents:
            raise KeyError("mark")
        return read(self, folder)

    monkeypatch.setattr(Text, "open", of_today)
    assert scores(Collection(site).related(URL("1.html"))) == expected
    assert "is not built" in Collection(site, quick=True).related(URL("1.html")).note
    monkeypatch.setattr("pagekin.index.subrelevant.Subrelevant.open", of_today, raising=True)
    with pytest.raises(NotBuiltError, match=r"made by another version of pagekin .*; run: "):
        Collection(site).search("hive")


def test_build_makes_what_another_version_made_again(tmp_path, monkeypatch):
    site = Collection(tmp_path / "s.kin")
    of_words(site.path, random_words(1, 12, 20, 8), [("p1", "p2")])
    site.build()
    assert not site.build().made
    monkeypatch.setattr("pagekin.index.inverted.VERSION", 1_000)
    assert [made.name for made in site.build().made] == ["inverted"]
    assert not site.build().made


def test_json_names_parameters_as_python_does_but_the_line_for_the_person_names_the_command(site, caplog):
    """The shell asks for JSON in the words of Python; what it says on the terminal meanwhile stays its own."""
    with caplog.at_level(logging.WARNING, "pagekin"), speaking("shell"), speaking("python"):
        Collection(site).related(URL("1.html"))
    assert caplog.messages[0].endswith(f"to keep it, run: pagekin build {site}")


def test_it_is_worked_out_here_whatever_the_engine(site):
    class Elsewhere(Local):
        """Workers that do not see the temporary folder."""

        def over_files(self, work, files):
            raise AssertionError

        def one_by_one(self, work, blocks, workers=None):
            raise AssertionError

    with using(Elsewhere()):
        assert base.at_hand(Store(site).seeing(), Text()) is not None
        assert inverted(Store(site)).pages == 8
