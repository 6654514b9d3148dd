"""Pages and anchors as block co-citation counts them; as a whole the tables are held against test_blockindex's twin."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index.base import derive, opened
from pagekin.index.block_pairs.index import BlockPairs
from pagekin.index.block_pairs.tables import anchor_words, counting_for, folded_anchor, link_rows, word_sets
from pagekin.methods.block import BlockCoCitation
from pagekin.parse.segmenters import segmenters
from pagekin.parse.words import Analyser
from pagekin.url import page_id
from tests.index.block_pairs.test_index import collection


def test_which_page_a_link_counts_for(tmp_path):
    urls = ["http://a.example/", "http://a.example/?q=1", "http://b.example/x?q", "http://a.example/p.pdf",
            "http://a.example/pdf", "10.1/a.pdf", "who?"]  # fmt: skip
    store = collection(tmp_path / "s.kin", [("http://h.example/", 0, i, url, "x") for i, url in enumerate(urls)])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    asked = [number[url] for url in urls]
    root = number["http://a.example/"]
    every = np.arange(store.size, dtype=np.int32)
    other = number["http://b.example/"]  # which nobody links to
    assert counting_for(store, every, "host")[asked].tolist() == [root, root, other, -1, *asked[4:]]
    assert counting_for(store, every, "keep")[asked].tolist() == [*asked[:3], -1, *asked[4:]]
    some = np.sort(asked[1:5]).astype(np.int32)
    assert counting_for(store, some, "host").tolist() == counting_for(store, every, "host")[some].tolist()


def test_words_and_anchors():
    stems = Analyser().reading("en")
    assert anchor_words("The keepers' bees", stems) == {"keeper", "bee"}
    assert len(anchor_words(" ".join(f"w{i}" for i in range(5_000)), stems)) == 50
    assert folded_anchor("\tThe\n HIVE ") == "the hive"


NAMES = st.text(
    st.one_of(st.sampled_from("Beeés' -_\t\x1c\xa0\u3000蜜蜂のกข"), st.characters(codec="utf-8")), max_size=30
)


@settings(max_examples=200, deadline=None)
@given(st.lists(NAMES, max_size=8), st.sampled_from(["en", "de", "ja", "tr", ""]))
def test_many_anchors_have_the_words_of_each(anchors, language):
    anchors = [*dict.fromkeys(anchors), " ".join(f"w{i}" for i in range(60)), "bee " * 60]
    stems = Analyser(**segmenters()).reading(language)
    which, word = word_sets(pa.array(anchors, pa.string()), stems)
    found = [set(word[which == at].tolist()) for at in range(len(anchors))]
    assert found == [{page_id(stem) for stem in anchor_words(anchor, stems)} for anchor in anchors]


@pytest.mark.parametrize("cut", ["bigrams", "fugashi"])
def test_anchors_are_cut_as_the_pages_of_the_collection_were(tmp_path, cut):
    """Whatever this machine would cut them with."""
    anchors = ["東京都の天気", "京都の寺"]
    links = [("http://h.example/", 0, i, f"http://t{i}.example/", anchor) for i, anchor in enumerate(anchors)]
    store = collection(tmp_path / "s.kin", links, language="ja", segmenters={"ja": cut, "zh": "bigrams"})
    tables = []
    link_rows(store, store.graph.links, tables.append)
    words = {page_id(stem) for anchor in anchors for stem in Analyser(ja=cut).stems(anchor, "ja")}
    assert {word for table in tables for word in table["word"].to_pylist()} == words
    with writing(store.path) as writer:
        derive(writer, BlockPairs())
    store = Store(store.path)
    one, other = (store.number(page_id(f"http://t{i}.example/")) for i in range(2))
    (reason,) = BlockCoCitation(scope="web").why(store, one, other)
    assert reason.detail["score"] == {"bigrams": 1 + 2 / 6, "fugashi": 1.0}[cut]
    assert opened(store, BlockPairs()).of(page_id("http://t0.example/"))[1].tolist() == [reason.detail["score"]]
