"""One definition of the filters: `related`, `compare` and `export related` show the same pages, as a slow twin says."""

import json
import re

import pyarrow.parquet as pq
import pytest

from pagekin import Collection, Filters
from pagekin.errors import UsageError
from tests.small_webs import collection, edges, page, random_pairs

HOSTS = ["www.a.example", "docs.a.example", "b.example", "c.example"]
LANGUAGES = ["en", "de", "en-GB"]


def url(number):
    return f"http://{HOSTS[number % 4]}/{'draft' if number % 5 == 0 else 'page'}/{number}"


def spoken(number, *targets):
    made = page(url(number), *targets, words=f"bee w{number % 3}")
    language = LANGUAGES[number % 3]
    from dataclasses import replace

    return replace(made, body=made.body.replace(b"<title>", f'<html lang="{language}"><title>'.encode()))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """40 pages on four hosts of three sites in two languages, of which 30 were fetched."""
    targets = {}
    for source, target in random_pairs(3, 40, 220):
        targets.setdefault(source % 30, []).append(url(target))
    path = tmp_path_factory.mktemp("filters") / "s.kin"
    collection(path, *(spoken(n, *targets.get(n, ())) for n in range(30)), edges(("table", url(3)), ("table", url(4))))
    return Collection(path)


GIVEN = [
    Filters(),
    Filters(same_site=True),
    Filters(other_sites=True),
    Filters(same_language=True),
    Filters(include="/draft/"),
    Filters(include=("/draft/", "/1.$"), exclude=r"b\.example"),
    Filters(unlinked=True, fetched=False),
    Filters(per_host=1),
    Filters(picked=True, min_score=0.01),
    Filters(same_site=True, same_language=True, per_host=2, fetched=False),
]


def twin(store, seed, ranked, filters, k):
    """The filters, one after the other, on the whole list of pages with their scores."""
    passed, hosts, last = [], [], None
    for other, score in ranked:
        host, its = store.value("host", other), store.url(other)
        include = (filters.include,) if isinstance(filters.include, str) else filters.include
        exclude = (filters.exclude,) if isinstance(filters.exclude, str) else filters.exclude
        only = store.fetched[seed] if filters.fetched is None else filters.fetched
        same = store.value("site", other) == store.value("site", seed)
        tongues = [store.value("language", each)[:2] for each in (seed, other)]
        if (
            (only and not store.fetched[other])
            or (filters.same_site and store.value("site", seed) and not same)
            or (filters.other_sites and host and same)
            or (filters.same_language and tongues[0] and tongues[0] != tongues[1])
            or (include and not any(re.search(each, its) for each in include))
            or any(re.search(each, its) for each in exclude)
            or (filters.unlinked and other in store.arrays.linked(seed))
            or (filters.min_score is not None and score < filters.min_score)
            or (filters.per_host and host and hosts.count(host) >= filters.per_host)
            or (filters.picked and host and host == last)
        ):
            continue
        passed.append(its)
        hosts.append(host)
        last = host or None
    return passed[:k]


@pytest.mark.parametrize("filters", GIVEN, ids=str)
@pytest.mark.parametrize("method", ["walk", "amsler"])
def test_all_commands_apply_them_alike(site, tmp_path, method, filters):
    store, k = site.store, 4
    site.export("related", tmp_path / "r.parquet", method=method, k=k, filters=filters)
    site.export("related", tmp_path / "r", method=method, k=k, filters=filters)
    index = json.loads((tmp_path / "r" / "index.json").read_text())
    rows = pq.read_table(tmp_path / "r.parquet").to_pylist()
    expected = {}
    for number in range(store.size):
        asked = store.url(number)
        whole = site.related(asked, k=100, method=method, filters=Filters(fetched=False, fold=False))
        ranked = [(store.graph.pages["url"].to_pylist().index(row.url), row.score) for row in whole]
        found = twin(store, number, ranked, filters, k)
        assert [row.url for row in site.related(asked, k=k, method=method, filters=filters)] == found
        if number % 7 == 0:
            compared = site.compare(asked, [method, "hits"], k=k, filters=filters)
            assert [row.url for row in compared[0].results] == found
        if found and (filters.fetched is False or store.fetched[number]):
            expected[asked] = found
    written = {}
    for row in rows:
        written.setdefault(row["source"], []).append(row["target"])
    assert written == expected
    assert index.keys() == expected.keys()


def test_the_language_is_that_of_the_page_without_its_country(site):
    asked = url(0)
    found = {row.url for row in site.related(asked, k=50, method="walk", filters=Filters(same_language=True))}
    assert {int(each.rpartition("/")[2]) % 3 for each in found} == {0, 2}


def test_what_nobody_fetched_is_covered_if_asked_for(site, tmp_path):
    report = site.export("related", tmp_path / "r.csv", method="walk")
    assert re.search(r"\d+ pages that nobody fetched are not covered; to cover all: fetched=False", report.note)
    all_of_them = site.export("related", tmp_path / "s.csv", method="walk", filters=Filters(fetched=False))
    assert all_of_them.note is None
    assert all_of_them.rows > report.rows
    table = Collection(collection(tmp_path / "t.kin", edges(("a", "b"), ("a", "c"))).path)
    assert table.export("related", tmp_path / "t.csv", method="amsler").rows > 0  # none was fetched


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"include": "("}, r"include takes regular expressions; '\(' is not one"),
        ({"exclude": ("a", "[")}, r"exclude takes regular expressions; '\[' is not one"),
        ({"same_site": True, "other_sites": True}, "leave nothing"),
    ],
)
def test_wrong_ones_are_refused(given, says):
    with pytest.raises(UsageError, match=says):
        Filters(**given)


def test_filters_are_for_related_pages(site, tmp_path):
    with pytest.raises(UsageError, match="filters are about related pages"):
        site.export("graph", tmp_path / "g.csv", filters=Filters(same_site=True))
