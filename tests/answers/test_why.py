"""Why one page is related to others: the same evidence as with the whole list, and the names of its pages."""

from pagekin.answers.related import related
from pagekin.answers.why import why
from pagekin.methods import method
from tests.small_webs import collection, edges

A, B, HUB = "http://a.example/", "http://b.example/", "http://hub.example/"


def test_the_evidence_for_one_result_is_that_of_the_list(tmp_path):
    store = collection(tmp_path / "s.kin", edges((HUB, A, "One"), (HUB, B, "Two"), (A, B, "on")))
    for asked in (method("co-citation"), method("walk")):
        row = related(store, [A], 5, asked, why=True)[0]
        found = why(store, [A, "http://nowhere.example/"], row.url, asked)
        assert found.evidence == row.why != ()
        assert {page.url for page in found.pages} <= {A, B, HUB}
    found = why(store, [A], B, method("co-citation"))
    assert found.sentences() == [f"{A} links to {B} as “on”", f"{HUB} links to both as “One” and “Two”"]
    assert {page.url for page in found.pages} == {A, B, HUB}
