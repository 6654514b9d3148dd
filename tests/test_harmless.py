"""Text of strangers: no control character reaches a terminal, and no program reads other text than was on the page."""

import json
import re
import sys
import unicodedata

import pyarrow as pa
import pytest

from pagekin.answers.export.files import as_cells
from pagekin.harmless import JOINERS, as_cell, as_json, clean, percent_encoded, referenced

EVERY = list(map(chr, range(sys.maxunicode + 1)))
CONTROLS = [char for char in EVERY if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
WRITTEN = [
    "👩‍👩‍👧 and 🏳️‍🌈",  # joined by U+200D
    "می\u200cخواهم",  # Persian: U+200C keeps two letters apart
    "क्\u200dष and क्\u200cष",  # Devanagari: two forms of one cluster
    "שלום العربية ü “x” 𝔘",
]


def test_json_escapes_every_control_and_parses_to_the_same_text():
    text = as_json(CONTROLS)
    assert json.loads(text) == CONTROLS
    assert {char for char in text if char in CONTROLS} == set(JOINERS)
    assert len(text.splitlines()) == 1
    assert text.encode()  # halves of surrogate pairs are escaped too
    assert json.loads(as_json(EVERY)) == EVERY


def test_json_of_keys_and_of_backslashes_before_a_control():
    value = {"a\u202e": ["\\\x9b", '"\u2028"', {"\ufeff": "\ud800"}]}
    assert json.loads(as_json(value, indent=2)) == value
    assert re.fullmatch(r"[\x20-\x7e\n]*", as_json(value, indent=2))


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write_stays_as_it_is(text):
    assert clean(text) == text
    assert as_json(text) == f'"{text}"' or json.loads(as_json(text)) == text
    assert as_cell(text) == referenced(text) == percent_encoded(text) == text


def test_no_control_is_left_for_people():
    assert clean("".join(CONTROLS)).strip() == JOINERS
    assert clean("\ufeffa\u2028b\u0085c\u200e\u2066d\ue000") == "a b cd"


def test_percent_encoding_is_that_of_addresses():
    assert percent_encoded("a\nb\x9bc\u202e") == "a%0Ab%C2%9Bc%E2%80%AE"


FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\tx",
    " =1",
    "\x00=1",
    "\ufeff=1",
    "\u200b-1",
    "＝1",
    "＋",
    "－",
    "＠",
]
PLAIN = ["", " ", "a=1", "'=1", "1-1", "a\n=1", '"=1"', "http://a.example/?q==", "\u200cx", "–1", " x"]


def test_formulas_become_text_in_a_spreadsheet():
    assert [as_cell(text) for text in FORMULAS] == [f"'{text}" for text in FORMULAS]
    assert [as_cell(text) for text in PLAIN] == PLAIN


def test_an_exported_table_follows_the_same_rule_and_leaves_numbers_alone():
    texts = [*FORMULAS, *PLAIN, *WRITTEN, *(char + "=" for char in EVERY if not 0xD800 <= ord(char) < 0xE000)]
    batch = pa.record_batch({"text": [*texts, None], "block": [-1] * (len(texts) + 1)})
    made = as_cells(batch)
    assert made["text"].to_pylist() == [*map(as_cell, texts), None]
    assert made["block"].to_pylist() == batch["block"].to_pylist()
    assert made.schema == batch.schema
