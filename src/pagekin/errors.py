"""One small tree of errors; each says what was given, what was expected, and what to do next.

`PagekinError` is a mistake in what was asked or found (the shell exits 1), `UsageError` one in how it was asked
(the shell exits 2).
"""

import difflib
from collections.abc import Iterable


class PagekinError(Exception):
    """Something asked for cannot be done; the message is meant for a person."""


class UsageError(PagekinError):
    """The words of the question are wrong: an unknown name, a value out of range."""


class CollectionError(PagekinError):
    """A collection that is missing, damaged, locked, or of a newer format."""


class SourceError(PagekinError):
    """An input that cannot be read at all."""


class UnknownPageError(PagekinError):
    """None of the pages asked for is in the collection; `nearest` are the closest URLs that are."""

    def __init__(self, asked: Iterable[str], nearest: Iterable[str]) -> None:
        self.asked, self.nearest = tuple(asked), tuple(nearest)
        hint = "; the nearest are: " + ", ".join(self.nearest) if self.nearest else ""
        super().__init__(f"not in the collection: {', '.join(map(_spelled, self.asked))}{hint}")


class NotBuiltError(PagekinError):
    """A method needs an index that has not been built; the message names the command."""


class MissingExtraError(PagekinError):
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; run: pip install 'pagekin[{extra}]'")


def _spelled(text: str) -> str:
    """As it is, or in quotes with escapes where a person would not see it."""
    return text if text and text.isprintable() else ascii(text)


def unknown(kind: str, given: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not in a list, suggesting the one that was meant.

    >>> str(unknown("method", "cocit", ["amsler", "co-citation", "coupling"]))
    "unknown method 'cocit'; did you mean 'co-citation'? known: amsler, co-citation, coupling"
    """
    names = sorted(known)
    close = difflib.get_close_matches(given.lower(), names, n=1, cutoff=0.5)
    meant = f"; did you mean '{close[0]}'?" if close else ";"
    return UsageError(f"unknown {kind} '{given}'{meant} known: {', '.join(names)}")
