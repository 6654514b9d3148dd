"""Reads what the demo web is made of from the TOML files next to this one: hosts, topics, hubs, special pages."""

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

TOPICS = ("bees", "trains", "bread", "tides", "press", "stars", "kites", "walls")
CORE = 8  # the first articles of a topic's file: hubs on at least three other sites cite each of them


@dataclass(frozen=True)
class Host:
    """One host: its name, its look, its language, and what its home page says."""

    key: str
    name: str
    title: str
    style: str
    path: str
    copyright: str
    intro: str
    authors: tuple[str, ...]
    friends: tuple[str, ...]
    sections: dict[str, str] = field(default_factory=dict)
    lang: str = "en"
    licensed: bool = False

    @property
    def root(self) -> str:
        return f"http://{self.name}/"

    @property
    def site(self) -> str:
        return ".".join(self.name.split(".")[-2:])  # every host here is NAME.example or SUB.NAME.example


@dataclass(frozen=True)
class Article:
    """A page of prose; `topics` has one name, or two for a bridge."""

    topics: tuple[str, ...]
    host: Host
    slug: str
    title: str
    short: str
    text: str
    core: bool = False
    of: str = ""
    latin1: bool = False

    @property
    def url(self) -> str:
        return f"http://{self.host.name}{quote(self.host.path.format(slug=self.slug), safe='/~')}"


@dataclass(frozen=True)
class Short:
    """A short page one click from its contents page; `rare` is a word found on no other page."""

    slug: str
    title: str
    text: str
    rare: str = ""


@dataclass(frozen=True)
class Contents:
    """A table of contents: a line of text and a link to each of its short pages, whose addresses are below its own."""

    topic: str
    host: Host
    slug: str
    title: str
    intro: str
    short: tuple[Short, ...]

    @property
    def url(self) -> str:
        return f"{self.host.root}{self.slug}"

    def page(self, short: Short) -> str:
        return f"{self.url}{short.slug}.html"


@dataclass(frozen=True)
class Topic:
    """A topic: its articles, and the sentence patterns and words from which their second paragraphs are made."""

    name: str
    leads: list[str]
    patterns: list[str]
    slots: dict[str, list[str]]
    articles: tuple[Article, ...]
    contents: Contents | None


@dataclass(frozen=True)
class Hub:
    """A page of link lists; the fields are explained at the head of `hubs.toml`."""

    host: Host
    path: str
    title: str
    intro: str
    blocks: dict[str, str]
    nav: str = ""
    own: str = ""
    base: str = ""
    beside: bool = False
    homes: bool = False
    broken: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.host.name}{self.path}"


@lru_cache(1)
def hosts() -> dict[str, Host]:
    return {key: Host(key, **_tuples(row, "authors", "friends")) for key, row in _toml("hosts").items()}


@lru_cache(1)
def topics() -> dict[str, Topic]:
    return {name: _topic(_toml(name)) for name in TOPICS}


@lru_cache(1)
def hubs() -> tuple[Hub, ...]:
    return tuple(Hub(**_at(row)) for row in _toml("hubs")["hub"])


@lru_cache(1)
def bridges() -> tuple[Article, ...]:
    return tuple(Article(**_tuples(_at(row), "topics")) for row in special()["bridge"])


@lru_cache(1)
def mirrors() -> dict[str, str]:
    """Address of an article → address of its copy."""
    slugs = {article.slug: article.url for topic in topics().values() for article in topic.articles}
    return {slugs[row["of"]]: row["url"] for row in special()["mirror"]}


@lru_cache(1)
def special() -> dict[str, Any]:
    return _toml("special")


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


def _topic(raw: dict[str, Any]) -> Topic:
    name = raw["name"]
    articles = tuple(
        Article(topics=(name,), core=number < CORE, **_at(row)) for number, row in enumerate(raw["article"])
    )
    contents = _at(raw["contents"]) if "contents" in raw else None
    if contents:
        contents["short"] = tuple(Short(**row) for row in contents["short"])
    table = Contents(topic=name, **contents) if contents else None
    return Topic(name, raw["leads"], raw["patterns"], raw["slots"], articles, table)


def _at(row: dict[str, Any]) -> dict[str, Any]:
    """The row with its host in place of the host's key."""
    return {**{key: value for key, value in row.items() if key != "at"}, "host": hosts()[row["at"]]}


def _tuples(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {**row, **{key: tuple(row[key]) for key in keys}}
