"""A web of strangers who would like their script to run on our pages: in titles, anchors, texts and addresses."""

from html import escape

import pyarrow as pa

from pagekin.model import Capture, Rows

ROOT = "http://evil.example/"
SCRIPT = "<script>window.ran=1</script><img src=x onerror=window.ran=1>\"'><svg onload=window.ran=1>"
TITLES = (
    SCRIPT, "\u202eegap dab\u202c a bad page", "A" * 1_000_000, "{{ 7 * 7 }}{% raw %}", "</title>" + SCRIPT, "",
    "javascript:window.ran=1", '" autofocus onfocus="window.ran=1',
)  # fmt: skip
ADDRESSES = [f"{ROOT}p{number}.html" for number in range(len(TITLES) - 1)]
ADDRESSES.append(f"{ROOT}a%22onmouseover=%22window.ran=1%22/<script>window.ran=1</script>?q=';window.ran=1//")
PAGE = ADDRESSES[0]
NO_ADDRESSES = ("javascript:window.ran=1", "data:text/html,<script>window.ran=1</script>", "vbscript:window.ran=1")


def hostile() -> list[Capture | Rows]:
    """The pages, each with links to all others, and identifiers that a browser would run if they were links."""
    found: list[Capture | Rows] = []
    for number, (url, title) in enumerate(zip(ADDRESSES, TITLES, strict=True)):
        links = "".join(f'<li><a href="{escape(each)}">{escape(SCRIPT)}</a>' for each in ADDRESSES if each != url)
        text = f"queen bees honey {escape(SCRIPT)} word{number}"
        html = f"<title>{escape(title)}</title><h1>{escape(title[:99])}</h1><p>{text}</p><ul>{links}</ul>"
        found.append(Capture(url, html.encode(), "text/html; charset=utf-8", fetched=1_000, origin="test"))
    rows = [(source, target, SCRIPT) for source in NO_ADDRESSES for target in ADDRESSES[:3]]
    source, target, anchor = map(list, zip(*rows, strict=True))
    return [*found, Rows(links=pa.table({"source": source, "target": target, "anchor": anchor}))]
