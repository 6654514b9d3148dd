"""What a list of related pages is called, in the language of the page."""

# As Wikipedia calls its own, in the languages in which most pages are written.
HEADINGS = {
    "ar": "انظر أيضًا", "bg": "Вижте също", "cs": "Viz také", "da": "Se også", "de": "Siehe auch", "el": "Δείτε επίσης",
    "en": "See also", "es": "Véase también", "fa": "جستارهای وابسته", "fi": "Katso myös", "fr": "Voir aussi",
    "he": "ראו גם", "hi": "इन्हें भी देखें", "hu": "Lásd még", "id": "Lihat pula", "it": "Vedi anche", "ja": "関連項目",
    "ko": "같이 보기", "nb": "Se også", "nl": "Zie ook", "no": "Se også", "pl": "Zobacz też", "pt": "Ver também",
    "ro": "Vezi și", "ru": "См. также", "sk": "Pozri aj", "sr": "Види још", "sv": "Se även", "th": "ดูเพิ่ม",
    "tr": "Ayrıca bakınız", "uk": "Див. також", "vi": "Xem thêm", "zh": "参见", "zh-hant": "參見", "zh-hk": "參見",
    "zh-tw": "參見",
}  # fmt: skip
FALLBACK = "en"


def heading(language: str) -> tuple[str, str]:
    """The heading for a language, and the language that it is in.

    >>> heading("de-AT"), heading("zh_TW"), heading("tlh")
    (('Siehe auch', 'de'), ('參見', 'zh-tw'), ('See also', 'en'))
    """
    parts = language.strip().lower().replace("_", "-").split("-")
    for end in range(len(parts), 0, -1):
        tag = "-".join(parts[:end])
        if tag in HEADINGS:
            return HEADINGS[tag], tag
    return HEADINGS[FALLBACK], FALLBACK
