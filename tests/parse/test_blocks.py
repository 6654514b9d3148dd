"""Scanning, adjusting, gathering: pages of each age, the rules against slow twins, and hostile pages."""

import random
import sys
from collections import Counter
from types import FrameType
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.model import ALONE, Block, Capture, Page
from pagekin.parse import blocks, html, parse
from pagekin.parse.blocks import Section, adjusted, gathered
from pagekin.parse.colours import distance
from pagekin.parse.style import Style, changed, declarations
from pagekin.parse.walk import Notes


def read(markup: str) -> Page:
    return parse(Capture("http://bees.example/", markup.encode()))


def cut(markup: str) -> list[int]:
    return [link.block for link in read(markup).links]


def links(*names: str) -> str:
    return " ".join(f"<a href=/{name}>{name}</a>" for name in names)


def items(*names: str) -> str:
    return "".join(f"<li><a href=/{name}>{name}</a>" for name in names)


TEXT = "Honey is made by bees from the nectar of flowers and kept in combs of wax"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", []),
        (links("a"), [ALONE]),
        (links("a", "b"), [0, 0]),
        (f"<ul>{items('a', 'b')}</ul><ul>{items('c', 'd')}</ul>", [0, 0, 0, 0]),  # rule 1
        (f"<ul>{items('a', 'b')}</ul><h2>More</h2><ul>{items('c', 'd')}</ul>", [0, 0, 1, 1]),  # rule 2
        (f"<ul>{items('a', 'b')}</ul><hr><ul>{items('c', 'd')}</ul>", [0, 0, 1, 1]),  # a line
        (f"<ul>{items('a', 'b')}</ul><hr><p> </p><p>{links('c', 'd')}", [0, 0, 1, 1]),
        (f"<p>{links('a', 'b')}<table><td bgcolor=navy>{links('c', 'd')}</table>", [0, 0, 1, 1]),  # another background
        (f"<p>{links('a', 'b')}<div style='background: navy'>{links('c', 'd')}</div>", [0, 0, 1, 1]),
        (f"<style>.x {{ background: navy }}</style><p>{links('a', 'b')}<p class=x>{links('c', 'd')}", [0, 0, 1, 1]),
        (f"<aside>{links('a', 'b')}</aside><footer>{links('c', 'd')}</footer>", [0, 0, 1, 1]),  # another part
        (f"<ul>{items('a', 'b')}</ul><div>{links('c', 'd')}</div>", [0, 0, 0, 0]),  # a list is no part of its own
        (f"<p>{TEXT} {links('a', 'b')}<p>{TEXT} {links('c', 'd')}", [0, 0, 1, 1]),  # rule 4
        (f"<p>See also<p>{links('a', 'b', 'c')}<p>or {links('d')}", [0, 0, 0, 0]),  # rule 5
        (f"<p>See also<p>{links('a', 'b', 'c')}<p><font size=1>or {links('d')}</font>", [0, 0, 0, ALONE]),  # rule 3
        (f"<p>so {links('a')} it<p>so {links('b')} is", [ALONE, ALONE]),  # rule 6
        (f"<dl><dt>{links('a')}<dd>{links('b')}</dl>", [0, 0]),
        ("<div><a href=/a><div>A</div><h3>B</h3></a> <a href=/b><div>C</div></a></div>", [0, 0]),  # a link is not cut
        ("<p><a href=/a><img alt=Home></a><a href=/b><img alt=Map></a> us", [0, 0]),
        (f"<map>{'<area href=/a>' * 3}</map>", [0, 0, 0]),
        ("<frameset><frame src=a><frame src=b></frameset>", [0, 0]),
        (f"<p>{links('a')} <a href=mailto:x@y.example>mail</a>", [ALONE]),
        (f"<p><i>{links('a', 'b')}<p>{links('c', 'd')}</i></p></div></b>", [0, 0, 0, 0]),  # misnested
    ],
)
def test_links_that_stand_together(markup: str, expected: list[int]) -> None:
    assert cut(markup) == expected


