"""A view is in its address: what is read from one is written to it again, and no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from pagekin.errors import UsageError
from pagekin.serve.problems import HttpError
from pagekin.serve.rendering import address
from pagekin.serve.view import View, is_long, share

A, B = "http://a.example/", "http://b.example/?x=1&y=2"


def read(*pairs):
    return View.read(QueryParams(list(pairs)))


def test_only_what_is_not_as_by_default_stands_in_the_address():
    assert read(("url", A)).pairs() == [("url", A)]
    assert read(("url", A), ("method", "fused"), ("k", "15"), ("fold", "true"), ("per_host", "")).pairs() == [
        ("url", A)
    ]
    view = read(("url", A), ("method", "assisted(alpha=0.3, measure=amsler)"), ("unlinked", "1"), ("min_score", "0.5"))
    limits = [("unlinked", "true"), ("min_score", "0.5")]
    assert view.pairs() == [("url", A), ("method", "assisted(measure=amsler)"), ("alpha", "0.3"), *limits]
    assert view.api()[1] == ("method", "assisted(measure=amsler, alpha=0.3)")
    assert view.filtered == 2


@given(
    urls=st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1, max_size=3),
    alpha=st.floats(0.01, 1).map(lambda value: round(value, 4)),
    flags=st.sets(st.sampled_from(["other_sites", "unlinked", "picked"])),
    per_host=st.none() | st.integers(1, 50),
    globs=st.lists(st.text(st.characters(codec="ascii", categories=["L", "P"]), min_size=1, max_size=9), max_size=3),
    opened=st.lists(st.sampled_from([A, B]), unique=True),
)
def test_an_address_is_read_as_it_was_written(urls, alpha, flags, per_host, globs, opened):
    pairs = [("url", url) for url in urls] + [("method", "assisted"), ("alpha", alpha)]
    pairs += [(flag, "true") for flag in sorted(flags)] + [("exclude_glob", each) for each in globs]
    pairs += [("per_host", per_host)] if per_host else []
    view = read(*((name, str(value)) for name, value in pairs), *(("why", url) for url in opened))
    again = View.read(QueryParams(address("/page", view.pairs()).partition("?")[2]))
    assert again == view
    assert (view.slider, view.urls, set(view.open)) == (alpha, urls, set(opened))


def test_links_change_one_thing():
    view = read(("url", A), ("method", "assisted"), ("alpha", "0.3"), ("per_host", "2"), ("why", B))
    rest = [("method", "assisted"), ("alpha", "0.3"), ("per_host", "2")]
    assert view.about(B) == [("url", B), *rest]
    assert view.toggled(B) == [("url", A), *rest]
    assert view.toggled(A) == [("url", A), *rest, ("why", B), ("why", A)]
    assert view.by("walk") == [("url", A), ("method", "walk"), ("per_host", "2")]
    assert view.beside(B) == [("url", A), ("url", B), *rest]
    assert view.unfiltered() == [("url", A), ("method", "assisted"), ("alpha", "0.3"), ("why", B)]
    assert ("k", "30") in view.longer()


def test_fields_beside_the_method_count_and_those_of_others_do_not():
    view = read(
        ("url", A),
        ("method", "amsler(max_in=9)"),
        ("amsler.max_in", ""),
        ("amsler.direct", "false"),
        ("walk.restart", "1"),
    )
    assert repr(view.method) == "amsler(direct=false)"
    assert read(("url", A), ("more", B)).urls == [A, B]
    assert is_long(QueryParams("url=a&more=")) and is_long(QueryParams("walk.restart=1"))
    assert not is_long(QueryParams("url=http://a.example/&alpha=0.3"))


@pytest.mark.parametrize(
    ("pair", "error"),
    [
        (("k", "many"), HttpError), (("per_host", "0"), HttpError),
        (("method", "companion(stop=/etc/passwd)"), UsageError), (("method", "no"), UsageError),
        (("method", "amsler(max_in=1, stop=x)"), UsageError),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_an_error(pair, error):
    with pytest.raises(error):
        read(("url", A), pair)


def test_a_field_cannot_smuggle_in_a_parameter_that_names_a_file():
    with pytest.raises(UsageError, match="names a file"):
        read(("url", A), ("method", "companion"), ("companion.around", "8, stop=/etc/passwd"))


def test_a_share_is_between_0_and_1():
    assert [share(text) for text in ("0.3", "-1", "7", "nan", "x", None, "")] == [0.3, 0, 1, 0.5, 0.5, 0.5, 0.5]
