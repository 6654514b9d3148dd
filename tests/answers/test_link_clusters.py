"""The link clusters of a page: rows with distance and via, against a path one can walk."""

import json

import numpy as np
import pytest

from pagekin.answers.link_clusters import link_clusters
from pagekin.collection.strings import coded
from pagekin.errors import UnknownPageError
from pagekin.index.subrelevant import Subrelevant, clusters, prepared
from tests.shell.test_main import shell  # noqa: F401
from tests.small_webs import from_edges, random_pairs

URL = "http://h{}.example/{}".format


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("linkclusters") / "s.kin"
    return from_edges(path, [(URL(a % 2, a), URL(b % 2, b)) for a, b in random_pairs(4, 50, 260)])


@pytest.mark.parametrize("kind", ["fan-out", "fan-in", "cyclic", "trivial"])
def test_rows_are_the_clusters_that_search_uses_and_via_is_one_link_away(store, kind):
    wanted = Subrelevant(kind, 20 if kind == "trivial" else 25)
    graph = prepared(store.arrays.out_start, store.arrays.out, coded(store.graph.pages["host"])[0])
    whole = clusters(graph, wanted.kind, wanted.tau)
    degree = dict(zip(graph.page.tolist(), np.diff(graph.out_start).tolist(), strict=True))
    place = {int(page): at for at, page in enumerate(graph.page)}
    for page in range(0, store.size, 7):
        rows = link_clusters(store, store.url(page), wanted).as_dict()["results"]
        expected = [{store.url(p) for p in whole.members(c).tolist()} for c in whole.holding(page).tolist()]
        seeds = list(dict.fromkeys(row["seed"] for row in rows))
        assert [{row["url"] for row in rows if row["seed"] == seed} for seed in seeds] == expected
        number = {store.url(p): p for p in range(store.size)}
        distance = {(row["seed"], row["url"]): row["distance"] for row in rows}
        for row in rows:
            if row["via"] is None:
                assert (row["url"], row["distance"]) == (row["seed"], 0)
                continue
            ends = (row["via"], row["url"]) if kind != "fan-in" else (row["url"], row["via"])
            source, target = (place[number[end]] for end in ends)
            assert target in graph.out[graph.out_start[source] : graph.out_start[source + 1]]
            if kind in ("fan-out", "fan-in"):
                assert row["distance"] == distance[row["seed"], row["via"]] + degree[number[ends[0]]]
            assert row["distance"] <= wanted.tau or kind == "trivial"


def test_a_page_alone_and_one_that_is_not_there(tmp_path, store):
    lone = from_edges(tmp_path / "s.kin", [("http://a.example/", "http://b.example/")])
    answer = link_clusters(lone, "http://a.example/", Subrelevant()).as_dict()
    assert [row["url"] for row in answer["results"]] == ["http://a.example/"]
    assert "it is alone" in answer["note"]
    with pytest.raises(UnknownPageError, match="the nearest addresses are"):
        link_clusters(store, URL(0, "none"), Subrelevant())


def test_on_the_shell(shell, store):  # noqa: F811
    code, out, _ = shell("clusters", store.path, store.url(3), "--kind", "fan-out", "--json")
    answer = json.loads(out)
    assert (code, set(answer)) == (0, {"query", "clusters", "note", "results"})
    assert {"url", "distance", "via"} <= set(answer["results"][0])
    for words, says in [
        (["--kind", "fan-out", "--tau", "-1"], "tau is -1"),
        (["--kind", "fan"], "did you mean"),
        (["--kind", "trivial", "--tau", "3"], "no tau"),
    ]:
        code, out, err = shell("clusters", store.path, store.url(3), *words)
        assert (code, out) == (2, "")
        assert says in err
