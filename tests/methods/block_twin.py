"""The evidence of `block` by a slow, readable twin that reads page after page, and a random web with all that it heeds.

It shares with the method what a link counts for in a whole collection (`Folded.of`), and nothing of the rule.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import exp

import numpy as np

from pagekin.index.block_pairs.tables import Folded
from pagekin.parse.words import Analyser
from tests.index.block_pairs.test_index import ANCHORS, collection

UNIT = 10**17  # scores are summed as decimals with so many digits


def folded(anchor):
    return " ".join(anchor.split()).casefold()


@dataclass(frozen=True)
class Twin:
    """What `Block.why` should say, as dicts, all of it."""

    store: object
    rule: object

    @cached_property
    def own(self):
        return Folded.of(self.store, self.rule.dynamic, self.rule.mirrors, self.rule.weight)

    @cached_property
    def rows(self):
        """Page → block → [(position, page that the link counts for, anchor)]; mirrors have no links of their own."""
        found = defaultdict(lambda: defaultdict(list))
        for link in self.store.graph.links.to_pylist():
            if not self.own.copy[link["source"]]:
                to = int(self.own.stands[link["target"]])
                found[link["source"]][link["block"]].append((link["position"], to, link["anchor"]))
        return found

    @cached_property
    def ends(self):
        """(source, target) of every link."""
        return list(zip(*(self.store.graph.links[name].to_pylist() for name in ("source", "target")), strict=True))

    @cached_property
    def template(self):
        """(site, page, anchor) that is on more than r pages and over half of those of the site with links."""
        linking, having = defaultdict(set), defaultdict(set)
        for citer, blocks in self.rows.items():
            site = self.store.value("site", citer)
            for _, to, anchor in (link for block, held in blocks.items() if block >= 0 for link in held):
                linking[site].add(citer)
                having[site, to, folded(anchor)].add(citer)
        return {
            key for key, pages in having.items()
            if key[2] and self.rule.max_repeats < len(pages) > len(linking[key[0]]) / 2
        }  # fmt: skip

    def why(self, page, other, most=2_000):
        """From all pages that cite the first; from the first of those that cite both, where more than `most` do."""
        one, two = (int(self.own.stands[each]) for each in (page, other))
        citers = sorted(self.citers(one)) if one != two else []
        if len(citers) > most:
            citers = sorted(self.citers(one) & self.citers(two))[:most]
        found = [pair for citer in citers if (pair := self.pair(citer, one, two))]
        given = self.given(found)
        whole = sum(given.values()) or 1
        found.sort(key=lambda pair: (-given[pair["site"]], pair["site"], -pair["score"], pair["number"]))
        return [
            {name: value for name, value in pair.items() if name != "number"}
            | {"share": given[pair["site"]] / whole, "of": len(found)}
            for pair in found
        ]

    def citers(self, page):
        """Who links to a page, by whatever name, or to another that counts for it."""
        page_of = self.store.graph.page_of
        meant = {page, *page_of[self.own.stands == page].tolist()}
        return {
            source for source, target in self.ends
            if page_of[target] in meant and page_of[target] != source and not self.own.copy[source]
        }  # fmt: skip

    def pair(self, citer, one, two):
        site = self.store.value("site", citer)
        if self.rule.scope == "web" and len({site, *(self.store.value("site", each) for each in (one, two))}) < 3:
            return None
        for block, held in self.blocks(citer):
            if one in held and two in held:
                (i, a), (j, b) = held[one], held[two]
                if self.rule.scope == "site" and self.repeated(site, one, a) != self.repeated(site, two, b):
                    continue
                return {
                    "number": citer, "page": self.store.url(citer), "title": self.store.title(citer), "block": block,
                    "anchors": [a, b], "gap": abs(i - j), "score": self.score(citer, abs(i - j), a, b), "site": site,
                }  # fmt: skip
        return None

    def repeated(self, site, page, anchor):
        return (site, page, folded(anchor)) in self.template

    def blocks(self, citer):
        rows = self.rows[citer]
        fetched = self.store.graph.pages["fetched"][citer].is_valid
        bare = not fetched and not any(anchor for held in rows.values() for *_, anchor in held)
        for block in sorted(rows):
            if block >= 0 and 2 <= len(rows[block]) <= self.rule.max_links:
                first = {}
                for position, to, anchor in sorted(rows[block]):
                    first.setdefault(to, (position, anchor))
                yield block, {
                    to: link for to, link in first.items()
                    if to not in (-1, self.own.stands[citer]) and (bare or link[1].strip())
                }  # fmt: skip

    def score(self, citer, gap, a, b):
        near = 1.0 if gap <= self.rule.near else exp((self.rule.near - gap) / 2)
        stems = Analyser(**self.store.manifest.segmenters).reading(self.store.value("language", citer))
        one, two = set(stems(a)), set(stems(b))
        alike = len(one & two) / len(one | two) if one | two else 0
        return near * (1 + alike) * float(self.own.weight[citer])

    def given(self, found):
        """What each site gives: of an anchor the r best, and in `scope=web` N at most."""
        scores = defaultdict(lambda: defaultdict(list))
        for pair in found:
            scores[pair["site"]][folded(pair["anchors"][1])].append(round(pair["score"] * UNIT))
        given = {
            site: sum(sum(sorted(best, reverse=True)[: self.rule.max_repeats]) for best in anchors.values()) / UNIT
            for site, anchors in scores.items()
        }
        return {
            s: min(self.rule.max_site, all_of) if self.rule.scope == "web" else all_of for s, all_of in given.items()
        }


def random_web(path, seed, pages=60, sites=5):
    """Pages that cite few others over and over, in blocks small and large, in templates, by aliases and query strings;
    some are mirrors, some came as a table with few anchors or none, some have a query string themselves."""
    rng = np.random.default_rng(seed)
    site = [f"http://w{i % 2}.s{i % sites}.example" for i in range(pages)]
    citing = [f"{host}/{i}" + "?list" * (i % 11 == 0) for i, host in enumerate(site)]
    roots = [f"http://w0.s{i}.example/" for i in range(2)]
    plain = [f"http://t{i % 4}.example/{i}" for i in range(6)] + citing[1:6]
    odd = ["http://w0.s0.example/?q=1", "http://nobody.example/?q=1", "http://t0.example/paper.pdf",
           "http://moved.example/", "http://w1.s1.example/gone?to"]  # fmt: skip
    aliases = {"http://moved.example/": plain[0], "http://w1.s1.example/gone?to": plain[1]}
    targets = plain + roots + odd + ["http://m1.example/", "http://m2.example/"]
    mirrors = ["http://m1.example/", "http://m2.example/", citing[7], citing[8], citing[9]]
    bars = {f"s{i}": [(str(rng.choice(targets)), str(rng.choice(ANCHORS[:6]))) for _ in range(3)] for i in range(sites)}
    links = []
    for source in citing:
        position, bare = 0, source.endswith("3")
        for block in rng.permutation(4).tolist():
            size = int(rng.choice([1, 2, 3, 5, 9]))
            held = [(str(rng.choice(targets)), str(rng.choice(ANCHORS))) for _ in range(size)]
            if rng.random() < 0.3:
                held = [*bars[source.split(".")[1]], *held[:1]]
            for target, anchor in held:
                links.append((source, block - (rng.random() < 0.02), position, target, "" if bare else anchor))
                position += int(rng.integers(1, 3))
    texts = {url: " ".join(f"{'bee' if at < 2 else 'wasp'}{i}" for i in range(200)) for at, url in enumerate(mirrors)}
    fetched = {url for url in citing if not url.endswith(("3", "5"))} | set(mirrors)
    return collection(path, links, fetched, texts, aliases)
