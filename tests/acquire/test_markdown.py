"""Folders of Markdown, and the same folders as Hugo and MkDocs make sites of them."""

import os
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.acquire.folder import open_folder
from pagekin.acquire.markdown import MOST_BYTES, open_markdown
from pagekin.acquire.origin import fetch, fetch_all
from pagekin.acquire.sources import open_sources
from pagekin.model import Capture, Redirect, Skipped
from pagekin.parse.html import parse
from tests.seealso.generators import hugo

BASE = "https://bees.example/"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
        os.utime(path, (1_000_000, 1_000_000))
    return root


def pages(items) -> dict[str, Capture]:
    return {item.url: item for item in items if isinstance(item, Capture)}


def links(items) -> dict[str, list[tuple[str, str]]]:
    """Address → the targets and anchors of its page's links."""
    return {url: [(link.target, link.anchor) for link in parse(page).links] for url, page in pages(items).items()}


def skipped(items) -> dict[str, str]:
    return {Path(item.where).name: item.why for item in items if isinstance(item, Skipped)}


def read(tmp_path: Path, text: str, **others: str) -> list[tuple[str, str]]:
    """The links of a page beside two others."""
    write(tmp_path, {"a.md": text, "b/c.md": "# C", "b/index.md": "B", **others})
    return links(open_markdown(tmp_path, BASE))[BASE + "a"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[x](b/c.md)", [("b/c", "x")]),
        ("[x](b/c.md#part), [y](./b/), [z](/b/c.html)", [("b/c", "x"), ("b/", "y"), ("b/c", "z")]),
        ("See [the *c*][1] and [C].\n\n[1]: b/c.md 'title'\n[c]: b/c", [("b/c", "the c"), ("b/c", "C")]),
        ("[[c]] [[b/c|sea]] [[C#Heading]] ![[c]]", [("b/c", "c"), ("b/c", "sea"), ("b/c", "C"), ("b/c", "c")]),
        ("| x | y |\n|---|---|\n| [[c\\|sea]] | z |", [("b/c", "sea")]),
        ("`[[c]]` and\n\n    [[c]]\n\n```\n[[c]] [x](b/c.md)\n```", []),
        ("[[1]](b/c.md)", [("b/c", "[1]")]),
        ('<a class="x" href="b/c.md">C</a>', [("b/c", "C")]),
        ("<p><a href='b/c.md'>C</a></p>", [("b/c", "C")]),
        ("<https://wax.example/>", [("https://wax.example/", "https://wax.example/")]),
        ("Go to https://wax.example/a_(b)_c).", [("https://wax.example/a_(b)_c", "https://wax.example/a_(b)_c")]),
        ("[https://wax.example/](b/c.md)", [("b/c", "https://wax.example/")]),
        ("[x](mailto:jo@bees.example) [y](javascript:x) [z](#part)", []),
        ("[x](missing.md) [y](a%20b.pdf)", [("missing", "x"), ("a%20b.pdf", "y")]),
        ('[x]({{< ref "b/c.md" >}}) [y]({{% relref "c.md#part" %}})', [("b/c", "x"), ("b/c", "y")]),
        ("[x]({% link b/c.md %}) [y]({{ '/b/c' | relative_url }})", [("b/c", "x"), ("b/c", "y")]),
    ],
)
def test_links(tmp_path, text, found):
    assert read(tmp_path, text) == [(url if "://" in url else BASE + url, anchor) for url, anchor in found]


def test_what_a_page_is_made_of(tmp_path):
    text = (
        "---\ntitle: 'Bees & wax'\ntags: [apiary, honey]\nlang: de\ndescription: About bees\n---\n"
        "# Heading\n\nThe *hive*.\n\n- [[b]]\n- [x](b.md)\n"
    )
    write(tmp_path, {"a.md": text, "b.md": "Setext\n======\n\n<b>x</b>", "c d.md": "no heading"})
    found = pages(open_markdown(tmp_path, BASE))
    page = parse(found[BASE + "a"])
    assert (page.title, page.language, page.summary) == ("Bees & wax", "de", "About bees")
    assert "The hive." in page.text and "apiary, honey" in page.text
    assert len(page.blocks) == 1  # the list, as in HTML
    assert [parse(found[BASE + path]).title for path in ("b", "c%20d")] == ["Setext", "c d"]
    write(tmp_path, {"b.md": "```\n# no heading\n```\n\n# The *`<hive>`* [x](a.md)"})
    assert parse(pages(open_markdown(tmp_path, BASE))[BASE + "b"]).title == "The <hive> x"
    assert found[BASE + "a"].fetched == 1_000_000


