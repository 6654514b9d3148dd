"""Figures 2 and 3 of paper 2: average precision at α = 0, 0.1 … 1 with eleven clusterings, compared with BM25.

Figure 2 is judged page by page. Figure 3 is judged at one click: a page that leads to a relevant page counts, too. Few
collections have such judgements. Without them they are derived (a page that links to a relevant page and has at most
`MOST_LINKS` links counts as relevant), and a note says so, because nobody checked whether those pages help.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.collection.store import Store
from pagekin.collection.strings import coded
from pagekin.errors import UsageError
from pagekin.evaluate.judgements import Relevant, one_click, read, read_qrels
from pagekin.evaluate.papers.tables import Options, PaperTables
from pagekin.evaluate.truth import Question
from pagekin.index.base import is_built, opened, staleness
from pagekin.index.inverted import Inverted, Postings, inverted
from pagekin.index.subrelevant import Subrelevant, clusters, prepared
from pagekin.index.text.question import K1, B
from pagekin.kernels import Longs
from pagekin.parse.words import is_common
from pagekin.search.question import analyser_of, languages_of
from pagekin.search.ranking import Ranker, WordScores, idf, pages_counted
from pagekin.wording import option

DEPTH = 1_000  # how much of each list the paper looks at
MOST_LINKS = 20  # on a page whose reader can still guess where each link leads; the paper's best τ
ALPHAS = tuple(round(0.1 * step, 1) for step in range(11))
STYLES = {"BM25": "k--", "TRIVIAL": "k:"}  # the two baselines; there are ten colours for the others
CLUSTERINGS = {
    **{f"OUT{tau}": Subrelevant("fan-out", tau) for tau in (20, 25, 30)},
    **{f"IN{tau}": Subrelevant("fan-in", tau) for tau in (20, 25, 30)},
    **{f"CYCLE{tau}": Subrelevant("cyclic", tau) for tau in (25, 30, 35, 40)},
    "TRIVIAL": Subrelevant("trivial"),
}


def table(store: Store, options: Options) -> PaperTables:
    """A row for BM25 and each clustering, judged first by pages, then at one click; α = 0 is the baseline."""
    if not options.queries or not options.qrels:
        raise UsageError(f"the tables of paper 2 need a file for {option('queries')} and one for {option('qrels')}")
    judged = read(store, options.queries, options.qrels)
    notes = list(judged.notes)
    if options.one_click:
        clicked, said = read_qrels(store, options.one_click)
        truths = {
            "pages": judged.of,
            "one click": {query: clicked[query] for query in judged.words if query in clicked},
        }
        notes += said
    else:
        derived = one_click(store, judged.of, MOST_LINKS)
        truths = {"pages": judged.of, "one click (derived)": derived}
        notes.append(
            "one-click judgements are derived, not made by people: a page also counts as relevant if it has at most "
            f"{MOST_LINKS} links and links to a relevant page"
        )
    notes += [said for said in [staleness(store, Inverted(words="all"))] if said]
    measured = list(_measured(store, judged.words, truths))
    rows = [{"judged by": truth, **row} for truth in truths for found, row in measured if found == truth]
    about = {"queries": len(judged.words), "depth": DEPTH}
    return PaperTables((), "; ".join(notes), tuple(rows), "paper2", about)


def _measured(
    store: Store, queries: Mapping[Question, str], truths: dict[str, Relevant]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(truth, row) for BM25 and each clustering."""
    every = Inverted(words="all")  # the paper knows no templates
    postings = opened(store, every).for_pages(store.graph.ids) if is_built(store, every) else inverted(store)
    asked = {query: _terms(store, postings, words) for query, words in queries.items()}
    graph = prepared(store.arrays.out_start, store.arrays.out, coded(store.graph.pages["host"])[0])
    scored = {query: bm25(postings, terms) for query, terms in asked.items()}
    for truth, relevant in truths.items():
        value = precision(scored, relevant, 0.0)
        yield truth, {"clustering": "BM25", **{f"{alpha:.1f}": value for alpha in ALPHAS}}
    for name, chosen in CLUSTERINGS.items():
        ranker = Ranker(postings, clusters(graph, chosen.kind, chosen.tau))
        scored = {query: ranker.tf_idf(terms) for query, terms in asked.items()}
        for truth, relevant in truths.items():
            yield (
                truth,
                {"clustering": name, **{f"{alpha:.1f}": precision(scored, relevant, alpha) for alpha in ALPHAS}},
            )


