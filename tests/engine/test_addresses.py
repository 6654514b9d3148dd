"""Columns of addresses give what `url` gives for each one."""

from hashlib import blake2b

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.engine.addresses import Numbers, are_canonical, hosts, ids
from pagekin.kernels.numbers import numbers_in
from pagekin.url import canonical, host, page_id

ODD = [
    "", "x", "10.1145/324133", "http://a.example/", "https://b.example:81/c?d=/e", "ftp://f.example/", "file:///a/b",
    "httpx://a.example/", "http:/a/b", "http:", "ftps://a/", "http://a.example/ä", "Bücher",
    *("a" * length for length in (127, 128, 129, 255, 256, 257, 1000)),
]  # fmt: skip


@settings(deadline=None)  # the first call may have to compile
@given(st.lists(st.text(max_size=300)))
def test_ids_are_those_of_one_by_one(texts):
    every = [text for text in texts if text.isprintable()] + ODD
    assert ids(pa.array(every, pa.string())).tolist() == [page_id(text) for text in every]


def test_ids_are_blake2b_s():
    text = "http://a.example/" + "b" * 500
    expected = blake2b(text.encode(), digest_size=8).digest()
    assert ids(pa.array([text])).tobytes() == expected


def test_a_slice_and_nothing_at_all():
    column = pa.array(ODD)
    assert ids(column.slice(3, 4)).tolist() == ids(column).tolist()[3:7]
    assert hosts(column.slice(3, 2)).to_pylist() == ["a.example", "b.example:81"]
    assert ids(pa.array([], pa.string())).size == 0 and len(hosts(pa.array([], pa.string()))) == 0
    assert hosts(pa.array([""])).to_pylist() == [""]


def test_hosts_are_those_of_one_by_one():
    every = [url for url in ODD if url.count("/") >= 2 or not url.startswith("http")]
    assert hosts(pa.array(every)).to_pylist() == [host(url) for url in every]


labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,3}[a-z0-9])?", fullmatch=True)
names = st.lists(labels, min_size=1, max_size=4).map(".".join)
paths = st.from_regex(r"[A-Za-z0-9_~./%:@?#-]{0,12}", fullmatch=True)
endings = st.sampled_from(["", "index.html", "default.asp", "/index.htm", "index.xyz", "\n", " "])
addresses = st.builds("{}://{}/{}{}".format, st.sampled_from(["http", "https", "HTTP", "ftp"]), names, paths, endings)


@settings(deadline=None)
@given(st.lists(addresses))
def test_what_is_said_to_be_canonical_is(urls):
    for url, is_ in zip(urls, are_canonical(pa.array(urls, pa.string())).to_pylist(), strict=True):
        assert not is_ or canonical(url) == url


@pytest.mark.parametrize(
    ("url", "is_"),
    [
        ("http://a.example/", True), ("https://www.a-b.example/c/d.html", True), ("http://a.example/b~c_d/", True),
        ("http://a.example", False), ("http://A.example/", False), ("http://a.example/index.html", False),
        ("http://a.example/b//c", False), ("http://a.example/../b", False), (f"http://a.example/{'b' * 300}", False),
    ],
)  # fmt: skip
def test_the_usual_ones_are_seen_to_be_canonical(url, is_):
    assert are_canonical(pa.array([url])).to_pylist() == [is_]


@pytest.mark.parametrize("size", [0, 1, 7, 100, 5_000])
def test_places_are_those_of_a_binary_search(size):
    dice, most = np.random.default_rng(size), np.iinfo(np.int64)
    known = np.unique(dice.integers(most.min, most.max, size, endpoint=True))
    crowded = np.unique(np.append(known, np.arange(size)))  # not spread as hashes are
    for held in (known, crowded):
        wanted = np.concatenate((held, held + 1, [most.min, most.max, 0, -1]))
        assert Numbers(held)(wanted).tolist() == numbers_in(held, wanted).tolist()
