"""Which spelling of an address is compared with which."""

from pagekin.acquire.crawl.spellings import MOST, Pair, Spellings, fingerprint

DOCS, INDEX = "http://a.example/docs/", "http://a.example/docs/index.html"
ONE, OTHER = fingerprint(b"<p>one", ["http://a.example/x"]), fingerprint(b"<p>another one", [])


def test_whichever_comes_first_the_other_is_compared():
    spellings = Spellings()
    assert spellings.met(DOCS, INDEX) is None
    assert spellings.fetched(DOCS, INDEX, ONE) is None  # nobody writes it otherwise
    assert spellings.met(DOCS, INDEX) is None
    assert spellings.met(DOCS, DOCS) == Pair(DOCS, INDEX, DOCS)
    assert spellings.met(DOCS, DOCS) is None  # once is enough
    spellings = Spellings()
    for way in (DOCS, INDEX, DOCS):
        assert spellings.met(DOCS, way) is None
    assert spellings.fetched(DOCS, DOCS, ONE) == Pair(DOCS, DOCS, INDEX)
    assert spellings.fetched("http://a.example/x", "http://a.example/x", ONE) is None


def test_what_differs():
    spellings = Spellings()
    spellings.fetched(DOCS, INDEX, ONE)
    pair = Pair(DOCS, INDEX, DOCS)
    spellings.compared(pair, ONE, 200)
    spellings.compared(pair, fingerprint(b"<p>oNe", ["http://a.example/x"]), 200)  # a counter
    assert spellings.differing == []
    spellings.compared(pair, OTHER, 200)
    spellings.compared(pair, None, 403)
    assert spellings.differing == [(INDEX, DOCS, "is another page"), (INDEX, DOCS, "answers with status 403")]


def test_a_spelling_that_is_not_there_is_not_asked_for_again():
    spellings = Spellings()
    spellings.met(DOCS, INDEX)
    spellings.missed(DOCS, INDEX, 404)
    assert spellings.fetched(DOCS, DOCS, ONE) is None
    assert spellings.differing == [(DOCS, INDEX, "answers with status 404")]


def test_a_few_of_each_host():
    spellings = Spellings()
    asked = 0
    for n in range(10):
        url = f"http://a.example/{n}/"
        spellings.fetched(url, url, ONE)
        asked += spellings.met(url, url + "index.html") is not None
    assert asked == MOST
