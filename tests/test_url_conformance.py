"""Other people's URL tests. Their expected address, put through our documented extra steps by the slow twin, is ours.

A deviation has its reason in a table here and in docs/url.md; the test fails when one appears, and when one disappears.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from pagekin.url import canonical, host, join, site, variants
from tests.test_url import DOCS, slow_characters, slow_finish, slow_percent

pytestmark = pytest.mark.data

AROUND = "".join(map(chr, range(0x21)))
OUR_SCHEME = re.compile(r"(https?|ftp|file):", re.IGNORECASE | re.ASCII)
NOW_TAKEN = "the standard now takes an ASCII host that is no valid IDN, and wpt-url/urltestdata.json expects ours"
NO_HOST = "there is no host to test: http:///x is http://x/"
NO_LABEL = "the standard takes an empty label, and the site is what stands to the right of it"
A_WORD = "without a dot or a port it is a word to us, not a host"
FTP_GUESS = "we guess http for a text without a scheme, trurl looks at the name"
LOWER_CASE = "the standard writes hosts in lower case"
QUERY_KEPT = "we keep the query as it is"

DEVIATIONS: dict[str, dict[str, str]] = {
    "wpt-url/urltestdata.json": {},
    "wpt-url/urltestdata-javascript-only.json": {},
    "wpt-url/ada_extra_urltestdata.json": {},
    "wpt-url/ada_long_urltestdata.json": {},
    "rust-url/url/tests/urltestdata.json": dict.fromkeys(
        [
            *("http://a.b.c.xn--pokxncvks", "http://a.b.c.XN--pokxncvks", "http://a.b.c.Xn--pokxncvks"),
            *("http://10.0.0.xn--pokxncvks", "http://10.0.0.XN--pokxncvks", "http://10.0.0.xN--pokxncvks"),
            *("https://xn--/", "file://xn--/p"),
        ],
        NOW_TAKEN,
    ),
    "wpt-url/IdnaTestV2.json": {"": NO_HOST},
    "wpt-url/IdnaTestV2-removed.json": {},
    "wpt-url/toascii.json": {},
    "wpt-url/percent-encoding.json": {},
    "rust-url/idna/tests/IdnaTestV2.txt": {"": NO_HOST},
    "psl/tests/test_psl.txt": {".example.com": NO_LABEL, ".example.example": NO_LABEL},
    "psl/tests/tests.txt": {".example.com": NO_LABEL, ".example.example": NO_LABEL},
    "trurl/tests.json": {
        "ftp.example.com": FTP_GUESS,
        "https://EXAMPLE.com": LOWER_CASE,
        "https://example.com?utm=tra%20cker&address%20=home&here=now&thisthen": QUERY_KEPT,
        **dict.fromkeys(["e?e&", "e?e&&", "e?e&&&&&&&&&&&&&&&&&&&&&", "e?e&&&&&&&&&&a&&&&&&&&&&&"], A_WORD),
        "0?00%000000000000000000000=0000000000": A_WORD,
    },
}


class Suite:
    """One file of cases: takes down what was expected and found, and compares the deviations with the table."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.path = name, folder / name
        self.run = 0
        self.deviating: dict[str, str] = {}

    def cases(self) -> list[dict[str, Any]]:
        """The objects of a JSON list; the strings between them are comments."""
        return [case for case in json.loads(self.path.read_text("utf-8")) if isinstance(case, dict)]

    def take(self, given: str, found: str | None, expected: str | None) -> None:
        self.run += 1
        if found != expected:
            self.deviating[given] = f"found {found!r}, expected {expected!r}"

    def check(self, run: int, capsys: pytest.CaptureFixture[str]) -> None:
        with capsys.disabled():
            print(f"\n  {self.name}: {self.run} cases, {len(self.deviating)} deviating", end="")
        table = DEVIATIONS[self.name]
        assert {given: why for given, why in self.deviating.items() if given not in table} == {}, "new deviations"
        assert table.keys() - self.deviating.keys() == set(), "deviations that are gone: take them out of the table"
        assert self.run == run
        assert f"| {self.name} | {self.run} | {len(self.deviating)} |\n" in DOCS


@pytest.fixture
def suite(data: Callable[[str], Path]) -> Callable[[str], Suite]:
    return lambda name: Suite(data("conformance"), name)


def expected_address(given: str, base: str | None, href: str | None) -> str | None:
    """Ours for what the standard makes of `given`: `href`, or None for a failure."""
    bare = given.strip(AROUND)
    if base is None and not OUR_SCHEME.match(href or re.sub("[\t\n\r]", "", bare)):
        return slow_characters(bare) or None  # an identifier
    if href is None or (base is not None and href.startswith("file:") and not base.startswith("file:")):
        return None
    return slow_finish(href)


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("wpt-url/urltestdata.json", 891),
        ("wpt-url/urltestdata-javascript-only.json", 1),
        ("wpt-url/ada_extra_urltestdata.json", 28),
        ("wpt-url/ada_long_urltestdata.json", 1),
        ("rust-url/url/tests/urltestdata.json", 869),
    ],
)
def test_whatwg(name: str, run: int, suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]) -> None:
    tests = suite(name)
    for case in tests.cases():
        given, base = case["input"], case.get("base")
        found = canonical(given) if base is None else join(base, given)
        tests.take(given, found, expected_address(given, base, None if case.get("failure") else case["href"]))
    tests.check(run, capsys)


