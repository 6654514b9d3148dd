"""Paper 4's equations, slowly and as they are printed: what the kernels are held against."""

import math
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

from pagekin import Collection
from tests.small_webs import of_words, random_pairs, random_words


class Twin:
    """Keywords (page → set of words) and links (page → set of pages)."""

    def __init__(self, words, links):
        self.words, self.links = words, links
        self.told = [page for page in words if words[page]]
        for name in ("S", "M", "C", "sim_s"):  # of the same two over and over
            setattr(self, name, cache(getattr(self, name)))
        self.all = sorted({word for page in self.told for word in words[page]})
        self.span = {
            name: self._span(getattr(self, name), pairs)
            for name, pairs in (("S", combinations), ("M", combinations), ("C", permutations))
        }

    def _span(self, measure, pairs):
        values = [measure(*pair) for pair in pairs(self.all, 2)]
        return min(values, default=0), max(values, default=0)

    def normal(self, name, a, b):
        low, high = self.span[name]
        return (getattr(self, name)(a, b) - low) / (high - low) if high > low else 0

    def having(self, *words):
        return [page for page in self.told if self.words[page] >= set(words)]

    def S(self, a, b):  # noqa: N802
        return len(self.having(a, b)) / len(self.told)

    def M(self, a, b):  # noqa: N802
        total = 0
        for x in (True, False):
            for y in (True, False):
                both = sum((a in self.words[p]) == x and (b in self.words[p]) == y for p in self.told) / len(self.told)
                one = sum((a in self.words[p]) == x for p in self.told) / len(self.told)
                other = sum((b in self.words[p]) == y for p in self.told) / len(self.told)
                total += both * math.log(both / (one * other)) if both else 0
        return total

    def C(self, a, b):  # noqa: N802
        having = self.having(a)
        linking = [p for p in having if any(b in self.words[q] for q in self.links.get(p, ()))]
        return len(linking) / len(having)

    def r_s(self, a, b, s=0.5):
        return 1 if a == b else s * self.normal("S", a, b) + (1 - s) * self.normal("M", a, b)

    def r_l(self, a, b, s=0.5, part="S"):
        return 1 if a == b else s * self.normal(part, a, b) + (1 - s) * self.normal("C", a, b)

    def sim_s(self, p, q, s=0.5):
        return 1 if p == q else best_match(self.words[p], self.words[q], lambda a, b: self.r_s(a, b, s))

    def pruned(self, theta, s=0.5, part="S"):
        """Eq. 16, for links from p to q."""

        def strength(p, q):
            pairs = [(a, b) for a in self.words[p] for b in self.words[q]]
            return max((self.r_l(a, b, s, part) for a, b in pairs), default=0)

        return {p: {q for q in to if strength(p, q) >= theta} for p, to in self.links.items()}

    def sim_l(self, p, q, links, s=0.5):
        cited = {page: {other for other in links if page in links[other]} for page in self.words}
        sides = [{page: links.get(page, set()) for page in self.words}, cited]
        return sum(best_match(side[p], side[q], lambda a, b: self.sim_s(a, b, s)) for side in sides) / 2


def best_match(one, other, alike):
    """Eq. 14–15 and 17–18."""
    if not one or not other:
        return 0
    forth = sum(max(alike(a, b) for b in other) for a in one)
    back = sum(max(alike(a, b) for a in one) for b in other)
    return (forth + back) / (len(one) + len(other))


def keyword_web(path: Path, seed: int) -> tuple[Collection, Twin]:
    """A random web of 25 pages with keywords, built, and its twin."""
    words = random_words(seed, 25, 15, 6)
    pairs = {(f"p{s}", f"p{t}") for s, t in random_pairs(seed, 25, 60) if s != t}
    of_words(path, words, sorted(pairs))
    Collection(path).build(index=["keywords"])
    links = {page: {target for source, target in pairs if source == page} for page in words}
    return Collection(path), Twin({page: set(text.split()) for page, text in words.items()}, links)
