"""What may be asked over HTTP: the parameters of each question, under their Python names, and the verb that answers it.

A parameter that is given empty (`k=`), as a form sends it, counts as not given. Unlike in Python, nothing that a
question says names a file, and addresses are matched by globs: a stranger's regular expression may never end.
"""

import dataclasses
import fnmatch
from collections.abc import Hashable
from functools import lru_cache
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagekin.answers.filters import NO_FILTERS, Filters
from pagekin.answers.words import Naming
from pagekin.errors import UsageError
from pagekin.index.subrelevant import LARGEST_TAU, Kind
from pagekin.methods import REGISTRY, Method
from pagekin.methods import method as named
from pagekin.model import DEFAULT_METHOD
from pagekin.parse.html import REFERENCE
from pagekin.search.answer import Weighting
from pagekin.serve.held import Held

MOST_RESULTS = 1_000  # a page of results that anyone reads is far shorter; all of them are what `export` is for
MOST_PAGES = 20  # pages that a question may be about
MOST_GLOBS = 20
MOST_COMPARED = 8  # methods side by side
MOST_ON_MAP = 100  # more pages cannot be told apart
REMEMBERED = 1_000  # texts of methods that need not be read again; reading one takes 0.2 ms
MANY = 100  # results: longer lists are a kind of question of their own
LONGEST = REFERENCE  # characters of an address: no page has a longer one
LONGEST_TEXT = 500  # characters of a method, a glob or the words of a search

