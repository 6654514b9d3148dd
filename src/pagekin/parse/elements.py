"""What the elements of HTML do to those around them (HTML, 13.2.4.2 and 13.2.6): which are open at once, which close
others, which keep others from being seen."""


def names(text: str) -> frozenset[str]:
    """
    >>> sorted(names("td th"))
    ['td', 'th']
    """
    return frozenset(text.split())


VOID = names("area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr")
RAW = names("iframe noembed noframes script style textarea title xmp")  # what they contain are no tags
RAW_OR_REST = RAW | {"plaintext"}
FORMATTING = names("a b big code em font i nobr s small strike strong tt u")
HEADINGS = names("h1 h2 h3 h4 h5 h6")
CLOSES_P = HEADINGS | names(
    """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
    header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp"""
)
MARKED = names("applet marquee object")  # formatting from outside does not reach in; nor into cells
CELLS, SECTIONS = names("caption td th"), names("colgroup tbody tfoot thead")
TABLES = CELLS | SECTIONS | names("table template tr")
BARRIERS = MARKED | CELLS | names("html select table template")
SPECIAL = CLOSES_P | MARKED | TABLES | RAW | names("button frameset noscript select")
# End tags that close the last such element and all in it, unless a barrier stands between.
CLOSES = (CLOSES_P - HEADINGS - names("form hr li p plaintext table xmp")) | MARKED | names("button select")
AROUND = {
    **dict.fromkeys(("td", "th"), names("table tbody template tfoot thead tr")),
    "tr": names("table tbody template tfoot thead"),
    **dict.fromkeys(("caption", *SECTIONS), names("table template")),
}  # the parts of a table in which a part may be; others are closed
SOFT = names("address div p")  # boxes that do not keep a <li> from ending the one before
RUBY = names("rb rp rt rtc")
ONLY_OPTIONS = frozenset(("option",))
IMPLIED = RUBY | names("dd dt li option p")
IMPLIED_ALL = IMPLIED | {"optgroup"}
UNFORMATTED = CLOSES_P | TABLES | RAW | RUBY | names("base frameset link meta param source track")
SILENT = names("body head html")
INTEGRATION = {"svg": names("desc foreignobject title"), "math": names("mi mn mo ms mtext")}
HTML_ONLY = HEADINGS | names(
    """b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby
    s small span strong strike sub sup table tt u ul var"""
)  # these end a picture or a formula

# What an element is on the stack, as bits.
IS_BARRIER, IS_SPECIAL, IS_TABLE, IS_MARK, IS_BUTTON, IS_HARD = 1, 2, 4, 8, 16, 32
KINDS = {
    name: IS_BARRIER * (name in BARRIERS)
    | IS_SPECIAL * (name in SPECIAL)
    | IS_TABLE * (name in TABLES)
    | IS_MARK * (name in MARKED | CELLS or name == "template")
    | IS_BUTTON * (name == "button" or name in BARRIERS)
    | IS_HARD * (name in SPECIAL - SOFT)
    for name in SPECIAL | BARRIERS
}
POINT = IS_BARRIER | IS_SPECIAL | IS_BUTTON | IS_HARD  # of an element in a picture that holds HTML again
BITS = (IS_BARRIER, IS_SPECIAL, IS_TABLE, IS_BUTTON, IS_HARD)
