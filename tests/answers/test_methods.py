"""The list of methods: complete, in sentences, and true about what a collection can be asked."""

import pytest

from pagekin import Collection
from pagekin.answers.methods import methods
from pagekin.errors import CollectionError, NotBuiltError, UsageError
from pagekin.methods import REGISTRY
from tests.small_webs import collection, page

URL = "http://h.example/{}".format


@pytest.fixture
def site(tmp_path):
    pages = (page(URL(n), URL((n + 1) % 8), URL((n + 3) % 8), words=f"bee w{n % 3} honey") for n in range(8))
    return Collection(collection(tmp_path / "s.kin", *pages).path)


def test_every_method_is_listed_with_a_sentence_and_the_default_first():
    listed = methods()
    assert {row.method for row in listed} == set(REGISTRY)
    assert listed[0].method == "fused"
    assert all(row.says.endswith(".") and row.state is None for row in listed)
    assert listed.visible() == ("method", "uses", "says")


def test_what_is_ready_can_be_asked_and_what_is_not_built_cannot(site):
    for row in site.methods():
        if row.state == "not built":
            with pytest.raises(NotBuiltError):
                site.related(URL(0), method=row.method)
        else:
            site.related(URL(0), method=row.method)
    states = {row.method.partition("(")[0]: row.state for row in site.methods()}
    assert (states["fused"], states["walk"], states["integrated"]) == ("answers without", "ready", "not built")
    assert "build(all=True)" in site.methods().note
    site.build(all=True)
    assert {row.state for row in site.methods()} == {"ready"}
    assert site.methods().note is None
    collection(site.path, page(URL(9), URL(0), words="new"))
    states = {row.method.partition("(")[0]: row.state for row in site.methods()}
    assert (states["walk"], states["integrated"]) == ("ready", "stale")


def test_an_index_can_be_dropped(site):
    with pytest.raises(CollectionError, match="no index to remove"):
        site.build(drop="keywords")
    site.build(all=True)
    site.build(index="similarity(measure=amsler)")
    report = site.build(drop=["similarity", "keywords"])
    assert set(report.dropped) == {"similarity", "similarity(measure=amsler)", "keywords"}
    assert report.lines[-1] in {f"{name}: removed" for name in report.dropped}
    built = site.info().built
    assert not {"similarity", "keywords"} & {name.partition("(")[0] for name in built}
    assert {"graph", "inverted"} <= set(built)
    with pytest.raises(UsageError, match=r"unknown built index 'invertd'; did you mean 'inverted'\?"):
        site.build(drop="invertd")
    with pytest.raises(UsageError, match="on its own"):
        site.build(drop="inverted", index="text")
    assert any(name.startswith("keywords") for name in (each.name for each in site.build(all=True).made))