K = Annotated[int, Field(ge=1, le=MOST_RESULTS, description="How many results.")]
Address = Annotated[str, Field(max_length=LONGEST)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Tau = Annotated[int, Field(ge=0, le=LARGEST_TAU, description="The longest path that clusters follow.")]
OnePage = Annotated[str, Field(max_length=LONGEST, description="The address of a page.")]


def _name(written: str) -> str:
    """The name of a method; what is none is one kind of question, however it is written: kinds are remembered."""
    name = written.partition("(")[0].strip()
    return name if name in REGISTRY else ""


class Question(BaseModel):
    """The parameters of one question; `ask` puts it to a collection."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, given: Any) -> Any:
        """Without the fields that a form sent empty."""
        if not isinstance(given, dict):
            return given
        lists = {name: [each for each in value if each != ""] for name, value in given.items() if type(value) is list}
        return {name: value for name, value in (given | lists).items() if value not in ("", [])}

    @property
    def cost(self) -> Hashable:
        """What the time depends on: questions with an equal one take about as long as each other. See `lanes`."""
        return type(self).__name__

    def ask(self, collection: Held) -> Any:
        """The answer, an `Answer` or a `Report`."""
        raise NotImplementedError


class Filtered(Question):
    """The parameters of questions that find related pages: the method, and which results to leave out."""

    method: Text = Field(default=DEFAULT_METHOD, description="The method, as co-citation(direct=false).")
    k: K = 15
    other_sites: bool = Field(default=False, description="Only pages on other sites.")
    unlinked: bool = Field(default=False, description="Only pages with no link to or from it.")
    per_host: int | None = Field(default=None, ge=1, description="At most so many pages from one host.")
    picked: bool = Field(default=False, description="Never two pages from one host in a row.")
    same_site: bool = Field(default=False, description="Only pages on the same site.")
    same_language: bool = Field(default=False, description="Only pages in the same language.")
    include_glob: list[Text] = Field(
        default=[], max_length=MOST_GLOBS, description="Only addresses that match, as http://a.example/docs/*."
    )
    exclude_glob: list[Text] = Field(
        default=[], max_length=MOST_GLOBS, description="Leave out addresses that match, as http://a.example/tag/*."
    )
    min_score: float | None = Field(default=None, allow_inf_nan=False, description="Leave out results that score less.")
    fetched: bool | None = Field(
        default=None, description="Only fetched pages, or all. By default fetched ones if a page asked about was."
    )
    fold: bool = Field(default=True, description="List copies and translations of a result under it.")

    @property
    def cost(self) -> Hashable:
        return type(self).__name__, _name(self.method), self.k > MANY

    @property
    def filters(self) -> Filters:
        """The filters as `Collection.related` takes them."""
        if not self.model_fields_set & _FILTERS:  # as most questions
            return NO_FILTERS
        return Filters(
            other_sites=self.other_sites, unlinked=self.unlinked, per_host=self.per_host, picked=self.picked,
            exclude=tuple(map(glob, self.exclude_glob)), min_score=self.min_score, fetched=self.fetched, fold=self.fold,
            same_site=self.same_site, same_language=self.same_language, include=tuple(map(glob, self.include_glob)),
        )  # fmt: skip


_FILTERS = frozenset(Filtered.model_fields) - {"method", "k"}


class RelatedQuestion(Filtered):
    """The pages related to one page, or to several together, best first."""

    url: list[Address] = Field(default=[], max_length=MOST_PAGES, description="A page; several: related to all.")
    why: bool = Field(default=False, description="Give the evidence for each result.")
    classes: bool = Field(default=False, description="Group results into classes with labels.")
    history: list[Address] = Field(
        default=[], max_length=MOST_PAGES, description="Pages of a visit, newest last; none of them is a result."
    )

    @property
    def cost(self) -> Hashable:
        return super().cost, self.why, self.classes

    def ask(self, collection: Held) -> Any:
        return collection.related(
            *self.url, k=self.k, method=method(self.method), why=self.why, filters=self.filters, classes=self.classes,
            history=self.history,
        )  # fmt: skip


class MapQuestion(Filtered):
    """The pages around a page, each at a place on a map, and which of them are alike."""

    url: OnePage
    k: Annotated[int, Field(ge=1, le=MOST_ON_MAP, description="How many pages.")] = 30

    def ask(self, collection: Held) -> Any:
        return collection.map(self.url, method(self.method), self.k, self.filters)


class CompareQuestion(Question):
    """Methods side by side on one page: what each finds, from how many hosts, how much is new, what they share."""

    url: OnePage
    method: list[Text] = Field(default=[], max_length=MOST_COMPARED, description="A method; give two or more.")
    k: K = 15
    fetched: bool | None = Field(default=None, description="As for related.")

    @property
    def cost(self) -> Hashable:
        return "compare", *sorted(map(_name, self.method))

    def ask(self, collection: Held) -> Any:
        return collection.compare(self.url, list(map(method, self.method)), self.k, Filters(fetched=self.fetched))


class SearchQuestion(Question):
    """The pages with these words, and pages that lead to them, best first."""

    q: Text = Field(description='Words, "an exact phrase", -unwanted, title:word, site:host.')
    k: K = 15
    alpha: float | None = Field(default=None, ge=0, le=1, description="0: a page's own words; 1: its clusters' words.")
    kind: Kind = Field(default="fan-out", description="The kind of clusters.")
    tau: Tau = 20
    by: Weighting = Field(default="bm25", description="How to weigh words: by fields and length, or as in the paper.")
    expand: bool = Field(default=False, description="Let words of the first pages join the question.")

    @property
    def cost(self) -> Hashable:
        return "search", self.by, '"' in self.q, self.expand

    def ask(self, collection: Held) -> Any:
        return collection.search(
            self.q, k=self.k, alpha=self.alpha, kind=self.kind, tau=self.tau, by=self.by, expand=self.expand
        )


class KeywordsQuestion(Question):
    """The words and phrases that set a page apart from the others."""

    url: OnePage
    k: K = 20
    by: Naming = Field(default="topic", description="What sets the page apart, or paper 4's main keywords.")
    support: float | None = Field(default=None, ge=0, le=1, description="With by=relevance: the weight of support.")

    @property
    def cost(self) -> Hashable:
        return "keywords", self.by

    def ask(self, collection: Held) -> Any:
        return collection.keywords(self.url, self.k, self.by, self.support)


class SuggestQuestion(Question):
    """Words that go with the given words; or, with prefix, what someone who is typing may mean."""

    word: list[Text] = Field(default=[], max_length=MOST_PAGES, description="One word, or several: to go with all.")
    prefix: Text | None = Field(default=None, description="The beginning of a word, a title or an address.")
    k: K = 15
    logical: bool = Field(default=False, description="Words of pages that their pages link to.")
    information: bool = Field(default=False, description="With logical: mutual information instead of support.")
    support: float = Field(default=0.5, ge=0, le=1, description="The weight of support.")

    @property
    def cost(self) -> Hashable:
        return "suggest", self.prefix is None, self.logical

    def ask(self, collection: Held) -> Any:
        return collection.suggest(
            *self.word, prefix=self.prefix, k=self.k, logical=self.logical, information=self.information,
            support=self.support,
        )  # fmt: skip


class ClustersQuestion(Question):
    """The hierarchy of the pages around a page at one α; for the other kinds, the pages in its link clusters."""

    url: OnePage
    kind: Literal["assisted", "fan-out", "fan-in", "cyclic", "trivial"] = Field(
        default="assisted", description="The kind of clusters."
    )
    alpha: float = Field(default=0.5, gt=0, le=1, description="For assisted: near 0 one chain, near 1 sharp groups.")
    measure: Text = Field(default="co-citation", description="co-citation, coupling, amsler; or a full assisted(…).")
    tau: Tau = 20

    @property
    def cost(self) -> Hashable:
        return "clusters", self.kind

    def ask(self, collection: Held) -> Any:
        if "(" in self.measure:
            method(self.measure)  # refuses what names a file
        return collection.clusters(self.url, self.kind, self.alpha, self.measure, self.tau)


class BlocksQuestion(Question):
    """The links of a page, block by block."""

    url: OnePage

    def ask(self, collection: Held) -> Any:
        return collection.blocks(self.url)


class PageQuestion(Question):
    """What is known of a page: its title, when it was fetched, who links to it and where it links."""

    url: OnePage
    k: K = 50

    def ask(self, collection: Held) -> Any:
        return collection.page(self.url, self.k)


class InfoQuestion(Question):
    """`info`: counts, sizes, which indexes are built and which are stale."""

    def ask(self, collection: Held) -> Any:
        return collection.info()


@lru_cache(REMEMBERED)
def method(written: str) -> Method:
    """The method that a text names; one with a parameter that names a file is refused."""
    found = named(written)
    hints = get_type_hints(type(found))
    for item in dataclasses.fields(found):  # type: ignore[arg-type]
        # Choices are `Literal`s, so free text is the name of a file.
        if hints[item.name] in (str, str | None) and getattr(found, item.name) != item.default:
            raise UsageError(f"{item.name} of {found.name} names a file, which is not for HTTP; leave {item.name} out")
    return found


def glob(pattern: str) -> str:
    r"""A glob for whole addresses as a regex, whose time is bounded: * is any text, ? one character, [ab] one of these.

    >>> import re
    >>> bool(re.search(glob("http://a.example/*.html"), "http://a.example/b/c.html"))
    True
    >>> bool(re.search(glob("a.example/*"), "http://a.example/"))
    False
    """
    return rf"\A{fnmatch.translate(pattern)}"
