"""The style sheet stands in every page as it is, and the policy lets no other style count."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from pagekin.serve.rendering import STATIC


@pytest.mark.parametrize("path", ["/", "/search", "/docs", "/nothing", "/panel?url=http://a.example/"])
def test_the_policy_names_the_hash_of_the_one_style_of_a_page(ask, path):
    answer = ask.get(path, headers={"Accept": "text/html"})
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    named = re.findall(r"style-src ([^;]*);", answer.headers["content-security-policy"])
    assert named == [f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"]
    assert style == (STATIC / "style.css").read_text(encoding="utf-8")
    assert 'rel="stylesheet"' not in answer.text
