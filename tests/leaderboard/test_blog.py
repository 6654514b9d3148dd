"""The blog of the leaderboard is what it says: mostly template, few links of an author's choice, always the same."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from leaderboard import blog


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blog")
    return folder, blog.write(folder)


def hrefs(tree, selector):
    return [node.attributes["href"] for node in tree.css(f"{selector} a[href]")]


def test_its_pages(written):
    folder, topics = written
    assert len(topics) == 400
    assert sorted({list(topics.values()).count(topic) for topic in topics.values()}) == [50]
    assert len(list(folder.glob("tag-*.html"))) == 12
    assert len(list(folder.iterdir())) == 400 + 12 + 8


def test_every_post_has_the_template_and_two_links_of_its_own(written):
    folder, topics = written
    for url, topic in topics.items():
        tree = LexborHTMLParser((folder / url.rpartition("/")[2]).read_text())
        assert len(hrefs(tree, "nav")) == 8
        assert hrefs(tree, "aside") == [f"/post{number}.html" for number in range(399, 389, -1)]
        assert len(hrefs(tree, "footer")) == 3
        assert len([node for node in tree.css("main a") if node.attributes.get("rel") == "tag"]) == 3
        own = [node for node in tree.css("main a") if node.attributes.get("rel") != "tag"]
        own = [node.attributes["href"] for node in own if node.text() not in ("Previous", "Next")]
        assert len(set(own)) == 2 and url.rpartition("/")[2] not in "".join(own).split("/")
        assert topics[blog.BASE + own[0][1:]] == topic


def test_it_is_the_same_on_every_machine(tmp_path, written):
    folder, topics = written
    assert blog.write(tmp_path) == topics
    for file in folder.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
