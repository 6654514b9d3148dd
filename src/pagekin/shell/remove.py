"""The command that takes pages out of a collection: remove."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pagekin.shell.options import Shown, Site, Yes, say, telling

if TYPE_CHECKING:
    from pagekin.answers.remove import Removed


def remove(
    site: Site,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", help="The pages to remove.")] = None,
    matching: Annotated[
        str | None, typer.Option(metavar="GLOB", help="All pages whose whole address matches: 'https://a.example/x/*'.")
    ] = None,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would go.")] = False,
    and_links: Annotated[
        bool, typer.Option("--and-links", help="Also remove other pages' links to them, with their anchors.")
    ] = False,
    for_good: Annotated[
        bool, typer.Option("--for-good", help="Do not take these addresses again, from whatever source.")
    ] = False,
    take_again: Annotated[
        bool, typer.Option("--take-again", help="Remove nothing; let addresses removed for good be taken again.")
    ] = False,
    progress: Shown = False,
) -> None:
    """Remove pages, all that is theirs, and pages that only they linked to, from every file of the collection.

    Files and archives that the pages came from are named, not touched. More than one page needs --yes, or a yes on the
    terminal.
    """
    from pagekin.answers.collection import Collection

    def agree(plan: "Removed") -> bool:
        from pagekin.answers.remove import confirmed

        for line in plan.plan:
            say(line)
        return confirmed(plan, yes, asked if can_ask() else None)

    with telling(progress) as tell:
        report = Collection(site).remove(
            *(urls or ()), matching=matching, dry_run=dry_run, and_links=and_links, for_good=for_good,
            take_again=take_again, agree=agree, progress=tell,
        )  # fmt: skip
    for line in report.lines if dry_run or take_again else report.outcome:
        say(line)
    if report.urls and not report.done and not dry_run:
        raise typer.Exit(1)


def can_ask() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asked() -> bool:
    """Whether somebody at the terminal says yes."""
    return typer.confirm("Remove them?", err=True)
