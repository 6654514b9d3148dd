"""Whole runs on small sites: what is written, what a second run does, and how everything is restored."""

import json
import os
import re
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

import pagekin
from pagekin import Collection, Filters, PagekinError, see_also
from pagekin.collection.store import Store
from pagekin.errors import SourceError, UsageError
from pagekin.seealso import asking, write
from pagekin.seealso.related import Wanted
from pagekin.seealso.related import related as ask
from pagekin.seealso.report import SeeAlso
from pagekin.shell import main as cli
from tests.gates import gates

BASE = "https://farm.example/blog/"
TOPICS = {
    "bee": "bees make honey in a hive with a queen who lays eggs while workers dance for nectar and pollen",
    "train": "trains run on rails with an engine that pulls coaches past signals to a station and its platform",
}
Site = dict[str, bytes]


def page(topic: str, number: int, body: str = "<main><h1>{title}</h1>\n<p>{text}</p>\n</main>") -> str:
    words = TOPICS[topic].split()
    turned = " ".join(words[number % len(words) :] + words[: number % len(words)])
    other = f'<a href="{topic}{(number + 2) % 8}.html">another on {topic}s</a>'
    title = f"{topic.title()} {number}"
    text = f"{turned} {'abcdefgh'[number] * 4}. {turned.title()} and {other}."
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title} | Farm</title>\n'
        f'<body><nav><a href="index.html">Home</a></nav>{body.format(title=title, text=text)}</body></html>\n'
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    folder.mkdir()
    links = []
    for topic in TOPICS:
        for number in range(8):
            (folder / f"{topic}{number}.html").write_text(page(topic, number))
            links.append(f'<li><a href="{topic}{number}.html">{topic} {number}</a>')
    (folder / "index.html").write_text(f"<title>Farm</title><main><ul>{''.join(links)}</ul></main>")
    (folder / "404.html").write_text("<title>Not found | Farm</title><main><p>There is no such page here.</p></main>")
    return folder


def state(folder: Path) -> Site:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def links(data: bytes) -> list[str]:
    tree = LexborHTMLParser(data.decode())
    return [node.attributes["href"] or "" for node in tree.css("[data-pagekin-list] a")]


def test_every_page_gets_a_list_of_its_topic_and_a_second_run_changes_nothing(site: Path) -> None:
    before = state(site)
    report = see_also(site, BASE)
    once = state(site)
    assert report.lists == 16 and len(report.changed) == 16 and report.parsed == 18
    assert once["index.html"] == before["index.html"] and once["404.html"] == before["404.html"]
    for name, data in once.items():
        if name.startswith(tuple(TOPICS)):
            found = links(data)
            assert len(found) == 5 and name not in found
            assert all((site / each).exists() and each.startswith(name[:3]) for each in found)
    again = see_also(site, BASE)
    assert state(site) == once
    assert (again.changed, again.parsed, again.lists) == ((), 0, 16)
    assert see_also(site, BASE, check=True).changed == ()
    removed = see_also(site, remove=True)
    assert state(site) == before and len(removed.changed) == 16 and removed.left_out == {}


def test_the_list_is_where_it_belongs_and_looks_as_it_should(site: Path) -> None:
    see_also(site, BASE, k=2)
    written = (site / "bee3.html").read_text()
    found = re.search(
        r"</p>\n<!-- pagekin see-also \w{16} -->\n(.*)\n<!-- /pagekin see-also -->\n</main>", written, re.DOTALL
    )
    assert found is not None
    lines = found[1].split("\n")
    assert lines[0] == '<section class="pagekin" data-pagekin-list="" aria-labelledby="pagekin-see-also">'
    assert lines[1] == '<h2 id="pagekin-see-also">See also</h2>'
    assert re.fullmatch(r'<li><a href="bee\d.html">Bee \d</a></li>', lines[3])
    assert len(lines) == 7


def test_what_changed_is_read_again_and_nothing_else(site: Path) -> None:
    see_also(site, BASE)
    for path in site.iterdir():
        os.utime(path, (2_000_000_000, 2_000_000_000))  # a generator writes every file anew
    assert see_also(site, BASE).parsed == 0
    (site / "bee0.html").write_text(page("bee", 0).replace("honey", "wax"))
    report = see_also(site, BASE)
    assert report.parsed == 1 and "bee0.html" in report.changed
    os.utime(site / "bee0.html", (1_000_000_000, 1_000_000_000))  # an older version comes back
    (site / "bee0.html").write_text(page("bee", 0).replace("honey", "royal jelly"))
    os.utime(site / "bee0.html", (1_000_000_000, 1_000_000_000))
    assert see_also(site, BASE).parsed == 1
    assert "jelly" in Collection(site.with_name("public.kin")).store.text(_number(site, "bee0.html"))


