"""How an input is made: pieces of bytes, each repeated a number of times. A megabyte takes one line.

    [["<p>", 1], ["<div>", 100000]]

is `<p>` and then a hundred thousand `<div>`. Bytes are written as Latin-1, so that each is one character. In a piece
that is repeated, `<#>` is a number that counts from 0: `["a<#> ", 3]` is `a0 a1 a2 `. The pieces that are repeated can
be repeated more often or less: that is how growth is measured.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

NUMBER = b"<#>"


@dataclass(frozen=True)
class Recipe:
    """Pieces and how often each is repeated, in order."""

    pieces: tuple[tuple[bytes, int], ...]

    @classmethod
    def of(cls, *pieces: bytes | tuple[bytes, int]) -> "Recipe":
        """A recipe from pieces; one without a number is there once.

        >>> Recipe.of(b"<p>", (b"<b>", 3)).made
        b'<p><b><b><b>'
        """
        return cls(tuple(piece if isinstance(piece, tuple) else (piece, 1) for piece in pieces))

    @classmethod
    def read(cls, text: str) -> "Recipe":
        """A recipe from its text.

        >>> Recipe.read('[["<p>", 1], ["\\u00ff", 2]]').made
        b'<p>\\xff\\xff'
        """
        return cls(tuple((piece.encode("latin-1"), int(times)) for piece, times in json.loads(text)))

    def __str__(self) -> str:
        return json.dumps([[piece.decode("latin-1"), times] for piece, times in self.pieces])

    @property
    def made(self) -> bytes:
        """The input itself."""
        return b"".join(_repeated(piece, times) for piece, times in self.pieces)

    @property
    def size(self) -> int:
        """Its length in bytes, without making it; a number counts as three."""
        return sum(len(piece) * times for piece, times in self.pieces)

    @property
    def times(self) -> int:
        """How often the most repeated piece is there."""
        return max((times for _, times in self.pieces), default=0)

    def repeated(self, times: int) -> "Recipe":
        """The same with the most repeated piece there `times` times, and other repeated ones in proportion.

        >>> str(Recipe.of(b"a", (b"b", 10), (b"c", 100)).repeated(50))
        '[["a", 1], ["b", 5], ["c", 50]]'
        """
        most = self.times
        return Recipe(tuple((piece, n if n == 1 else max(1, n * times // most)) for piece, n in self.pieces))


def _repeated(piece: bytes, times: int) -> bytes:
    if NUMBER not in piece:
        return piece * times
    return b"".join(piece.replace(NUMBER, b"%d" % number) for number in range(times))


def minimised(recipe: Recipe, fails: Callable[[Recipe], bool], tries: int) -> Recipe:
    """A smaller recipe that still fails, after at most that many tries: fewer pieces, fewer times, fewer bytes.

    >>> str(minimised(Recipe.of(b"ab", (b"cde", 7), b"f"), lambda one: b"d" in one.made, 100))
    '[["d", 1]]'
    """
    left, smaller = tries, True
    while smaller:
        smaller = False
        for candidate in _smaller(recipe):
            if not left:
                return recipe
            left -= 1
            if fails(candidate):
                recipe, smaller = candidate, True
                break
    return recipe


def _smaller(recipe: Recipe) -> list[Recipe]:
    """The recipes that are one step smaller, the largest step first."""
    pieces = recipe.pieces
    found = [pieces[:at] + pieces[at + 1 :] for at in range(len(pieces))]
    for at, (piece, times) in enumerate(pieces):
        fewer = [(piece, n) for n in dict.fromkeys((1, times // 2)) if 0 < n < times]
        for size in dict.fromkeys((len(piece) // 2, len(piece) // 4, 1)):
            if size:
                cuts = range(0, len(piece), size)
                fewer += [(piece[:cut] + piece[cut + size :], times) for cut in cuts if len(piece) > size]
        found += [(*pieces[:at], one, *pieces[at + 1 :]) for one in fewer]
    return [replace(recipe, pieces=each) for each in found]