def rows(*names: str) -> str:
    return "".join(f"<tr><td><a href=/{name}>{name}</a><td><font size=-1>{name}@bees.example</font>" for name in names)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<table>{rows('a', 'b', 'c')}</table>", [0, 0, 0]),
        (f"<table>{rows('a')}</table><table>{rows('b')}</table>", [ALONE, ALONE]),
        (f"<p>{links('a')}<p>{links('b')}", [0, 0]),
        (f"<p>{links('a')}<p>{TEXT}<p>{links('b')}", [0, 0]),
        (f"<p>{links('a')}<hr><p>{links('b')}", [ALONE, ALONE]),
        (f"<p>{links('a')}<hr><p>{TEXT}<p>{links('b')}", [ALONE, ALONE]),
        (f"<p>{links('a')}<h4>More</h4><p>{links('b')}<p>{links('c')}", [ALONE, 0, 0]),
        (f"<p>{links('a')}<div><p>{links('b')}</div><p>{links('c')}", [ALONE, ALONE, ALONE]),
        (f"<h3>{links('a')}</h3><h3>{links('b')}</h3>", [0, 0]),
        (f"<h2>{links('a')}</h2><blockquote><h4>{TEXT}</h4></blockquote><h2>{links('b')}</h2>", [0, 0]),
        (f"<h2>{links('a')}</h2><h3>{links('b')}</h3><h2>{links('c')}</h2>", [ALONE, ALONE, ALONE]),
        (f"<p>{links('a')}<p>{links('b')}<p>{TEXT} {links('c', 'd')}<p>{links('e')}", [0, 0, 1, 1, ALONE]),
    ],
)  # fmt: skip
def test_links_that_are_alone_in_boxes_of_a_kind(markup: str, expected: list[int]) -> None:
    assert cut(markup) == expected


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        (f"<nav><ul>{items('a', 'b')}</ul></nav>", "navigation"),
        (f"<header><nav>{links('a', 'b')}</nav></header>", "navigation"),
        (f"<div id=main-nav>{links('a', 'b')}</div>", "navigation"),
        (f"<div role=navigation>{links('a', 'b')}</div>", "navigation"),
        (f"<div class='site_footer x'>{links('a', 'b')}</div>", "footer"),
        (f"<footer><p>{links('a', 'b')}</footer>", "footer"),
        (f"<div class=sidebar><div>{links('a', 'b')}</div></div>", "aside"),
        (f"<ul>{items('a', 'b')}</ul>", "list"),
        (f"<div class=navy-blue>{links('a', 'b')}</div>", "links"),
        (f"<div class=canvas>{TEXT} {links('a', 'b')}</div>", "text"),
        (f"<div class=sidebar><main>{TEXT} {links('a', 'b')}</main></div>", "text"),
    ],
)
def test_labels(markup: str, label: str) -> None:
    assert read(markup).blocks == (Block(0, 2, label),)


def copied(section: Section) -> Section:
    made = Section(list(section.links), section.words, section.anchor_words, section.ruled)
    made.part = section.part
    for style, characters in section.looks.items():
        made.look(style, characters)
    return made


def twin(found: list[Section]) -> list[list[int]]:
    """The paper's listing and its rules, word by word, each section a list of what it was made of."""

    def total(group: list[Section], name: str) -> int:
        return sum(getattr(section, name) for section in group)

    def links_of(group: list[Section]) -> int:
        return sum(len(section.links) for section in group)

    def looks(group: list[Section]) -> list[tuple[Style, int]]:
        return [look for section in group for look in section.looks.items()]

    def is_link(group: list[Section]) -> bool:
        words = total(group, "words")
        ratio = total(group, "anchor_words") / words if words else 1.0
        return ratio > 0.5 and links_of(group) > 1

    def dominant(group: list[Section]) -> Style:
        counts: Counter[Style] = Counter()
        for style, characters in looks(group):
            counts[style] += characters
        most = max(counts.values())
        return min(style for style, count in counts.items() if count == most)

    def afs(group: list[Section]) -> float:
        edis = [(n, 1.2 if style.bold else 1.0, distance(style.colour, style.background)) for style, n in looks(group)]
        return sum(n * b * e for n, b, e in edis) / sum(n for n, _, _ in edis)

    def can_merge(s: list[Section], t: list[Section]) -> bool:
        if t[0].ruled or len({section.part for section in s + t}) > 1:
            return False
        if is_link(s) and is_link(t) and dominant(s).background == dominant(t).background:
            return True
        if any(style.bold and n for style, n in looks(s) + looks(t)):
            return False
        if all(any(n for _, n in looks(group)) for group in (s, t)):
            if abs(afs(s) - afs(t)) > 0.5:
                return False
            if (dominant(s).face, dominant(s).size) != (dominant(t).face, dominant(t).size):
                return False
        if total(s, "words") > 10 and total(t, "words") > 10:
            return False
        larger = s if total(s, "words") >= total(t, "words") else t
        return is_link(s) != is_link(t) and is_link(s + t) == is_link(larger)

    groups: list[list[Section]] = []
    for section in found:
        if groups and can_merge(groups[-1], [section]):
            groups[-1].append(section)
        else:
            groups.append([section])
    return [[link for section in group for link in section.links] for group in groups]


