"""A comparison of methods as one self-contained HTML file: three tables, with all crawled text escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from pagekin.answer import html_link
from pagekin.harmless import clean

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 2rem; width: 100%; table-layout: fixed }
th, td { border-bottom: 1px solid #ddd; padding: .35rem .5rem; text-align: left; vertical-align: top;
         overflow-wrap: anywhere }
th:first-child, td.rank { width: 3rem }
table.figures th:first-child { width: auto }
small { color: #666; display: block }
.shared { background: #eef5ea }
@media (prefers-color-scheme: dark) {
  body { background: #181818; color: #ddd } th, td { border-color: #444 } a { color: #8cb8ff }
  .shared { background: #22301d } small { color: #999 }
}
"""
FIGURES = ("method", "hosts", "diversity", "novelty", "alone", "note")


def html(answer: Mapping[str, Any]) -> str:
    """The comparison as a whole HTML page."""
    asked = answer["query"][0]
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width'>\n"
        f"<title>{_text(asked['title'] or asked['url'])}: methods compared</title>\n<style>{STYLE}</style>\n"
        f"<h1>Related to {html_link(asked['url'], asked['title'])}</h1>\n{tables(answer)}\n</html>\n"
    )


def tables(answer: Mapping[str, Any]) -> str:
    """The three tables: the lists side by side, figures about each list, and what each pair of methods shares."""
    rows = answer["results"]
    sections = [
        _lists(rows),
        "<p><small>Shaded: also found by another method.</small></p>",
        _table(FIGURES, ([_cell(row[name]) for name in FIGURES] for row in rows)),
        "<p><small>Diversity: hosts per result. Novelty: share of the results that have no link to or from the page."
        " Alone: results that no other method found.</small></p>",
        _table(
            ("methods", "common", "share"),
            (
                [_cell(" · ".join(row["methods"])), _cell(row["common"]), _cell(row["share"])]
                for row in answer["overlap"]
            ),
        ),
    ]
    return "\n".join(sections)


def _lists(rows: Sequence[Mapping[str, Any]]) -> str:
    """The lists side by side; results that are also in another list are shaded."""
    times: dict[str, int] = {}
    for row in rows:
        for result in row["results"]:
            times[result["url"]] = times.get(result["url"], 0) + 1
    lines = []
    for rank in range(max(len(row["results"]) for row in rows)):
        cells = [f"<td class=rank>{rank + 1}</td>"]
        for row in rows:
            result = row["results"][rank] if rank < len(row["results"]) else None
            shared = " class=shared" if result and times[result["url"]] > 1 else ""
            cells.append(f"<td{shared}>{_result(result) if result else ''}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    heads = "".join(f"<th>{_text(row['method'])}</th>" for row in rows)
    return f"<table>\n<tr><th></th>{heads}</tr>\n" + "\n".join(lines) + "\n</table>"


def _result(result: Mapping[str, Any]) -> str:
    linked = ", linked" if result["linked"] else ""
    figures = f"{_text(result['host'])} {result['score']:.4g}{linked}"
    return f"{html_link(result['url'], result['title'])}<small>{figures}</small>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = ["".join(f"<th>{head}</th>" for head in heads), *("".join(row) for row in rows)]
    return "<table class=figures>\n" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "\n</table>"


def _cell(value: Any) -> str:
    shown = "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
    return f"<td>{_text(shown)}</td>"


def _text(text: str) -> str:
    return escape(clean(text))
