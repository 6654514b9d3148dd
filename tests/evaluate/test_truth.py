"""Truth from files: every way of writing one, and broken ones, which are told of and never crash."""

import gzip
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.collection.store import Store
from pagekin.collection.tabulate import tabulate
from pagekin.collection.writer import writing
from pagekin.errors import PagekinError, SourceError
from pagekin.evaluate.truth import Labels, Relevance, labels_of, linked_pairs, read_labels, read_pairs, without_truth
from pagekin.model import Redirect, Rows
from tests.small_webs import from_edges

A, B, C, D, OLD = (f"http://m.example/{name}" for name in ("a", "b", "c", "d", "old"))


def _store(path: Path, labels: dict[str, str | None], *moved: Redirect) -> Store:
    with writing(path) as writer:
        rows = Rows(pages=pa.table({"url": list(labels), "label": pa.array(list(labels.values()), pa.string())}))
        writer.add(tabulate(rows=[rows], redirects=moved)[0])
    return Store(path)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    labels = {A: "x", B: "x", C: "y", D: None, "10.1/d,oi": "y"}
    return _store(tmp_path_factory.mktemp("truth") / "t.kin", labels, Redirect(OLD, A))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def file(content: str | bytes) -> Path:
        path = tmp_path / "truth.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return file


def _labels(store: Store, labels: Labels) -> dict[str, set[str]]:
    return {store.url(page).removeprefix("http://m.example/"): set(of) for page, of in labels.of.items()}


def _pairs(store: Store, pairs: Relevance) -> set[tuple[str, str]]:
    short = lambda page: store.url(page).removeprefix("http://m.example/")  # noqa: E731
    return {(short(page), short(other)) for page, others in pairs.of.items() for other in others}


PLAIN = f"{A},x\n{B},x\n{C},y\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace(",", "\t"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        "page,label\n" + PLAIN,
        "URL\tclass\n" + PLAIN,
        "# made by hand\n\n" + PLAIN + "\n\n",
        "\ufeff" + PLAIN,
        PLAIN.encode("utf-16"),
        gzip.compress(PLAIN.encode(), mtime=0),
        f'"{A}","x"\n "b" , x\nc,"y"',
        f"{OLD},x\nhttps://www.m.example/b/,x\nc,y\n",
        PLAIN + PLAIN,
    ],
)
def test_ways_of_writing(store: Store, file: Callable[[str | bytes], Path], content: str | bytes) -> None:
    labels = read_labels(store, file(content))
    assert _labels(store, labels) == {"a": {"x"}, "b": {"x"}, "c": {"y"}}
    assert labels.notes == ("1 pages share their label with no other page and are left out: y",)