def test_adjusting_is_what_the_slow_twin_says() -> None:
    chance = random.Random(5)
    looks = [
        Style(bold, colour, background, face, size)
        for bold in (False, False, False, True)
        for colour in ((0, 0, 0), (250, 240, 240))
        for background in ((255, 255, 255), (255, 255, 255), (0, 0, 128))
        for face in ("", "", "arial")
        for size in (16, 16, 18)
    ]
    joined = 0
    for _ in range(3000):
        found, at = [], 0
        for _ in range(chance.randint(1, 9)):
            count = chance.choice([0, 0, 1, 2, 3])
            anchors = sum(chance.randint(0, 3) for _ in range(count))
            section = Section(list(range(at, at + count)), anchors + chance.choice([0, 0, 1, 3, 12]), anchors)
            section.ruled = chance.random() < 0.1
            section.part = "footer" if chance.random() < 0.1 else ""
            for style in chance.sample(looks, chance.randint(1, 2)) if chance.random() < 0.4 else [Style()]:
                section.look(style, chance.choice([0, 5, 5, 7]))
            at += count
            found.append(section)
        expected = twin([copied(section) for section in found])
        given = [section.links for section in adjusted(found)]
        assert given == expected
        joined += len(found) - len(given)
    assert joined > 1000


def gathering_twin(found: list[Section]) -> list[list[int]]:
    """Each two neighbours with links, on their own: the run of a section ends where one of them does not belong."""
    linked = [at for at, section in enumerate(found) if section.links]
    groups: list[list[int]] = []
    for place, at in enumerate(linked):
        section = found[at]
        if place:
            before = found[linked[place - 1]]
            between = found[linked[place - 1] + 1 : at]
            ones = all(
                len(each.links) == 1 and (each.words == 0 or 2 * each.anchor_words > each.words)
                for each in (before, section)
            )
            headed = section.box[0][0] != "h" and any(each.box[0][0] == "h" for each in between)
            line = any(each.ruled for each in (*between, section))
            if ones and before.box == section.box and not headed and not line:
                groups[-1] += section.links
                continue
        groups.append(list(section.links))
    return groups


def test_gathering_is_what_the_slow_twin_says() -> None:
    chance = random.Random(6)
    joined = 0
    for _ in range(3000):
        found, at = [], 0
        for _ in range(chance.randint(1, 12)):
            count = chance.choice([0, 0, 1, 1, 1, 2])
            anchors = sum(chance.randint(0, 3) for _ in range(count))
            box = (chance.choice(["p", "p", "td", "h2", "h3"]), chance.choice([1, 1, 1, 2]))
            words = anchors + chance.choice([0, 0, 0, 1, 3])
            found.append(Section(list(range(at, at + count)), words, anchors, chance.random() < 0.1, box))
            at += count
        expected = gathering_twin(found)
        given = [section.links for section in gathered(found)]
        assert given == expected
        joined += sum(len(section.links) > 0 for section in found) - len(given)
    assert joined > 300


