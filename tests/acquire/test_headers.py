"""Tables of links as programs write them: the right columns, or a refusal with a sample; never the wrong ones."""

from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.acquire.headers import role_of
from pagekin.acquire.sources import open_sources
from pagekin.errors import SourceError, UsageError
from pagekin.model import Rows, Skipped

A, B, C = "http://a.example/", "http://b.example/hive", "http://c.example/queen.html"
LINKS = [(A, B, "The hive"), (A, C, "The queen"), (B, C, "queen")]


def table(header: str, row: str, delimiter: str = ",") -> str:
    """A table of three links, each row written as `row` says, with cells between bars."""
    rows = [header] if header else []
    rows += [
        row.format(n=number, s=source, t=target, a=anchor) for number, (source, target, anchor) in enumerate(LINKS)
    ]
    return "".join(each.replace("|", delimiter) + "\n" for each in rows)


# What programs write, by their documentation: the header, and a row of {s}ource, {t}arget, {a}nchor and {n}umber.
RIGHT = {
    "screaming frog, all inlinks": table(
        "Type|Source|Destination|Size (Bytes)|Alt Text|Anchor|Status Code|Status|Follow|Target|Rel|Path Type|Position",
        "Hyperlink|{s}|{t}|2{n}||{a}|200|OK|true|_blank|noopener|Absolute|Content",
    ),
    "screaming frog with a title above": "All Inlinks\n" + table("Type|Source|Destination|Anchor", "A|{s}|{t}|{a}"),
    "a list of links in English": table("url_from|link_text|url_to|status|nofollow", "{s}|{a}|{t}|200|0"),
    "a list of links in German": table("id|Von|Nach|Linktext|Datum", "{n}|{s}|{t}|{a}|2024-01-0{n}", ";"),
    "in Japanese": table("リンク元URL|リンク先URL|アンカーテキスト", "{s}|{t}|{a}"),
    "in Russian, the target first": table("Куда|Откуда|Анкор", "{t}|{s}|{a}", "\t"),
    "in French with accents": table("Page d'origine|Page cible|Texte", "{s}|{t}|{a}", ";").replace(
        "d'origine", "Origine"
    ),
    "scrapy's feed, the page and its referer": table("depth|referer|link_text|url", "{n}|{s}|{a}|{t}"),
    "scrapy's feed, a page and its links": table("url|href|text", "{s}|{t}|{a}"),
    "gephi, with addresses beside ids": table(
        "Source|Target|Type|Id|Label|Weight|source_url|target_url", "{n}|1{n}|Directed|{n}|{a}|1.0|{s}|{t}"
    ),
    "a backlink service": table(
        "Referring page title|Referring page URL|Domain rating|Target URL|Left context|Anchor|Nofollow",
        "Home|{s}|12|{t}|see|{a}|false",
    ),
    "another backlink service": table(
        "SourceURL|AnchorText|TargetURL|FlagNoFollow|FirstIndexedDate", "{s}|{a}|{t}|-|x"
    ),
    "no header, an id first": table("", "{n}x|{s}|{t}"),
    "for Excel": "sep=;\n" + table("Quelle|Ziel|Ankertext", "{s}|{t}|{a}", ";"),
    "with bars": table("from_url|to_url|anchor", "{s}|{t}|{a}", "|"),
}
NUMBERS = {
    "gephi's edges": ("Source,Target,Type,Id,Label,timeset,Weight\n1,2,Directed,0,,,1.0\n1,3,Directed,1,,,1.0\n", True),
    "vosviewer's network": ("1\t2\t5\n1\t3\t2\n2\t3\t1\n", False),
    "common crawl's edges of hosts": ("1\t2\n1\t3\n2\t3\n", False),
    "wikipedia's pagelinks since 2024": ("pl_from,pl_from_namespace,pl_target_id\n1,0,2\n1,0,3\n2,0,3\n", True),
    "snap": ("# FromNodeId\tToNodeId\n1\t2\n1\t3\n", False),
}
REFUSED = {
    "vosviewer's map": "id\tlabel\tx\ty\tcluster\n1\tbees\t0.5\t-0.1\t1\n2\thive\t0.1\t0.2\t1\n",
    "gephi's nodes": "Id,Label,timeset\n1,Bees,\n2,Hive,\n",
    "gephi's nodes with addresses": f"Id,Label,url\n1,Bees,{A}\n2,Hive,{B}\n",
    "wikipedia's pagelinks before 2024": "pl_from,pl_namespace,pl_title,pl_from_namespace\n12,0,Bee,0\n12,0,Wax,0\n",
    "the same without a header": "12\t0\tBee\t0\n12\t0\tWax\t0\n15\t0\tHive\t0\n",
    "the same, three columns": "12\t0\tBee\n12\t0\tWax\n15\t0\tHive\n",
    "common crawl's vertices": "0\tcom.example\t12\n1\torg.example.www\t3\n",
    "common crawl's ranks": "1\t2.9E7\t3\t0.01\tcom.example\n2\t2.8E7\t2\t0.02\torg.example\n",
    "screaming frog's pages": f"Address,Content Type,Canonical Link Element 1,Title 1\n{A},text/html,{A},Bees\n",
    "scrapy's items": f"url,title,image_urls\n{A},Bees,{B}.png\n{B},Hive,{C}.png\n",
    "three columns of addresses": f"{A},{B},{C}\n{B},{C},{A}\n",
    "a redirect report": f"Address,Status,Redirect URL,Canonical\n{A},301,{B},{C}\n",
    "redirects": f"old_url,new_url\n{A},{B}\n",
    "only one end": f"Source,Status,Alt text\n{A},200,x\n",
    "years and visits": "year,visits\n1996,12\n1997,15\n",
    "names that say other than the rows": f"from,to,a,b\nMonday,Tuesday,{A},{B}\nFriday,Sunday,{A},{C}\n",
}


