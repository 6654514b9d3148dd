"""The commands that put pages into a collection: add, crawl."""

from pathlib import Path
from typing import Annotated

import typer

from pagekin.errors import PagekinError
from pagekin.shell.options import Site, say, telling

INTERRUPTED = 130  # what a shell expects of a command that Ctrl-C ended

NoText = Annotated[bool, typer.Option("--no-text", help="Keep no text: smaller, but no snippets.")]


def add(
    site: Site,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Archives, folders of HTML, tables of links.")],
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="The address of a folder of HTML.")] = None,
    kind: Annotated[str, typer.Option("--from", metavar="KIND", help="What the paths are; auto looks.")] = "auto",
    no_text: NoText = False,
    icann_only: Annotated[
        bool, typer.Option("--icann-only", help="At creation: github.io and the like are one site each.")
    ] = False,
) -> None:
    """Add pages from archives, folders and tables of links; the collection is made where there is none."""
    from pagekin.answers.collection import Collection

    with telling() as tell:
        report = Collection(site).add(
            *paths, kind=kind, base_url=base_url, text=not no_text, icann_only=icann_only, progress=tell
        )
    for line in report.lines:
        say(line)
    if report.nothing_read:
        raise PagekinError("nothing could be read")


def crawl(
    site: Site,
    urls: Annotated[list[str], typer.Argument(metavar="URL", help="Where to begin.")],
    radius: Annotated[int, typer.Option(metavar="N", help="How many links to go from there.")] = 2,
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many pages.")] = None,
    across: Annotated[bool, typer.Option("--across", help="Follow links to other sites.")] = False,
    include: Annotated[list[str], typer.Option(metavar="PATTERN", help="Only addresses with this regex.")] = [],
    exclude: Annotated[list[str], typer.Option(metavar="PATTERN", help="No addresses with this regex.")] = [],
    sitemap: Annotated[bool, typer.Option("--sitemap", help="Also what the sites' sitemaps list.")] = False,
    backlinks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="source,target: pages that link to these, to be fetched too.")
    ] = None,
    refresh_after: Annotated[
        str | None, typer.Option(metavar="AGE", help="Fetch pages older than this again: 30d, 12h.")
    ] = None,
    rate: Annotated[float, typer.Option(metavar="R", help="Requests a second to one host; 0: no limit.")] = 1.0,
    at_once: Annotated[int, typer.Option(metavar="N", help="Requests at a time to one host.")] = 1,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds for one answer.")] = 30.0,
    per_pattern: Annotated[
        int, typer.Option(metavar="N", help="At most so many addresses that differ in numbers and values only.")
    ] = 5000,
    contact: Annotated[str | None, typer.Option(metavar="TEXT", help="Your address, for owners of sites.")] = None,
    warc: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep what comes in as WARC files.")] = None,
    resolve: Annotated[
        list[str], typer.Option(metavar="HOST=ADDRESS:PORT", help="Connect there for this host; or a file of these.")
    ] = [],
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also machines of your own network and this one.")
    ] = False,
    no_text: NoText = False,
) -> None:
    """Fetch a site politely and add its pages. The same command again goes on where it was stopped."""
    from pagekin.answers.collection import Collection

    with telling() as tell:
        report = Collection(site).crawl(
            *urls, radius=radius, max_pages=max_pages, across=across, include=include, exclude=exclude,
            sitemap=sitemap, backlinks=backlinks, refresh_after=refresh_after, rate=rate, at_once=at_once,
            timeout=timeout, per_pattern=per_pattern, contact=contact, warc=warc, resolve=resolve,
            allow_private=allow_private, text=not no_text, progress=tell,
        )  # fmt: skip
    for line in report.lines:
        say(line)
    if report.stopped:
        raise typer.Exit(INTERRUPTED)
    if not site.exists():
        raise PagekinError("no page could be fetched")