def test_what_is_left_out_is_counted(tmp_path):
    files = {
        "draft.md": "---\ndraft: true\n---\nx",
        "hidden.md": "---\npublished: false\n---\nx",
        "large.md": "x" * (MOST_BYTES + 1),
        "binary.md": "\0\0",
        "broken.md": "---\ntitle: A: B\n---\nx",
        "elsewhere.md": "---\npermalink: https://evil.example/\n---\nx",
        "same.md": "x",
        "same.markdown": "x",
        "links.md": "[[nothing]] [[picture.png]] [[same]]",
    }
    found = list(open_markdown(write(tmp_path, files), BASE))
    os.mkfifo(tmp_path / "pipe.md")
    assert skipped(found) == {
        "draft.md": "a draft",
        "hidden.md": "a draft",
        "large.md": "Markdown larger than 1 MiB",
        "binary.md": "not Markdown",
        "broken.md": "front matter that cannot be read; the text is taken",
        "elsewhere.md": "not an address of this site",
        "same": "another file has the same address",
        "links.md: [[nothing]]": "a wikilink to no page",
    }
    assert list(pages(found)) == [BASE + name for name in ("broken", "links", "same")]
    assert parse(pages(found)[BASE + "broken"]).title == "A: B"
    assert skipped(open_markdown(tmp_path, BASE))["pipe.md"] == "unreadable"


def test_other_addresses_of_a_page(tmp_path):
    text = "---\naliases: [/old/, other/, A name, https://evil.example/x]\nredirect_from: /older\n---\nx"
    found = list(open_markdown(write(tmp_path, {"a/b.md": text}), BASE))
    assert [(item.alias, item.target) for item in found if isinstance(item, Redirect)] == [
        (BASE + alias, BASE + "a/b") for alias in ("old/", "a/other/", "older")
    ]
    (tmp_path / ".obsidian").mkdir()  # where aliases are names
    assert not any(isinstance(item, Redirect) for item in open_markdown(tmp_path, BASE))


def test_a_vault_is_added_and_answers(tmp_path):
    vault = write(
        tmp_path / "vault",
        {
            "Hub.md": "[[Wax]] and [[Honey]]", "Notes/Wax.md": "[[Honey]] [[Lost]]", "Notes/Honey.md": "sweet",
            ".obsidian/app.json": "{}", "Attachments/x.png": "x",
        },
    )  # fmt: skip
    site = Collection(tmp_path / "v.kin")
    report = site.add(vault, base_url=BASE)
    assert report.pages == 3
    assert report.skipped["a wikilink to no page"] == 1
    found = site.related(BASE + "Notes/Wax", method="co-citation")
    assert found[0].url == BASE + "Notes/Honey"
    assert site.add(vault, base_url=BASE).unchanged == 3
    (vault / "Notes" / "Honey.md").unlink()
    assert site.add(vault, base_url=BASE, sync=True, yes=True).gone == 1


def test_the_bytes_of_a_page_can_be_had_again(tmp_path):
    write(tmp_path / "vault", {"a.md": "[[b]]", "x/b.md": "[a](../a.md)"})
    for root in (tmp_path / "vault", tmp_path / "vault" / "a.md"):
        found = pages(open_markdown(root, BASE))
        origins = [page.origin for page in found.values()]
        assert [fetch(origin) for origin in origins] == list(found.values())
        assert list(fetch_all(origins)) == list(found.values())
    site = Collection(tmp_path / "v.kin")
    site.add(tmp_path / "vault", base_url=BASE)
    site.blocks(BASE + "a", tmp_path / "out.html")
    assert BASE + "x/b" in (tmp_path / "out.html").read_text()
    (tmp_path / "vault" / "a.md").unlink()
    assert fetch(origins[0]) is None


def test_what_is_said(tmp_path):
    write(tmp_path / "x", {"a.md": "", "hugo.toml": 'baseURL = "https://bees.example/"', "content/b.md": ""})
    source, other = open_sources([tmp_path / "x"])
    assert source.said == (
        "x: a folder of Markdown at https://bees.example/ (2 files), according to hugo.toml, "
        "addresses as Hugo makes them"
    )
    assert skipped(source) == {"a.md": "Markdown outside the content of the site"}
    assert other.kind == "other"
    assert open_sources([tmp_path / "x" / "a.md"])[0].said == (
        f"a.md: a Markdown file at {(tmp_path / 'x').as_uri()}/ (1 file), addresses without .md"
    )
    assert list(pickle.loads(pickle.dumps(source))) == list(source)


