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
# For pages whose author has written a section of that name.
SECOND = {
    "ar": "صفحات ذات صلة", "bg": "Свързани страници", "cs": "Související stránky", "da": "Relaterede sider",
    "de": "Verwandte Seiten", "el": "Σχετικές σελίδες", "en": "Related pages", "es": "Páginas relacionadas",
    "fa": "صفحات مرتبط", "fi": "Aiheeseen liittyvät sivut", "fr": "Pages connexes", "he": "דפים קשורים",
    "hi": "संबंधित पृष्ठ", "hu": "Kapcsolódó oldalak", "id": "Halaman terkait", "it": "Pagine correlate",
    "ja": "関連ページ", "ko": "관련 문서", "nb": "Relaterte sider", "nl": "Verwante pagina's", "no": "Relaterte sider",
    "pl": "Powiązane strony", "pt": "Páginas relacionadas", "ro": "Pagini conexe", "ru": "Похожие страницы",
    "sk": "Súvisiace stránky", "sr": "Повезане странице", "sv": "Relaterade sidor", "th": "หน้าที่เกี่ยวข้อง",
    "tr": "İlgili sayfalar", "uk": "Пов'язані сторінки", "vi": "Trang liên quan", "zh": "相关页面",
    "zh-hant": "相關頁面", "zh-hk": "相關頁面", "zh-tw": "相關頁面",
}  # fmt: skip
FALLBACK = "en"


def heading(language: str, second: bool = False) -> tuple[str, str]:
    """The heading for a language, and the language that it is in; `second`: the page has one of that name already.

    >>> heading("de-AT"), heading("zh_TW"), heading("tlh", second=True)
    (('Siehe auch', 'de'), ('參見', 'zh-tw'), ('Related pages', 'en'))
    """
    known = SECOND if second else HEADINGS
    parts = language.strip().lower().replace("_", "-").split("-")
    for end in range(len(parts), 0, -1):
        tag = "-".join(parts[:end])
        if tag in known:
            return known[tag], tag
    return known[FALLBACK], FALLBACK
