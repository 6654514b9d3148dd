"""The shapes of the answers, for the OpenAPI document. The answers themselves are made by `answers`, not from these."""

from typing import Any

from pydantic import BaseModel, ConfigDict


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
    why: list[dict[str, Any]] = []


class RelatedPageOfClass(RelatedPage):
    model_config = ConfigDict(extra="allow")  # `class` is a reserved word


class PageClass(Shape):
    label: list[str]
    ranks: list[int]


class Related(Shape):
    query: list[PageName]
    unknown: list[str]
    method: str
    mirrors: list[str]
    translations: list[str]
    classes: list[PageClass] = []
    note: str | None
    results: list[RelatedPageOfClass]


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
    built: list[str]
    stale: list[str]
    private_suffixes: bool
    roles: dict[str, int]
    unread: int
    note: str | None
    folded: str
    vectors: dict[str, int]
    tuned: dict[str, float]