def test_a_page_called_like_a_header(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("page,x\nb,x\n")
    store = _store(tmp_path / "h.kin", {"page": None, "b": None})
    assert _labels(store, read_labels(store, tmp_path / "l.csv")) == {"page": {"x"}, "b": {"x"}}


def test_several_labels(store: Store, file: Callable[[str | bytes], Path]) -> None:
    labels = read_labels(store, file("a\tx\na\ty\nb\tx\nc\ty\nd\tz\n"))
    page = {store.url(page)[-1]: page for page in labels.of}
    assert labels.asked == sorted(page[name] for name in "abc")
    assert {name: labels.count(page[name]) for name in "abcd"} == {"a": 2, "b": 1, "c": 1, "d": 0}
    assert labels.grade(page["a"], page["b"]) == labels.grade(page["c"], page["a"]) == 1
    assert (
        labels.grade(page["b"], page["c"]) == labels.grade(page["a"], 10**6) == labels.grade(page["a"], page["a"]) == 0
    )
    assert page["d"] in labels.known and 10**6 not in labels.known
    assert dict(labels.relevant(page["a"])) == {page["b"]: 1, page["c"]: 1}
    assert (labels.ideal(page["a"], 1), labels.ideal(page["a"], 9)) == ([1], [1, 1])


def test_labels_of_the_data(store: Store) -> None:
    labels = labels_of(store)
    assert _labels(store, labels) == {"a": {"x"}, "b": {"x"}, "c": {"y"}, "10.1/d,oi": {"y"}}
    assert labels.notes == () and len(labels.asked) == 4


def test_no_labels(tmp_path: Path) -> None:
    with pytest.raises(PagekinError, match="has no labels; give labels a file with rows page,label, or related a file"):
        labels_of(_store(tmp_path / "n.kin", {A: None}))


def test_every_label_alone(tmp_path: Path) -> None:
    with pytest.raises(
        PagekinError, match=r"no two pages have the same label in .*n\.kin, so there is nothing to evaluate"
    ):
        labels_of(_store(tmp_path / "n.kin", {A: "x", B: "y"}))


def test_pairs(store: Store, file: Callable[[str | bytes], Path]) -> None:
    pairs = read_pairs(store, file('page,page\na,b\nb,a\nb,c\nc,c\na,none\nno,nix\n"10.1/d,oi",c\na,b,c\nold,a\n'))
    expected = {("a", "b"), ("b", "c"), ("10.1/d,oi", "c")}
    assert _pairs(store, pairs) == expected | {(other, one) for one, other in expected}
    assert pairs.notes == (
        "1 rows of truth.csv could not be read (expected two columns, or a grade as a third: a whole number): line 9",
        "2 rows name a page that is not in the collection: none, no, nix",
        "2 rows pair a page with itself and are left out",
    )
    page = {store.url(page): page for page in pairs.of}
    assert pairs.asked == sorted(page.values()) and pairs.count(page[B]) == 2
    assert pairs.grade(page[B], page[C]) == 1 and pairs.grade(page[A], page[C]) == 0 and page[A] in pairs.known


def test_graded_pairs(store: Store, file: Callable[[str | bytes], Path]) -> None:
    pairs = read_pairs(store, file("page,related,grade\na,b,3\nb,a,2\nb,c\na,d,0\nc,d,-1\n"))
    page = {store.url(page): page for page in pairs.of}
    name = {page: address[-1] for address, page in page.items()}
    found = {name[one]: {name[other]: grade for other, grade in grades.items()} for one, grades in pairs.of.items()}
    assert found == {"a": {"b": 3}, "b": {"a": 3, "c": 1}, "c": {"b": 1}}
    assert pairs.ideal(page[B], 9) == [3, 1]
    assert [grade for _, grade in pairs.relevant(page[B])] == [3, 1]
    assert pairs.notes[0].endswith("line 6") and pairs.notes[1:] == ("1 rows have grade 0 and count as not related",)


def test_one_label_only_tells_nothing_and_is_said(store: Store, file: Callable[[str | bytes], Path]) -> None:
    labels = read_labels(store, file("a,x\nb,x\n"))
    assert labels.notes == ("there is only one label, x: every labelled page is a right answer to every question",)


def test_pages_without_a_truth_are_counted(store: Store, file: Callable[[str | bytes], Path]) -> None:
    assert without_truth(store, read_pairs(store, file("a,b\n"))) == [
        "3 of 5 pages have no known answer and are not asked about"
    ]


def test_linked_pairs_are_counted(tmp_path: Path) -> None:
    store = from_edges(tmp_path / "l.kin", [("a", "b"), ("c", "d"), ("d", "c"), ("x", "y")])
    (tmp_path / "pairs").write_text("b,a\nc,d\na,x\n")
    said = linked_pairs(store, read_pairs(store, tmp_path / "pairs"))
    assert said == ['2 of 3 pairs are linked, so methods that use links see the answer; hide="related" hides it']


def test_unknown_pages_and_unreadable_rows_are_counted(store: Store, file: Callable[[str | bytes], Path]) -> None:
    bad = "only\n,x\na,\n" + "x" * 200_000 + ',"\n' + "".join(f"http://no.example/{i},x\n" for i in range(1234))
    labels = read_labels(store, file(PLAIN + f"{D},y\n" + bad))
    assert len(labels.of) == 4
    assert labels.notes == (
        "4 rows of truth.csv could not be read (expected two columns): line 5, line 6, line 7 …",
        "1,234 rows name a page that is not in the collection: http://no.example/0, http://no.example/1, "
        "http://no.example/2 …",
    )


@pytest.mark.parametrize("content", ["", "\n\n", "page,label\n", "nobody,x\n", "one column\n", b"\x00\xff\xfe" * 50])
@pytest.mark.parametrize("read", [read_labels, read_pairs])
def test_nothing_usable(
    store: Store,
    file: Callable[[str | bytes], Path],
    content: str | bytes,
    read: Callable[[Store, Path], Labels | Relevance],
) -> None:
    with pytest.raises(PagekinError, match=r"truth\.csv has no row page,(label|page) for"):
        read(store, file(content))


@pytest.mark.parametrize("read", [read_labels, read_pairs])
def test_no_file(store: Store, tmp_path: Path, read: Callable[[Store, Path], Labels | Relevance]) -> None:
    with pytest.raises(SourceError, match=r"none\.csv cannot be read: No such file"):
        read(store, tmp_path / "none.csv")
    with pytest.raises(SourceError, match="is a folder; expected a file"):
        read(store, tmp_path)


@settings(deadline=None, max_examples=50)
@given(content=st.binary(max_size=200) | st.text(alphabet='abcd,\t"\n\r x#é\x00', max_size=100).map(str.encode))
@pytest.mark.parametrize("read", [read_labels, read_pairs])
def test_any_bytes(
    store: Store,
    tmp_path_factory: pytest.TempPathFactory,
    content: bytes,
    read: Callable[[Store, Path], Labels | Relevance],
) -> None:
    path = tmp_path_factory.mktemp("any") / "t"
    path.write_bytes(content)
    with suppress(PagekinError):
        assert read(store, path).of


@pytest.mark.data
@pytest.mark.slow
def test_planetmath_names_all_mean_a_page(data: Callable[[str], Path], tmp_path: Path) -> None:
    folder = data("planetmath")
    store = _store(
        tmp_path / "p.kin", {f"http://planetmath.org/{file.stem}": None for file in (folder / "pages").iterdir()}
    )
    rows = (folder / "related.tsv").read_text("utf-8").splitlines()
    distinct = len({frozenset(row.split("\t")) for row in rows})
    pairs = read_pairs(store, folder / "related.tsv")
    assert len(rows) == 9_679 and pairs.notes == () and sum(map(len, pairs.of.values())) == 2 * distinct
    labels = read_labels(store, folder / "classes.tsv")
    assert len(labels.asked) == 8_968 and len(labels.notes) == 1
