"""The public `Collection`: every verb of pagekin as a method that returns a typed answer.

The shell is a thin layer over it. Every question checks the manifest with one `stat` and reopens a collection that has
changed on disk. Several threads may ask at once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pagekin.answers.filters import Filters
from pagekin.answers.progress import Tell, reporting, reporting_rows
from pagekin.collection import manifest
from pagekin.collection.store import Store
from pagekin.errors import CollectionError, UsageError
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import option

if TYPE_CHECKING:  # a verb imports what it needs when it is called, so that a question starts fast
    from pagekin.answers.add import Added
    from pagekin.answers.blocks import Blocks
    from pagekin.answers.bridges import Bridges
    from pagekin.answers.build import Built
    from pagekin.answers.clusters import Clusters
    from pagekin.answers.compare import Comparison
    from pagekin.answers.crawl import Crawled
    from pagekin.answers.export import Exported
    from pagekin.answers.link_clusters import LinkClusters
    from pagekin.answers.methods import Methods as MethodList
    from pagekin.answers.mirrors import Mirrors
    from pagekin.answers.pair import Pair
    from pagekin.answers.ranking import Ranking
    from pagekin.answers.remove import Removed
    from pagekin.answers.report import SiteReport
    from pagekin.answers.scrub import Scrubbed
    from pagekin.answers.tune import Tuned
    from pagekin.answers.words import Naming, WordList
    from pagekin.collection.describe import Info
    from pagekin.evaluate.experiment import Evaluation
    from pagekin.evaluate.papers.tables import PaperTables
    from pagekin.index.subrelevant import Kind
    from pagekin.methods import Method
    from pagekin.search.answer import SearchAnswer, Weighting

    Methods = str | Method | Iterable[str | Method]

T = TypeVar("T")
Files = Path | str
Names = str | Iterable[str]

# How often to ask when the collection changes while a question is answered. It asks again only after a change, and only
# if files that it was reading are gone: a removal takes them away at once, and may come several times in a row.
TRIES = 20


class Collection:
    """A collection on disk: `Collection("site.kin").related("http://site.example/", k=15, method="amsler")`."""

    def __init__(self, path: Files, quick: bool = False) -> None:
        """quick: an answer never waits for an index that is not built, however quick it would be; for a server."""
        self.path, self.quick = Path(path), quick
        self._state: tuple[tuple[int, ...], Store] | None = None

    def __repr__(self) -> str:
        return f'Collection("{self.path}")'

    @property
    def store(self) -> Store:
        """The current state on disk, opened once and kept until it changes."""
        seen, held = manifest.stamp(self.path), self._state
        if held is None or held[0] != seen:
            held = self._state = (seen, Store(self.path, quick=self.quick))
        return held[1]

    def _ask(self, question: Callable[[Store], T], tries: int = TRIES) -> T:
        """Answer a question from the state on disk; ask again if a writer has just removed the files it was reading."""
        for tries_left in reversed(range(tries)):
            store = self.store
            try:
                with store.explaining():
                    return question(store)
            except CollectionError:
                if not tries_left or self.store is store:
                    raise
        raise AssertionError("the last try returns or raises")

    def add(
        self,
        *paths: Files,
        kind: str = "auto",
        base_url: str | None = None,
        follow_symlinks: bool = False,
        text: bool = True,
        icann_only: bool = False,
        progress: Tell | None = None,
        vectors: Files | None = None,
        columns: Mapping[str, str] | None = None,
        respect_noindex: bool = False,
        sync: bool = False,
        yes: bool = False,
        engine: str = "local",
        master: str | None = None,
    ) -> "Added":
        """Add pages from archives, folders, tables of links and other collections; create it if there is none.

        paths: "-" is standard input, with a table of links or an archive; a file of that name is "./-". On Spark also
        addresses of archives, folders of them or patterns: "s3a://…", "hdfs://…".
        vectors: a Parquet file with vectors of pages, from any embedding model, which `fused` uses.
        columns: of tables of links, if they are not recognised: {"source": "url_from", "target": "url_to"}.
        respect_noindex: leave out the words of pages that ask search engines not to index them, as crawls do.
        sync: also remove pages whose files are gone from the folder; yes: even if that is more than a fifth of them.
        engine, master: read archives on Spark, file by file, and commit all of them at once; see `build`.
        """
        from pagekin.acquire.remote import is_address, refuse
        from pagekin.answers.add import add
        from pagekin.answers.engines import chosen
        from pagekin.answers.sync import Sync

        if not all(map(str, paths)):
            raise UsageError("a path is empty; name a file or a folder")
        given = None if vectors is None else Path(vectors)
        addresses = [str(path) for path in paths if is_address(path)]
        if addresses and engine == "local":
            refuse(addresses[0])
        files = [Path(path) for path in paths if path != "-" and path not in addresses]
        with reporting(progress) as tell, chosen(engine, master, self.path, new=True):
            return add(
                self.path, files, kind, base_url, follow_symlinks, text, icann_only, given, columns,
                respect_noindex, Sync(yes) if sync else None, tell, "-" in paths, addresses,
            )  # fmt: skip

    def crawl(
        self,
        *urls: str,
        radius: int = 2,
        max_pages: int | None = None,
        across: bool = False,
        include: Names = (),
        exclude: Names = (),
        sitemap: bool = False,
        backlinks: Files | None = None,
        refresh_after: str | None = None,
        rate: float = 1.0,
        at_once: int = 1,
        timeout: float = 30.0,
        per_pattern: int = 5000,
        contact: str | None = None,
        warc: Files | None = None,
        resolve: Names = (),
        allow_private: bool = False,
        text: bool = True,
        progress: Tell | None = None,
        sync: bool = False,
        yes: bool = False,
        any_type: bool = False,
    ) -> "Crawled":
        """Fetch a site politely and add its pages. After an interruption, the same call continues where it stopped.

        sync: ask again for every page below the starts, and remove those that are gone (404, 410); yes: even if these
        are more than a fifth of them. any_type: also ask for what is not HTML by its ending (.pdf, .png).
        """
        from pagekin.acquire.crawl.addresses import resolutions
        from pagekin.acquire.crawl.settings import EVERYWHERE
        from pagekin.answers.crawl import crawl
        from pagekin.answers.sync import Sync

        if not urls:
            raise UsageError("nothing to crawl; give at least one address to start from")
        with reporting(progress) as tell:
            return crawl(
                self.path, urls, radius=radius, max_pages=max_pages, across=across, include=_several(include),
                exclude=_several(exclude), sitemaps=sitemap, backlinks=Path(backlinks) if backlinks else None,
                refresh_after=refresh_after, rate=rate, at_once=at_once, timeout=timeout, per_pattern=per_pattern,
                contact=contact, warc=Path(warc).absolute() if warc else None,
                resolve=resolutions(list(_several(resolve))), private=EVERYWHERE if allow_private else (), text=text,
                sync=Sync(yes) if sync else None, tell=tell, any_type=any_type,
            )  # fmt: skip

    def remove(
        self,
        *urls: str,
        matching: str | None = None,
        yes: bool = False,
        dry_run: bool = False,
        and_links: bool = False,
        for_good: bool = False,
        take_again: bool = False,
        agree: "Callable[[Removed], bool] | None" = None,
        progress: Tell | None = None,
    ) -> "Removed":
        """Remove pages and all that is theirs from every file of the collection, and pages that only they linked to.

        matching: a glob, compared with whole addresses: "https://blog.example/drafts/*". yes: even if several pages go.
        dry_run: only say what would go. and_links: also remove what other pages say of them, links and anchors.
        for_good: neither `add` nor `crawl` takes these addresses again. take_again: removes nothing, but lets these
        addresses, which were removed for good, be taken again. agree: is shown what goes instead of `yes`, and nothing
        is removed unless it returns True.
        """
        from pagekin.answers.remove import Wanted, confirmed, remove
        from pagekin.answers.remove import take_again as taken_again

        if take_again:
            if matching is not None or dry_run or and_links or for_good:
                raise UsageError(f"{option('take_again')} takes addresses, and no other option")
            return taken_again(self.path, urls)

        def agreed(plan: "Removed") -> bool:
            return agree(plan) if agree else confirmed(plan, yes)

        with reporting(progress) as tell:
            return remove(self.path, Wanted(urls, matching, and_links, for_good), dry_run, agreed, tell)

    def build(
        self,
        index: Names = (),
        method: "Methods" = (),
        progress: Tell | None = None,
        drop: Names = (),
        all: bool = False,
        engine: str = "local",
        master: str | None = None,
    ) -> "Built":
        """Fold in new parts, compact small ones, and make the indexes that the default method and `search` need.

        Indexes that exist are renewed. index, method: make these instead, or what these methods need. all: what every
        method needs. drop: remove these indexes, and make nothing. engine: where batch work runs, local or spark;
        master: of Spark, as local[2] or spark://host:7077, whose machines see the collection at the same path.
        """
        from pagekin.answers.build import build
        from pagekin.answers.engines import chosen

        with reporting(progress) as tell, chosen(engine, master, self.path):
            return build(self.path, _several(index), _several(method), tell, _several(drop), all)

    def info(self) -> "Info":
        """Describe the collection: counts, sizes, which indexes are built and which are stale."""
        from pagekin.collection.describe import describe
        from pagekin.index.mirrors.kin import known

        return self._ask(lambda store: replace(describe(store), folded=known(store)))

    def methods(self) -> "MethodList":
        """The methods: what each is for, which indexes it uses, and whether it can be asked here."""
        from pagekin.answers.methods import methods

        return self._ask(methods)

    def related(
        self,
        *pages: str,
        k: int = 15,
        method: "str | Method" = DEFAULT_METHOD,
        why: bool = False,
        filters: Filters | None = None,
        classes: bool = False,
        history: Sequence[str] | None = None,
    ) -> "Ranking":
        """The k pages most related to one page, or to several together.

        why: give the evidence for each result. classes: group the results, each class labelled with its main keywords.
        history: pages of a visit, newest last; those seen longer ago weigh less, and none of them is a result.
        """
        from pagekin.answers.related import in_classes, related
        from pagekin.methods import method as named

        asked = named(method) if isinstance(method, str) else method

        def question(store: Store) -> "Ranking":
            ranking = related(store, pages, k, asked, why, filters, _several(history or ()))
            return in_classes(store, ranking) if classes else ranking

        return self._ask(question)

    def pair(self, one: str, other: str, why: bool = False) -> "Pair":
        """How related two pages are, whichever is named first; why: give the evidence between them."""
        from pagekin.answers.pair import pair

        return self._ask(lambda store: pair(store, one, other, why))

    def blocks(self, page: str, html: Files | None = None) -> "Blocks":
        """The links of a page, block by block; html: also write the page with its blocks outlined to this file."""
        from pagekin.answers.blocks import blocks, write_html

        def question(store: Store) -> "Blocks":
            if html is not None:
                write_html(store, page, Path(html))
            return blocks(store, page)

        return self._ask(question)

    def search(
        self,
        *words: str,
        k: int = 15,
        alpha: float | None = None,
        kind: "Kind" = "fan-out",
        tau: int = 20,
        by: "Weighting" = "bm25",
        expand: bool = False,
    ) -> "SearchAnswer":
        """The k best pages for a question: pages that have its words, and pages that lead to those.

        Words may be quoted as an "exact phrase", marked as -unwanted, or as title:word; site:host names where to look.
        alpha: 0 counts a page's own words, 1 the words of its clusters; the default is 0.05 (by tf-idf 0.8).
        expand: words of the first pages join the question.
        """
        from pagekin.search.answer import search

        return self._ask(lambda store: search(store, " ".join(words), k, alpha, kind, tau, by, expand))

    def clusters(
        self, page: str, kind: str = "assisted", alpha: float = 0.5, measure: str = "co-citation", tau: int = 20
    ) -> "Clusters | LinkClusters":
        """The hierarchy of the pages around a page at one α; for the other kinds, the pages in its link clusters."""
        from pagekin.answers.clusters import clustering, clusters

        if kind == "assisted":
            return self._ask(lambda store: clusters(store, page, clustering(measure, alpha)))
        from pagekin.answers.link_clusters import link_clusters, link_kind

        wanted = link_kind(kind, tau)
        return self._ask(lambda store: link_clusters(store, page, wanted))

    def mirrors(self) -> "Mirrors":
        """Pages that are copies of each other: fetched pages with the same text."""
        from pagekin.answers.mirrors import mirrors

        return self._ask(mirrors)

    def bridges(self, method: "str | Method" = "assisted", k: int = 15, progress: Tell | None = None) -> "Bridges":
        """Cross-topic pages: those whose related pages are far from each other."""
        from pagekin.answers.bridges import cross_topic

        with reporting(progress) as tell, reporting_rows(tell, "bridges"):
            return self._ask(lambda store: cross_topic(store, _text(method), k))

    def compare(self, page: str, method: "Methods" = (), k: int = 15, filters: Filters | None = None) -> "Comparison":
        """Methods side by side on one page: what each finds, from how many hosts, how much is new, what they share.

        Without methods: four that see different things, of those that need no index that is not built.
        """
        from pagekin.answers.compare import compare

        return self._ask(lambda store: compare(store, page, _several(method), k, filters))

    def report(self, k: int = 20, out: str | Path | None = None, progress: Tell | None = None) -> "SiteReport":
        """What to mend in a site: broken links, orphans, dead ends, missing links, copies …; at most k of a kind.

        out: also write it as one HTML file.
        """
        from pagekin.answers.report import report
        from pagekin.answers.report_page import html

        with reporting(progress) as tell, reporting_rows(tell, "report"):
            made = self._ask(lambda store: report(store, k))
        if out is not None:
            Path(out).write_text(html(made, self.path.name), encoding="utf-8")
        return made

    def keywords(self, page: str, k: int = 20, by: "Naming" = "topic", support: float | None = None) -> "WordList":
        """What a page is about: the words and phrases that set it apart from other pages.

        by="relevance": its main keywords (paper 4), those most relevant to all its keywords; support: the weight of
        support in that relevance, 0.5 if it is not given.
        """
        from pagekin.answers.words import keywords

        return self._ask(lambda store: keywords(store, page, k, by, support))

    def suggest(
        self,
        *words: str,
        prefix: str | None = None,
        k: int = 15,
        logical: bool = False,
        information: bool = False,
        support: float = 0.5,
    ) -> "WordList":
        """Words related to the given ones: used on the same pages, or (logical) on pages linked from theirs.

        prefix="wri", instead of words: what a person may be typing, a word, a title or an address.
        """
        from pagekin.answers.words import complete, suggest

        if prefix is None:
            return self._ask(lambda store: suggest(store, words, k, logical, information, support))
        if words or logical or information:
            raise UsageError(f"{option('prefix')} completes one text, and takes neither words nor {option('logical')}")
        return self._ask(lambda store: complete(store, prefix, k))

    def export(
        self,
        what: str,
        path: Files,
        method: "str | Method | None" = None,
        k: int = 15,
        progress: Tell | None = None,
        safe: bool = False,
        filters: Filters | None = None,
        format: str | None = None,
    ) -> "Exported":
        """Write the link graph, the similarity graph, the pages, or the related pages of every page to a file.

        path: "-" is standard output, for which `format` names the format: csv, jsonl, gexf, graphml or net.
        safe: no cell of a CSV file is a formula. filters: for related pages, who may be one. Fetched pages are
        covered, if there are any; `Filters(fetched=False)` covers all pages.
        """
        from pagekin.answers.export import export

        with reporting(progress) as tell, reporting_rows(tell, f"export {what}"):
            asked = None if method is None else _text(method)
            file, tries = (None, 1) if path == "-" else (Path(path), TRIES)  # what is written cannot be taken back
            return self._ask(lambda store: export(store, what, file, asked, k, safe, filters, format), tries)

    def evaluate(
        self,
        labels: Files | None = None,
        related: Files | None = None,
        method: "Methods" = (),
        k: int = 15,
        tables: str | None = None,
        queries: Files | None = None,
        qrels: Files | None = None,
        one_click: Files | None = None,
        out: Files | None = None,
        hide: str | None = None,
        compare_with: "Files | Iterable[Files]" = (),
        trec: Files | None = None,
        progress: Tell | None = None,
        see_also: bool = False,
        index_entries: bool = False,
        fetched: bool | None = None,
        page: str | None = None,
        blocks: Files | None = None,
    ) -> "Evaluation | PaperTables":
        """Measure methods on data with known answers; tables: print the tables of a paper instead, or all.

        hide="related": the methods do not see the links between the pages that `related` pairs. compare_with: rankings
        made elsewhere, as TREC runs. trec: a folder for all rankings as TREC runs. out: a report, or its figures.
        see_also: the truth is what the pages' authors name under "See also", which the methods do not see.
        index_entries: the entries of the pages' indexes are the questions, which a search does not see.
        fetched: as in `Filters`. page: the page that the tables of paper 5 are about. blocks: how people cut pages, for
        the table of segmentation.
        """
        from pagekin.answers.evaluate import Asked, evaluation

        files = {
            "labels": labels, "related": related, "queries": queries, "qrels": qrels, "one_click": one_click,
            "trec": trec, "out": out, "blocks": blocks,
        }  # fmt: skip
        runs = [compare_with] if isinstance(compare_with, Path | str) else compare_with
        asked = Asked(
            methods=_several(method), k=k, tables=tables, hide=hide, compare_with=tuple(map(Path, runs)),
            see_also=see_also, index_entries=index_entries, fetched=fetched, page=page,
            **{name: None if file is None else Path(file) for name, file in files.items()},
        )  # fmt: skip
        with reporting(progress) as tell:
            return self._ask(lambda store: evaluation(store, asked, tell))

    def tune(self, related: Files | None = None, reset: bool = False, progress: Tell | None = None) -> "Tuned":
        """Fit the weights of `fused` to pairs of related pages; they are kept if they help on pages held out.

        related: a file as for `evaluate`. reset: remove the weights that were kept.
        """
        from pagekin.answers.tune import tune

        with reporting(progress) as tell:
            return tune(self.path, None if related is None else Path(related), reset, tell)

    def scrub(self, progress: Tell | None = None) -> "Scrubbed":
        """Find malformed or inconsistent entries, repair them, and report what was done."""
        from pagekin.answers.scrub import scrub

        with reporting(progress) as tell:
            return scrub(self.path, tell)


def _several(given: "Names | Method | Iterable[str | Method]") -> Sequence[str]:
    """One text or method, or several, as a sequence of texts."""
    return tuple(map(_text, given)) if isinstance(given, Iterable) and not isinstance(given, str) else (_text(given),)


def _text(given: "str | Method") -> str:
    return given if isinstance(given, str) else repr(given)
