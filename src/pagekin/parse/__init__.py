"""Turns bytes into pages: `html` reads a page, `encoding` decodes it, `language` and `words` find what they say."""

from pagekin.parse.html import parse

__all__ = ["parse"]