PIECES = """<p>;</p>;<ul>;<li>;</ul>;<table>;<tr>;<td>;</table>;<div>;</div>;<b>;</b>;<hr>;<h2>;</h2>;<a href=/x>;</a>
;text; words and words;<font color=red>;</font>;<nav>;</nav>;<area href=/y>;<a href=mailto:z>;<style>p{color:red
;</style>;<frame src=f>;<td bgcolor=blue style='font:'>;<!--;-->;<svg>;<a href=/z;';>"""
markup = st.lists(st.sampled_from(PIECES.split(";")), max_size=60)


@settings(max_examples=300, deadline=None)
@given(markup)
def test_every_link_is_in_one_block_or_alone_and_numbers_ascend(parts: list[str]) -> None:
    page = read("".join(parts))
    numbers = [link.block for link in page.links if link.block != ALONE]
    assert numbers == sorted(numbers)
    assert [block.number for block in page.blocks] == list(range(len(page.blocks)))
    assert Counter(numbers) == {block.number: block.links for block in page.blocks}
    assert all(block.links > 1 and block.label for block in page.blocks)


def distinct(template: str, times: int) -> str:
    return "".join(template.replace("%", str(at)) for at in range(times))


REPEATED = {
    "links": "<a href=/%>x %</a>",
    "pairs": "<p><a href=/%>x</a> <a href=/y%>y</a>",
    "faces": "<p><font face=f%><a href=/%>x</a> <a href=/y>y</a></font><p><font face=f0>or</font>",
    "runs": "<font face=f%>word</font> <a href=/%>x</a>",
    "styles": "<div style='color:x%;font-size:%'><a href=/%>x</a>",
    "rules": "<style>.c%{color:red}</style><p class='c% d'><a href=/%>x</a>",
    "bold": "<b><p><a href=/%>x</a></b>",
    "lines": "<hr><p> </p>",
    "text": "<p>word ",
    "cells": "<tr><td><a href=/%>x %</a><td>word",
}


class Counted(list[str]):
    """The text of a page, which counts how much of it is read."""

    read = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.read += len(found) if isinstance(key, slice) else 1
        return found


def work(markup: str) -> int:
    """How many functions are called, and pieces of text read, to find the blocks of a page."""
    calls, text = 0, Counted()
    for remembered in (changed, declarations):  # or the second page would profit from the first
        remembered.cache_clear()

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    capture, before = Capture("http://bees.example/", markup.encode()), sys.getprofile()
    with patch.object(html, "Notes", lambda: Notes(text=text)):
        sys.setprofile(called)
        try:
            html.elements(capture)
        finally:
            sys.setprofile(before)
    return calls + text.read


@pytest.mark.parametrize("template", REPEATED.values(), ids=REPEATED.keys())
def test_work_grows_with_the_page_and_no_faster(template: str) -> None:
    """What is quadratic would be 16 times the work."""
    assert work(distinct(template, 1600) + links("a", "b")) < 5 * work(distinct(template, 400) + links("a", "b"))


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 10_000 + links("a", "b"),
        "<style>"
        + distinct(".c%{color:red}", 10_000)
        + "</style>"
        + distinct("<p class='c% d'><a href=/%>x</a>", 1_000),
        "<style>" + "{/*@" * 250_000 + links("a", "b"),
        "<b>" * 10_000 + distinct("<p><a href=/%>x</a>", 100),
        "<p style='" + "a:b;" * 250_000 + "' bgcolor=" + "x" * 100_000 + ">" + links("a", "b"),
        "<div class='" + "nav " * 250_000 + "'>" + links("a", "b"),
    ],
    ids=["deep", "rules", "garbage", "bold", "attribute", "class"],
)
def test_hostile_pages(page: str) -> None:
    """No recursion, and no pattern that tries again and again: these would fail, or take minutes."""
    found = read(page)
    assert sum(block.links for block in found.blocks) + sum(link.block == ALONE for link in found.links) == len(
        found.links
    )


def test_words() -> None:
    texts = {"": 0, " | - ": 0, "a b": 2, "e-mail us!": 2, "蜜蜂 的家": 2, "1 2": 2}
    assert {text: blocks.count_words(text) for text in texts} == texts
