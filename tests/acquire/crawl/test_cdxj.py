"""The index of an archive: where each answer is, by the keys that other programs look for."""

import gzip
import json

import pytest

from pagekin.acquire.crawl import cdxj
from pagekin.acquire.crawl.archive import Archive, left, message, request

HTML = [(b"Content-Type", b"text/html; charset=utf-8")]


def archived(folder, *urls):
    archive = Archive(folder, keep=True)
    for n, url in enumerate(urls):
        archive.write(url, 1_700_000_000 + n, message(200, HTML, b"<p>%d" % n), request=request(url, {}))
    archive.write("http://a.example/gone", 1_700_000_009, message(404, HTML, b"no"))
    archive.close()
    (path,) = folder.glob("*.warc.gz")
    return path


def test_an_answer_is_where_the_index_says(tmp_path):
    path = archived(tmp_path, "http://www.a.example/B?c=1", "https://a.example/")
    lines = cdxj.index_of(path).read_text().splitlines()
    assert lines == sorted(lines) and len(lines) == 3
    for line in lines:
        key, when, rest = line.split(" ", 2)
        said = json.loads(rest)
        assert key == cdxj.surt(said["url"]) and when.startswith("20231114221")
        start, length = int(said["offset"]), int(said["length"])
        record = gzip.decompress(path.read_bytes()[start : start + length]).decode()
        assert record.count("WARC/1.1") == 1 and "WARC-Type: response" in record
        assert f"WARC-Target-URI: {said['url']}" in record
        assert said["filename"] == path.name and said["digest"] in record
    assert [json.loads(line.split(" ", 2)[2])["status"] for line in lines].count("404") == 1


def test_a_request_stands_beside_its_answer(tmp_path):
    text = gzip.decompress(archived(tmp_path, "http://a.example/b?c").read_bytes()).decode()
    response, asked = text.partition("WARC-Type: response")[2], text.partition("WARC-Type: request")[2]
    number = response.partition("WARC-Record-ID: ")[2].partition("\r\n")[0]
    assert f"WARC-Concurrent-To: {number}" in asked
    assert "GET /b?c HTTP/1.1\r\nHost: a.example\r\n" in asked


def test_an_index_that_a_kill_left_out_is_written_by_the_next_crawl(tmp_path):
    path = archived(tmp_path, "http://a.example/")
    index = cdxj.index_of(path)
    said = index.read_text()
    index.unlink()
    assert len([item for _, items in left(tmp_path, True) for item in items]) == 3
    assert index.read_text() == said


# As cdxj-indexer 1.4 writes them.
@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://a.example/", "example,a)/"),
        ("https://www.Bees.example/Hive/Index.HTML?b=2&a=1", "example,bees)/hive/index.html?a=1&b=2"),
        ("http://bees.example:8080/x", "example,bees:8080)/x"),
        ("http://bees.example/docs/", "example,bees)/docs"),
        ("http://127.0.0.1:81/", "1,0,0,127:81)/"),
        ("http://www2.bees.example/a//b?x", "example,bees)/a/b?x"),
        ("http://a.example/?", "example,a)/"),
        ("http://a.example/%C3%BC", "example,a)/%c3%bc"),
    ],
)
def test_keys(url, key):
    assert cdxj.surt(url) == key
