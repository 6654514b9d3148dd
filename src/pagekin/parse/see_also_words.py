"""The words that mean "see also", in many languages: what Wikipedia, manual pages and documentation tools call it."""

import re
from collections.abc import Iterable

from pagekin.parse.walk import fold

# May begin a sentence: "See also the hive."
PHRASES = """
    see also|also see|see, also
    siehe auch|siehe ferner|vergleiche auch
    voir aussi|voir également|consulter aussi|consultez aussi|consultez également
    véase también|vease tambien|véanse también|vea también|ver también|consulte también
    vedi anche|vedere anche|si veda anche|si vedano anche|consulta anche
    ver também|veja também|vide também|consulte também
    zie ook|bekijk ook
    zobacz też|zobacz także|zobacz również|patrz także|patrz też|patrz również
    см. также|см. тж|см также|смотри также|смотрите также|див. також|дивіться також|вижте също|виж също
    関連項目|こちらもご覧ください|併せてご覧ください
    参见|參見|另见|另見|参阅|參閱|另请参阅|另請參閱|另请参见|另請參見|请参阅|請參閱
    se även|se också|se også|katso myös|viz také|viz též|viz rovněž|pozri aj|pozri tiež|lásd még|vezi și|vezi şi
    vegeu també|véxase tamén|ikus gainera|vidi još|vidi također|glej tudi|vidu ankaŭ
    ayrıca bakınız|ayrica bakiniz|ayrıca bkz|ayrica bkz
    βλέπε επίσης|δείτε επίσης|ראו גם|انظر أيضا|انظر أيضًا|طالع أيضا|نیز ببینید|جستارهای وابسته
    같이 보기|함께 보기|관련 항목|참고 항목|더 보기|lihat pula|lihat juga|xem thêm|ดูเพิ่ม
"""
# Say so only alone in their line, or before a colon: "Related topics in the theory of bees are many" is a sentence. Not
# "Related functions": by that name Doxygen lists what is declared on the page itself.
LABELS = """
    related|related topics|related topic|related links|related pages|related articles|related information
    related documentation|related commands|related reading|related content|related concepts|related resources
    related material|related entries
    verwandte themen|verwandte artikel|verwandte seiten|ähnliche themen
    articles connexes|pages connexes|sujets connexes|articles liés|pages liées|liens connexes
    artículos relacionados|temas relacionados|páginas relacionadas|enlaces relacionados
    voci correlate|argomenti correlati|pagine correlate|collegamenti correlati
    artigos relacionados|tópicos relacionados|páginas relacionadas|ligações relacionadas
    verwante onderwerpen|gerelateerde onderwerpen|gerelateerde artikelen|verwante artikelen
    tematy pokrewne|tematy powiązane|powiązane artykuły|powiązane tematy
    связанные статьи|связанные темы|связанные страницы|связанные разделы
    参照|참고|関連記事|関連情報|関連トピック|関連ページ|相关条目|相關條目|相关主题|相關主題|相关页面|相关链接|相关文章
    související články|související stránky|kapcsolódó szócikkek|relaterade artiklar
"""

_NUMBER = r"(?:(?:section|chapter|§)\s*)?(?:[A-Z]|\d+)?(?:\.?\d+)*[.):]?\s+"
_AROUND = re.compile(rf"^(?:\[[^\]]*\]\s*|{_NUMBER})?(.*?)[\s:：.…¶#§🔗​]*(?:\[[^\]]*\])?$", re.IGNORECASE | re.DOTALL)


def _listed(table: str) -> list[str]:
    return [phrase.strip() for line in table.split("\n") for phrase in line.split("|") if phrase.strip()]


SAID_ALONE = {phrase.casefold() for phrase in (*_listed(PHRASES), *_listed(LABELS))}


def _pattern(phrases: Iterable[str]) -> str:
    longest_first = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest_first)


_BEFORE = " \t\n\r\f\xa0([«»→•*–—-"
# A quick look before the pattern, which has 200 branches: how the first word begins, and phrases of two characters.
_FIRST = {phrase.split()[0][:3] for phrase in SAID_ALONE}
_SHORT = {phrase for phrase in SAID_ALONE if len(phrase) < 3}
# Chinese and Japanese go on without a space.
_BEGINS = re.compile(
    rf"[{re.escape(_BEFORE)}]*(?P<words>(?:{_pattern(_listed(PHRASES))})(?:(?!\w)|(?<=[⺀-鿿]))"
    rf"|(?:{_pattern(_listed(LABELS))})(?=\s*[:：]|\s*$))",
    re.IGNORECASE,
)


def says_so(text: str) -> bool:
    """Whether a text says "see also" and nothing else."""
    return core(text) in SAID_ALONE


def core(text: str) -> str:
    """A label without its number, colon, permanent link and "[edit]", in small letters.

    >>> core("5.3. See Also: ¶"), core("[edit] See also"), core("See also")
    ('see also', 'see also', 'see also')
    """
    if len(text) > 100:  # no label
        return ""
    plain = fold(text)
    if plain.casefold().rstrip(" :：.") in SAID_ALONE:
        return plain.casefold().rstrip(" :：.")
    found = _AROUND.match(plain)
    return found[1].casefold() if found else ""


def begins_so(text: str) -> bool:
    """Whether a text begins with such words, perhaps after a bracket or a bullet."""
    first = text.lstrip(_BEFORE)[:3].casefold()[:3]
    word = "".join(first.split(maxsplit=1)[:1])
    return (word in _FIRST or first[:2] in _SHORT) and _BEGINS.match(text) is not None


def begins_with_capital(text: str) -> bool:
    """Whether it does, and not with a small letter."""
    begin = _BEGINS.match(text)
    return begin is not None and not begin["words"][0].islower()
