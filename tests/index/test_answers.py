"""Answers found beforehand are the answers: same pages, scores, order, reasons, whatever was asked for."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError, UsageError
from pagekin.index.answers import Answers
from pagekin.index.base import index, opened
from pagekin.methods import ask, ask_all, method
from tests.small_webs import from_edges, of_words, random_pairs, random_words

METHODS = [
    "semantic", "semantic(support=0.2)", "link", "link(theta=0.4)", "integrated", "integrated(alpha=0.3)",
    "integrated(support=0.9, theta=0.3, logical=information, alpha=1.0)",
]  # fmt: skip
KEEP = 4


def web(path, seed=0):
    """Pages with and without words, with and without links; some alone."""
    pairs = [(f"p{s}", f"p{t}") for s, t in random_pairs(seed, 18, 50) if s < 15]
    of_words(path, random_words(seed, 24, 15, 6) | {"bare": "", "odd": "zebra"}, sorted(pairs))
    return path


@pytest.fixture(scope="module", params=METHODS)
def built(request, tmp_path_factory):
    """A method, a collection with its answers, and one without."""
    folder = tmp_path_factory.mktemp("answers")
    plain, tabled = web(folder / "plain.kin"), web(folder / "tabled.kin")
    Collection(plain).build(index=["keywords"])
    Collection(tabled).build(index=[f"answers(method={request.param}, keep={KEEP})"])
    return request.param, Collection(plain), Collection(tabled)


def computed(monkeypatch):
    """Note the questions that a method is asked at query time."""
    asked = []
    for cls in {type(method(name)) for name in METHODS}:
        related = cls.related
        monkeypatch.setattr(
            cls, "related", lambda self, *given, related=related: asked.append(given[1:]) or related(self, *given)
        )
    return asked


def urls(collection):
    return collection.store.graph.pages["url"].to_pylist()


@pytest.mark.parametrize("k", [1, KEEP - 1, KEEP, KEEP + 1, 50])
def test_an_answer_is_the_same_to_the_last_digit(built, k, monkeypatch):
    name, plain, tabled = built
    want = {url: plain.related(url, k=k, method=name).as_dict() for url in urls(plain)}
    asked = computed(monkeypatch)
    got = {url: tabled.related(url, k=k, method=name).as_dict() for url in urls(tabled)}
    assert json.dumps(got) == json.dumps(want)
    empty = sum(not answer["results"] for answer in want.values())
    assert empty and all(answer["note"] for answer in want.values() if not answer["results"])
    assert len(asked) == (empty if k <= KEEP else len(want))


@pytest.mark.parametrize("filters", [
    Filters(unlinked=True), Filters(exclude=("p[0-9]$",)), Filters(min_score=0.3), Filters(exclude=(".",)),
], ids=["unlinked", "exclude", "min_score", "all"])  # fmt: skip
def test_filters_are_never_fed_from_a_list_that_is_too_short(built, filters):
    name, plain, tabled = built
    for url in urls(plain):
        both = [c.related(url, k=KEEP, method=name, filters=filters).as_dict() for c in (plain, tabled)]
        assert both[0] == both[1]


def test_several_seeds_and_evidence(built):
    name, plain, tabled = built
    both = [c.related("p1", "p2", k=KEEP, method=name, why=True).as_dict() for c in (plain, tabled)]
    assert both[0] == both[1]


@pytest.mark.parametrize("k", [2, KEEP, KEEP + 3])
def test_everyone_at_once_is_the_same(built, k, monkeypatch):
    name, plain, tabled = built
    want = method(name).lists(plain.store, k)
    asked = computed(monkeypatch)
    got = ask_all(method(name), tabled.store, k)
    for one, other in zip(got, want, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert not asked or k > KEEP
    some = np.array([5, 2, 17, 0], np.int32)
    for one, other in zip(ask_all(method(name), tabled.store, k, some), want, strict=True):
        assert np.array_equal(one, other[some])


def test_exported_answers_are_the_same(built, tmp_path):
    name, plain, tabled = built
    for collection in (plain, tabled):
        collection.export("related", tmp_path / f"{collection.path.stem}.csv", name, KEEP)
    assert (tmp_path / "plain.csv").read_text() == (tmp_path / "tabled.csv").read_text()


@pytest.mark.parametrize("name", ["semantic", "link", "integrated"])
def test_of_pages_that_were_never_fetched_no_answers_are_kept_and_they_are_the_same(tmp_path, name):
    (tmp_path / "web").mkdir()
    for i in range(8):
        links = "".join(f"<a href={(i * j) % 13}.html>{i * j}</a> " for j in range(1, 6))
        (tmp_path / "web" / f"{i}.html").write_text(f"<p>honey bee hive{i % 3} queen{i % 2} <p>{links}")
    Collection(tmp_path / "s.kin").add(tmp_path / "web", base_url="http://bees.example/")
    Collection(tmp_path / "s.kin").build(method=[name])
    store, asked = Store(tmp_path / "s.kin"), method(name)
    fetched = store.graph.pages["fetched"].is_valid().to_numpy()
    held = opened(store, Answers(name))
    assert 0 < held.ids.size <= fetched.sum() == 8 < store.size
    assert set(held.ids.tolist()) <= set(store.graph.ids[fetched].tolist())
    for one, other in zip(ask_all(asked, store, 5), asked.lists(asked.seen(store), 5), strict=True):
        assert np.array_equal(one, other)
    for page in range(store.size):
        assert ask(asked, store, page, 5).pages.tolist() == asked.related(asked.seen(store), page, 5).pages.tolist()


@pytest.mark.parametrize("name", ["semantic", "link", "integrated"])
def test_after_pages_are_added_questions_are_computed_until_the_next_build(tmp_path, name):
    path = web(tmp_path / "s.kin")
    Collection(path).build(method=[name])
    from_edges(path, [(f"p{i}", "p3") for i in range(5, 16)] + [("new", "p1"), ("new", "p3")])
    wanted = f"answers(method={name})"
    assert {wanted, "keywords"} <= set(Store(path).stale())

    def same():
        store = Store(path)
        for page in range(store.size):
            got, want = (
                asdict(found) for found in (ask(method(name), store, page, 15), method(name).related(store, page, 15))
            )
            assert {key: np.asarray(value).tolist() for key, value in got.items()} == {
                key: np.asarray(value).tolist() for key, value in want.items()
            }

    same()
    said = Collection(path).build()
    assert Store(path).stale() == []
    names = [each.name for each in said.made]
    assert names.index("keywords") < names.index(wanted)
    same()


def test_build_makes_answers_of_methods_that_are_named_and_of_no_others(tmp_path):
    path = web(tmp_path / "s.kin")
    Collection(path).build(all=True)
    assert not [text for text in Store(path).manifest.indexes if text.startswith("answers")]
    said = Collection(path).build(method=["integrated( alpha = 0.30 )", "amsler"])
    assert [each.name for each in said.made] == ["keywords", "answers(method=integrated(alpha=0.3))"]
    assert said.lines[-1] == "amsler needs only the graph"
    assert "related pages" in said.made[-1].said


def test_what_comes_next_is_told(tmp_path):
    told = []
    Collection(web(tmp_path / "s.kin")).build(method=["link"], progress=told.append)
    begun = [each.text for each in told if not each.lasting and not each.done]
    assert [text for text in begun if ": " not in text] == [
        "graph",
        "keywords (1 of 2)",
        "answers(method=link) (2 of 2)",
    ]
    assert "keywords (1 of 2): finding words that meet" in begun
    assert any(each.done == each.total for each in told if each.text == "answers(method=link) (2 of 2)")


def test_settings_are_told_apart(tmp_path, monkeypatch):
    path = web(tmp_path / "s.kin")
    Collection(path).build(
        index=["answers(method=integrated(alpha=0.3), keep=3)", "answers(method=integrated, keep=5)"]
    )
    store, asked = Store(path), computed(monkeypatch)
    page = store.graph.pages["url"].to_pylist().index("p1")
    for name, k, looked_up in [
        ("integrated", 3, True), ("integrated", 5, True), ("integrated", 6, False), ("integrated(alpha=0.3)", 3, True),
        ("integrated(alpha=0.3)", 4, False), ("integrated(alpha=0.31)", 3, False), ("link", 3, False),
    ]:  # fmt: skip
        asked.clear()
        got = ask(method(name), store, page, k)
        assert asked == [] if looked_up else len(asked) == 1
        assert got.scores.tolist() == method(name).related(store, page, k).scores.tolist()


@pytest.mark.parametrize("name", ["semantic", "link(theta=0.3)", "integrated"])
def test_threads_and_blocks_do_not_change_a_byte(tmp_path, name, monkeypatch):
    path = web(tmp_path / "s.kin")
    Collection(path).build(index=["keywords"])
    made = []
    for cores, at_once, batch in [(1, 500, 1 << 16), (2, 500, 1 << 16), (2, 1, 7)]:
        monkeypatch.setattr("pagekin.engine.local.cores", lambda cores=cores: cores)
        for module in ("semantic", "integrated"):
            monkeypatch.setattr(f"pagekin.methods.{module}.PAGES_AT_ONCE", at_once)
        monkeypatch.setattr("pagekin.index.answers.BATCH", batch)
        folder = tmp_path / str(len(made))
        folder.mkdir()
        Answers(name).make(Store(path), folder)
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert made[0] == made[1] == made[2]
    assert set(made[0]) == {"ids.npy", "start.npy", "related.npy", "scores.npy"}


@pytest.mark.parametrize("name", ["ids", "start", "related", "scores"])
def test_damage_is_an_error_that_says_what_to_do_and_doing_it_helps(tmp_path, name):
    path = web(tmp_path / "s.kin")
    Collection(path).build(method=["semantic"])
    text = "answers(method=semantic)"
    file = path / Store(path).manifest.indexes[text].path / f"{name}.npy"
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(CollectionError, match=rf"{name}\.npy is damaged: .*; to repair .*\.scrub\(\)"):
        Collection(path).related("p1", method="semantic")
    assert any(f"the index {text} was damaged" in line for line in Collection(path).scrub().done)
    assert Collection(path).related("p1", method="semantic").results


def test_a_build_that_fails_leaves_the_answers_there_were(tmp_path, monkeypatch):
    path = web(tmp_path / "s.kin")
    Collection(path).build(method=["link"])
    before = Collection(path).related("p1", method="link").as_dict()

    def fails(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("pagekin.methods.integrated.LinkMethod.lists", fails)
    with pytest.raises(KeyboardInterrupt):
        Collection(path).build(method=["link"])
    assert Collection(path).related("p1", method="link").as_dict() == before
    assert len(list((path / "index").glob("answers.*"))) == 1


@pytest.mark.parametrize(("written", "said"), [
    ("answers", r"answers needs a method; write for example answers\(method=integrated\)"),
    ("answers(method=amsler)", "answers can be kept for integrated, link, semantic; amsler"),
    ("answers(method=integratd)", "did you mean 'integrated'"),
    ("answers(method=link, keep=0)", "keep must be from 1 to 200, not 0"),
    ("answers(method=link(theta=0.1), keep=201)", "keep must be from 1 to 200, not 201"),
    ("answers(method=link(theta=0.1, keep=5)", "cannot read the method|unknown parameter"),
    ("answers(method=link(theta=0.1, theta=0.2))", "theta is given twice"),
])  # fmt: skip
def test_a_mistake_is_a_sentence(written, said):
    with pytest.raises(UsageError, match=said):
        index(written)


@pytest.mark.parametrize("name", METHODS)
def test_the_text_reads_back(name):
    for wanted in (Answers(name), Answers(name, keep=3)):
        assert index(repr(wanted)) == wanted
        assert repr(wanted) == f"answers(method={name}{', keep=3' if wanted.keep == 3 else ''})"


def test_an_empty_collection_and_a_page_alone(tmp_path):
    with writing(tmp_path / "none.kin"):
        pass
    assert (
        Collection(tmp_path / "none.kin")
        .build(method=["integrated"])
        .lines[-1]
        .endswith("0 pages with 0 related pages")
    )
    of_words(tmp_path / "one.kin", {"a": "bee"})
    Collection(tmp_path / "one.kin").build(method=["semantic"])
    assert Collection(tmp_path / "one.kin").related("a", method="semantic").note
