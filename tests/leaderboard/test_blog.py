"""The blog of the leaderboard is what it says: mostly template, few links of an author's choice, always the same."""

from itertools import permutations

import pytest
from selectolax.lexbor import LexborHTMLParser

from leaderboard import blog
from pagekin.answers.collection import Collection
from tests.gates import gates


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


def chosen(folder, url):
    """The links of a post that its author chose."""
    tree = LexborHTMLParser((folder / url.rpartition("/")[2]).read_text())
    own = [node for node in tree.css("main a") if node.attributes.get("rel") != "tag"]
    return [blog.BASE + node.attributes["href"][1:] for node in own if node.text() not in ("Previous", "Next")]


def test_every_post_has_the_template_and_two_links_of_its_own(written):
    folder, topics = written
    for url, topic in topics.items():
        tree = LexborHTMLParser((folder / url.rpartition("/")[2]).read_text())
        assert len(hrefs(tree, "nav")) == 8
        assert hrefs(tree, "aside") == [f"/post{number}.html" for number in range(399, 389, -1)]
        assert len(hrefs(tree, "footer")) == 3
        assert len([node for node in tree.css("main a") if node.attributes.get("rel") == "tag"]) == 3
        own = chosen(folder, url)
        assert len(set(own)) == 2 and url not in own
        assert topics[own[0]] == topic


def test_it_is_the_same_on_every_machine(tmp_path, written):
    folder, topics = written
    assert blog.write(tmp_path) == topics
    for file in folder.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_a_post_may_have_more_links_on_its_topic(tmp_path):
    topics = blog.write(tmp_path, own=3)
    for url, topic in topics.items():
        own = chosen(tmp_path, url)
        assert len(set(own)) == 4 and url not in own
        assert [topics[other] for other in own[:3]] == [topic] * 3


def test_beside_a_link_to_a_post_there_is_its_topic_by_chance_alone(written):
    """So `siblings` finds no topics on the blog as it is, whichever links it sees: an eighth of posts are on one."""
    folder, topics = written
    beside = [pair for url in topics for pair in permutations(chosen(folder, url))]
    assert len(beside) == 2 * len(topics)
    assert 0.09 < sum(topics[one] == topics[other] for one, other in beside) / len(beside) < 0.16


def found(site, topics, method):
    """P@10: the share of posts on the same topic among ten answers."""
    ranked = {url: site.related(url, method=method, k=10) for url in topics}
    hits = sum(topics.get(page.url) == topics[url] for url, pages in ranked.items() for page in pages)
    return hits / 10 / len(ranked)


@pytest.mark.parametrize("own", gates([2, 3], 2))
def test_with_content_links_topics_are_found_twice_as_well(tmp_path, own):
    (tmp_path / "blog").mkdir()
    topics = blog.write(tmp_path / "blog", own=own)
    site = Collection(tmp_path / "blog.kin")
    site.add(tmp_path / "blog", base_url=blog.BASE)
    for method in ("siblings", "coupling", "amsler"):
        content, every = (found(site, topics, f"{method}(links={links})") for links in ("content", "all"))
        if (method, own) == ("amsler", 3):  # .87 and .51: nothing is twice as good
            assert 1 - content <= (1 - every) / 2
        else:
            assert content >= 2 * every, method
