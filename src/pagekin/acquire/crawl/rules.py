"""Decides which addresses a crawl may visit, by the start addresses' sites, your patterns and pagekin's own lists.

`exclude.txt` lists domains whose owners asked to be left out, `irrelevant.txt` domains without real pages
(advertising, counters). A domain in a list covers everything below it.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from pagekin.acquire.crawl.addresses import is_private, literal
from pagekin.errors import UsageError
from pagekin.url import FILE_ENDINGS, host, site

OTHER_SITE = "on another site"
NOT_INCLUDED = "not among the addresses to include"
EXCLUDED = "among the addresses to exclude"
ASKED = "its owner asked to be left out"
IRRELEVANT = "advertising or tracking"
NOT_WEB = "not http or https"
PRIVATE = "a private or local address"
NOT_HTML = "not HTML by its ending"
TOO_LONG = "an address of more than 2,000 characters"
MOST_CHARACTERS = 2_000

# What ends like this may be a page about a program, `Node.js`; `File:Bee.png` is a wiki's page about a picture. Only
# the type that the server sends tells.
_MAYBE_PAGES = {"js", "json", "csv", "class", "tex", "bin"}
_FILES = "|".join(ending for ending in FILE_ENDINGS.split("|") if ending not in _MAYBE_PAGES)
_FILE = re.compile(rf"https?://[^/?]+/(?:[^?]*/)?[^/?:]*\.(?i:{_FILES})(?:\?|$)")


class Rules:
    """The checks that every address must pass before it is visited."""

    def __init__(
        self,
        sites: Iterable[str],
        across: bool = False,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        private: Iterable[str] = (),
        any_type: bool = False,
    ) -> None:
        self.sites, self.any_type = set(sites), any_type
        self.across, self.private = across, tuple(private)
        self.include, self.exclude = (list(map(pattern, written)) for written in (include, exclude))
        self._hosts: dict[str, str | None] = {}

    def against(self, url: str) -> str | None:
        """Why an address is not visited, or None if it may be."""
        if not url.startswith(("http://", "https://")):
            return NOT_WEB
        if len(url) > MOST_CHARACTERS:
            return TOO_LONG
        name = host(url)
        if name not in self._hosts:
            self._hosts[name] = self._against_host(name)
        if why := self._hosts[name]:
            return why
        if not self.across and site(name) not in self.sites:
            return OTHER_SITE
        if self.include and not any(wanted.search(url) for wanted in self.include):
            return NOT_INCLUDED
        if any(unwanted.search(url) for unwanted in self.exclude):
            return EXCLUDED
        return None if self.any_type or not is_file(url) else NOT_HTML

    def welcome(self, url: str) -> None:
        """Let the crawl visit this site too, because a start address has moved here."""
        self.sites.add(site(host(url)))

    def _against_host(self, name: str) -> str | None:
        if listed("exclude.txt", name):
            return ASKED
        if listed("irrelevant.txt", name):
            return IRRELEVANT
        address = literal(name)
        if (address and is_private(address, self.private)) or (not self.private and _is_local(name)):
            return PRIVATE
        return None


def is_file(url: str) -> bool:
    """Whether an address is no page by its ending: a picture, a document, an archive.

    >>> is_file("http://a.example/bees.PDF"), is_file("http://a.example/show?file=bees.pdf")
    (True, False)
    """
    return _FILE.match(url) is not None


def pattern(written: str) -> re.Pattern[str]:
    """Compile a regular expression that a user wrote."""
    try:
        return re.compile(written)
    except re.error as error:
        raise UsageError(f"'{written}' is not a regular expression: {error}") from None


def listed(file: str, name: str) -> bool:
    """Whether a host is in one of the lists, or below a domain that is.

    >>> listed("irrelevant.txt", "ad.doubleclick.net:80"), listed("irrelevant.txt", "example.org")
    (True, False)
    """
    labels = name.partition(":")[0].split(".")
    domains = _domains(file)
    return any(".".join(labels[start:]) in domains for start in range(len(labels)))


@cache
def _domains(file: str) -> frozenset[str]:
    lines = files("pagekin.acquire.crawl").joinpath(file).read_text("utf-8").splitlines()
    return frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))


def _is_local(name: str) -> bool:
    """Whether a name always means this machine or this network (RFC 6761, RFC 6762)."""
    bare = name.partition(":")[0]
    return bare == "localhost" or bare.endswith((".localhost", ".local", ".internal"))
