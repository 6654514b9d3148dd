"""A blog of our own making, as blogs are: most of its links are its template, and few are what an author chose.

400 posts on 8 topics. Every page has a menu of 8, a side bar of the 10 latest posts and a footer; a post has three
tags, links to the post before and the one after, and in its text two links to other posts, one of them on its own
topic (`write` makes blogs with more).
Everything is drawn from a seed, so the same blog is written on every machine.
"""

import random
from collections.abc import Iterator
from pathlib import Path

BASE = "https://blog.example/"
POSTS = 400
SEED = 17
LATEST = 10
TAGS = 3
MENU = ("home", "about", "archive", "tags", "talks", "projects", "contact", "imprint")
ELSEWHERE = ("https://social.example/@blog", "https://code.example/blog", "https://feeds.example/blog")
# A topic: its own words. Every post also has words that all topics share.
TOPICS = {
    "bread": "flour dough oven yeast crust loaf bake sourdough crumb knead starter rye proofing scoring baguette",
    "bees": "hive honey queen swarm comb pollen drone nectar keeper smoker brood wax frame forage colony",
    "trains": "track signal station engine coach timetable gauge platform junction freight driver carriage rail shunt",
    "sailing": "wind sail keel harbour tide mast anchor deck buoy rudder hull tack jib mooring compass",
    "python": "function module import class decorator generator package virtualenv iterator exception lambda typing",
    "gardens": "soil seed compost tomato prune greenhouse mulch perennial rake bulb weed trellis seedling hedge",
    "chess": "opening gambit endgame knight bishop rook checkmate castling pawn sacrifice tempo fork pin defence",
    "telescopes": "mirror eyepiece nebula galaxy aperture mount planet focal finder comet refractor crater orbit lens",
}
# Tags say what kind of post it is, not what it is about.
TAG_NAMES = "howto notes review beginner tools photos history questions travel weekend failure advice"
COMMON = "today week started little though people often wrote about simple thing better morning last year first tried"


def write(folder: Path, posts: int = POSTS, seed: int = SEED, own: int = 1) -> dict[str, str]:
    """Write the blog as files; returns the topic of each post by its address.

    own: how many links on its own topic a post has, beside one to any post. With one, the only other link beside it is
    drawn at random: `siblings`, which asks what stands beside a link, finds no topic there.
    """
    dice = random.Random(seed)
    names = list(TOPICS)
    topics = [names[number % len(names)] for number in range(posts)]
    dice.shuffle(topics)
    by_topic: dict[str, list[int]] = {name: [] for name in names}
    for number, topic in enumerate(topics):
        by_topic[topic].append(number)
    titles = [_title(dice, topic) for topic in topics]
    tagged = [dice.sample(TAG_NAMES.split(), TAGS) for _ in topics]
    for number, topic in enumerate(topics):
        chosen: list[int] = []
        for among in (*[by_topic[topic]] * own, range(posts)):
            chosen.append(dice.choice([other for other in among if other not in (number, *chosen)]))
        body = list(_paragraphs(dice, topic, [(other, titles[other]) for other in chosen]))
        near = [(number - 1, "Previous"), (number + 1, "Next")]
        pager = "".join(f'<a href="{_post(at)}">{word}</a> ' for at, word in near if 0 <= at < posts)
        tags = ", ".join(f'<a rel="tag" href="/tag-{tag}.html">{tag}</a>' for tag in tagged[number])
        _write(folder / _post(number)[1:], titles[number], [*body, f"<p>Tags: {tags}</p>", f"<p>{pager}</p>"], titles)
    for tag in sorted({tag for tags in tagged for tag in tags}):
        listed = [at for at in range(posts) if tag in tagged[at]]
        _write(folder / f"tag-{tag}.html", f"Posts about {tag}", [_list(listed, titles)], titles)
    for name in MENU:
        inside = (
            _list(list(range(posts)), titles) if name == "archive" else f"<p>{_words(dice, COMMON.split(), 40)}</p>"
        )
        _write(folder / f"{name}.html", name.capitalize(), [inside], titles)
    return {BASE + _post(number)[1:]: topic for number, topic in enumerate(topics)}


def _post(number: int) -> str:
    return f"/post{number}.html"


def _title(dice: random.Random, topic: str) -> str:
    first, second = dice.sample(TOPICS[topic].split(), 2)
    return f"{first.capitalize()} and {second}"


def _words(dice: random.Random, known: list[str], count: int) -> str:
    return " ".join(dice.choice(known) for _ in range(count))


def _paragraphs(dice: random.Random, topic: str, links: list[tuple[int, str]]) -> Iterator[str]:
    known = TOPICS[topic].split() + COMMON.split()
    for at, title in links:
        before, after = (_words(dice, known, dice.randrange(15, 40)) for _ in range(2))
        yield f'<p>{before.capitalize()}, as in <a href="{_post(at)}">{title}</a>, {after}.</p>'
    yield f"<p>{_words(dice, known, dice.randrange(30, 80)).capitalize()}.</p>"


def _list(posts: list[int], titles: list[str]) -> str:
    return "<ul>" + "".join(f'<li><a href="{_post(at)}">{titles[at]}</a></li>' for at in posts) + "</ul>"


def _write(path: Path, title: str, main: list[str], titles: list[str]) -> None:
    menu = "".join(f'<li><a href="/{name}.html">{name.capitalize()}</a></li>' for name in MENU)
    latest = _list(list(range(len(titles) - 1, max(-1, len(titles) - 1 - LATEST), -1)), titles)
    footer = " ".join(f'<a href="{address}">{address.split("/")[2]}</a>' for address in ELSEWHERE)
    path.write_text(
        f"<!doctype html><html lang=en><title>{title}</title><body><nav><ul>{menu}</ul></nav>"
        f"<main><h1>{title}</h1>{''.join(main)}</main><aside><h2>Latest</h2>{latest}</aside>"
        f"<footer><p>Written by hand. {footer}</p></footer></body></html>",
        encoding="utf-8",
    )
