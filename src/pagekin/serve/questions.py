"""What may be asked over HTTP: the parameters of each question, under their Python names, and the verb that answers it.

A parameter that is given empty (`k=`), as a form sends it, counts as not given. Unlike in Python, nothing that a
question says names a file, and addresses are matched by globs: a stranger's regular expression may never end.
"""

import dataclasses
import fnmatch
from collections.abc import Hashable
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagekin.answers.filters import Filters
from pagekin.errors import UsageError
from pagekin.methods import Method
from pagekin.methods import method as named
from pagekin.model import DEFAULT_METHOD
from pagekin.serve.held import Held

MOST_RESULTS = 1_000  # a page of results that anyone reads is far shorter; all of them are what `export` is for
MOST_PAGES = 20  # pages that a question may be about
MOST_GLOBS = 20
LONGEST = 2_000  # characters of an address; browsers and proxies cut longer ones
LONGEST_TEXT = 500  # characters of a method, a glob or the words of a search

K = Annotated[int, Field(ge=1, le=MOST_RESULTS, description="How many results.")]
Address = Annotated[str, Field(max_length=LONGEST)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
OnePage = Annotated[str, Field(max_length=LONGEST, description="The address of a page.")]


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
    def kind(self) -> Hashable:
        """Questions of one kind take about as long as each other: see `lanes`."""
        return type(self).__name__

    def ask(self, collection: Held) -> Any:
        """The answer, an `Answer` or a `Report`."""
        raise NotImplementedError


class RelatedQuestion(Question):
    """`related`: the pages related to one page, or to several together."""

    url: list[Address] = Field(default=[], max_length=MOST_PAGES, description="A page; several: related to all.")
    method: Text = Field(default=DEFAULT_METHOD, description="The method, as co-citation(direct=false).")
    k: K = 15
    why: bool = Field(default=False, description="Give the evidence for each result.")
    other_sites: bool = Field(default=False, description="Only pages on other sites.")
    unlinked: bool = Field(default=False, description="Only pages with no link to or from it.")
    per_host: int | None = Field(default=None, ge=1, description="At most so many pages from one host.")
    picked: bool = Field(default=False, description="Never two pages from one host in a row.")
    exclude_glob: list[Text] = Field(
        default=[], max_length=MOST_GLOBS, description="Leave out addresses that match, as http://a.example/tag/*."
    )
    min_score: float | None = Field(default=None, allow_inf_nan=False, description="Leave out results that score less.")
    fetched: bool | None = Field(
        default=None, description="Only fetched pages, or all. By default fetched ones if a page asked about was."
    )
    fold: bool = Field(default=True, description="List copies and translations of a result under it.")
    classes: bool = Field(default=False, description="Group results into classes with labels.")
    history: list[Address] = Field(
        default=[], max_length=MOST_PAGES, description="Pages of a visit, newest last; none of them is a result."
    )

    @property
    def kind(self) -> Hashable:
        return "related", self.method.partition("(")[0], self.why, self.k > 100

    @property
    def filters(self) -> Filters:
        """The filters as `Collection.related` takes them."""
        return Filters(
            other_sites=self.other_sites, unlinked=self.unlinked, per_host=self.per_host, picked=self.picked,
            exclude=tuple(map(glob, self.exclude_glob)), min_score=self.min_score, fetched=self.fetched, fold=self.fold,
        )  # fmt: skip

    def ask(self, collection: Held) -> Any:
        return collection.related(
            *self.url, k=self.k, method=method(self.method), why=self.why, filters=self.filters, classes=self.classes,
            history=self.history,
        )  # fmt: skip


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
