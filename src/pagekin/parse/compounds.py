"""The runs of a text that signs separate, and the compounds among them: well-known, sqlite3_prepare, os.path,
std::vector, and words with capitals inside. Runs repeat from page to page, so what is found in one is remembered."""

import re
from collections.abc import Callable, Iterator, Mapping

REMEMBERED = 1 << 17  # cached words per language, about 15 MB; then the cache is emptied

# ASCII characters other than letters and digits become spaces. This is done on bytes, with one look-up per character:
# a third of the time of a regular expression that finds words, and `bees`, `bees,` and `(bees` are learnt only once.
SPACED = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in range(256))
LONGEST_COMPOUND, MOST_JOINED = 60, 8  # characters, parts; longer ones are addresses, keys and lists
_JOINED = re.compile(r"\w+(?:(?:[-.]|::|->)\w+)*")
_JOINT = re.compile(r"(?:[-._]|::|->)+")
_HUMPS = re.compile("[a-z][A-Z]")
_HUMP = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_AROUND = "-.:>“”„’…«»"
# Other signs than those of joints separate such words; as with `SPACED`, that is quickest on bytes.
SPACED_OUT = bytes(byte if byte > 127 or chr(byte).isalnum() or chr(byte) in "-._:>" else 32 for byte in range(256))


def split(text: str, signs: bytes) -> list[str]:
    """The runs of a text, which ASCII signs separate: `SPACED`, or `SPACED_OUT`, which keeps those of compounds."""
    return text.encode("utf-8", "replace").translate(signs).decode().split()


class Runs(dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]):
    """A run with the signs of compounds → what other signs leave of it, and its compounds: term and surface."""

    def __init__(self, stem: Mapping[str, str]) -> None:
        super().__init__()
        self.stem = stem.__getitem__
        self.plain: set[str] = set()  # runs that are one word of ASCII, and nothing else: nearly all

    def __missing__(self, run: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        whole = run.strip(_AROUND)
        plain = whole.isalnum() and not _HUMPS.search(whole)  # most are
        parts = (whole,) if plain and run.isascii() else tuple(split(run, SPACED))
        found = parts, () if plain else tuple(_compound(whole, self.stem))
        if len(run) <= LONGEST_COMPOUND:
            if len(self) + len(self.plain) >= REMEMBERED:
                self.clear()
                self.plain.clear()
            if found == ((run,), ()) and run.isascii():
                self.plain.add(run)
            else:
                self[run] = found
        return found


def _compound(whole: str, stem: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    if len(whole) > LONGEST_COMPOUND or not (_JOINED.fullmatch(whole) or _HUMPS.search(whole)):
        return
    parts = [part for part in _JOINT.split(whole) if part]
    if len(parts) > 1 and len(parts) <= MOST_JOINED and not all(part.isdigit() for part in parts):
        yield whole.casefold(), whole
    for part in parts:
        humps = _HUMP.findall(part) if _HUMPS.search(part) else ()
        for hump in humps if len(humps) > 1 else ():
            if found := stem(hump):
                yield found, hump
