"""`pair`: symmetric, comparable, with all the evidence between two pages."""

import pytest

from pagekin import Collection
from pagekin.errors import UnknownPageError, UsageError
from pagekin.methods.fused import PAIR_WEIGHTS
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("pair") / "s.kin"
    topics = {"bee": "hive wax honey queen swarm", "train": "rail signal coach engine track"}
    pages = [
        page(
            URL(f"{name}{i}"), URL(f"{name}{(i + 1) % 12}"), words=" ".join(words.split()[i % 3 :]), title=f"{name} {i}"
        )
        for name, words in topics.items()
        for i in range(12)
    ]
    hub = page(URL("hub"), URL("bee1"), URL("bee5"))
    collection(path, *pages, hub)
    Collection(path).build(index="text")
    return Collection(path)


def test_it_is_the_same_whichever_page_is_named_first(site):
    for one, other in (("bee1", "bee5"), ("bee1", "train4"), ("train2", "train3")):
        there, back = site.pair(URL(one), URL(other))[0], site.pair(URL(other), URL(one))[0]
        assert there.score == back.score
        assert there.parts == back.parts
        assert set(there.parts) == set(PAIR_WEIGHTS) - {"vectors"}  # this collection has none
        assert there.score == pytest.approx(sum(there.parts.values()))


def test_pages_on_one_topic_score_above_pages_on_two(site):
    same = [
        site.pair(URL(f"{topic}{i}"), URL(f"{topic}{i + 3}"))[0].score for topic in ("bee", "train") for i in range(6)
    ]
    different = [site.pair(URL(f"bee{i}"), URL(f"train{i + 3}"))[0].score for i in range(6)]
    assert min(same) > 0 > max(different)


def test_it_has_every_kind_of_evidence(site):
    answer = site.pair(URL("bee1"), URL("bee5"), why=True)
    kinds = [reason.kind for reason in answer[0].why]
    assert kinds.count("part") == 2
    assert "cited-by" in kinds
    assert not answer[0].linked
    assert site.pair(URL("bee1"), URL("bee2"))[0].linked
    assert any(line.startswith("words ") for line in answer.reasons(0))
    assert answer.as_dict()["results"][0]["why"]
    assert "why" not in site.pair(URL("bee1"), URL("bee5")).as_dict()["results"][0]
    assert [each["url"] for each in answer.as_dict()["query"]] == [URL("bee1"), URL("bee5")]


def test_mistakes(site):
    with pytest.raises(UsageError, match=r"both are http://h.example/bee1; give two pages"):
        site.pair(URL("bee1"), URL("bee1"))
    with pytest.raises(UnknownPageError):
        site.pair(URL("bee1"), URL("nobody"))
