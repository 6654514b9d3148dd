"""html5lib's tests, run through the parser as we use it; what deviates is listed here and in docs/parse/conformance.md.

A test fails when a deviation appears and when one disappears: either is news about the library below us.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin.parse.encoding import FALLBACK, declared, encoding_of

pytestmark = pytest.mark.data
Data = Callable[[str], Path]

# Reason → tests, as FILE:NUMBER counted from 0 in the file.
TREES = {
    "a processing instruction is kept as one; the tests have a comment, as the standard had until 2025": {
        "html5test-com.dat:11",
        "tests1.dat:39",
        "tests1.dat:43",
        "tests1.dat:46",
    },
    "the test runs a script, and we run none": {
        "scripted/adoption01.dat:0",
        "scripted/ark.dat:0",
        "scripted/webkit01.dat:0",
        "scripted/webkit01.dat:1",
    },
}
ENCODINGS: dict[str, set[str]] = {}
TOKENS: dict[str, set[str]] = {}

SECTIONS = ("data", "errors", "new-errors", "document-fragment", "script-on", "script-off", "document", "encoding")


def sections(text: str) -> Iterator[dict[str, str]]:
    """The cases of a .dat file: `#name` lines, each with what stands below."""
    case: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        if line == "#data" and case:
            yield {key: "\n".join(lines) for key, lines in case.items()}
            case = {}
        if line[:1] == "#" and line[1:] in SECTIONS:
            name = line[1:]
            case[name] = []
        elif name:
            case[name].append(line)
    yield {key: "\n".join(lines) for key, lines in case.items()}


def tree(case: dict[str, str], scripting: bool) -> str:
    """The tree in the notation of the tests, which Lexbor can print itself."""
    context: dict[str, Any] = {}
    if "document-fragment" in case:
        namespace, _, tag = case["document-fragment"].rpartition(" ")
        context = {"is_fragment": True, "fragment_tag": tag, "fragment_namespace": namespace or "html"}
    return LexborHTMLParser(case["data"], scripting=scripting, **context).html_pretty(html5test=True) or ""


def expected_tree(case: dict[str, str]) -> str:
    return re.sub(r"^\| ", "", case["document"], flags=re.MULTILINE)


def check(failed: set[str], table: dict[str, set[str]], counts: Counter[str], what: str) -> None:
    print(f"\n{what}: {dict(counts)}, known deviations {len(failed)}")
    assert failed == set().union(*table.values())


def test_tree_construction(data: Data) -> None:
    """We parse with scripting off; with scripting on the library must be as good, as the tests do not all say which."""
    folder = data("conformance") / "html5lib-tests" / "tree-construction"
    failed, counts = set(), Counter[str]()
    for file in sorted(folder.rglob("*.dat")):
        for number, case in enumerate(sections(file.read_bytes().decode())):
            kind = "fragments" if "document-fragment" in case else "documents"
            modes = [True] if "script-on" in case else [False] if "script-off" in case else [False, True]
            for scripting in modes:
                counts[kind] += 1
                if tree(case, scripting).rstrip("\n") != expected_tree(case).rstrip("\n"):
                    failed.add(f"{file.relative_to(folder).as_posix()}:{number}")
    check(failed, TREES, counts, "tree construction")
    assert counts == {"documents": 3169, "fragments": 384}


def test_encodings(data: Data) -> None:
    """`declared` finds what the tests want; where nothing is declared they want windows-1252, and we look further."""
    folder = data("conformance") / "html5lib-tests" / "encoding"
    failed, counts = set(), Counter[str]()
    for file in sorted(folder.glob("*.dat")):
        for number, case in enumerate(re.split(rb"^#data\n", file.read_bytes(), flags=re.MULTILINE)[1:]):
            counts["cases"] += 1
            body, _, name = case.partition(b"\n#encoding\n")
            marked = body.startswith(b"\xef\xbb\xbf")
            found = encoding_of(body) if marked or declared(body) else FALLBACK
            if found != name.decode().strip().lower():
                failed.add(f"{file.name}:{number}")
    check(failed, ENCODINGS, counts, "encoding")
    assert counts["cases"] > 80


# Where a text of a given content model is read by the parser: what opens it, and the element whose text it becomes.
STATES = {
    "Data state": ("", "body"),
    "RCDATA state": ("<textarea>\n", "textarea"),
    "RAWTEXT state": ("<xmp>", "xmp"),
    "PLAINTEXT state": ("<plaintext>", "plaintext"),
    "Script data state": ("<script>", "script"),
    "CDATA section state": ("<svg><![CDATA[", "svg"),
}


def left_out(test: dict[str, Any], state: str) -> str:
    """Why a tokenizer test cannot be asked of a parser; empty when it can."""
    text = test["input"] + json.dumps(test["output"], ensure_ascii=False)
    kinds = [token[0] for token in test["output"]]
    if re.search("[\ud800-\udfff]", text):
        return "lone surrogates"  # `decode` never gives one
    if "\0" in test["input"]:
        return "NUL"  # the tree builder drops or replaces it, so that the tokenizer's answer is not to be seen
    tag = test.get("lastStartTag")
    if state not in ("Data state", "CDATA section state") and tag and tag != STATES[state][1]:
        return "another start tag"
    if (
        set(kinds) - {"Character", "StartTag"}
        or "StartTag" in kinds[1:]
        or (kinds[:1] == ["StartTag"] and state[:4] != "Data")
    ):
        return "tokens that leave no trace"  # end tags, comments, doctypes: the trees above test them
    return ""


def tokens(test: dict[str, Any], state: str) -> bool:
    """Whether the parser reads the text, and the start tag before it if there is one, as the tokenizer should."""
    opening, name = STATES[state]
    parsed = LexborHTMLParser("<!DOCTYPE html><body>" + opening + test["input"])
    element = parsed.css_first(name)
    start = next((token for token in test["output"] if token[0] == "StartTag"), None)
    if start is not None:
        child = element and element.first_child
        if child is None or (child.tag, {k: v or "" for k, v in child.attributes.items()}) != (start[1], start[2]):
            return False
    text = "".join(token[1] for token in test["output"] if token[0] == "Character")
    return element is not None and element.text() == text


def unescaped(value: Any) -> Any:
    r"""A test's strings with \uXXXX read once more (`doubleEscaped`)."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
    return [unescaped(item) for item in value] if isinstance(value, list) else value


def test_tokenizer(data: Data) -> None:
    folder = data("conformance") / "html5lib-tests" / "tokenizer"
    failed, counts = set(), Counter[str]()
    for file in sorted(folder.glob("*.test")):
        for number, test in enumerate(json.loads(file.read_text("utf-8")).get("tests", [])):
            if test.get("doubleEscaped"):
                test |= {"input": unescaped(test["input"]), "output": unescaped(test["output"])}
            for state in test.get("initialStates", ["Data state"]):
                why = left_out(test, state)
                counts[f"left out: {why}" if why else "run"] += 1
                if not why and not tokens(test, state):
                    failed.add(f"{file.name}:{number}")
    check(failed, TOKENS, counts, "tokenizer")
    assert counts["run"] > 5700
