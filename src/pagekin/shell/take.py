"""The commands that bring pages into a collection: add, crawl."""

from pathlib import Path
from typing import Annotated

import typer

from pagekin.errors import PagekinError, UsageError
from pagekin.shell import INTERRUPTED
from pagekin.shell.options import Master, OnEngine, Shown, Site, Yes, say, telling

NoText = Annotated[bool, typer.Option("--no-text", help="Do not keep text: smaller, but no snippets.")]


def add(
    site: Site,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Archives, folders of HTML or Markdown, tables of links, other collections; - is standard input.",
        ),
    ] = None,
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="The address of a folder of pages.")] = None,
    kind: Annotated[str, typer.Option("--from", metavar="KIND", help="What the files are; auto finds out.")] = "auto",
    columns: Annotated[
        str | None,
        typer.Option(metavar="ROLE=COLUMN,…", help="Of tables of links: source=url_from,target=url_to,anchor=text."),
    ] = None,
    follow_symlinks: Annotated[
        bool, typer.Option("--follow-symlinks", help="Also read what symbolic links out of a folder lead to.")
    ] = False,
    respect_noindex: Annotated[
        bool, typer.Option("--respect-noindex", help="Leave out the words of pages that say noindex, as crawls do.")
    ] = False,
    no_text: NoText = False,
    icann_only: Annotated[
        bool, typer.Option("--icann-only", help="At creation: count github.io and the like as one site each.")
    ] = False,
    vectors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Vectors of pages, from any model: Parquet with columns url, vector."),
    ] = None,
    sync: Annotated[bool, typer.Option("--sync", help="Also remove pages whose file is gone from the folder.")] = False,
    yes: Yes = False,
    engine: OnEngine = "local",
    master: Master = None,
    progress: Shown = False,
) -> None:
    """Add pages from archives, folders, tables of links and other collections; create the collection if there is none.

    A collection that is added stays as it is. Its settings are taken over by a new collection.
    """
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        report = Collection(site).add(
            *(paths or ()), kind=kind, base_url=base_url, follow_symlinks=follow_symlinks, text=not no_text,
            icann_only=icann_only, progress=tell, vectors=vectors, columns=_columns(columns),
            respect_noindex=respect_noindex, sync=sync, yes=yes, engine=engine, master=master,
        )  # fmt: skip
    for line in report.lines:
        say(line)
    if report.nothing_read:
        what = f"no vector could be taken from {vectors}" if vectors else "nothing could be read from the paths given"
        raise PagekinError(what)


def _columns(text: str | None) -> dict[str, str] | None:
    """`source=url_from,target=url_to` as a dictionary."""
    pairs = [pair.partition("=") for pair in (text or "").split(",")]
    if text is not None and not all(role and name for role, _, name in pairs):
        raise UsageError(f"'{text}' names no columns; expected ROLE=COLUMN, like source=url_from,target=url_to")
    return None if text is None else {role.strip(): name.strip() for role, _, name in pairs}


def crawl(
    site: Site,
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL", help="Where to start: pages, or sitemaps (….xml), whose pages are fetched."),
    ],
    radius: Annotated[int, typer.Option(metavar="N", help="How many links to follow from there.")] = 2,
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after N pages.")] = None,
    across: Annotated[bool, typer.Option("--across", help="Follow links to other sites.")] = False,
    include: Annotated[list[str], typer.Option(metavar="PATTERN", help="Only addresses that match this regex.")] = [],
    exclude: Annotated[list[str], typer.Option(metavar="PATTERN", help="No addresses that match this regex.")] = [],
    any_type: Annotated[
        bool, typer.Option("--any-type", help="Also ask for what is not HTML by its ending: .pdf, .png.")
    ] = False,
    sitemap: Annotated[bool, typer.Option("--sitemap", help="Also fetch what sitemaps list.")] = False,
    backlinks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="source,target rows: also fetch the pages that link here.")
    ] = None,
    refresh_after: Annotated[
        str | None, typer.Option(metavar="AGE", help="Fetch pages again that are older than this: 30d, 12h.")
    ] = None,
    rate: Annotated[float, typer.Option(metavar="R", help="Requests per second to one host; 0: no limit.")] = 1.0,
    at_once: Annotated[int, typer.Option(metavar="N", help="Parallel requests to one host.")] = 1,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds to wait for one response.")] = 30.0,
    per_pattern: Annotated[
        int, typer.Option(metavar="N", help="At most N addresses that differ only in numbers and values.")
    ] = 5000,
    contact: Annotated[str | None, typer.Option(metavar="TEXT", help="Your address, for site owners.")] = None,
    warc: Annotated[Path | None, typer.Option(metavar="DIR", help="Also keep responses as WARC files.")] = None,
    resolve: Annotated[
        list[str],
        typer.Option(metavar="HOST=ADDRESS:PORT", help="Connect here for this host; or a file of such lines."),
    ] = [],
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from this machine and your own network.")
    ] = False,
    no_text: NoText = False,
    sync: Annotated[
        bool, typer.Option("--sync", help="Ask again for all pages below URL, and remove those that are gone.")
    ] = False,
    yes: Yes = False,
    progress: Shown = False,
) -> None:
    """Fetch a site politely and add its pages. After an interruption, the same command continues where it stopped."""
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        report = Collection(site).crawl(
            *urls, radius=radius, max_pages=max_pages, across=across, include=include, exclude=exclude,
            sitemap=sitemap, backlinks=backlinks, refresh_after=refresh_after, rate=rate, at_once=at_once,
            timeout=timeout, per_pattern=per_pattern, contact=contact, warc=warc, resolve=resolve,
            allow_private=allow_private, text=not no_text, progress=tell, sync=sync, yes=yes,
            any_type=any_type,
        )  # fmt: skip
    for line in report.lines:
        say(line)
    if report.refused:
        raise PagekinError(report.refused)
    if report.stopped:
        raise typer.Exit(INTERRUPTED)
    if report.lost and not report.pages:
        raise PagekinError("; ".join(f"{url}: {why}" for url, why in report.lost.items()))
    if not site.exists():
        raise PagekinError("no page could be fetched")
