"""Which address a file gets. What generators do is written down in their documentation; test_markdown runs them."""

from pathlib import Path, PurePosixPath

import pytest

from pagekin.acquire.generators import found, urlized


def site(tmp_path: Path, **files: str) -> Path:
    for name, content in files.items():
        path = tmp_path / name.replace("__", "/").replace("DOT", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def paths(root: Path, *asked: tuple[str, dict]) -> list[str]:
    made = found(root)
    return [made.path(PurePosixPath(file), said) for file, said in asked]


def test_hugo(tmp_path):
    root = site(tmp_path, hugoDOTtoml='baseURL = "https://bees.example/sub/"', content__xDOTmd="")
    made = found(root)
    assert (made.name, made.content, made.base) == ("Hugo", root / "content", "https://bees.example/sub/")
    assert found(root / "content") == made  # the folder of the content alone
    assert paths(
        root,
        ("posts/My Bees.md", {}),
        ("posts/my-bees/index.md", {}),
        ("posts/_index.md", {}),
        ("_index.md", {}),
        ("posts/a.md", {"slug": "Other Name"}),
        ("about/index.md", {"slug": "us"}),
        ("a/b/index.md", {"slug": "c"}),
        ("posts/a.md", {"url": "/elsewhere/x.html"}),
        ("README.md", {}),
    ) == [
        "posts/my-bees/",
        "posts/my-bees/",
        "posts/",
        "",
        "posts/other-name/",
        "us/",
        "a/c/",
        "elsewhere/x.html",
        "readme/",
    ]
    (root / "hugo.toml").write_text("uglyURLs: true\n")
    assert paths(root, ("posts/a.md", {}), ("posts/index.md", {})) == ["posts/a.html", "posts/"]


@pytest.mark.parametrize(
    ("path", "made"),
    [("A  b", "a-b"), ("a - b", "a-b"), ("C++ & C#", "c++-c#"), ("Übung", "übung"), ("a, b!", "a-b"), ("-x-", "-x-")],
)
def test_the_names_of_hugo(path, made):
    assert urlized(path) == made


def test_jekyll(tmp_path):
    root = site(tmp_path, _configDOTyml="url: https://bees.example\nbaseurl: /sub  # below\n")
    made = found(root)
    assert (made.name, made.base) == ("Jekyll", "https://bees.example/sub")
    post = "_posts/2024-05-01-Wax and honey.md"
    assert paths(
        root,
        (post, {}),
        ("news/" + post, {"categories": ["A b", "c"]}),
        (post, {"date": "2023-01-09 10:00:00 +0000"}),
        (post, {"permalink": "/x/:year-:month/:title/"}),
        ("about.md", {}),
        ("docs/index.md", {}),
        ("about.md", {"permalink": "/who/"}),
    ) == [
        "2024/05/01/Wax%20and%20honey.html", "news/a-b/c/2024/05/01/Wax%20and%20honey.html",
        "2023/01/09/Wax%20and%20honey.html", "x/2024-05/Wax%20and%20honey/", "about.html", "docs/", "who/",
    ]  # fmt: skip
    assert [made.is_page(PurePosixPath(path)) for path in (post, "_drafts/x.md", "_includes/x.md", "a/b.md")] == [
        True, False, False, True,
    ]  # fmt: skip
    (root / "_config.yml").write_text("permalink: pretty\n")
    assert paths(root, (post, {}), ("about.md", {})) == ["2024/05/01/Wax%20and%20honey/", "about/"]


def test_mkdocs(tmp_path):
    root = site(tmp_path, mkdocsDOTyml="site_url: 'https://bees.example/'\ndocs_dir: pages\n", pages__aDOTmd="")
    made = found(root)
    assert (made.name, made.content, made.base) == ("MkDocs", root / "pages", "https://bees.example/")
    assert paths(root, ("Guide/My Bees.md", {}), ("a/index.md", {}), ("a/README.md", {})) == [
        "Guide/My%20Bees/",
        "a/",
        "a/",
    ]
    assert made.path(PurePosixPath("a/README.md"), {}, frozenset({"index.md", "readme.md"})) == "a/README/"
    (root / "mkdocs.yml").write_text("docs_dir: pages\nuse_directory_urls: false\n")
    assert paths(root, ("a/b.md", {})) == ["a/b.html"]
    (root / "mkdocs.yml").write_text("docs_dir: ../..\n")  # nobody else's folder
    assert found(root).name == ""


def test_obsidian_and_plain_folders(tmp_path):
    assert paths(tmp_path, ("100% a%20b.md", {}), ("x.md", {"permalink": "/a%20b/ü"})) == [
        "100%25%20a%2520b",
        "a%20b/%C3%BC",
    ]
    assert paths(tmp_path, ("a/My Bees.md", {}), ("a/README.md", {}), ("a/index.md", {})) == ["a/My%20Bees", "a/", "a/"]
    (tmp_path / ".obsidian").mkdir()
    assert found(tmp_path).name == "Obsidian"
    assert paths(tmp_path, ("a/My Bees.md", {}), ("README.md", {})) == ["a/My%20Bees", "README"]


def test_settings_that_name_no_address(tmp_path):
    root = site(tmp_path, hugoDOTtoml='baseURL = "/"\n', content__xDOTmd="")
    assert found(root).base is None
