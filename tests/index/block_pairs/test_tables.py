"""Pages and anchors as block co-citation counts them; as a whole the tables are held against test_blockindex's twin."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from pagekin.index.block_pairs.tables import anchor_words, counting_for, folded_anchor, word_sets
from pagekin.url import page_id
from tests.index.block_pairs.test_index import collection


def test_which_page_a_link_counts_for(tmp_path):
    urls = ["http://a.example/", "http://a.example/?q=1", "http://b.example/x?q", "http://a.example/p.pdf",
            "http://a.example/pdf", "10.1/a.pdf", "who?"]  # fmt: skip
    store = collection(tmp_path / "s.kin", [("http://h.example/", 0, i, url, "x") for i, url in enumerate(urls)])
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    asked = np.array([number[url] for url in urls], np.int32)
    root = number["http://a.example/"]
    assert counting_for(store, asked, "host").tolist() == [root, root, -1, -1, *asked[4:]]
    assert counting_for(store, asked, "keep").tolist() == [*asked[:3], -1, *asked[4:]]


def test_words_and_anchors():
    assert anchor_words("The keepers' bees", "en") == {"keeper", "bee"}
    assert len(anchor_words(" ".join(f"w{i}" for i in range(5_000)), "en")) == 50
    assert folded_anchor("\tThe\n HIVE ") == "the hive"


NAMES = st.text(
    st.one_of(st.sampled_from("Beeés' -_\t\x1c\xa0\u3000蜜蜂のกข"), st.characters(codec="utf-8")), max_size=30
)


@settings(max_examples=200, deadline=None)
@given(st.lists(NAMES, max_size=8), st.sampled_from(["en", "de", "ja", "tr", ""]))
def test_many_anchors_have_the_words_of_each(anchors, language):
    anchors = [*dict.fromkeys(anchors), " ".join(f"w{i}" for i in range(60)), "bee " * 60]
    which, word = word_sets(pa.array(anchors, pa.string()), language)
    found = [set(word[which == at].tolist()) for at in range(len(anchors))]
    assert found == [{page_id(stem) for stem in anchor_words(anchor, language)} for anchor in anchors]
