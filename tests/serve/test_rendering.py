"""Text of strangers on a page: cut, cleaned, and never an address that a browser would run."""

import pytest

from pagekin.serve.rendering import address, figure, marked, name_of, outward, short, where


def test_text_is_cut_and_cleaned():
    assert short("a\u202eb\n c\x00") == "ab c"
    assert len(short("x" * 10_000_000)) == 160
    assert short("\u202e" * 5_000 + "a") in ("", "a")
    assert name_of("http://a.example/", "\u200b") == "http://a.example/"
    assert name_of("", "") == "(no name)"


@pytest.mark.parametrize(
    "url", ["javascript:a", "JAVASCRIPT:a", "data:text/html,a", " http://a.example/", "//a.example/", "10.1/x"]
)
def test_only_addresses_of_the_web_lead_out(url):
    assert outward(url) is None
    assert outward("https://a.example/") == "https://a.example/"


def test_an_address_is_shown_without_its_scheme_and_cut_in_the_middle():
    assert where("https://a.example/b") == "a.example/b"
    assert where("http://a.example/" + "b" * 500 + "/end").endswith("b/end")
    assert len(where("http://a.example/" + "b" * 500)) <= 71


def test_words_are_marked_whole():
    assert marked("logs log-in (log)", ["log"]) == [
        ("logs ", False),
        ("log", True),
        ("-in (", False),
        ("log", True),
        (")", False),
    ]
    assert marked("text", []) == [("text", False)]


def test_numbers_and_addresses():
    assert [figure(score) for score in (0.12345, 12.3456, 0.0, 1e-7, 123456.0, None)] == [
        "0.123",
        "12.3",
        "0",
        "1.0e-07",
        "1.2e+05",
        "",
    ]
    assert address("/a", [("b", "c&d\udc80")]) == "/a?b=c%26d%3F"
    assert address("/a") == "/a"