def _number(site: Path, name: str) -> int:
    store = Collection(site.with_name("public.kin")).store
    return int(store.graph.pages["url"].to_pylist().index(BASE + name))


def test_the_lists_are_those_of_a_run_from_nothing(site: Path, tmp_path: Path) -> None:
    see_also(site, BASE)
    (site / "bee1.html").unlink()
    (site / "train3.html").write_text(page("bee", 3).replace("Bee 3", "Bee three"))
    see_also(site, BASE)
    renewed = state(site)
    see_also(site, remove=True)
    site.rename(tmp_path / "anew")
    see_also(tmp_path / "anew", BASE)
    assert state(tmp_path / "anew") == renewed
    assert b"bee1.html" not in re.sub(rb"<p>.*</p>", b"", renewed["bee3.html"])


@pytest.fixture
def large(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site, as if it were too large to ask for all lists whenever a page changes."""
    monkeypatch.setattr(asking, "SMALL", 0)
    monkeypatch.setattr(asking, "MOST_CHANGED", 0.3)
    monkeypatch.setattr(asking, "WIDER", 1)
    return site


def asked_for(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The pages that lists are asked for, question by question."""
    asked: list[set[str]] = []

    def related(store: Store, wanted: Wanted, pages: set[str], may_be: list[str]) -> dict[str, list[str]]:
        asked.append({url.removeprefix(BASE) for url in pages})
        return ask(store, wanted, pages, may_be)

    monkeypatch.setattr(asking, "related", related)
    return asked


def test_on_a_large_site_lists_far_from_a_change_are_kept(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    see_also(large, BASE)
    before, asked = state(large), asked_for(monkeypatch)
    assert see_also(large, BASE).changed == () and asked == []
    (large / "bee0.html").write_text(page("bee", 0).replace("honey", "wax"))
    see_also(large, BASE)
    naming = {name for name, data in before.items() if "bee0.html" in links(data)}
    assert asked[0] == {"bee0.html"}
    assert asked[1] >= naming | {"bee0.html"} and not any(name.startswith("train") for name in asked[1])
    assert len(links((large / "bee0.html").read_bytes())) == 5


def test_on_a_large_site_no_list_names_a_page_that_is_gone(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    see_also(large, BASE)
    asked = asked_for(monkeypatch)
    (large / "bee4.html").unlink()
    see_also(large, BASE)
    assert not any("bee4.html" in links(data) for data in state(large).values())
    assert len(asked) == 1 and not any(name.startswith("train") for name in asked[0])


def test_when_much_has_changed_all_lists_are_asked_for(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    see_also(large, BASE)
    asked = asked_for(monkeypatch)
    for number in range(6):  # three at a time are below the limit
        (large / f"bee{number}.html").write_text(page("bee", number).replace("honey", "wax"))
        if number % 3 == 2:
            see_also(large, BASE)
    assert len(asked[-1]) == 16 and len(asked[0]) == 3


@pytest.mark.parametrize("options", [{"k": 4}, {"unlinked": True}, {"method": "amsler"}, {"at": "nav"}])
def test_other_options_ask_for_all_lists(
    large: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    see_also(large, BASE)
    asked = asked_for(monkeypatch)
    see_also(large, BASE, **options)  # type: ignore[arg-type]
    assert len(asked) == 1 and len(asked[0]) == 16


def test_what_somebody_did_to_the_collection_is_seen_and_a_lost_memory_is_no_loss(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    see_also(large, BASE)
    before, asked, kin = state(large), asked_for(monkeypatch), large.with_name("public.kin")
    (kin / "see-also" / "last.json").write_text("{")
    assert see_also(large, BASE).changed == () and len(asked[0]) == 16
    Collection(kin).remove(BASE + "bee1.html")
    assert not (kin / "see-also").exists()
    assert see_also(large, BASE).parsed == 1 and len(asked[1]) == 16
    assert state(large) == before


def test_pages_at_another_address_replace_the_former(site: Path) -> None:
    see_also(site, BASE)
    see_also(site, "https://new.example/")
    urls = Collection(site.with_name("public.kin")).store
    fetched = [url for url, got in zip(urls.graph.pages["url"].to_pylist(), urls.fetched.tolist(), strict=True) if got]
    assert len(fetched) == 18 and all(url.startswith("https://new.example/") for url in fetched)


def test_add_and_see_also_read_a_page_with_and_without_its_list_alike(site: Path, tmp_path: Path) -> None:
    Collection(tmp_path / "before.kin").add(site, base_url=BASE)
    see_also(site, BASE)
    Collection(tmp_path / "after.kin").add(site, base_url=BASE)
    one, other = (Collection(tmp_path / f"{name}.kin").store for name in ("before", "after"))
    assert one.graph.links.drop_columns(["source"]).equals(other.graph.links.drop_columns(["source"]))
    assert one.graph.pages.select(["url", "title", "digest"]).equals(
        other.graph.pages.select(["url", "title", "digest"])
    )


def test_check_says_what_would_change_and_writes_nothing(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(site)
    assert run(monkeypatch, "see-also", str(site), "--base-url", BASE, "--check") == 1
    said = capsys.readouterr().err
    assert "16 of 18 pages would have a list" in said and "16 files would be written" in said and "bee0.html" in said
    assert state(site) == before
    assert run(monkeypatch, "see-also", str(site), "--base-url", BASE) == 0
    assert run(monkeypatch, "see-also", str(site), "--base-url", BASE, "--check") == 0
    assert "nothing would change" in capsys.readouterr().err


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["pagekin", *words])
    try:
        cli.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_bytes_are_kept_in_every_encoding(site: Path) -> None:
    russian = page("bee", 1).replace("utf-8", "koi8-r").replace("Bee 1", "Пчела").encode("koi8-r")
    (site / "bee1.html").write_bytes(russian)
    (site / "bee2.html").write_bytes(b"\xef\xbb\xbf" + page("bee", 2).replace("\n", "\r\n").encode())
    (site / "bee3.html").write_bytes(
        page("bee", 3).replace("</main>", "<p>\udcff</main>").encode("utf-8", "surrogateescape")
    )
    (site / "bee4.html").write_bytes(page("bee", 4).encode("utf-16"))
    before = state(site)
    report = see_also(site, BASE, k=7)
    once = state(site)
    assert report.left_out["in UTF-16"] == ("bee4.html",)
    assert b"&#1055;&#1095;&#1077;&#1083;&#1072;" not in once["bee1.html"]  # its own title is not in its list
    assert any("Пчела".encode() in once[name] for name in once)
    assert b"data-pagekin-list" in once["bee1.html"]
    inserted = once["bee2.html"].replace(before["bee2.html"][:40], b"")
    assert b"\n" not in inserted.replace(b"\r\n", b"")
    see_also(site, remove=True)
    assert state(site) == before


def test_a_list_that_was_changed_is_named_and_left(site: Path) -> None:
    see_also(site, BASE)
    edited = (site / "bee0.html").read_bytes().replace(b"See also", b"More")
    (site / "bee0.html").write_bytes(edited)
    cut = (site / "bee1.html").read_bytes().replace(b"<!-- /pagekin see-also -->", b"")
    (site / "bee1.html").write_bytes(cut)
    report = see_also(site, BASE)
    assert report.left_out["its list was changed by hand"] == ("bee0.html",)
    assert report.left_out["one of the marks around its list is missing or was changed"] == ("bee1.html",)
    removed = see_also(site, remove=True)
    assert removed.left_out == {
        why: report.left_out[why] for why in report.left_out if "list" in why and "index" not in why
    }
    assert (site / "bee0.html").read_bytes() == edited and (site / "bee1.html").read_bytes() == cut
    assert b"data-pagekin-list" not in (site / "bee2.html").read_bytes()


def test_what_is_not_ours_to_write_is_named(site: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text(page("bee", 0))
    (site / "bee0.html").unlink()
    (site / "bee0.html").symlink_to(outside)
    (site / "beelink.html").symlink_to(site / "bee1.html")
    os.link(site / "bee2.html", tmp_path / "other.html")
    (site / "bee3.html").chmod(0o444)
    before = state(site)
    report = see_also(site, BASE)
    assert report.left_out["read-only"] == ("bee3.html",)
    assert [paths for why, paths in report.left_out.items() if "hard link" in why] == [("bee2.html",)]
    assert outside.read_text() == page("bee", 0)
    assert state(site)["bee2.html"] == before["bee2.html"] and state(site)["bee3.html"] == before["bee3.html"]
    assert (site / "beelink.html").is_symlink() and any("1 symbolic link to pages" in note for note in report.notes)
    held = Collection(site.with_name("public.kin")).store
    assert held.graph.aliases["alias"].to_pylist() == [BASE + "beelink.html"]


def test_a_disk_that_fills_up_in_the_middle(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, wrote = state(site), []

    def full(beside: Path, data: bytes, like: Path | None) -> None:
        if len(wrote) == 5:
            beside.write_bytes(data[:10])
            raise OSError(28, os.strerror(28), str(beside))
        wrote.append(like)
        beside.write_bytes(data)

    with monkeypatch.context() as patched:
        patched.setattr(write, "_write", full)
        patched.setattr(write, "AT_ONCE", 2)
        with pytest.raises(PagekinError, match=r"cannot write .*html: the disk is full.*4 files were written before"):
            see_also(site, BASE)
    now = state(site)
    assert now.keys() == before.keys()
    assert sum(now[name] != before[name] for name in now) == 4
    see_also(site, BASE)
    see_also(site, remove=True)
    assert state(site) == before


def test_what_a_killed_run_left_is_swept(site: Path) -> None:
    (site / f"{write.BESIDE}0123").write_bytes(b"half")
    see_also(site, BASE)
    assert not (site / f"{write.BESIDE}0123").exists()


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        (
            "<div id=a><h1>{title}</h1><p>{text}</p></div><div id=b>The same on every page</div>",
            "</p>\n?<!-- pagekin.*</div><div id=b>",
        ),
        (
            "<div id=b>The same on every page</div><!-- pagekin --><p>{text}</p>",
            "<!-- pagekin --><!-- pagekin see.*<p>",
        ),
        ("<div data-pagekin></div><p>{text}</p>", "<div data-pagekin><!-- pagekin.*</div><p>"),
        ("<table><tr><td>The menu of all<td><p>{text}</table>", r"<!-- pagekin.*</table>"),
    ],
)
def test_pages_without_main(site: Path, body: str, mark: str) -> None:
    for topic in TOPICS:
        for number in range(8):
            (site / f"{topic}{number}.html").write_text(page(topic, number, body))
    report = see_also(site, BASE)
    assert report.lists == 16
    assert re.search(mark, (site / "bee1.html").read_text(), re.DOTALL)


def test_at_an_element_that_the_caller_names(site: Path) -> None:
    see_also(site, BASE, at="nav")
    assert "<!-- /pagekin see-also -->\n</nav>" in (site / "bee1.html").read_text()
    see_also(site, BASE)
    assert "<!-- /pagekin see-also -->\n</main>" in (site / "bee1.html").read_text()


def test_pages_that_say_nothing_of_their_own_are_counted(site: Path) -> None:
    (site / "frames.html").write_text("<title>F</title><frameset><frame src=bee1.html></frameset>")
    report = see_also(site, BASE)
    assert [paths for why, paths in report.left_out.items() if why.startswith("no place")] == [("frames.html",)]


def test_broken_html_in_which_a_list_would_stand_elsewhere(site: Path) -> None:
    (site / "bee1.html").write_text(
        page("bee", 1, "<main><h1>{title}</h1><p>{text} <a href=bee2.html>never ends</main>")
    )
    before = (site / "bee1.html").read_bytes()
    report = see_also(site, BASE)
    assert [paths for why, paths in report.left_out.items() if "broken HTML" in why] == [("bee1.html",)]
    assert (site / "bee1.html").read_bytes() == before


def test_titles_are_escaped_and_without_the_site_s_name(site: Path) -> None:
    text = page("bee", 1).replace("Bee 1 | Farm", "&lt;script>alert(1)&lt;/script> &amp; bees | Farm")
    (site / "bee1.html").write_text(text)
    see_also(site, BASE, k=7)
    listed = [data for name, data in state(site).items() if b'href="bee1.html">' in data and name != "bee1.html"]
    assert any(b'">&lt;script&gt;alert(1)&lt;/script&gt; &amp; bees</a>' in data for data in listed)
    assert not any(b"<script>" in data for data in listed)


def test_headings_and_languages(site: Path) -> None:
    (site / "bee1.html").write_text(page("bee", 1).replace('lang="en"', 'lang="de"'))
    see_also(site, BASE)
    assert ">Siehe auch</h2>" in (site / "bee1.html").read_text()
    see_also(site, BASE, lang="fr")
    assert '<h2 id="pagekin-see-also" lang="fr">Voir aussi</h2>' in (site / "bee1.html").read_text()
    see_also(site, BASE, heading="More & more")
    assert ">More &amp; more</h2>" in (site / "bee1.html").read_text()


def test_beside_a_section_of_the_author_s_own_the_heading_is_another(site: Path) -> None:
    own = "<main><h1>{title}</h1><p>{text}</p><h2>SEE ALSO</h2><p><a href=bee2.html>Bees</a></p></main>"
    (site / "bee1.html").write_text(page("bee", 1, own))
    see_also(site, BASE)
    assert ">Related pages</h2>" in (site / "bee1.html").read_text()
    assert ">See also</h2>" in (site / "bee2.html").read_text()


def test_links_from_folder_to_folder_and_from_pages_with_a_base(site: Path) -> None:
    for number in range(4):
        (site / "deep" / f"a b{number}").mkdir(parents=True)
        text = page("bee", number).replace("bee", "../../bee") if number else page("bee", 0)
        (site / "deep" / f"a b{number}" / "index.html").write_text(text.replace("hive", "comb"))
    (site / "bee7.html").write_text(page("bee", 7).replace("<body>", "<base href=/elsewhere/><body>"))
    see_also(site, BASE, k=12)
    checked = 0
    for name, data in state(site).items():
        for href in links(data):
            if name == "bee7.html":
                assert href.startswith(BASE)
                continue
            target = Path(unquote(urljoin((site / name).as_uri(), href).removeprefix("file://")))
            assert target.is_file() and target != site / name
            checked += 1
    assert checked > 100


def test_the_text_s_own_links_can_be_left_out(site: Path) -> None:
    see_also(site, BASE)
    assert "bee3.html" in links((site / "bee1.html").read_bytes())
    see_also(site, BASE, unlinked=True)
    assert "bee3.html" not in links((site / "bee1.html").read_bytes())


def test_filters_and_templates(site: Path) -> None:
    see_also(site, BASE, filters=Filters(exclude=r"bee[2-5]"))
    assert not {f"bee{number}.html" for number in range(2, 6)} & set(links((site / "bee1.html").read_bytes()))
    assert see_also(site, BASE, templates=True).lists == 17  # 404 has nothing in common with any


def test_into_json(site: Path) -> None:
    before = state(site)
    assert see_also(site, BASE, into="json").changed == ("related.json",)
    held = json.loads((site / "related.json").read_text())
    assert held["made_by"] == "pagekin see-also" and len(held["pages"]) == 16
    first = held["pages"]["bee1.html"][0]
    assert first["url"] == BASE + first["path"] and first["title"].startswith("Bee")
    assert see_also(site, BASE, into="json").changed == ()
    report = see_also(site, BASE, into="json-per-page")
    assert "bee1.related.json" in report.changed and len(report.changed) == 16
    assert json.loads((site / "bee1.related.json").read_text())["pages"]["bee1.html"] == held["pages"]["bee1.html"]
    see_also(site, remove=True)
    assert state(site) == before
    (site / "related.json").write_text('{"mine": 1}')
    with pytest.raises(PagekinError, match=r"related.json was not written by pagekin"):
        see_also(site, BASE, into="json")
    see_also(site, remove=True)
    assert (site / "related.json").exists()


def test_the_stylesheet(site: Path) -> None:
    before = state(site)
    report = see_also(site, BASE, stylesheet=True)
    assert "pagekin.css" in report.changed
    assert '<link rel="stylesheet" href="pagekin.css" />' in (site / "bee1.html").read_text()
    assert see_also(site, BASE, stylesheet=True).changed == ()
    see_also(site, remove=True)
    assert state(site) == before


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"k": 0}, UsageError, "k must be at least 1"),
        ({"check": True, "remove": True}, UsageError, "exclude each other"),
        ({"into": "xml"}, UsageError, "unknown form 'xml'"),
        ({"heading": " "}, UsageError, "is empty"),
        ({"at": "p > a"}, UsageError, "takes a tag"),
        ({"method": "cocit"}, UsageError, "co-citation"),
        ({"base_url": "nonsense"}, UsageError, "is not a base URL"),
    ],
)
def test_wrong_questions(site: Path, options: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        see_also(site, **({"base_url": BASE} | options))  # type: ignore[arg-type]
    assert not site.with_name("public.kin").exists()


def test_folders_that_are_none(tmp_path: Path) -> None:
    for remove in (False, True):
        with pytest.raises(SourceError, match="is not a folder"):
            see_also(tmp_path / "none", BASE, remove=remove)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="no HTML in"):
        see_also(tmp_path / "empty", BASE)


def test_a_site_of_one_page(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.html").write_text(page("bee", 1))
    report = see_also(tmp_path / "s", BASE)
    assert report.lists == 0 and report.left_out == {"no related page": ("a.html",)}


def test_without_a_base_url(site: Path) -> None:
    assert see_also(site).lists == 16


def test_methods_with_an_index_and_without(site: Path) -> None:
    for method in ("co-citation", "amsler", "semantic"):
        assert isinstance(see_also(site, BASE, method=method), SeeAlso)


def test_the_report_is_said_in_words_and_as_json(site: Path) -> None:
    report = pagekin.see_also(site, BASE)
    assert report.lines[0] == "16 of 18 pages have a list"
    assert report.lines[1] == "16 files written"
    assert any(line.startswith("no list: 2 (an index") for line in report.lines)
    assert json.loads(json.dumps(report.as_dict()))["lists"] == 16


def test_two_mains_and_frames_get_one_list_or_none(site: Path) -> None:
    two = "<main hidden><p>An old one</p></main><main><h1>{title}</h1><p>{text}</p></main><main><p>A third</p></main>"
    (site / "bee1.html").write_text(page("bee", 1, two))
    (site / "bee2.html").write_text(page("bee", 2, "<main><p>{text}</p><main><p>within it</p></main></main>"))
    (site / "bee3.html").write_text(page("bee", 3, "<main><p>{text}</p><iframe src=bee1.html></main></iframe></main>"))
    before = state(site)
    assert see_also(site, BASE).lists == 16
    for name in ("bee1", "bee2", "bee3"):
        tree = LexborHTMLParser((site / f"{name}.html").read_text())
        assert len(tree.css("main:not([hidden]) > [data-pagekin-list]")) == len(tree.css("[data-pagekin-list]")) == 1
    assert "A third" in (site / "bee1.html").read_text().split("<!-- /pagekin see-also -->")[1]
    see_also(site, remove=True)
    assert state(site) == before


BOOKS = ["<p>bees and honey in a hive</p>\n", '<p>a <a href="bee{}.html">b</a></p>', "<", "<div>"]


@pytest.mark.parametrize("filling", gates(BOOKS, "<"))
def test_a_page_as_large_as_a_book(site: Path, filling: str) -> None:
    """50 MB, tried by hand: 12 s and 1.2 GB with words, 95 s and 2.2 GB with links, two minutes with `<` alone."""
    text = "".join(filling.format(number % 8) for number in range(400_000 // len(filling)))
    (site / "bee1.html").write_text(page("bee", 1).replace("</main>", f"{text}</main>"))
    before = state(site)
    report = see_also(site, BASE)
    named = [why for why, paths in report.left_out.items() if "bee1.html" in paths]
    assert report.lists == 16 - len(named)
    listed = b"data-pagekin-list" in (site / "bee1.html").read_bytes()
    assert listed != bool(named)
    see_also(site, remove=True)
    assert state(site) == before


def test_a_page_that_is_too_large_is_named_and_left(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    see_also(site, BASE)
    listed = (site / "bee1.html").read_bytes()
    (site / "bee1.html").write_bytes(listed.replace(b"<body>", b"<body>" + b" " * 5000))
    before = state(site)
    monkeypatch.setattr("pagekin.acquire.folder.MAX_BYTES", 5000)
    report = see_also(site, BASE)
    assert report.left_out["larger than 64 MiB"] == ("bee1.html",) and report.lists == 15
    assert state(site)["bee1.html"] == before["bee1.html"]
    assert not any(
        "bee1.html" in links(data) for data in state(site).values()
    )  # its list is out of date, none names it
