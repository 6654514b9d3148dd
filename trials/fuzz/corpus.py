"""Inputs that were once a fault, or that somebody thought of: `tests/corpus/TARGET/NAME.json`, a recipe each."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from trials.fuzz.recipe import Recipe

CORPUS = Path(__file__).parents[2] / "tests" / "corpus"


def stored(only: str | None = None) -> Iterator[tuple[str, str, Recipe]]:
    """The target, name and recipe of each file, of one target if it is named."""
    for path in sorted(CORPUS.glob(f"{only or '*'}/*.json")):
        yield path.parent.name, path.stem, Recipe.read(path.read_text("utf-8"))


def store(target: str, kind: str, recipe: Recipe, under: Path = CORPUS) -> Path:
    """Keep a recipe under a name made of what it does and its hash."""
    text = f"{recipe}\n"
    path = under / target / f"{kind}-{blake2b(text.encode(), digest_size=4).hexdigest()}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