def test_the_older_copy_is_superseded(suite: Callable[[str], Suite]) -> None:
    """The reason `NOW_TAKEN`, held against the newer file."""
    now = {case["input"]: case.get("href") for case in suite("wpt-url/urltestdata.json").cases()}
    for given in DEVIATIONS["rust-url/url/tests/urltestdata.json"]:
        assert canonical(given) == slow_finish(now[given] or "") is not None


@pytest.mark.parametrize(
    ("name", "run"),
    [("wpt-url/IdnaTestV2.json", 2671), ("wpt-url/IdnaTestV2-removed.json", 20), ("wpt-url/toascii.json", 87)],
)
def test_idna(name: str, run: int, suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]) -> None:
    tests = suite(name)
    for case in tests.cases():
        output = case["output"]
        expected = slow_finish(f"http://{output}/x") if output else None
        tests.take(case["input"], canonical(f"http://{case['input']}/x"), expected)
    tests.check(run, capsys)


def test_unicodes_own_idna(suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]) -> None:
    """The names that IDNA takes. Of those it refuses, WPT's file has the ones that the URL standard refuses too."""
    tests = suite("rust-url/idna/tests/IdnaTestV2.txt")
    for given, output in idna_names(tests.path.read_text("utf-8").splitlines()):
        tests.take(given, canonical(f"http://{given}/x"), slow_finish(f"http://{output}/x"))
    tests.check(788, capsys)


def idna_names(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    """(source, toASCII) of the lines without an error that the URL standard knows; the file's head has the columns."""
    ignored = {"", "A4_1", "A4_2", "V2", "V3"}  # VerifyDnsLength and CheckHyphens are off in the standard
    for line in lines:
        columns = [unescaped(column.strip()) for column in line.partition("#")[0].split(";")]
        if len(columns) < 5:
            continue
        source, unicode, unicode_status, ascii_, ascii_status = columns[:5]
        if {code.strip() for code in (ascii_status or unicode_status).strip("[]").split(",")} <= ignored:
            source, unicode, ascii_ = (name if name != '""' else "" for name in (source, unicode, ascii_))
            yield source, ascii_ or unicode or source


def unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9A-F]{4})|\\x\{([0-9A-F]+)\}", lambda found: chr(int(found[1] or found[2], 16)), text)


def test_percent_encoding(suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]) -> None:
    """In UTF-8: `join` does not know the encoding of the page, in which browsers write the query."""
    tests = suite("wpt-url/percent-encoding.json")
    for case in tests.cases():
        found = canonical("http://a.example/?" + case["input"])
        tests.take(case["input"], found, "http://a.example/?" + slow_percent(case["output"]["utf-8"]))
    tests.check(7, capsys)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("psl/tests/test_psl.txt", r"^checkPublicSuffix\((null|'[^']*'), (null|'[^']*')\);"),
        ("psl/tests/tests.txt", r"^(?!//)(\S+) (\S+)$"),
    ],
)
def test_public_suffix_list(
    name: str, pattern: str, suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the private section. Where the list says null, there is nothing registrable: the host is its own site."""
    tests = suite(name)
    for given, expected in re.findall(pattern, tests.path.read_text("utf-8"), re.MULTILINE):
        ours, theirs = (site_host(text.strip("'")) for text in (given, expected))
        tests.take(given.strip("'"), site(ours), theirs or ours)
    tests.check(78, capsys)


def site_host(name: str) -> str:
    return "" if name == "null" else host(canonical(f"http://{name}/") or "")


def test_trurl(suite: Callable[[str], Suite], capsys: pytest.CaptureFixture[str]) -> None:
    """The cases that only normalise one URL or join two; the others test options of a command."""
    tests = suite("trurl/tests.json")
    for case in tests.cases():
        words = [word for word in case["input"]["arguments"] if word not in ("--url", "--json")]
        output = case["expected"]["stdout"]
        if isinstance(output, list):
            output = output[0]["url"] if len(output) == 1 else ""
        if len(words) == 1 and output:
            # trurl guesses a scheme where there is none, and we do in a look-up
            found = canonical(words[0]) if "://" in words[0] else next(variants(words[0]), None)
        elif len(words) == 3 and words[1] == "--redirect":
            found = join(words[0], words[2])
        else:
            continue
        tests.take(words[0], found, slow_finish(output.strip()) if OUR_SCHEME.match(output) else words[0])
    tests.check(36, capsys)
