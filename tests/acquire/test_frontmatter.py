"""Front matter: YAML, TOML and JSON, broken ones, and what would grow."""

import string
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pagekin.acquire.frontmatter import MOST, is_false, is_true, split, text, texts

TEXT = "Text\n"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("---\ntitle: Bees\n---\n", {"title": "Bees"}),
        ("\ufeff---\r\nTitle: 'Bees: a start'\r\n---\r\n", {"title": "Bees: a start"}),
        ('+++\ntitle = "Bees"\ndraft = true\ntags = ["a", "b"]\ndate = 2024-05-01\n+++\n', {
            "title": "Bees", "draft": "true", "tags": ["a", "b"], "date": "2024-05-01"}),
        ('{\n"title": "Bees", "weight": 3, "menu": {"main": {}}\n}\n', {"title": "Bees", "weight": "3"}),
        ("---\ntags:\n- a\n- 'b, c'\nmenu:\n  main:\n    weight: 1\n---\n", {"tags": ["a", "b, c"]}),
        ("---\nversion: 1.10\ntitle: No\nempty:\n---\n", {"version": "1.10", "title": "No", "empty": ""}),
        ("+++\n[taxonomies]\ntags = ['a']\n+++\n", {"tags": ["a"]}),
        ("---\n---\n", {}),
    ],
)  # fmt: skip
def test_what_a_file_says(written, said):
    found = split(written + TEXT)
    assert (found.said, found.text, found.broken) == (said, TEXT, False)


@pytest.mark.parametrize(
    "written", ["", "Text\n---\nmore", "---\nno end", "--- title: x\n", "{{< shortcode >}}\n", "{x"]
)
def test_a_file_without_front_matter(written):
    assert split(written) == ({}, written, False)


@pytest.mark.parametrize(
    "inside", ["title: A: B\ntags: [x\n", "\ttitle: A: B\n- x\n", "title: A: B\n  x: [\n", "- a\n"]
)
def test_broken_front_matter_gives_its_plain_lines(inside):
    found = split(f"---\n{inside}---\n{TEXT}")
    assert (found.broken, found.text) == (True, TEXT)
    assert found.said.get("title", "A: B") == "A: B"
    assert split("+++\ntitle = Bees\n+++\nx").broken


def test_aliases_of_yaml_do_not_grow():
    """A billion laughs: ten lists, each of ten times the one before."""
    lines = ["a0: &a0 [" + ",".join(["lol"] * 10) + "]"]
    lines += [f"a{n}: &a{n} [" + ",".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, 10)]
    before = time.process_time()
    found = split("---\n" + "\n".join(lines) + "\n---\n")
    assert time.process_time() - before < 2
    assert found.said["a0"] == ["lol"] * 10
    assert found.said["a9"] == [""] * 10
    assert split("---\na: &a [*a]\n---\n").said == {"a": [""]}  # it holds itself


@pytest.mark.parametrize(
    "inside", ["[" * 50_000, "a: " + "{a: " * 10_000, "? " * 30_000, "!!python/object/apply:os.system [x]"]
)
def test_hostile_yaml(inside):
    assert split(f"---\n{inside}\n---\n{TEXT}").text == TEXT
    assert split('{"a":' * 60_000) == ({}, '{"a":' * 60_000, False)


def test_only_so_much_is_front_matter():
    long = f"---\ntitle: {'x' * MOST}\n---\n"
    assert split(long) == ({}, long, False)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=90)


@given(st.dictionaries(st.text(string.ascii_lowercase, min_size=1), WORDS | st.lists(WORDS, max_size=4), max_size=5))
def test_what_another_program_writes_is_read_back(said):
    written = f"---\n{yaml.safe_dump(said, allow_unicode=True)}---\n{TEXT}"
    assert split(written) == (said, TEXT, False)


def test_values():
    said = {"tags": "a, b", "draft": "True", "published": "false", "slug": "", "title": ["x"]}
    assert texts(said, "tag", "tags") == ["a", "b"]
    assert text(said, "title", "slug", "draft") == "True"
    assert is_true(said, "draft") and is_false(said, "published") and not is_true(said, "tags")
