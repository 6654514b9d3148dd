"""Addresses that only an engine reads: told from paths, refused with a remedy, and read with the address as origin."""

import pytest

from pagekin import Collection
from pagekin.acquire.remote import Received, is_address, is_archive
from pagekin.errors import UsageError
from pagekin.model import Capture, Skipped
from tests.acquire.test_warc import record

ADDRESS = "s3a://crawl/2026/a.warc"


@pytest.mark.parametrize(("text", "expected"), [
    ("s3://crawl/a.warc.gz", True), ("hdfs:///web", True), ("file:///web/a.warc", True), ("FILE:///web", True),
    ("http://a.example/", False), ("HTTPS://a.example/", False), ("web/a.warc", False), ("c:/web", False), ("-", False),
])  # fmt: skip
def test_an_address_is_no_path(text, expected):
    assert is_address(text) is expected


def test_a_path_that_looks_like_an_address_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd:" / "web").mkdir(parents=True)
    assert not is_address("odd://web")


@pytest.mark.parametrize(("address", "remedy"), [
    ("s3://crawl/a.warc.gz", r"s3://crawl/a\.warc\.gz is an address .* only Spark reads; add engine=\"spark\""),
    ("hdfs://name:8020/web", r"hdfs://name:8020/web is an address .* or copy its archives to a folder"),
    ("file:///web", r"file:///web is an address; name the path alone, or add engine=\"spark\""),
])  # fmt: skip
def test_without_spark_it_says_what_to_do(tmp_path, address, remedy):
    with pytest.raises(UsageError, match=remedy):
        Collection(tmp_path / "a.kin").add(address)
    assert not (tmp_path / "a.kin").exists()


def test_archives_by_name():
    named = ["a.warc.gz", "a.arc.gz", "b.wacz", "a.warc.wat.gz", "robots.txt", "a.html"]
    assert [is_archive(f"hdfs:///web/{name}") for name in named] == [True] * 4 + [False] * 2


def test_pages_come_from_the_address():
    pages = [item for item in Received(ADDRESS, record()) if isinstance(item, Capture)]
    assert [page.origin for page in pages] == [f"{ADDRESS}#0"]


@pytest.mark.parametrize(("address", "body", "why"), [
    (ADDRESS, b"", "no pages in the archive"),
    ("s3a://crawl/", b"\x00\x01", "not a web archive"),
    ("s3a://crawl/a.csv", b"source,target\nhttp://a.example/,http://b.example/\n", "not a web archive"),
    ("s3a://crawl/a.wacz", b"PK\x03\x04", "broken zip file"),
])  # fmt: skip
def test_what_is_no_archive_is_reported_by_its_address(address, body, why):
    assert list(Received(address, body)) == [Skipped(address, why)]
