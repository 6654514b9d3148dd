import pytest

from pagekin.errors import UsageError
from pagekin.methods import REGISTRY, method


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_a_method_s_text_names_it(name):
    assert repr(method(name)) == name
    assert method(repr(method(name))) == method(name)


def test_only_what_is_not_the_default_is_shown():
    made = method(" amsler( direct = false , max_in=50, max_out=none ) ")
    assert repr(made) == "amsler(direct=false, max_in=50)"
    assert method(repr(made)) == made


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("cocit", "unknown method 'cocit'; did you mean 'co-citation'? known: amsler, "),
        ("", "cannot read the method ''"),
        ("amsler(", r"cannot read the method 'amsler\('"),
        ("amsler(direct)", "cannot read 'direct' in"),
        ("amsler(directly=true)", r"unknown parameter of amsler 'directly'; did you mean 'direct'\?"),
        ("amsler(direct=yes)", "is true or false, not 'yes'"),
        ("amsler(max_in=many)", "must be a whole number, not 'many'"),
        ("amsler(max_in=0)", "max_in must be at least 1, or none, not 0"),
    ],
)
def test_a_method_that_cannot_be_read_says_what_can(written, words):
    with pytest.raises(UsageError, match=words.replace("?", r"\?") if "known:" in words else words):
        method(written)
