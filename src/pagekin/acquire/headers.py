"""What the columns of a table of links are called, in many languages and by many programs.

    url_from → source      "Ziel-URL" → target      AnchorText → anchor      "Referring Page Title" → source_title

A header is cut into words, at `_`, spaces, hyphens and capitals. Words that say nothing (`url`, `id`, `page`) are left
out; what remains must be one of the names below. A header that has nothing else (`url`, `link`) may be either end.
"""

import re
import unicodedata
from collections.abc import Iterable

ENDS = ("source", "target")
ROLES = (*ENDS, "anchor", "source_title", "target_title")

# English first, then what programs write (SNAP, Gephi, backlink services, MediaWiki), then other languages.
NAMES = {
    "source": (
        "source", "src", "from", "citing", "referring", "linking", "referrer", "referer", "origin", "inlink",
        "linked from", "link from", "fromnode", "pl from", "sourceurl", "fromurl", "urlfrom", "el from", "von",
        "quelle", "quell", "quellseite", "quellurl", "ausgangsseite", "depuis", "origine", "provenance",
        "page source", "origen", "desde", "fuente", "sorgente", "provenienza", "origem", "fonte", "bron", "van",
        "zrodlo", "skad", "kalla", "fran", "kilde", "fra", "lahde", "zdroj", "forras", "kaynak", "pigi",
        "источник", "откуда", "от", "джерело", "звідки", "リンク元", "参照元", "ソース", "元", "来源", "源",
        "源网址", "来源网址", "出处", "출처", "소스", "출발", "מקור", "المصدر", "πηγη",
    ),
    "target": (
        "target", "tgt", "dst", "dest", "to", "cited", "destination", "outlink", "outlinks", "links", "linked to",
        "link to", "href",
        "tonode", "pl target", "targeturl", "tourl", "urlto", "el to", "sink", "nach", "ziel", "zielseite",
        "zielurl", "vers", "cible", "destino", "hacia", "hasta", "destinazione", "para", "alvo", "doel", "naar",
        "cel", "dokad", "mal", "till", "til", "kohde", "cil", "cel url", "hedef", "stochos", "цель", "куда",
        "назначение", "к", "ціль", "куди", "リンク先", "参照先", "ターゲット", "先", "目标", "目的", "目标网址",
        "链接到", "대상", "타겟", "도착", "יעד", "الهدف", "στοχος",
    ),
    "anchor": (
        "anchor", "anchor text", "anchortext", "text", "linktext", "label", "anker", "ankertext",
        "linkbeschriftung", "ancre", "texte", "texto", "texto ancla", "ancla", "testo", "ancora", "tekst",
        "ankkuri", "текст", "анкор", "アンカー", "アンカーテキスト", "リンクテキスト", "锚文本", "锚文字",
        "链接文本", "앵커", "앵커텍스트", "텍스트",
    ),
    "source_title": ("source title", "referring title", "from title", "title from", "quelltitel"),
    "target_title": ("target title", "destination title", "to title", "title to", "zieltitel"),
}  # fmt: skip
_SAYS_NOTHING = frozenset((
    "url", "urls", "uri", "id", "ids", "iri", "page", "pages", "link", "address", "website",
    "webpage", "node", "key", "name", "full", "raw", "seite", "adresse", "lien", "enlace",
    "direccion", "indirizzo", "adres", "pagina", "страница", "ссылка", "адрес", "ページ", "页面",
    "链接", "網址", "网址", "주소", "페이지", "링크",
))  # fmt: skip
_WORDS = re.compile(r"[^\W_]+")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OTHER_SCRIPT = re.compile(r"(?<=[^\x00-\x7f])(?=[a-z])")  # リンク元URL
SOME = {"source": ("src", "from", "citing", "referring page"), "target": ("dst", "to", "cited", "destination")}
EXPECTED = "expected columns " + " and ".join(f"{end} (also: {', '.join(SOME[end])} …)" for end in ENDS)


def role_of(header: str) -> str | None:
    """What a column with this header holds: a role, "" for a URL of some kind, None for something else.

    >>> role_of("url_from"), role_of("Zielseite"), role_of("FromNodeId"), role_of("URL"), role_of("Size (Bytes)")
    ('source', 'target', 'source', '', None)
    """
    words = _words(header)
    for some in (words, [word for word in words if word not in _SAYS_NOTHING]):
        if (role := _KNOWN.get(" ".join(some))) is not None:
            return role
    return "" if words and _SAYS_NOTHING.issuperset(words) else None


def columns_by_role(headers: Iterable[str]) -> dict[str, list[int]]:
    """The columns whose header says each role, in order; `""` for those that may be either end."""
    found: dict[str, list[int]] = {}
    for number, header in enumerate(headers):
        if (role := role_of(header)) is not None:
            found.setdefault(role, []).append(number)
    return found


def _words(header: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", _CAPITAL.sub(" ", header.strip()))
    plain = "".join(char for char in plain if not unicodedata.combining(char)).lower().replace("ł", "l")
    return _WORDS.findall(_OTHER_SCRIPT.sub(" ", unicodedata.normalize("NFC", plain)))


_KNOWN = {" ".join(_words(name)): role for role, names in NAMES.items() for name in names}
