"""The shapes of the answers, for the OpenAPI document. The answers themselves are made by `answers`, not from these."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel


class Shape(BaseModel):
    """A JSON object with these keys and no others."""

    model_config = ConfigDict(extra="forbid")


class Problem(Shape):
    """What is wrong, and what to do."""

    error: str
    hint: str


class PageName(Shape):
    url: str
    title: str


class RelatedPage(Shape):
    rank: int
    url: str
    title: str
    host: str
    score: float
    linked: bool
    bridge: dict[str, Any] | None
    mirrors: list[str]
    translations: list[str]
    why: list[dict[str, Any]] = Field(default=[], description="Only if it was asked for.")
    class_: str = Field(default="", alias="class", description="Only if classes were asked for.")


class PageClass(Shape):
    label: list[str]
    ranks: list[int]


class Related(Shape):
    query: list[PageName]
    unknown: list[str]
    method: str
    mirrors: list[str]
    translations: list[str]
    classes: list[PageClass] = Field(default=[], description="Only if it was asked for.")
    note: str | None
    results: list[RelatedPage]


class Hit(Shape):
    rank: int
    url: str
    title: str
    score: float
    snippet: str
    words: list[str]
    mirrors: list[str]
    translations: list[str]
    leads_to: dict[str, Any] | None


class Search(Shape):
    query: list[str]
    terms: list[str]
    by: str
    alpha: float
    clusters: str | None
    note: str | None
    results: list[Hit]


class Word(Shape):
    word: str
    score: float


class Words(Shape):
    query: list[PageName]
    unknown: list[str]
    note: str | None
    results: list[Word]


class WordsWithWords(Shape):
    query: list[str]
    unknown: list[str]
    note: str | None
    results: list[Word]


class Completion(Shape):
    word: str
    score: float
    kind: str
    url: str | None


class Completions(Shape):
    query: list[str]
    unknown: list[str]
    note: str | None
    results: list[Completion]


class Suggested(RootModel[WordsWithWords | Completions]):
    """With word the first, with prefix the second."""


class Clusters(Shape):
    query: list[PageName]
    method: str
    note: str | None
    pages: list[str]
    merges: list[tuple[int, int, float, int]]
    order: list[int]


class Member(Shape):
    seed: str
    url: str
    distance: int
    via: str | None


class LinkClusters(Shape):
    query: list[PageName]
    clusters: str
    note: str | None
    results: list[Member]


class AnyClusters(RootModel[Clusters | LinkClusters]):
    """For the kind assisted the first, for the others the second."""


class ComparedMethod(Shape):
    method: str
    results: list[RelatedPage]
    hosts: int
    diversity: float | None
    novelty: float | None
    alone: int
    note: str | None


class Overlap(Shape):
    methods: list[str]
    common: int
    share: float | None


class Comparison(Shape):
    query: list[PageName]
    unknown: list[str]
    k: int
    overlap: list[Overlap]
    note: str | None
    results: list[ComparedMethod]


class BlockLink(Shape):
    url: str
    anchor: str
    position: int
    role: str


class Block(Shape):
    block: int
    label: str
    links: list[BlockLink]


class Blocks(Shape):
    query: list[PageName]
    note: str | None
    results: list[Block]


class Place(Shape):
    url: str
    title: str
    host: str
    score: float | None
    linked: bool
    x: float
    y: float


class Edge(Shape):
    source: int
    target: int
    weight: float
    common: int
    pages: list[str]


class Map(Shape):
    query: list[PageName]
    method: str
    edges: list[Edge]
    note: str | None
    results: list[Place]


class Page(Shape):
    query: list[PageName]
    note: str | None
    url: str
    title: str
    host: str
    site: str
    language: str
    summary: str
    fetched: str | None
    label: str
    out_links: int
    in_links: int
    links_to: list[PageName]
    linked_from: list[PageName]
    mirrors: list[str]
    translations: list[str]
    roles: dict[str, int]


class Info(Shape):
    collection: str
    barred: int
    version: int
    pages: int
    fetched: int
    links: int
    linked_pairs: int
    hosts: int
    sites: int
    aliases: int
    mean_out_links: float
    mean_in_links: float
    without_out_links: int
    without_in_links: int
    with_text: int
    languages: dict[str, int]
    labels: dict[str, int]
    frequent_hosts: dict[str, int]
    parts: int
    bytes: dict[str, int]
    index_bytes: dict[str, int]
    built: list[str]
    stale: list[str]
    private_suffixes: bool
    roles: dict[str, int]
    unread: int
    note: str | None
    folded: str
    vectors: dict[str, int]
    tuned: dict[str, float]
