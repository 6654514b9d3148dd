"""Writes sentences from patterns, and anchors for links. All choices depend on a hash of names, never on chance."""

import re
from hashlib import blake2b
from typing import Any

from pagekin.demo.data import Article, Topic, mirrors, special
from pagekin.demo.parts import Link, Pieces

SENTENCES = 3  # pattern sentences in an article's second paragraph


def mix(*names: str) -> int:
    """A number that looks random and is the same on every machine."""
    return int.from_bytes(blake2b("|".join(names).encode(), digest_size=4).digest(), "big")


def words(lang: str) -> dict[str, Any]:
    """The wording of links, navigation and footers in a language."""
    found: dict[str, Any] = special()["words"][lang]
    return found


def flow(text: str) -> str:
    """A text from the data files, on one line."""
    return " ".join(text.split())


def second_paragraph(topic: Topic, number: int) -> str:
    """A lead and pattern sentences for article `number` of a topic: neighbours share none, and the slots differ.

    With nine patterns, starts two apart and steps of four give every article a different three; the step grows by one
    when the starts repeat.
    """
    count = len(topic.patterns)
    step = 4 + number // count
    chosen = [topic.patterns[(2 * number + step * turn) % count] for turn in range(SENTENCES)]
    lead = topic.leads[number % len(topic.leads)]
    return " ".join([lead, *(_fill(topic, sentence, str(number)) for sentence in chosen)])


def _fill(topic: Topic, sentence: str, key: str) -> str:
    return sentence.format(**{slot: pick(choices, sentence, slot, key) for slot, choices in topic.slots.items()})


def pick(choices: list[str], *names: str) -> str:
    return choices[mix(*names) % len(choices)]


def weave(sentence: str, *links: Pieces) -> Pieces:
    """A sentence with links in place of `{0}`, `{1}` …

    >>> weave("See {0}.", (Link("http://a.example/", "this"),))[0]
    'See '
    """
    pieces: list[str | Link] = []
    for part in re.split(r"(\{\d\})", sentence):
        pieces += links[int(part[1])] if re.fullmatch(r"\{\d\}", part) else [part]
    return tuple(piece for piece in pieces if piece)


def cite(article: Article, text: str, citer: str, rel: str = "", lang: str = "en") -> Pieces:
    """A link to an article from the page titled `citer`, followed by one to its mirror, if it has one."""
    fragment = "more" if mix(citer, article.url, "fragment") % 9 == 0 else ""
    link = Link(article.url, text, fragment, rel)
    if article.url not in mirrors():
        return (link,)
    return (link, " (", Link(mirrors()[article.url], words(lang)["mirror"], rel=rel), ")")


def anchor(article: Article, citer: str) -> str:
    """What a link list calls an article: its title or its subject, with or without the site's name."""
    subject = article.short[0].upper() + article.short[1:]
    forms = [article.title, article.title, subject, f"{article.title} – {article.host.title}"]
    return pick([*forms, f"{subject} ({article.host.title})"], citer, article.url)
