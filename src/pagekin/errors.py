"""The errors of pagekin. Each message says what was given, what was expected, and what to do next.

`PagekinError`: what was asked cannot be done (the shell exits with 1). `UsageError`: it was asked in the wrong way (the
shell exits with 2).
"""

import difflib
from collections.abc import Iterable


class PagekinError(Exception):
    """What was asked cannot be done; the message is written for the user."""


class UsageError(PagekinError):
    """The question is wrong: an unknown name, a value out of range."""


class CollectionError(PagekinError):
    """A collection that is missing, damaged, locked, or of a newer format."""


class SourceError(PagekinError):
    """An input that cannot be read at all."""


class UnknownPageError(PagekinError):
    """None of the pages asked about is in the collection; `nearest` are the most similar URLs that are."""

    def __init__(self, asked: Iterable[str], nearest: Iterable[str]) -> None:
        self.asked, self.nearest = tuple(asked), tuple(nearest)
        hint = "; the nearest addresses are: " + ", ".join(map(_spelled, self.nearest)) if self.nearest else ""
        if any(" " in text.strip() for text in self.asked):
            hint += "; to look for words, search for them"
        super().__init__(f"not in the collection: {', '.join(map(_spelled, self.asked))}{hint}")


class NotBuiltError(PagekinError):
    """A method needs an index that has not been built; the message gives the command to build it."""


class UnsupportedSystemError(PagekinError):
    """This system lacks something that pagekin cannot do without."""


class MissingExtraError(PagekinError):
    """An optional dependency is not installed; the message gives the command to install it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; run: pip install 'pagekin[{extra}]'")


def _spelled(text: str) -> str:
    """The text as it is or, if it is empty or not printable, quoted with escapes."""
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
