"""Pages and anchors as block co-citation counts them; as a whole the tables are held against test_blockindex's twin."""

import numpy as np

from pagekin.methods.blocktables import anchor_words, counting_for, folded_anchor
from tests.methods.test_blockindex import collection


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
