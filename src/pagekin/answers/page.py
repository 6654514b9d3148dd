"""What is known of one page: its title, when it was fetched, who links to it and where it links."""

from dataclasses import dataclass, field

import numpy as np

from pagekin.answer import PageName, Report
from pagekin.collection.lookup import known
from pagekin.collection.roles import ROLES
from pagekin.collection.store import Store
from pagekin.index.mirrors.kin import relatives
from pagekin.kernels import Ints


@dataclass(frozen=True, repr=False)
class PageFacts(Report):
    """One page of a collection. `links_to` and `linked_from` are the first k; the counts are of all."""

    query: tuple[PageName, ...]
    note: str | None
    url: str
    title: str
    host: str
    site: str
    language: str
    summary: str
    fetched: str | None  # as 2024-05-01T12:00:00Z; None: never
    label: str
    out_links: int  # pages that it links to
    in_links: int  # pages that link to it
    links_to: tuple[PageName, ...] = ()
    linked_from: tuple[PageName, ...] = ()
    mirrors: tuple[str, ...] = ()
    translations: tuple[str, ...] = ()
    roles: dict[str, int] = field(default_factory=dict)  # links on it by role: content, navigation, template

    @property
    def lines(self) -> list[str]:
        return [f"{name.replace('_', ' ')}: {value}" for name, value in self.as_dict().items() if value]


def page_facts(store: Store, asked: str, k: int) -> PageFacts:
    """What is known of a page, with at most k links each way."""
    found = known(store, asked)
    page, folded = found.page, relatives(store)

    def value(column: str) -> str:
        return store.value(column, page)

    def names(pages: Ints) -> tuple[PageName, ...]:
        return tuple(PageName(store.url(each), store.title(each)) for each in pages[:k].tolist())

    targets, citers = store.arrays.targets(page), store.arrays.citers(page)
    links = store.links_of(page)
    order = store.graph.page_of[links["target"].to_numpy()]  # in the order of the page itself
    first = np.unique(order, return_index=True)[1]
    in_order = order[np.sort(first)]
    roles = np.bincount(links["role"].to_numpy(), minlength=len(ROLES)).tolist()
    fetched = store.graph.pages["fetched"][page].as_py()
    return PageFacts(
        query=(PageName(store.url(page), store.title(page)),),
        note=found.note,
        url=store.url(page),
        title=store.title(page),
        host=value("host"),
        site=value("site"),
        language=value("language"),
        summary=value("summary"),
        fetched=None if fetched is None else fetched.strftime("%Y-%m-%dT%H:%M:%SZ"),
        label=value("label"),
        out_links=int(targets.size),
        in_links=int(citers.size),
        links_to=names(in_order[in_order != page]),
        linked_from=names(citers),
        mirrors=tuple(sorted(map(store.url, folded.mirrors(page)))) if folded else (),
        translations=tuple(sorted(map(store.url, folded.translations(page)))) if folded else (),
        roles=dict(zip(ROLES, roles, strict=True)),
    )
