"""Tells what is around the content of a page (menus, footers, page turners) from what authors call it."""

import re
from collections.abc import Mapping
from functools import lru_cache

from selectolax.lexbor import LexborNode

TAGS = {"nav", "footer"}
# Words in the class, id or role of an element.
NAMES = {"nav", "navbar", "navbox", "navigation", "navheader", "navfooter", "footer", "printfooter", "catlinks"}
NAMES |= {"breadcrumb", "breadcrumbs", "pager", "pagination", "comments", "contentinfo", "header", "sphinxsidebar"}

_WORDS = re.compile(r"[a-z]+")


def is_furniture(node: LexborNode) -> bool:
    """Whether an element is around the content rather than part of it."""
    return node.tag in TAGS or not NAMES.isdisjoint(names(node))


def within_furniture(node: LexborNode) -> bool:
    """Whether an element is in one that is around the content."""
    above = node.parent
    while above is not None and not is_furniture(above):
        above = above.parent
    return above is not None


def names(node: LexborNode) -> list[str]:
    """The words in the class, id and role of an element; none for texts and comments."""
    if (node.tag or "-").startswith(("-", "!")):
        return []
    given = node.attributes
    return _WORDS.findall(" ".join(given.get(name) or "" for name in ("class", "id", "role")).lower())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a page may call a box of links that is around its content: region → words. Lists of contents (`toc`) and asides
# are not among them: an author chose what is in these, unless every page repeats it (`collection.roles`).
REGIONS = {
    "navigation": _words(
        """nav navbar navigation navheader navfooter navlinks navpanel menu menubar mainmenu topmenu submenu breadcrumb
        breadcrumbs crumbs pagination pager paging prevnext toolbar tablist skip skiplink search
        languages interlanguage share social"""
    ),
    "footer": _words("footer colophon contentinfo copyright"),
    "header": _words("header masthead banner topbar"),
    "sidebar": _words("sidebar sphinxsidebar"),
    "tags": _words("tags taglist tagcloud categories catlinks archives"),  # they lead to lists of pages
}
_REGION_OF = {word: region for region, words in REGIONS.items() for word in words}
TAG_REGIONS = {"nav": "navigation", "footer": "footer", "header": "header"}  # <menu> was a list in 1996
ROLE_REGIONS = {"navigation": "navigation", "search": "navigation", "contentinfo": "footer", "banner": "header"}
CONTENT = frozenset(("main", "article"))  # elements, or roles: within these, what is around them says nothing
# `has-sidebar` is said of a box that has one, which is often the whole page.
_ABOUT = _words("has with no without not is hide show")
_LONGEST_NAME = 200  # characters of a class or id that are looked at
_NAME_WORD = re.compile("[A-Z]*[a-z]+|[A-Z]+")

# What a link may say about itself: with its rel (HTML, 4.6.7, and what documentation tools write), or with its text.
RELS = _words(
    """alternate author begin contents copyright directory end first help home index last license next parent prev
    previous privacy-policy search start terms-of-service toc top up"""
)
TAG_RELS = _words("tag category archives")
TEXTS = """
    next;previous;prev;up;top;home;back;contents;index;table of contents;back to top;go back;next page;previous page;
    next chapter;previous chapter;next section;previous section;next topic;previous topic;newer;older;newer posts;
    older posts;main page;skip to content;skip to main content;jump to content;sitemap;site map;
    weiter;zurück;nach oben;inhalt;inhaltsverzeichnis;startseite;vorherige;nächste;vorherige seite;nächste seite;
    suivant;précédent;sommaire;accueil;haut de page;page suivante;page précédente;siguiente;anterior;inicio;arriba;
    índice;successivo;precedente;avanti;indietro;indice;próximo;próxima;início;volgende;vorige;omhoog;inhoud;
    następny;poprzedni;następna;poprzednia;spis treści;следующая;предыдущая;далее;назад;вперёд;содержание;
    次へ;前へ;目次;ホーム;戻る;次のページ;前のページ;下一页;上一页;返回;首页;目录;下一頁;上一頁;首頁;目錄"""
LISTS = """
    archive;archives;all posts;all articles;tags;all tags;categories;archiv;schlagwörter;kategorien;alle beiträge;
    étiquettes;catégories;tous les articles;archivo;archivos;etiquetas;categorías;archivio;categorie;arquivo;categorias;
    archief;archiwum;kategorie;tagi;архив;метки;рубрики;アーカイブ;タグ;カテゴリー;归档;标签;分类;彙整;標籤;分類"""
