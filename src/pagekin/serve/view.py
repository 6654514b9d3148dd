"""What a page shows, all of it in its address: so that every view is a link one can send, and works without scripts.

    /page?url=http://a.example/&method=assisted&alpha=0.25&per_host=2&why=http://b.example/

A form without scripts sends a field for every parameter, `assisted.measure=amsler&assisted.delta=&…`. Such an address
is answered with a redirect to the short one.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.datastructures import QueryParams

from pagekin.methods import Method
from pagekin.model import DEFAULT_METHOD
from pagekin.serve.fields import SLIDER, Field, fields_of
from pagekin.serve.problems import wrong_parameter
from pagekin.serve.questions import MOST_RESULTS, Question, RelatedQuestion, method
from pagekin.serve.rendering import Pairs, address

SEEDS = ("url", "more")  # `more` is the field for one more page, which becomes one of the others
FILTERS = (
    "other_sites", "unlinked", "per_host", "picked", "include_glob", "exclude_glob", "same_site", "same_language",
    "min_score", "fetched", "fold",
)  # fmt: skip
STEP = 15  # further results that “more” shows


@dataclass(frozen=True)
class View:
    """A question about related pages, and the results whose evidence is open."""

    asked: RelatedQuestion
    open: tuple[str, ...] = ()

    @classmethod
    def read(cls, given: QueryParams) -> "View":
        """The view that an address means; what is wrong with it is a 400."""
        known = {name: _values(given, name) for name in ("k", *FILTERS) if name in RelatedQuestion.model_fields}
        urls = [url for name in SEEDS for url in given.getlist(name) if url.strip()]
        asked = checked(RelatedQuestion, known | {"url": urls, "method": _method(given)})
        return cls(asked, tuple(dict.fromkeys(given.getlist("why"))))

    @cached_property
    def method(self) -> Method:
        return method(self.asked.method)

    @cached_property
    def fields(self) -> list[Field]:
        """The parameters of the method, without the slider."""
        return [field for field in fields_of(self.method) if field.name != SLIDER]

    @property
    def slider(self) -> float | None:
        """α, if the method has one."""
        value: float | None = getattr(self.method, SLIDER, None)
        return value

    @property
    def urls(self) -> list[str]:
        return self.asked.url

    def pairs(self) -> list[tuple[str, Any]]:
        """The parameters of the address: only what is not as by default."""
        return self._to(self.urls, self.open)

    def _to(self, urls: Iterable[str], opened: Iterable[str] = ()) -> list[tuple[str, Any]]:
        """The parameters of other pages, asked about in the same way."""
        return [*(("url", url) for url in urls), *self._way, *(("why", url) for url in opened)]

    @cached_property
    def _way(self) -> list[tuple[str, Any]]:
        """The method and the limits as parameters, worked out once: a page has some eighty links with them."""
        return [*method_pairs(self.method), *self.limits]

    @cached_property
    def limits(self) -> list[tuple[str, Any]]:
        """How many results, and the filters, as parameters."""
        found: list[tuple[str, Any]] = []
        for name in ("k", *FILTERS):
            item = RelatedQuestion.model_fields.get(name)
            value = getattr(self.asked, name, None)
            if item is not None and value != item.default:
                found += [(name, _spelled(each)) for each in (value if isinstance(value, list) else [value])]
        return found

    @property
    def filtered(self) -> int:
        """How many filters are set."""
        return len({name for name, _ in self.limits} - {"k"})

    def api(self) -> list[tuple[str, Any]]:
        """The parameters of the same question to `/api/related`."""
        urls = [("url", url) for url in self.urls]
        named = [] if repr(self.method) == DEFAULT_METHOD else [("method", repr(self.method))]
        return [*urls, *named, *self.limits]

    def but(self, **changes: Any) -> "View":
        """This view with another question."""
        return View(self.asked.model_copy(update=changes), self.open)

    # The links of a page

    def by(self, name: str) -> list[tuple[str, Any]]:
        """The same pages by another method."""
        return View(self.asked.model_copy(update={"method": name})).pairs()

    def about(self, url: str) -> list[tuple[str, Any]]:
        """Another page, in the same way."""
        return self._to([url])

    def without(self, url: str) -> list[tuple[str, Any]]:
        """The same without one of the pages asked about."""
        return self._to([each for each in self.urls if each != url], self.open)

    def beside(self, url: str) -> list[tuple[str, Any]]:
        """The same with one more page to ask about."""
        return self._to([*self.urls, url])

    def toggled(self, url: str) -> list[tuple[str, Any]]:
        """The same with the evidence of a result opened, or closed."""
        kept = [each for each in self.open if each != url]
        return self._to(self.urls, kept if url in self.open else [*kept, url])

    def longer(self) -> list[tuple[str, Any]]:
        """The same with more results."""
        return self.but(k=min(self.asked.k + STEP, MOST_RESULTS)).pairs()

    def unfiltered(self) -> list[tuple[str, Any]]:
        """The same without filters."""
        plain = {name: RelatedQuestion.model_fields[name].default for name, _ in self.limits if name != "k"}
        return self.but(**plain).pairs()


Q = TypeVar("Q", bound=Question)


def checked(kind: type[Q], given: Mapping[str, Any]) -> Q:
    """A question of these parameters; what is wrong with them is a 400."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise wrong_parameter(error, kind.model_fields) from None


