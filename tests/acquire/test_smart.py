"""SMART files: the records come out whole, and CACM's own counts of co-citation and coupling follow from our links."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pagekin.acquire import smart
from pagekin.errors import SourceError
from pagekin.model import Rows, Skipped

CACM = """.I 1
.T
Report on an
Algebraic Language
.B
CACM December, 1958
.A
Perlis, A. J.
.N
CA581203 JB
.X
1	5	1
3	5	1
2	6	1
.I 2
.T
Roots
.W
Extraction of roots
by subtraction.
.B
CACM January, 1958
.K
square roots
.X
1	5	2
3	4	2
3	5	2
.I 3
.T
Undated
.B
Somewhere
.X
1	5	3
2	5	3
"""
CISI = CACM.replace("\t5\t", "\t2\t")


@pytest.fixture
def take(tmp_path: Path) -> Callable[..., Any]:
    """Writes a file and reads it: pages by number, links, terms by number, reports."""

    def take(content: str | bytes) -> tuple[dict[str, Any], list[tuple[str, str, int]], Counter[str], list[Skipped]]:
        path = tmp_path / "some.all"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        *skipped, last = smart.read(path)
        assert isinstance(last, Rows) and last.pages is not None and last.terms is not None
        links = last.links.to_pylist() if last.links is not None else []
        pages = {page["url"]: page for page in last.pages.to_pylist()}
        reports = [item for item in skipped if isinstance(item, Skipped)]
        return pages, [tuple(link.values()) for link in links], Counter(last.terms["url"].to_pylist()), reports

    return take


def test_documents_are_pages(take: Any) -> None:
    pages, _, terms, skipped = take(CACM)
    assert list(pages) == ["1", "2", "3"] and not skipped
    assert pages["1"]["title"] == "Report on an Algebraic Language"
    assert pages["1"]["text"] == "" and pages["1"]["summary"] == "CACM December, 1958"
    assert pages["2"]["text"] == "Extraction of roots by subtraction.\nsquare roots"
    assert pages["2"]["summary"] == "Extraction of roots by subtraction."
    assert {page["language"] for page in pages.values()} == {"en"}
    assert set(terms) == {"1", "2", "3"}


def test_links_go_from_the_later_document_to_the_earlier_once_each(take: Any) -> None:
    # By date 1 (December) is later than 2 (January); 3 has no date, there the number decides.
    assert take(CACM)[1] == [("3", "1", 0), ("1", "2", 0), ("3", "2", 1)]


def test_within_a_month_the_smaller_number_is_the_later(take: Any) -> None:
    assert take(CACM.replace("January", "December"))[1][1] == ("1", "2", 0)


def test_a_table_of_counts_gives_no_links_and_says_so(take: Any) -> None:
    pages, links, _, skipped = take(CISI)
    assert len(pages) == 3 and not links
    assert skipped == [Skipped("some.all", "no links, because .X counts co-citations")]


def test_long_abstracts_are_cut_at_a_word(take: Any) -> None:
    summary = take(CACM.replace("by subtraction.", "word " * 100))[0]["2"]["summary"]
    assert 150 < len(summary) <= smart.SUMMARY and summary.endswith("word …")


def test_line_ends_marks_and_encodings_do_not_matter(take: Any) -> None:
    text = CACM.replace("Roots", "Wurzel für").replace("\n", "\r\n").encode("latin-1")
    pages, links, _, skipped = take(b"\xef\xbb\xbf" + text)
    assert pages["2"]["title"] == "Wurzel für" and len(links) == 3 and not skipped


def test_damage_is_reported_and_the_rest_kept(take: Any) -> None:
    text = "stray\n" + CACM.replace("3	4	2", "3	4") + ".I\n.T\nNobody\n.I 2\n.T\nAgain\n"
    pages, links, _, skipped = take(text)
    assert len(pages) == 3 and len(links) == 3 and pages["2"]["title"] == "Roots"
    assert Counter(skip.why for skip in skipped) == {
        "a line outside any field": 3,
        "a record without a number": 1,
        "number used twice": 1,
        "an .X row that is not three numbers": 1,
    }


@pytest.mark.parametrize(
    "content", [b"", b"01 1410  0 0\n", b".I 1\n.W\nWhat articles exist?\n", bytes(range(256)) * 9]
)
def test_files_without_documents(take: Any, content: bytes) -> None:
    with pytest.raises(SourceError, match="no document with a title"):
        take(content)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        list(smart.read(tmp_path))


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        (CACM, True),
        (CACM.replace("\n", "\r\n"), True),
        ("\n.I 1\n.W\nWhat articles exist?\n.I 2\n.T\nlater ones may have titles\n", False),
        ("01 1410  0 0\n", False),
        ("<html>\n.I 1\n.T\n", False),
        ("WARC/1.0\r\n", False),
        ("", False),
    ],
)
def test_recognises(head: str, answer: bool) -> None:
    assert smart.recognises(Path("cacm.all"), head.encode()) is answer


def together(sets: Iterable[set[str]]) -> Counter[tuple[str, str]]:
    """In how many of the sets each pair stands, in both orders: pairs cited together, or pairs that cite together."""
    return Counter(pair for members in sets for pair in permutations(members, 2))


def declared(path: Path, kind: int) -> Counter[tuple[str, str]]:
    """How often each pair of different documents stands in the file's `.X` rows of a kind."""
    rows = (line.split("\t") for line in path.read_text().split("\n") if line.count("\t") == 2)
    return Counter((other, this) for other, of, this in rows if of == str(kind) and other != this)


@pytest.mark.data
def test_cacm_counts_of_the_1970s_follow_from_our_links(data: Callable[[str], Path]) -> None:
    """The share is that of the declared pairs that our links give at all, and give with exactly the declared count."""
    path = data("cacm") / "cacm.all"
    (rows,) = smart.read(path)
    assert isinstance(rows, Rows) and rows.pages is not None and rows.links is not None
    assert len(rows.pages) == 3204 and len(rows.links) == 2720
    cites: dict[str, set[str]] = {}
    cited: dict[str, set[str]] = {}
    for link in rows.links.to_pylist():
        cites.setdefault(link["source"], set()).add(link["target"])
        cited.setdefault(link["target"], set()).add(link["source"])
    for kind, computed, found, equal in (
        (smart.COCITED, together(cites.values()), 0.94, 0.935),
        (smart.COUPLED, together(cited.values()), 0.98, 0.975),
    ):
        pairs = declared(path, kind)
        assert sum(pair in computed for pair in pairs) / len(pairs) > found
        assert sum(computed[pair] == count for pair, count in pairs.items()) / len(pairs) > equal
