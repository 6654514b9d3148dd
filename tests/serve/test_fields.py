"""Parameters as fields: every one of every method, with its type, choices, default and help."""

import dataclasses

import pytest

from pagekin.methods import REGISTRY, method
from pagekin.serve.fields import fields_of, sentence


def by_name(written):
    return {field.name: field for field in fields_of(method(written))}


def test_types_choices_and_defaults_come_from_the_dataclass():
    found = by_name("assisted(measure=amsler, alpha=0.25)")
    assert (found["alpha"].kind, found["alpha"].value, found["alpha"].default) == ("number", "0.25", "0.5")
    assert found["measure"].choices == ("co-citation", "coupling", "amsler")
    assert (found["measure"].value, found["measure"].default) == ("amsler", "co-citation")
    assert (found["max_in"].kind, found["max_in"].optional, found["max_in"].value) == ("whole", True, "")
    assert by_name("block")["scope"].choices == ("web", "site", "none")
    assert by_name("amsler")["direct"].choices == ("true", "false")


def test_help_is_the_comment_beside_the_field():
    assert by_name("assisted")["alpha"].help == "near 0: one growing chain; near 1: sharp groups"
    assert by_name("walk")["links"].help == "all: those of menus and templates too"


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_parameter_has_a_field_but_those_that_name_a_file(name):
    names = {item.name for item in dataclasses.fields(REGISTRY[name])}
    assert names - set(by_name(name)) <= {"stop"}
    assert sentence(name).endswith(".")