@pytest.mark.parametrize(
    ("files", "kinds", "left"),
    [
        (["a.html", "b.html", "README.md"], ["html", "other"], "Markdown beside other files"),
        (["a.html", "a.md", "b.md"], ["markdown", "other"], "HTML beside Markdown"),
        (["mkdocs.yml", "docs/a.md", "site/a/index.html", "site/b/index.html"], ["markdown", "other", "other"], None),
        (["_config.yml", "a.md", "_site/a.html", "_layouts/x.html"], ["markdown", "other", "other"], None),
        (["_config.yml", "README.md", "a.html", "b.html"], ["html", "other", "other"], None),
        (["a.md"], ["markdown"], None),
    ],
)
def test_a_folder_is_one_of_html_or_of_markdown(tmp_path, files, kinds, left):
    write(tmp_path, dict.fromkeys(files, "<p>Bees</p>"))
    found = open_sources([tmp_path])
    assert [source.kind for source in found] == kinds
    if left:
        assert {item.why for item in found[-1]} == {left}
        assert "use from" in found[-1].said.replace("kind", "from")
    forced = open_sources([tmp_path], "markdown")
    assert [source.kind for source in forced] == ["markdown"]


SITE = {
    "_index.md": "[Bees](posts/bees/) and [wax](/posts/wax/)",
    "posts/_index.md": "All posts",
    "posts/bees.md": '---\ntitle: Bees\n---\n[wax](../wax/), [honey]({{< ref "Sweet Honey.md" >}}), <https://x.example/>',
    "posts/wax.md": '+++\ntitle = "Wax"\naliases = ["/old-wax/"]\n+++\n[b]({{< relref "bees" >}}#a) https://x.example/y.',
    "posts/Sweet Honey.md": "| a | b |\n|---|---|\n| [wax](../wax/) | [index](/) |\n\n[r]: ../bees/\n\nSee [r].",
    "posts/C++ & Äpfel, 2!.md": "[a](../bees/)",
    "posts/A  b - c#d.md": '[a]({{< ref "/posts/C++ & Äpfel, 2!.md" >}})',
    "posts/hidden.md": "---\ndraft: true\n---\n[x](../bees/)",
    "about/index.md": "---\nslug: us\n---\n- [one](/posts/bees/)\n- [two](../posts/wax/)\n",
    "x.md": "---\nurl: /else/where/\n---\n[up](../../us/)",
}


def built(folder: Path) -> dict[str, list[tuple[str, str]]]:
    return {url: found for url, found in links(open_folder(folder, BASE)).items()}


def test_as_hugo_makes_it(tmp_path, tmp_path_factory):
    program, more = hugo(tmp_path_factory.mktemp("hugo"))
    layout = "<!doctype html><html><body><main>{{ .Content }}</main></body></html>"
    write(tmp_path, {f"content/{name}": text for name, text in SITE.items()})
    write(tmp_path, {f"layouts/_default/{name}.html": layout for name in ("single", "list")})
    write(tmp_path, {"hugo.toml": f'baseURL = "{BASE}"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n'})
    (tmp_path / "config.toml").write_bytes((tmp_path / "hugo.toml").read_bytes())  # the name that older ones know
    subprocess.run([*program, "--quiet", "--source", tmp_path], check=True, env=os.environ | more)
    made = built(tmp_path / "public")
    found = open_markdown(tmp_path)
    assert links(found) == {url: each for url, each in made.items() if not url.endswith("/old-wax/")}
    assert [item.alias for item in found if isinstance(item, Redirect)] == [BASE + "old-wax/"]


DOCS = {
    "index.md": "# Home\n\n[Guide](guide/start.md), [API](api/README.md#x)\n",
    "guide/start.md": "Title\n=====\n\n[next](next.md), [home](../index.md)\n",
    "guide/next.md": '[r][1] <a href="../start/">raw</a>\n\n[1]: start.md\n',
    "api/README.md": "[x](../guide/start.md#part) [file](data.csv)\n",
}


@pytest.mark.skipif(find_spec("mkdocs") is None, reason="needs mkdocs")
@pytest.mark.parametrize("pretty", ["true", "false"])
def test_as_mkdocs_makes_it(tmp_path, pretty):
    write(tmp_path, {f"docs/{name}": text for name, text in DOCS.items()})
    write(tmp_path, {"docs/api/data.csv": "x", "theme/main.html": "<main>{{ page.content }}</main>"})
    settings = (
        f"site_name: x\nsite_url: {BASE}\nuse_directory_urls: {pretty}\ntheme:\n  name: null\n  custom_dir: theme\n"
    )
    write(tmp_path, {"mkdocs.yml": settings})
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=tmp_path, check=True)
    expected = {url: found for url, found in built(tmp_path / "site").items() if "404" not in url}
    assert links(open_markdown(tmp_path)) == expected


def test_our_own_documentation_meets_itself():
    """tests/test_docs.py has it that every relative link leads to a file."""
    found = links(open_markdown(Path(__file__).parents[2] / "docs", BASE))
    inside = [target for each in found.values() for target, _ in each if target.startswith(BASE)]
    outside = ("CONTRIBUTING.md", "SECURITY.md", "README.md", "bench/README.md", "extension/README.md", "tour.ipynb")
    assert len(inside) > 300
    assert set(inside) - {BASE + name for name in outside} <= set(found)
