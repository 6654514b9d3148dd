"""Which bytes mean which characters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.parse.encoding import FALLBACK, PRESCANS, declared, decode, encoding_of

RUSSIAN = "Пчеловодство и сбор мёда: история и современность"
JAPANESE = "日本の蜜蜂と養蜂の歴史について書かれたページです"


def test_order_mark_header_meta_utf8() -> None:
    meta = b"<meta charset=koi8-r>"
    header = "text/html; charset=windows-1251"
    assert encoding_of(b"\xef\xbb\xbf" + meta, header) == "utf-8"
    assert encoding_of(meta, header) == "windows-1251"
    assert encoding_of(meta, "text/html") == "koi8-r"
    assert encoding_of("é".encode()) == "utf-8"


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_the_mark_is_no_text(mark: str) -> None:
    assert decode("<p>мёд".encode(mark)) == "<p>мёд"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("iso-8859-1", "windows-1252"),
        ("US-ASCII", "windows-1252"),
        (" 'Latin1' ", "windows-1252"),
        ('"utf-8"', "utf-8"),
        ("gb2312", "gbk"),
        ("shift-jis", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("utf-16", "utf-16le"),
    ],
)
def test_labels_mean_what_the_standard_says(label: str, name: str) -> None:
    assert encoding_of(b"", f"text/html;Charset = {label}") == name


@pytest.mark.parametrize("label", ["unknown", "base64", "rot13", "utf-7", "none", "", "é"])
def test_a_label_nobody_knows_counts_as_none(label: str) -> None:
    assert encoding_of(b"<meta charset=koi8-r>", f"text/html; charset={label}") == "koi8-r"
    assert encoding_of(f"<meta charset={label}>".encode()) == "utf-8"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "shift_jis", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso-2022-jp", "iso-2022-jp"),
        ("关于蜜蜂和养蜂历史的网页，欢迎访问", "gbk", "gb18030"),
        ("꿀벌과 양봉의 역사에 대한 페이지입니다", "euc-kr", "euc-kr"),
        ("Η μελισσοκομία είναι η εκτροφή μελισσών", "iso8859-7", "iso-8859-7"),
    ],
)
def test_undeclared_encodings_are_detected(text: str, codec: str, name: str) -> None:
    body = f"<title>Bees</title><p>{text}".encode(codec)
    assert encoding_of(body) == name
    assert text in decode(body)


@pytest.mark.parametrize("text", ["one ö", "© 1996", "résumé", "Bobby® and Bobby®", "5–10 ‘minutes’"])
def test_a_few_characters_are_western(text: str) -> None:
    assert decode(f"<p>{text}".encode("cp1252")) == f"<p>{text}"


def test_utf8_with_a_few_wrong_bytes_is_what_it_says_it_is() -> None:
    assert decode(b"<meta charset=utf-8>caf\xc3\xa9 \xff") == "<meta charset=utf-8>café \ufffd"


def test_a_meta_beyond_the_prescan_is_not_seen() -> None:
    assert encoding_of(b" " * 5_000 + b"<meta charset=koi8-r>") == "koi8-r"
    assert encoding_of(b" " * PRESCANS[-1] + b"<meta charset=koi8-r>") == "utf-8"


def test_a_meta_that_can_be_read_is_in_no_utf16() -> None:
    assert declared(b"<meta charset=utf-16le>") == "utf-8"
    assert declared(b"<meta charset=x-user-defined>") == FALLBACK


@settings(deadline=None)
@given(st.binary(), st.none() | st.text())
def test_any_bytes_and_any_header_decode(body: bytes, header: str | None) -> None:
    decode(body, header)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([b"<meta ", b"charset", b"=", b'"', b"'", b">", b"<", b"/", b"koi8-r", b" ", b"<!--", b"-->"])
    )
)
def test_any_beginning_can_be_scanned(pieces: list[bytes]) -> None:
    assert declared(b"".join(pieces)) in (None, "koi8-r")