def bm25(postings: Postings, terms: Longs) -> WordScores:
    """BM25 of title and body as one field, the paper's baseline; l is a page's length, l̄ the mean length:

    Σ_t ln(1 + (n − df + ½)/(df + ½)) · tf (k1 + 1) / (tf + k1 (1 − b + b l/l̄))
    """
    length, pages = postings.length, postings.pages
    score, mean = np.zeros(length.size), length.sum() / max(pages, 1)
    for term in terms.tolist():
        page, tf = pages_counted(postings, term)
        norm = K1 * (1 - B + B * length[page] / mean)
        score[page] += idf(pages, page.size) * tf * (K1 + 1) / (tf + norm)
    return WordScores(score, score, length > 0)


def _terms(store: Store, postings: Postings, text: str) -> Longs:
    """The distinct terms of a question, each word in all languages of the collection.

    People ask in sentences, and the paper's tf-idf tells rare words from common ones too little to bear that: a word
    that only long lists of stop words have (`interested`, `describe`) counts only if there is no better word.
    """
    analyser, languages = analyser_of(store), languages_of(postings)
    telling: dict[str, None] = {}
    common: dict[str, None] = {}
    for word in dict.fromkeys(text.split()):
        stems = {language: analyser.stems(word, language) for language in languages}
        if 2 * sum(languages[language] for language, found in stems.items() if found) >= sum(languages.values()):
            kind = common if is_common(word, next(iter(languages))) else telling
            kind.update(dict.fromkeys(stem for found in stems.values() for stem in found))
    numbers = (postings.find(term) for term in telling or common)
    return np.array([number for number in numbers if number is not None], np.int64)


def precision(scored: dict[Question, WordScores], relevant: Relevant, alpha: float) -> float:
    """The mean over all judged questions of the average precision of the first 1,000 pages."""
    import ir_measures  # 60 ms, and only an evaluation needs it

    run = {}
    for query in relevant:
        pages, _ = scored[query].best(DEPTH, alpha)
        # trec_eval sorts by score and breaks ties by name, so the score is minus the place: our order stays.
        run[query] = {str(page): float(-place) for place, page in enumerate(pages.tolist())}
    qrels = {query: dict.fromkeys(map(str, pages), 1) for query, pages in relevant.items()}
    found = ir_measures.iter_calc(
        [ir_measures.AP @ DEPTH], qrels, {query: pages for query, pages in run.items() if pages}
    )
    return float(sum(metric.value for metric in found) / max(len(relevant), 1))


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw both figures, one above the other."""
    from pagekin.evaluate.figures import figure, save

    truths = list(dict.fromkeys(row["judged by"] for row in answer.results))
    page = figure(8, 5 * len(truths))
    axes = page.subplots(len(truths), 1, squeeze=False)
    for axis, truth in zip(axes[:, 0], truths, strict=True):
        for row in answer.results:
            if row["judged by"] == truth:
                style = STYLES.get(row["clustering"], "-")
                axis.plot(
                    ALPHAS, [row[f"{alpha:.1f}"] for alpha in ALPHAS], style, label=row["clustering"], linewidth=1.2
                )
        axis.set(title=f"judged by {truth}", xlabel="mixture ratio α (0: the baseline)", ylabel="average precision")
        axis.set_xticks(np.array(ALPHAS))
        axis.legend(fontsize="x-small", ncols=2)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.lower()[1:])
