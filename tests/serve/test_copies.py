"""Results to paste elsewhere: no formulas in a table, no markup of strangers in Markdown."""

import csv
from io import StringIO

from pagekin.answers.ranking import Ranking, Related
from pagekin.serve.copies import as_csv, as_markdown

ROWS = (
    Related(1, "http://a.example/x>(y)", "=1+1 [A](javascript:a) *b*", "a.example", 0.5, True, mirrors=("http://b.example/",)),
    Related(2, "javascript:a", "", "", 0.25, False),
)  # fmt: skip


def test_csv_has_the_columns_of_the_shell_and_no_formula():
    header, first, second = csv.reader(StringIO(as_csv(Ranking(results=ROWS))))
    assert tuple(header) == Ranking.header
    assert first[:5] == ["1", "http://a.example/x>(y)", "'=1+1 [A](javascript:a) *b*", "a.example", "0.5"]
    assert first[7] == '["http://b.example/"]'
    assert second[1] == "javascript:a"


def test_markdown_links_pages_of_the_web_only():
    assert as_markdown(Ranking(results=ROWS)).splitlines() == [
        r"1. [=1+1 \[A\](javascript:a) \*b\*](<http://a.example/x%3E(y)>)",
        "2. javascript:a",
    ]
