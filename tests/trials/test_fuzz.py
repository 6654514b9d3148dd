"""The fuzzer finds what is planted; every input of the corpus again; and some new ones, always the same."""

import random
import re
import tempfile
from itertools import islice

import pytest

from trials.fuzz import __main__ as program
from trials.fuzz import checks, corpus, faults, growth, known
from trials.fuzz.faults import Fault
from trials.fuzz.growth import growth_of_seconds, growth_of_steps
from trials.fuzz.recipe import Recipe, minimised
from trials.fuzz.search import growing, inputs
from trials.fuzz.steps import TooManySteps, counting, steps
from trials.fuzz.targets import TARGETS, Target

SEED, NEW, GROWING = 1, 40, 4  # inputs of each target, and those of which the growth is counted
STORED = list(corpus.stored())


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """The files of the checks; and what is loaded once is loaded before anything is counted."""
    before, tempfile.tempdir = tempfile.tempdir, str(tmp_path_factory.mktemp("fuzz"))
    checks.folder.cache_clear()
    checks.warm()
    yield
    checks.folder.cache_clear()
    tempfile.tempdir = before


@pytest.fixture(autouse=True)
def memory(monkeypatch):
    """The limit of memory is for a process of its own."""
    monkeypatch.setattr(faults, "_limit_memory", lambda: None)


def judged(fault):
    if fault and fault.known:
        pytest.xfail(f"{fault.signature}: {fault.known}")
    assert fault is None, str(fault)


@pytest.mark.parametrize(("target", "name", "recipe"), STORED, ids=[f"{target}/{name}" for target, name, _ in STORED])
def test_the_corpus(target, name, recipe):
    judged(faults.replayed(target, recipe))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.slow  # `make fuzz` makes more of them
def test_new_inputs(target):
    dice = random.Random(SEED)
    for recipe in islice(inputs(TARGETS[target], dice), NEW):
        judged(faults.tried(target, recipe).fault)
    for recipe in islice(growing(TARGETS[target], dice), GROWING):
        judged(faults.grown(target, recipe.repeated(256), enough=0))


def test_every_folder_of_the_corpus_is_a_target():
    assert {path.name for path in corpus.CORPUS.iterdir()} == set(TARGETS)
    assert all(recipe.pieces for _, _, recipe in STORED)


def quadratic(raw):
    for at in range(len(raw)):
        for _ in raw[:at]:
            pass


def linear(raw):
    return [byte for byte in raw if byte]


def test_a_quadratic_reader_is_found_by_its_steps():
    many = Recipe.of(b"<p>", (b"x", 4_000))
    found = growth_of_steps(quadratic, many)
    assert found and found.unit == "steps" and "quadratic" in found.where
    assert found.taken[2] > 10 * found.taken[0]
    assert growth_of_steps(linear, many) is None


def test_a_quadratic_regular_expression_is_found_by_the_clock():
    many, slow = Recipe.of((b" ", 80_000)), re.compile(rb"\s+x")
    assert growth_of_steps(slow.search, many) is None
    found = growth_of_seconds(lambda raw: slow.search(raw), many)
    assert found and found.unit == "seconds" and "search" in found.where
    assert growth_of_seconds(re.compile(rb"x").search, many) is None


def test_a_threshold_is_no_growth():
    assert growth._too_long(0.01, 0.04, 0.16)
    assert not growth._too_long(0.003, 0.016, 0.033)
    assert not growth._too_long(0.001, 0.001, 0.100)
    assert not growth._too_long(0.0001, 0.0004, 0.0016)


def test_steps_are_the_same_each_time_and_have_a_budget():
    assert steps(lambda: linear(bytes(100)), 10_000) == steps(lambda: linear(bytes(100)), 10_000) > 100
    assert steps(lambda: linear(bytes(1000)), 500) == 501
    with pytest.raises(TooManySteps), counting(10):
        linear(bytes(100))


def planted(monkeypatch, check):
    monkeypatch.setitem(TARGETS, "planted", Target(check, (b"a", b"b", b"c")))


def raising(raw):
    if b"b" in raw:
        raise KeyError("b")


def asserting(raw):
    assert b"b" not in raw, "no b"


def varying(raw, seen=[]):  # noqa: B006 - what it is about
    seen.append(raw)
    return len(seen)


def endless(raw):
    while raw:
        pass


@pytest.mark.parametrize(
    ("check", "kind"),
    [(raising, "raises"), (asserting, "wrong"), (varying, "varies"), (endless, "budget"), (linear, None)],
)
def test_what_a_fault_is(check, kind, monkeypatch):
    planted(monkeypatch, check)
    fault = faults.tried("planted", Recipe.of(b"abc")).fault
    assert (fault and fault.kind) == kind


def test_a_fault_is_made_small_and_printed_with_the_command_that_repeats_it(monkeypatch):
    planted(monkeypatch, raising)
    fault = faults.tried("planted", Recipe.of(b"aa", (b"cbc", 30), b"c")).fault
    small = program._smallest(fault)
    assert str(small.recipe) == '[["b", 1]]'
    assert small == fault
    assert """--only planted --input '[["b", 1]]'""" in str(small)


def test_a_fault_that_is_known_says_why(monkeypatch):
    monkeypatch.setitem(known.KNOWN, "planted raises KeyError in *", "planted")
    fault = Fault("planted", "raises", "KeyError in test_fuzz.py:raising", "b", Recipe.of(b"b"))
    assert fault.known == "planted"
    with pytest.raises(pytest.xfail.Exception):
        judged(fault)
    with pytest.raises(AssertionError, match="--only planted"):
        judged(Fault("planted", "wrong", "elsewhere", "b", Recipe.of(b"b")))


def test_a_recipe_is_its_text(tmp_path):
    recipe = Recipe.of(b"\0\xff<p>", (b"x<#> ", 3), b"")
    assert Recipe.read(str(recipe)) == recipe
    assert recipe.made == b"\0\xff<p>x0 x1 x2 "
    kept = corpus.store("html", "raises", recipe, tmp_path)
    assert Recipe.read(kept.read_text()) == recipe


def test_minimising_ends_and_never_loses_the_fault():
    assert minimised(Recipe.of(b"abcdef", (b"g", 50)), lambda one: one.made.count(b"g") > 9, 200).made == b"g" * 12
    assert minimised(Recipe.of(b"ab"), lambda one: True, 1000) == Recipe(())


def test_new_inputs_are_made_from_those_that_went_further():
    kept = [Recipe.of(b"never a piece of it")]
    made = islice(inputs(TARGETS["html"], random.Random(SEED), kept), 50)
    assert any(b"never a piece" in recipe.made for recipe in made)


def test_inputs_depend_on_the_seed_alone():
    first, second = (list(islice(growing(TARGETS["url"], random.Random(SEED)), 300)) for _ in range(2))
    assert first == second
