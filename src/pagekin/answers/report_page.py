"""A report on a site as one HTML file: no scripts, nothing from outside, all text of strangers escaped."""

from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from itertools import groupby

from pagekin.answer import cell, html_link
from pagekin.answers.report import CAPTIONS, Finding, SiteReport
from pagekin.harmless import clean
from pagekin.version import VERSION

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2.5rem auto; max-width: 62rem; padding: 0 1.2rem }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem } h2 { font-size: 1.2rem; margin: 2.6rem 0 .2rem }
p { max-width: 46rem; margin: .3rem 0 } .soft, small { color: light-dark(#57606a, #9aa4ae) }
ul.counts { display: flex; flex-wrap: wrap; gap: .6rem; list-style: none; padding: 0; margin: 1.4rem 0 }
ul.counts a { display: block; border: 1px solid light-dark(#d8dee4, #3a4048); border-radius: .5rem;
              padding: .4rem .8rem; text-decoration: none; color: inherit }
ul.counts b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; font-size: .92rem; width: 100%; table-layout: fixed; margin-top: .6rem }
th, td { padding: .35rem .7rem .35rem 0; border-bottom: 1px solid light-dark(#d8dee4, #3a4048); text-align: left;
         vertical-align: top; overflow-wrap: anywhere }
td small { display: block } a { color: light-dark(#0b57d0, #8cb8ff) }
.told { border-left: 3px solid light-dark(#c2410c, #f0883e); padding-left: .9rem }
"""


def html(made: SiteReport, name: str) -> str:
    """The report as a whole HTML page."""
    title = f"{clean(name)}: what to mend"
    total = sum(made.found.values())
    sections = [
        f"<h1>{escape(title)}</h1>", f"<p class=soft>{total:,} findings, by pagekin {VERSION} on {_today()}.</p>",
        _counts(made), f"<p class=told>{escape(clean(made.note))}</p>" if made.note else "", *_tables(made),
    ]  # fmt: skip
    return (
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width'>\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n" + "\n".join(filter(None, sections)) + "\n</html>\n"
    )


def _today() -> str:
    return f"{datetime.now(UTC):%-d %B %Y}"


def _counts(made: SiteReport) -> str:
    """How many findings of each kind there are, as links to their tables."""
    kinds = "".join(
        f"<li><a href='#{_mark(kind)}'><b>{count:,}</b>{kind}</a>" for kind, count in made.found.items() if count
    )
    return f"<ul class=counts>{kinds}</ul>" if kinds else ""


def _tables(made: SiteReport) -> Iterator[str]:
    for kind, group in groupby(made, key=lambda row: row.table):
        rows = list(group)
        left = made.found[kind] - len(rows)
        yield f"<h2 id={_mark(kind)}>{kind.capitalize()}</h2><p class=soft>{escape(CAPTIONS[kind])}.</p>"
        yield f"<table>{''.join(map(_row, rows))}</table>"
        if left:
            yield f"<p class=soft>… and {left:,} more.</p>"


def _row(row: Finding) -> str:
    cells = [html_link(row.url, row.title) + f"<small>{escape(clean(row.url))}</small>"]
    if row.other is not None:
        cells.append(html_link(row.other, row.other))
    if said := " · ".join(filter(None, (clean(row.said), cell(row.count)))):
        cells.append(escape(said))
    return "<tr>" + "".join(f"<td>{each}" for each in cells)


def _mark(kind: str) -> str:
    return kind.replace(" ", "-")
