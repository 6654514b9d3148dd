"""Random sites with menus, lists and texts, and a slow, plain twin of what tells their templates from their content."""

from collections import defaultdict
from itertools import pairwise
from random import Random

from pagekin.model import ALONE, Capture, Page
from pagekin.parse.html import parse
from pagekin.url import host, page_id, site

NAMED = {"navigation", "header", "footer", "sidebar", "tags"}
WORDS = ["bees", "hives", "write-ahead", "honey", "BusyHandler", "queens", "wax", "of", "the", "smoke", "sqlite3_open"]


def capture(url: str, body: str, fetched: int = 1_000) -> Capture:
    return Capture(url, body.encode(), "text/html; charset=utf-8", fetched=fetched)


EDGES = "begin", "end"


def random_sites(seed: int, sites: int = 3) -> list[Capture]:
    """Pages of several sites: one or two templates, running text, lists, tag pages, copies, and a page without text."""
    random = Random(seed)
    made = []
    for number in range(sites):
        base = f"http://{'www.' if number % 2 else ''}s{number}.example/"
        pages = [f"{base}p{page}" for page in range(random.randint(1, 16))]
        menus = [_links(random, random.choices(pages, k=random.randint(1, 5))) for _ in range(random.randint(1, 2))]
        lists = [_list(random, random.choices(pages, k=random.randint(2, 4))) for _ in range(3)]
        notices = [_sentence(random) for _ in range(3)]
        for url in pages:
            body = _body(random, pages, menus, lists, notices, base)
            made.append(capture(url, body))
            if random.random() < 0.2:
                made.append(capture(f"{base}copy-of-{len(made)}", body))
        made.append(capture(f"{base}empty", ""))
        made.append(capture(f"{base}tag", f"<html lang=en><h1>Tag</h1>{_list(random, random.choices(pages, k=4))}"))
    random.shuffle(made)
    return made


def _body(random: Random, pages: list[str], menus: list[str], lists: list[str], notices: list[str], base: str) -> str:
    boxes = [f"<div class=content>{random.choice(menus)}</div>", f"<h1>{_sentence(random)}</h1>"]
    for _ in range(random.randint(0, 4)):
        boxes.append(random.choice([
            f"<p>{_sentence(random)} {_links(random, random.choices(pages, k=1))} {_sentence(random)}</p>",
            random.choice(lists), f"<h2>{random.choice(notices)}</h2>", f"<p>{random.choice(notices)}</p>",
            f"<ul>{_links(random, random.choices(pages, k=2))}</ul>", f"<nav>{random.choice(menus)}</nav>",
            f"<p><a rel=tag href={base}tag>Bees</a>", f"<p><a href={random.choice(pages)}>Next</a>",
        ]))  # fmt: skip
    ending = f"<p>{random.choice(notices)}</p>" if random.random() < 0.7 else ""
    return f"<html lang=en><title>{_sentence(random)}</title>{''.join(boxes)}{ending}"


def _sentence(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(1, 6)))


def _links(random: Random, targets: list[str]) -> str:
    return " ".join(f"<a href={target}>{random.choice(WORDS)}</a>" for target in targets)


def _list(random: Random, targets: list[str]) -> str:
    return f"<ul>{''.join(f'<li><a href={target}>{random.choice(WORDS)}</a>' for target in targets)}</ul>"


class Twin:
    """The pages of a collection as they were parsed; everything is looked up in sets, page by page and pair by pair."""

    def __init__(self, captures: list[Capture]) -> None:
        self.pages: dict[str, Page] = {each.url: parse(each) for each in captures}
        self.site = {url: site(host(url)) for url in self.pages}
        first: dict[tuple[str, bytes], str] = {}  # of the pages of a site with equal bytes
        for each in sorted(captures, key=lambda each: page_id(each.url)):
            first.setdefault((self.site[each.url], each.body), each.url)
        self.counting = set(first.values())

    def is_enough(self, url: str, found: set[str]) -> bool:
        """Whether a pair that is on some pages of a page's site is on as many as a template's must be."""
        own = sum(self.site[other] == self.site[url] for other in self.counting)
        half = own // 2 + own % 2
        return len(found & self.counting) >= (3 if half < 3 else 10 if half > 10 else half)

    def repeated(self) -> dict[str, list[bool]]:
        """Page → for each line of its text, whether it stands on enough pages with the line before or behind it."""
        pairs = {url: self._pairs_of_lines(page) for url, page in self.pages.items()}
        often = self._often(pairs)
        return {url: [a in often[url] or b in often[url] for a, b in pairwise(of)]
                for url, of in pairs.items()}  # fmt: skip

    def without_words(self) -> dict[str, list[bool]]:
        """Page → for each line, whether its words do not count; a page that is all repeated keeps its own."""
        return {url: again if not all(again) else [False] * len(again) for url, again in self.repeated().items()}

    def _pairs_of_lines(self, page: Page) -> list[tuple[object, object]]:
        lines = [None, *page.text.split("\n"), None] if page.text else [None]
        return list(pairwise(lines)) or [(None, None)]

    def roles(self) -> dict[str, list[str]]:
        """Page → the role of each of its links, in order."""
        lines, on = self.repeated(), self._on({url: list(self._places_of_pairs(url)) for url in self.pages})
        lists = {link.target for url, page in self.pages.items() for link in page.links
                 if link.region == "tags" and site(host(link.target)) == self.site[url]}  # fmt: skip
        made = {}
        for url, page in self.pages.items():
            made[url] = ["content"] * len(page.links)
            for at, link in enumerate(page.links):
                around = [pair for pair, places in self._places_of_pairs(url).items() if at in places]
                often = any(self.is_enough(url, on[self.site[url], pair]) for pair in around)
                thrice = any(
                    len(on[self.site[url], pair] & self.counting) >= 3 for pair in around if pair[1] not in EDGES
                )
                home = any(other.target == url for other in page.links if other.block == link.block)
                if link.region in NAMED or (url in lists and link.region in ("list", "links")):
                    made[url][at] = "navigation"
                elif (link.stretch != ALONE and lines[url][link.stretch]) or often or (thrice and home):
                    made[url][at] = "template"
        return made

    def _places_of_pairs(self, url: str) -> dict[tuple[object, object], set[int]]:
        """Two links in a row in one box that is not text, by their targets → where they stand."""
        found: dict[tuple[object, object], set[int]] = defaultdict(set)
        links = self.pages[url].links
        for at in range(len(links) - 1):
            a, b = links[at], links[at + 1]
            together = a.block == b.block != ALONE and a.stretch == b.stretch
            if together and "text" not in (a.region, b.region) and a.target != b.target:
                found[a.target, b.target] |= {at, at + 1}
        for at, edge in zip((0, len(links) - 1), EDGES, strict=True) if links else ():
            if links[at].stretch == ALONE:
                found[links[at].target, edge] |= {at}
        return found

    def _on(self, pairs: dict[str, list[tuple[object, object]]]) -> dict[tuple[str, tuple[object, object]], set[str]]:
        """Site and pair → the pages it stands on."""
        on: dict[tuple[str, tuple[object, object]], set[str]] = defaultdict(set)
        for url, of in pairs.items():
            for pair in of:
                on[self.site[url], pair].add(url)
        return on

    def _often(self, pairs: dict[str, list[tuple[object, object]]]) -> dict[str, set[tuple[object, object]]]:
        """Page → which of its pairs stand on enough pages of its site."""
        on = self._on(pairs)
        return {
            url: {pair for pair in of if self.is_enough(url, on[self.site[url], pair])} for url, of in pairs.items()
        }
