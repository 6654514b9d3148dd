"""Hierarchies of whole components: as a slow twin merges them, on webs larger than what a question clusters."""

import numpy as np
import pytest

from pagekin.answers.collection import Collection
from pagekin.cluster.whole import LEFT_OUT, WholeHierarchies, whole_hierarchies
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import UsageError
from pagekin.index.base import derive, index, opened
from pagekin.index.similarity.graph import Similarity
from pagekin.methods import method
from tests.small_webs import from_edges, random_pairs, ring_of_groups

CANDIDATES = 400  # in the place of 2,000: what a question clusters is the same of fewer, and the twin takes seconds
PAGES = CANDIDATES + 20
ALPHAS = (0.5, 0.25)


def similarities(store):
    """Eq. 4 for co-citation of all pairs, from the links themselves; δ is a tenth of the mean that is not 0."""
    graph, n = store.arrays, store.size
    citers = np.zeros((n, n))
    citers[graph.out, np.repeat(np.arange(n), np.diff(graph.out_start))] = 1
    common, size = citers @ citers.T, citers.sum(axis=1)
    direct, eye = citers + citers.T, np.eye(n)
    # |C(a) ∪ C(b) ∪ {a} ∪ {b}|: a is new unless it cites a (never) or b, and b likewise
    union = size[:, None] + size[None, :] - common + (2 - (citers + citers.T))
    sim = np.where(eye == 1, 0, (common + direct) / union)
    sim[(size == 0)[:, None] & (size == 0)[None, :] & (direct == 0)] = 0
    mean = sim[np.triu(sim > 0)].mean()
    return np.where(sim >= 0.1 * mean, sim, 0)


def component(sim, page):
    inside, new = {page}, [page]
    while new:
        new = [q for p in new for q in np.flatnonzero(sim[p]).tolist() if q not in inside]
        inside.update(new)
        new = list(dict.fromkeys(new))
    return np.array(sorted(inside))


def twin(distance, alpha):
    """Eq. 5 on all pairs: a merge for each step, always the least pair; rows of [name, name, height]."""
    d = distance.copy()
    np.fill_diagonal(d, np.inf)
    low, merges = d.min(axis=1), []
    while np.isfinite(low.min()):
        limit = low.min() * (1 + 1e-12)
        i = int(np.argmax(low <= limit))
        j = int(np.argmax(d[i] <= limit))
        height = d[i, j]
        merges.append((i, j, height))
        row = alpha * d[i] + alpha * d[j] + (1 - 2 * alpha) * height
        row[[i, j]] = np.inf
        stale = (d[:, i] == low) | (d[:, j] == low)
        d[i], d[:, i], d[j], d[:, j] = row, row, np.inf, np.inf
        low = np.where(stale, np.inf, np.minimum(low, row))
        low[[i, j]] = np.inf
        again = np.flatnonzero(stale | (np.arange(low.size) == i))
        low[again] = d[again].min(axis=1)
    return merges


def twin_distances(merges, n, page):
    """The distances of 5.3, from sets of pages."""
    members, first, together = {p: {p} for p in range(n)}, {}, {}
    for i, j, height in merges:
        for side in (i, j):
            if len(members[side]) == 1:
                first[side] = height
        if page in members[i] or page in members[j]:
            for q in members[j] if page in members[i] else members[i]:
                together[q] = height
        members[i] |= members.pop(j)
    return {q: abs(first[page] - height) + abs(first[q] - height) for q, height in together.items()}


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "s.kin"
    ring_of_groups(path, PAGES)
    Collection(path).build(method=[f"assisted(alpha={alpha})" for alpha in ALPHAS])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pagekin.methods.assisted.MAX_CANDIDATES", CANDIDATES)
        yield Store(path)


@pytest.fixture(scope="module")
def alike(ring):
    return similarities(ring)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_component_larger_than_the_candidates_is_clustered_and_ranked_as_the_twin_does(ring, alike, alpha):
    inside = component(alike, int(np.argmax((alike > 0).sum(axis=1))))
    assert inside.size > CANDIDATES
    merges = twin(1 - alike[np.ix_(inside, inside)], alpha)
    asked = method(f"assisted(alpha={alpha})")
    _, tree, note = asked.hierarchy(ring, int(inside[0]))
    assert not tree.cut and tree.nodes.tolist() == inside.tolist()
    assert note == f"of its whole component, {inside.size:,} pages"
    assert tree.hierarchy.merges[:, 2] == pytest.approx([height for *_, height in merges], rel=1e-11)
    for place in range(0, inside.size, 37):
        apart = twin_distances(merges, inside.size, place)
        found = asked.related(ring, int(inside[place]), 15)
        assert 1 / found.scores - 1 == pytest.approx(sorted(apart.values())[:15], abs=1e-10)
        listed = np.searchsorted(inside, found.pages).tolist()
        assert [apart[q] for q in listed] == pytest.approx((1 / found.scores - 1).tolist(), abs=1e-10)


def test_an_index_of_all_links_that_is_that_of_the_content_answers_for_it(ring):
    assert whole_hierarchies(ring, WholeHierarchies(links="all")) is not None


def test_the_order_differs_from_that_of_the_candidates(ring):
    """Else the tests above would show nothing."""
    asked, cut = method("assisted"), method(f"assisted(max_candidates={CANDIDATES // 4})")
    pages = [page for page in range(ring.size) if asked.related(ring, page, 15).pages.size][::30]
    same = [
        asked.related(ring, page, 15).pages.tolist() == cut.related(ring, page, 15).pages.tolist() for page in pages
    ]
    assert not all(same)


