"""A blog of twelve posts on two topics, with a menu, for questions over HTTP."""

from pagekin.model import Capture

ROOT = "http://blog.example/"
TOPICS = {
    "bees": "the queen lays eggs in the hive and bees carry nectar home to make honey and wax",
    "trains": "the engine pulls coaches over the rails and a signal falls behind the train",
}


def post(number: int, said: str = "") -> Capture:
    """A post, with links to two others of its topic."""
    topic = list(TOPICS)[number % 2]
    menu = "".join(f"<li><a href=/{name}.html>{name}</a>" for name in ("home", "about", "archive"))
    more = " and ".join(f"<a href=/post{(number + n) % 12}.html>{topic} {(number + n) % 12}</a>" for n in (2, 4))
    own = " ".join(f"{word}{number}" for word in ("alder", "birch", "cedar", "maple"))
    text = f"{TOPICS[topic]}. On {number}: {own} {said}. It goes on in {more}."
    html = (
        f"<title>{topic} {number}</title><nav><ul>{menu}</ul></nav><main><h1>{topic} {number}</h1><p>{text}</p></main>"
    )
    return Capture(f"{ROOT}post{number}.html", html.encode(), "text/html; charset=utf-8", fetched=1_000, origin="test")


def captures() -> list[Capture]:
    return [post(number) for number in range(12)]


PAGE = f"{ROOT}post6.html"