_LISTS = frozenset(text.strip() for text in LISTS.split(";"))
_TEXTS = frozenset(text.strip() for text in TEXTS.split(";")) | {""}  # "": nothing but arrows
_LONGEST_TEXT = max(map(len, _TEXTS)) + 4  # and a few signs around it
_ARROWS = "<>«»‹›←→↑↓⇐⇒⇑▲▼◀▶"
_ARROW = re.compile(f"[{_ARROWS}]")
_SIGNS = f" \t{_ARROWS}|[](){{}}.:…-–—"
# Manuals have things of these names, with a page of that name each: vector/back.html, iterator/next.html. Pages called
# index, home and contents are what the link says.
_TURNS = _words("next prev previous back up top")
_CODE = frozenset(("code", "tt", "kbd", "samp", "var"))
_CODE_INSIDE = ",".join(sorted(_CODE))
_NEAR = 8  # elements around a link that are looked at: code is a phrase, and hostile pages nest a hundred thousand deep


def region(tag: str, attributes: Mapping[str, str | None], outer: str) -> str:
    """What a page calls the part of it that a box forms: navigation, header, footer, sidebar, tags, or "" for content.

    >>> region("div", {"class": "site-footer"}, ""), region("div", {"class": "page has-sidebar"}, "")
    ('footer', '')
    """
    if tag in CONTENT:
        return ""
    if attributes:
        role = attributes.get("role")
        if role in CONTENT:
            return ""
        found = ROLE_REGIONS.get(role or "") or _named(attributes.get("id") or "", attributes.get("class") or "")
        if found:
            return found
    return TAG_REGIONS.get(tag, outer)


@lru_cache(4096)
def _named(*names: str) -> str:
    for token in (token for name in names for token in name[:_LONGEST_NAME].split()):
        words = [word.lower() for word in _NAME_WORD.findall(token)]
        if words and _ABOUT.isdisjoint(words):
            for word in (words[-1], words[0], "".join(words)):
                found = _REGION_OF.get(word) or ("navigation" if word.endswith("nav") else "")  # docnav, sidenav
                if found:
                    return found
    return ""


def said_region(rel: str, anchor: str) -> str:
    """What a link says about itself: `navigation` if it turns pages or leads around the site, `tags` if it leads to a
    list of pages by tag, category or date, else "".

    >>> said_region("next", "Bees"), said_region("", "« Previous"), said_region("tag", "Bees"), said_region("", "up()")
    ('navigation', 'navigation', 'tags', '')
    """
    if rel:
        rels = rel.split()
        if not TAG_RELS.isdisjoint(rels):
            return "tags"
        if not RELS.isdisjoint(rels):
            return "navigation"
    return _said(anchor) if 0 < len(anchor) <= _LONGEST_TEXT else ""


@lru_cache(4096)
def _said(anchor: str) -> str:
    text = anchor.strip(_SIGNS).lower()
    if text in _TEXTS:
        turns = anchor[-2:] != "()" if text else _ARROW.search(anchor)  # a call; operator[]
        return "navigation" if turns else ""
    return "tags" if text in _LISTS else ""


def names_a_thing(anchor: str, target: str, node: LexborNode | None) -> bool:
    """Whether an anchor for which `said_region` takes a link for a page turner is the name of something, as manuals of
    programs have them (`vector::back`): the page is called so, or the anchor is code. `node`: the link, if it has text.
    """
    text = anchor.strip(_SIGNS)
    if text in _TURNS and _called(target) == text:  # `Next` with a capital may lead to next.html
        return True
    return node is not None and _in_code(node, text)


def _called(target: str) -> str:
    """The name of a page in its address.

    >>> _called("http://cpp.example/vector/back.html"), _called("http://cpp.example/next/?v=1")
    ('back', 'next')
    """
    return target.partition("?")[0].rstrip("/").rpartition("/")[2].partition(".")[0]


def _in_code(node: LexborNode, text: str) -> bool:
    """Whether the text of a link is marked as code, outside the link or inside."""
    around = node.parent
    for _ in range(_NEAR):
        if around is None:
            break
        if around.tag in _CODE:
            return True
        around = around.parent
    inside = node.first_child
    if inside is None or (inside.next is None and inside.first_child is None):
        return False  # plain text, as nearly all of these links have
    return any(" ".join(each.text().split()).strip(_SIGNS) == text for each in node.css(_CODE_INSIDE))
