"""Bytes to page: `html` reads a page, `encoding` finds its characters, `words` its language and terms."""

from pagekin.parse.html import parse

__all__ = ["parse"]
