"""What a run of `see-also` did, or would do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pagekin.answer import Report

EXAMPLES = 3  # files that a sentence names


@dataclass(frozen=True, repr=False)
class SeeAlso(Report):
    """The report of a run; files are named by their paths in the folder."""

    folder: str
    pages: int = 0  # in the folder
    lists: int = 0  # pages that have a list now, or would have
    changed: tuple[str, ...] = ()  # files that were written, or would be
    parsed: int = 0  # pages that the collection did not have in this version
    check: bool = False  # nothing was written
    removing: bool = False
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # why → the files without a list
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        return list(self._said())

    def _said(self) -> Iterator[str]:
        files, would = count(len(self.changed), "file"), "would be " if self.check else ""
        if self.removing:
            yield f"took the lists out of {files} of {self.folder}"
        else:
            yield f"{self.lists:,} of {count(self.pages, 'page')} {'would have' if self.check else 'have'} a list"
            yield (
                f"{files} {would}written" if self.changed else f"nothing {'would change' if self.check else 'changed'}"
            )
        if self.check and self.changed:
            yield f"  {_named(self.changed)}"
        for why, paths in sorted(self.left_out.items(), key=lambda item: (-len(item[1]), item[0])):
            yield f"{'left as it is' if self.removing else 'no list'}: {len(paths):,} ({why}): {_named(paths)}"
        yield from self.notes


def by_reason(left_out: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Path → why, turned round."""
    found: dict[str, list[str]] = {}
    for path, why in sorted(left_out.items()):
        found.setdefault(why, []).append(path)
    return {why: tuple(paths) for why, paths in found.items()}


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _named(paths: tuple[str, ...]) -> str:
    more = len(paths) - EXAMPLES
    return ", ".join(paths[:EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
