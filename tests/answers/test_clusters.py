"""clusters, mirrors, bridges and export similarity, as the shell shows them."""

import json

import networkx as nx
import pytest
from scipy.cluster.hierarchy import leaves_list

from pagekin.answers.clusters import clustering, clusters
from pagekin.answers.collection import Collection
from pagekin.answers.filters import Filters
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.methods import method
from tests.small_webs import collection, from_edges, page, random_pairs


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("hierarchy") / "s.kin"
    pairs = [(f"http://s{s}.example/", f"http://t{t}.example/") for s, t in random_pairs(2, 40, 200)]
    from_edges(path, [*pairs, ("http://x.example/", "http://x.example/")])
    Collection(path).build(method=["assisted", "assisted(measure=amsler)"])
    return path


def test_clusters_are_the_linkage_that_related_ranks_by(path):
    found = clusters(Store(path), "http://t1.example/", clustering("co-citation", 0.3))
    answer = json.loads(json.dumps(found.as_dict()))
    n = len(answer["pages"])
    assert len(answer["merges"]) == n - 1
    assert answer["merges"][-1][3] == n
    assert answer["order"] == leaves_list(found.hierarchy.merges).tolist()
    assert answer["pages"][found.place] == "http://t1.example/"
    ranked = [row.url for row in Collection(path).related("http://t1.example/", method="assisted(alpha=0.3)", k=200)]
    assert sorted([*ranked, "http://t1.example/"]) == sorted(answer["pages"])
    assert [row["pages"] for row in found.rows()] == [merge[3] for merge in answer["merges"]]


def test_a_page_alone_has_a_hierarchy_of_itself(path):
    found = clusters(Store(path), "http://x.example/", clustering("assisted"))
    assert found.as_dict()["pages"] == ["http://x.example/"]
    assert found.as_dict()["merges"] == found.rows() == []
    assert "no other page has a similarity of" in found.drawn()


@pytest.mark.parametrize("ending", ["svg", "png", "nwk", "json"])
def test_a_drawing_in_a_file(path, tmp_path, ending):
    found = clusters(Store(path), "http://t1.example/", clustering("amsler"))
    assert "wrote the dendrogram" in found.drawn(tmp_path / f"d.{ending}")
    assert (tmp_path / f"d.{ending}").stat().st_size > 100


def test_whose_clusters():
    assert clustering("amsler", 0.2) == method("assisted(measure=amsler, alpha=0.2)")
    with pytest.raises(UsageError, match="'coupling\\(direct=false\\)' makes no clusters; give co-citation, coupling"):
        clustering("coupling(direct=false)")


def test_bridges_are_sorted_and_have_witnesses(path):
    rows = Collection(path).bridges(k=10).as_dict()["results"]
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert all(len(row["witnesses"]) == 2 and row["url"] not in row["witnesses"] for row in rows)


def test_mirrors_and_their_place_in_related(tmp_path):
    text = " ".join(f"word{i}" for i in range(60))
    same = ["http://m1.example/", "http://m2.example/"]
    hubs = [page(f"http://h{i}.example/", *same, "http://other.example/", words=f"h{i}") for i in range(40)]
    collection(tmp_path / "s.kin", *hubs, *(page(url, title="copy", words=text) for url in same))
    Collection(tmp_path / "s.kin").build(method=["assisted"])
    (row,) = [each for each in Collection(tmp_path / "s.kin").mirrors() if same[0] in each.urls]
    assert sorted(row.urls) == same
    assert row.citers == 1
    every = Filters(fetched=False)
    found = Collection(tmp_path / "s.kin").related("http://other.example/", method="assisted", filters=every)
    (shown,) = [each for each in found if each.url in same]
    assert sorted((shown.url, *shown.mirrors)) == same


def test_without_mirrors_it_says_why(path):
    assert "no page was fetched" in Collection(path).mirrors().note


@pytest.mark.parametrize("ending, read", [("gexf", nx.read_gexf), ("graphml", nx.read_graphml), ("net", nx.read_pajek)])
def test_the_similarity_graph_as_a_file_is_undirected_and_weighted(path, tmp_path, ending, read):
    said = repr(Collection(path).export("similarity", tmp_path / f"g.{ending}"))
    graph = nx.Graph(read(tmp_path / f"g.{ending}"))
    assert not read(tmp_path / f"g.{ending}").is_directed()
    assert f"{graph.number_of_edges():,} pairs" in said
    weights = [float(weight) for *_, weight in graph.edges(data="weight")]
    assert all(0 < weight <= 1 for weight in weights)


def test_the_similarity_graph_as_rows_is_what_co_citation_says(path, tmp_path):
    import pyarrow.parquet as pq

    Collection(path).export("similarity", tmp_path / "s.parquet", "assisted")
    rows = pq.read_table(tmp_path / "s.parquet").to_pylist()
    store = Store(path)
    urls = store.graph.pages["url"].to_pylist()
    for row in rows[::7]:
        found = method("co-citation(max_out=1000)").related(store, urls.index(row["source"]), 200)
        scores = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
        assert scores[urls.index(row["target"])] == row["similarity"]
    with pytest.raises(UsageError, match="'amsler\\(direct=false\\)' makes no clusters; give"):
        Collection(path).export("similarity", tmp_path / "s.csv", "amsler(direct=false)")