def taken(path: Path, **options: object) -> list[tuple[str, ...]]:
    (source,) = open_sources([path], **options)  # type: ignore[arg-type]
    rows: list[tuple[str, ...]] = []
    for item in source:
        assert not isinstance(item, Skipped), item
        assert isinstance(item, Rows) and item.links is not None
        rows += [(row["source"], row["target"], row["anchor"]) for row in item.links.to_pylist()]
    return rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "links.csv"


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_columns(file: Path, name: str) -> None:
    file.write_text(RIGHT[name])
    anchors = "anchor=" in open_sources([file])[0].said
    assert taken(file) == [(*link[:2], link[2] if anchors else "") for link in LINKS]
    assert anchors or name == "no header, an id first"


@pytest.mark.parametrize("name", NUMBERS)
def test_the_right_columns_of_numbers(file: Path, name: str) -> None:
    content, headed = NUMBERS[name]
    file.write_text(content)
    rows = [line for line in content.splitlines()[headed:] if not line.startswith("#")]
    assert len(taken(file)) == len(rows)
    assert [row[:2] for row in taken(file)][:2] == [("1", "2"), ("1", "3")]


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("kind", ["auto", "edges"])
def test_a_refusal_with_a_sample(file: Path, name: str, kind: str) -> None:
    file.write_text(REFUSED[name])
    with pytest.raises(SourceError) as error:
        taken(file, kind=kind)
    first = REFUSED[name].splitlines()[-1].replace(",", "\t").split("\t")[0]
    assert f"\n  {first} | " in str(error.value), error.value
    assert 'columns="source=' in str(error.value)


def test_columns_are_named_by_the_user(file: Path) -> None:
    file.write_text(f"page,note,other\n{A},x,{B}\n{A},y,{C}\n")
    asked = {"source": "other", "target": "Page", "anchor": "note"}
    assert taken(file, columns=asked) == [(B, A, "x"), (C, A, "y")]
    assert open_sources([file], columns=asked)[0].said == (
        "links.csv: a table of links; source=other, target=page, anchor=note"
    )
    file.write_text("12\t0\tBee\n12\t0\tWax\n")
    assert taken(file, columns={"source": "1", "target": "3"}) == [("12", "Bee", ""), ("12", "Wax", "")]


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"source": "page", "target": "x"}, SourceError, "has no column 'x'; expected one of: page, other"),
        ({"source": "page", "target": "3"}, SourceError, "has no column '3'"),
        ({"source": "page"}, UsageError, "columns names no target"),
        ({"source": "page", "target": "page"}, UsageError, "one column as source and as target"),
        ({"source": "page", "target": "other", "ancor": "x"}, UsageError, "did you mean 'anchor'"),
    ],
)
def test_columns_that_are_not_there(file: Path, columns: dict[str, str], error: type[Exception], message: str) -> None:
    file.write_text(f"page,other\n{A},{B}\n")
    with pytest.raises(error, match=message):
        taken(file, columns=columns)


def test_columns_are_for_tables(file: Path) -> None:
    with pytest.raises(UsageError, match='leave out kind="warc"'):
        open_sources([file], "warc", columns={"source": "a", "target": "b"})


def test_what_was_taken_is_said(file: Path) -> None:
    file.write_text(RIGHT["a list of links in English"])
    told: list[str] = []
    Collection(file.parent / "s.kin").add(
        file, progress=lambda progress: progress.lasting and told.append(progress.text)
    )
    assert told[0] == "links.csv: a table of links; source=url_from, target=url_to, anchor=link_text"


@pytest.mark.parametrize(
    ("header", "role"),
    [("URL From", "source"), ("to_id", "target"), ("Zielseite", "target"), ("Źródło", "source"), ("destino", "target"),
     ("来源网址", "source"), ("anchorText", "anchor"), ("Source Title", "source_title"), ("link", ""), ("total", None),
     ("pl_from_namespace", None), ("Target Group", None)],
)  # fmt: skip
def test_what_headers_mean(header: str, role: str | None) -> None:
    assert role_of(header) == role
