"""What a page may cost the HTML parser, in the steps that `burden` counts, and why one is refused."""

DEEP, OPEN, ATTRIBUTES, OPTIONS, NAMES = (
    "nested too deeply",
    "too many elements left open",
    "too many attributes in one tag",
    "too many options in one list",
    "too many different names of tags or attributes",
)
# A page with fewer tags and characters costs the parser some hundredths of a second at most, and is not looked at.
FEW_TAGS, FEW_CHARACTERS = 3_000, 1 << 15
# Levels; real pages have fewer than a hundred, and browsers make no more than 512. 3,000 take Lexbor 10 ms, ten times
# as many a second.
DEEPEST = 3_000
# Comparisons, 3 ns each: so many for every page, and so many for each of its characters, so that twice the page is
# twice the work. Real pages need about two a character.
MOST_STEPS, STEPS_A_CHARACTER = 20_000_000, 50
# Formatting elements opened again, and one more for each character. A 160 kB page of `<p><font color=…>` has 32 million
# of them, which take 4 GB.
MOST_REOPENED = 100_000


class TooMuch(Exception):  # noqa: N818
    """The page would cost too much; the message says what there is too much of."""