def share(given: str | None, default: float = 0.5) -> float:
    """A number from 0 to 1; what is none, or outside, is as by default, or at the end."""
    try:
        number = float(given or default)
    except ValueError:
        return default
    return min(max(number, 0.0), 1.0) if number == number else default


def method_pairs(asked: Method) -> list[tuple[str, Any]]:
    """A method as parameters: its text, and α beside it, since that is what one changes."""
    alpha = getattr(asked, SLIDER, None)
    defaults = {item.name: item.default for item in dataclasses.fields(asked)}  # type: ignore[arg-type]
    if alpha is None or alpha == defaults[SLIDER]:
        return [] if repr(asked) == DEFAULT_METHOD else [("method", repr(asked))]
    return [("method", repr(dataclasses.replace(asked, **{SLIDER: defaults[SLIDER]}))), (SLIDER, f"{alpha:g}")]  # type: ignore[type-var]


def is_long(given: QueryParams) -> bool:
    """Whether an address is one that a form sent, with fields for everything."""
    return any("." in name or name == "more" or value == "" for name, value in given.multi_items())


def _method(given: QueryParams) -> str:
    """The method that an address names, with the parameters that stand beside it."""
    named = method(given.get("method") or DEFAULT_METHOD)
    settings = {field.name: field.value or "none" for field in fields_of(named)}
    beside = {field.name: given.get(f"{named.name}.{field.name}") for field in fields_of(named)}
    if SLIDER in settings and given.get(SLIDER):
        beside[SLIDER] = given[SLIDER]
    empty = {field.name: "none" if field.optional else field.default for field in fields_of(named)}
    settings |= {name: value.strip() or empty[name] for name, value in beside.items() if value is not None}
    return repr(method(f"{named.name}({', '.join(f'{name}={value}' for name, value in settings.items())})"))


def _values(given: QueryParams, name: str) -> Any:
    """The value of a parameter, or the list of its values if it may have several."""
    several = isinstance(RelatedQuestion.model_fields[name].default, list)
    return [value for value in given.getlist(name) if value] if several else given.get(name, "")


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def link(base: str, page: str, pairs: Pairs | Mapping[str, Any] = ()) -> str:
    """The address of a page of a collection."""
    items: Iterable[tuple[str, Any]] = pairs.items() if isinstance(pairs, Mapping) else pairs
    return address(f"{base}/{page}", items)
