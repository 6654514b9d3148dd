"""Makes inputs: from pieces of a target's language, from what hurts any reader, and from inputs that went further.

An input that reaches a line of pagekin for the first time is kept, and later ones are made from it.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import count

from trials.fuzz.recipe import NUMBER, Recipe
from trials.fuzz.targets import ANY, Target

TIMES = (1, 1, 1, 1, 1, 1, 2, 3, 10, 100)
MOST_PIECES = 10
NUMBERED = 0.3  # the share of repeated parts in which each repetition has a number of its own
FOREIGN = 0.15  # the share of pieces that are not of the target's language
BYTES = 1 << 17  # of an input whose growth is measured

Piece = tuple[bytes, int]


def inputs(target: Target, dice: random.Random, kept: Sequence[Recipe] = ()) -> Iterator[Recipe]:
    """Inputs without end; `kept` may grow meanwhile."""
    while True:
        yield _changed(target, dice, kept) if kept and dice.random() < 0.5 else _new(target, dice)


def _new(target: Target, dice: random.Random) -> Recipe:
    pieces = [_piece(target, dice) for _ in range(dice.randint(1, MOST_PIECES))]
    if target.start and dice.random() < 0.8:
        pieces.insert(0, (target.start, 1))
    return Recipe(tuple(pieces))


def _piece(target: Target, dice: random.Random) -> Piece:
    return dice.choice(ANY if dice.random() < FOREIGN else target.pieces), dice.choice(TIMES)


def _changed(target: Target, dice: random.Random, kept: Sequence[Recipe]) -> Recipe:
    """An input that was kept, with one to three changes."""
    pieces = list(dice.choice(kept).pieces)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(pieces) + 1)
        way = dice.randrange(5)
        if way == 0 or at == len(pieces):
            pieces.insert(at, _piece(target, dice))
        elif way == 1 and len(pieces) > 1:
            del pieces[at]
        elif way == 2:
            pieces[at] = _piece(target, dice)
        elif way == 3:
            pieces[at] = _damaged(pieces[at], dice)
        else:
            other = dice.choice(kept).pieces
            pieces[at:] = other[dice.randrange(len(other) + 1) :]
    return Recipe(tuple(pieces[: 3 * MOST_PIECES]) or ((b"", 1),))


def _damaged(piece: Piece, dice: random.Random) -> Piece:
    """A piece with a byte lost, doubled or replaced."""
    text, times = piece
    if not text:
        return piece
    at, way = dice.randrange(len(text)), dice.randrange(3)
    other = (b"", text[at : at + 1] * 2, bytes([dice.randrange(256)]))[way]
    return text[:at] + other + text[at + 1 :], times


def growing(target: Target, dice: random.Random) -> Iterator[Recipe]:
    """Inputs of which a part is repeated: first each piece alone, then a few together with others around them."""
    singles = [*target.pieces, *ANY]
    dice.shuffle(singles)
    for piece, begun in ((piece, begun) for begun in (True, False) for piece in singles):
        if begun or target.start:
            yield _repeated([target.start] * begun, [[piece]], [])
    for _ in count():
        before = [_piece(target, dice)[0] for _ in range(dice.randrange(3))]
        parts = [_part(target, dice) for _ in range(dice.choice((1, 1, 1, 2)))]
        after = [_piece(target, dice)[0] for _ in range(dice.randrange(2))]
        yield _repeated([target.start] * (dice.random() < 0.7) + before, parts, after)


def _part(target: Target, dice: random.Random) -> list[bytes]:
    pieces = [_piece(target, dice)[0] for _ in range(dice.randint(1, 3))]
    if dice.random() < NUMBERED:
        pieces.insert(dice.randint(1, len(pieces)), NUMBER)
    return pieces


def _repeated(before: Sequence[bytes], parts: Sequence[Sequence[bytes]], after: Sequence[bytes]) -> Recipe:
    texts = [b"".join(part) or b"x" for part in parts]
    times = max(64, BYTES // sum(map(len, texts)))
    around = [tuple((piece, 1) for piece in pieces if piece) for pieces in (before, after)]
    return Recipe((*around[0], *((text, times) for text in texts), *around[1]))
