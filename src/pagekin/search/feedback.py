"""More words for a question, from the pages that it finds first (Rocchio's feedback, without asking anybody).

    q'(t) = (1 − m) · q(t) / ‖q‖  +  m · (1/n) Σ_v x_v(t) / ‖x_v‖        over the first n pages v

q(t) is how often the question says word t times its rarity, x_v(t) what the word weighs on page v times its rarity. The
words of the question stay, and those of the pages with the largest sums join them.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pagekin.collection.store import Store
from pagekin.index.inverted import Postings
from pagekin.search.question import Word
from pagekin.search.ranking import idf

FIRST = 3  # pages: of more, some are not what was asked for
WORDS = 80  # that join the question
MIX = 0.4  # of the pages' words, beside the question's own


def expanded(
    store: Store,
    postings: Postings,
    words: Sequence[Word],
    pages: Sequence[int],
    first: int = FIRST,
    most: int = WORDS,
    mix: float = MIX,
) -> tuple[Word, ...]:
    """The words of a question, as often as before, and those that the first pages add; `pages` are the best first."""
    shown = int(np.count_nonzero(postings.shown))
    found: dict[int, float] = {}
    for page in pages[:first]:
        weights = {term: idf(shown, df) * weight for term, df, weight in _terms(store, postings, page)}
        length = np.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        for term, weight in weights.items():
            found[term] = found.get(term, 0.0) + weight / length / len(pages[:first])
    asked = [word.times * idf(shown, _pages(postings, word.terms[0])) for word in words]
    share = mix / (1 - mix) * float(np.linalg.norm(asked))  # the question's own words keep their numbers
    own = {term: word for word in words for term in word.terms}
    more, added = dict[Word, float](), list[Word]()
    for term in sorted(found, key=lambda term: (-found[term], term))[:most]:
        times = share * found[term] / idf(shown, _pages(postings, term))
        if term in own:
            more[own[term]] = more.get(own[term], 0.0) + times
        else:
            added.append(Word(str(postings.surfaces[term]), (term,), times))
    return (*(Word(word.text, word.terms, word.times + more.get(word, 0.0)) for word in words), *added)


def _pages(postings: Postings, term: int) -> int:
    return int(postings.start[term + 1] - postings.start[term])


def _terms(store: Store, postings: Postings, page: int) -> Iterator[tuple[int, int, float]]:
    """The terms of a page's title and text: their numbers, how many pages have them, and what they weigh on it."""
    for rows in store.rows_of(page, "terms"):
        for term in rows["term"].unique().to_pylist():
            number = postings.find(term)
            if number is not None:
                held = postings.rows(number)
                at = held.start + int(np.searchsorted(postings.page[held], page))
                if at < held.stop and postings.page[at] == page:
                    yield number, held.stop - held.start, float(postings.weight[at])