def test_an_alpha_that_is_not_built_is_answered_from_the_candidates_and_names_the_build(ring):
    page = int(np.argmax(np.diff(ring.arrays.in_start)))
    found = method("assisted(alpha=0.8)").related(ring, page, 15)
    assert found.pages.size == 15
    assert f"clustered with only the {CANDIDATES - 1:,} pages nearest to it" in found.note
    assert found.note.endswith('.build(method="assisted(alpha=0.8)")')
    why = method("assisted(alpha=0.8)").why(ring, page, int(found.pages[0]))[0].detail
    assert (why["clustered"], why["whole"]) == (CANDIDATES, False)
    whole = method("assisted")
    why = whole.why(ring, page, int(whole.related(ring, page, 1).pages[0]))[0].detail
    assert why["clustered"] > CANDIDATES and why["whole"]


def test_a_component_that_memory_does_not_allow_is_left_out_and_said_to_be(ring, tmp_path, monkeypatch):
    import shutil

    shutil.copytree(ring.path, tmp_path / "s.kin")
    monkeypatch.setenv("PAGEKIN_MEMORY", "1MB")  # 420 pages need 1.4 MB at this α
    made = Collection(tmp_path / "s.kin").build(index="hierarchy(alpha=0.7)").made[-1]
    assert "left out 1, of up to" in made.said and "PAGEKIN_MEMORY" in made.said
    store, asked = Store(tmp_path / "s.kin"), method("assisted(alpha=0.7)")
    page = int(np.argmax(np.diff(store.arrays.in_start)))
    held, graph = whole_hierarchies(store, asked.whole), opened(store, Similarity())
    assert held.component[graph.node_of(int(store.graph.ids[page]))] == LEFT_OUT
    assert "more than PAGEKIN_MEMORY allowed when hierarchy(alpha=0.7) was built" in asked.related(store, page, 15).note
    Collection(tmp_path / "s.kin").build(index="hierarchy")  # at one half edges need less
    assert "left out" not in Store(tmp_path / "s.kin").manifest.indexes["hierarchy"].path
    assert "whole component" in method("assisted").related(Store(tmp_path / "s.kin"), page, 15).note


@pytest.mark.parametrize("alpha", [0.06, 0.5, 0.9])
def test_small_components_answer_from_the_index_as_without_it(tmp_path, alpha):
    pairs = [(f"a{s}", f"a{t}") for s, t in random_pairs(1, 30, 60)] + [
        (f"b{s}", f"b{t}") for s, t in random_pairs(2, 20, 30)
    ]
    from_edges(tmp_path / "s.kin", [*pairs, ("lone", "only")])
    asked = method(f"assisted(measure=amsler, alpha={alpha})")
    with writing(tmp_path / "s.kin") as writer:
        derive(writer, asked.index)
        without = Store(tmp_path / "s.kin")
        before = [asked.related(without, page, 100) for page in range(without.size)]
        derive(writer, asked.whole)
    store = Store(tmp_path / "s.kin")
    assert whole_hierarchies(store, asked.whole) is not None
    for page, expected in enumerate(before):
        found = asked.related(store, page, 100)
        assert found.pages.tolist() == expected.pages.tolist()
        assert found.scores.tolist() == expected.scores.tolist()
        assert found.note == expected.note
        assert asked.related(store, page, 3).pages.tolist() == expected.pages.tolist()[:3]


def test_hierarchies_of_another_similarity_graph_are_not_used(tmp_path):
    """If only the graph is made again after pages came, its nodes have other numbers."""
    path = tmp_path / "s.kin"
    from_edges(path, [("a", "b"), ("b", "c"), ("c", "d")])
    Collection(path).build(method="assisted")
    from_edges(path, [("d", "e"), ("0", "a"), ("e", "f")])
    assert whole_hierarchies(Store(path), WholeHierarchies()) is not None  # both are old
    Collection(path).build(index="similarity")
    assert whole_hierarchies(Store(path), WholeHierarchies()) is None
    store = Store(path)
    found = [method("assisted").related(store, page, 9).pages.tolist() for page in range(store.size)]
    Collection(path).build()
    store = Store(path)
    assert whole_hierarchies(store, WholeHierarchies()) is not None
    assert [method("assisted").related(store, page, 9).pages.tolist() for page in range(store.size)] == found


def test_build_makes_it_for_the_alpha_of_a_method_and_by_default_for_one_half(tmp_path):
    path = tmp_path / "s.kin"
    from_edges(path, [("a", "b"), ("b", "c"), ("c", "d")])
    made = [each.name for each in Collection(path).build(method="assisted(alpha=0.25)").made]
    assert made == ["mirrors", "similarity", "hierarchy(alpha=0.25)"]
    assert "hierarchy" in [each.name for each in Collection(path).build(all=True).made]
    assert index("hierarchy(alpha=0.25)").needs == (Similarity(),)
    with pytest.raises(UsageError, match="alpha is 2"):
        index("hierarchy(alpha=2)")


def test_damage_is_found_when_it_is_opened(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b"), ("b", "c")])
    Collection(tmp_path / "s.kin").build(method="assisted")
    store = Store(tmp_path / "s.kin")
    folder = store.path / store.manifest.indexes["hierarchy"].path
    whole = WholeHierarchies().open(folder)
    for name, values in (("component", whole.component + 9), ("merges", whole.merges[:1]), ("nodes", whole.nodes[:1])):
        kept = np.load(folder / f"{name}.npy")
        np.save(folder / f"{name}.npy", values)
        with pytest.raises(ValueError):
            WholeHierarchies().open(folder)
        np.save(folder / f"{name}.npy", kept)
    (folder / "about.json").write_text("{}")
    with pytest.raises(ValueError, match=r"about\.json"):
        WholeHierarchies().open(folder)
