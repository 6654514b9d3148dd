"""Reads the `metadata` records of WAT archives: what Common Crawl found in each page, as JSON, without its HTML.

    {"Envelope": {"WARC-Header-Metadata": {"WARC-Type": "response", "WARC-Target-URI": "http://bees.example/"},
     "Payload-Metadata": {"HTTP-Response-Metadata": {"Response-Message": {"Status": "200"}, "HTML-Metadata": {
      "Head": {"Title": "Bees", "Base": "…"},
      "Links": [{"path": "A@/href", "url": "hive/", "text": "The hive"}, {"path": "IMG@/src", "url": "bee.png"}]}}}}}

Titles and links with their anchors become rows of tables. There is no text, and nothing tells blocks apart.
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from pagekin.acquire.capture import address
from pagekin.acquire.http import Refused
from pagekin.model import Rows
from pagekin.url import join

PAGES_AT_ONCE = 1_000  # in one `Rows`
HYPERLINKS = ("A@/href", "AREA@/href")  # the others are pictures, scripts, forms
LONGEST = 64 << 20  # bytes of a record; those of pages are far smaller


class Found:
    """The pages and links of records, collected until there are enough for a table."""

    def __init__(self) -> None:
        self.pages: list[tuple[str, str]] = []  # address, title
        self.links: list[tuple[str, str, str, int]] = []  # source, target, anchor, position

    def add(self, text: bytes) -> bool:
        """Take in a record; whether it is one that describes a page or a request. Raises `Refused`."""
        envelope = _envelope(text)
        if envelope is None:
            return False
        header, payload = envelope.get("WARC-Header-Metadata"), envelope.get("Payload-Metadata")
        response = _dict(_dict(payload).get("HTTP-Response-Metadata"))
        html = response.get("HTML-Metadata")
        if not isinstance(html, dict) or _dict(response.get("Response-Message")).get("Status", "200") != "200":
            return True  # a request, a picture, a redirect
        page = address(str(_dict(header).get("WARC-Target-URI", "")).encode("utf-8", "replace"))
        head = _dict(html.get("Head"))
        self.pages.append((page, _text(head.get("Title"))))
        base = join(page, _text(head.get("Base"))) or page
        hyperlinks = (link for link in _list(html.get("Links")) if _dict(link).get("path") in HYPERLINKS)
        targets = ((join(base, url), link) for link in hyperlinks if (url := _text(link.get("url"))))
        for position, (target, link) in enumerate(pair for pair in targets if pair[0]):
            self.links.append((page, str(target), _text(link.get("text") or link.get("title")), position))
        return True

    @property
    def enough(self) -> bool:
        return len(self.pages) >= PAGES_AT_ONCE

    def rows(self) -> Iterator[Rows]:
        """What was collected, and begin anew."""
        if self.pages:
            urls, titles = zip(*self.pages, strict=True)
            pages = pa.table({"url": pa.array(urls, pa.string()), "title": pa.array(titles, pa.string())})
            columns = zip(*self.links, strict=True) if self.links else ((), (), (), ())
            types = {"source": pa.string(), "target": pa.string(), "anchor": pa.string(), "position": pa.int32()}
            named = zip(types.items(), columns, strict=True)
            yield Rows(pa.table({name: pa.array(values, kind) for (name, kind), values in named}), pages)
        self.pages, self.links = [], []


def _envelope(text: bytes) -> dict[str, Any] | None:
    """What a record says of another; None if it is no record of a WAT archive."""
    if len(text) > LONGEST:
        raise Refused("too long a record")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    envelope = _dict(found).get("Envelope")
    return envelope if isinstance(envelope, dict) else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A text in one line, without halves of characters, which JSON may have."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text.encode("utf-8", "replace").decode()
