"""Words that the first pages add to a question: against the formula in plain Python, and on the shell's terms."""

import math
import random

import pytest

from pagekin.answers.collection import Collection
from pagekin.errors import UsageError
from pagekin.index.inverted import inverted
from pagekin.search.feedback import FIRST, MIX, WORDS, expanded
from pagekin.search.question import read
from tests.small_webs import collection, of_words, page

URL = "http://site.example/{}".format


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_the_formula(tmp_path, seed):
    rng = random.Random(seed)
    pages = {f"p{n}": " ".join(f"w{int(400 * rng.random() ** 2)}" for _ in range(80)) for n in range(40)}
    store = of_words(tmp_path / "s.kin", pages)
    postings = inverted(store)
    names = postings.terms.to_pylist()
    rows = {  # page → word → weight
        number: {
            names[term]: float(postings.weight[at])
            for term in range(len(names))
            for at in range(postings.start[term], postings.start[term + 1])
            if postings.page[at] == number
        }
        for number in range(store.size)
    }
    df = {name: sum(name in row for row in rows.values()) for name in names}
    rare = {name: math.log(1 + (len(rows) - df[name] + 0.5) / (df[name] + 0.5)) for name in names}
    first, second, third = f"w{seed}", "w20", "w30"
    text, asked = f"{first} {second} {first} {third}", {first: 2.0, second: 1.0, third: 1.0}
    best = sorted(rows, key=lambda each: -sum(rare[w] * n * rows[each].get(w, 0.0) for w, n in asked.items()))
    added: dict[str, float] = {}
    for number in best[:FIRST]:
        said = pages[store.url(number)].split()  # not the words of its address
        vector = {word: rare[word] * weight for word, weight in rows[number].items() if word in said}
        length = math.sqrt(sum(value * value for value in vector.values()))
        for word, value in vector.items():
            added[word] = added.get(word, 0.0) + value / length / FIRST
    length = math.sqrt(sum((rare[word] * times) ** 2 for word, times in asked.items()))
    kept = sorted(added, key=lambda word: -added[word])[:WORDS]
    assert len(added) > WORDS  # some are left out
    expected = {
        word: (1 - MIX) * rare[word] * asked.get(word, 0.0) / length + (MIX * added[word] if word in kept else 0.0)
        for word in {*asked, *kept}
    }
    found = expanded(store, postings, read(store, postings, text).words, best)
    times = {names[word.terms[0]]: word.times * rare[names[word.terms[0]]] / length * (1 - MIX) for word in found}
    least = added[kept[-1]]
    for word in {*times, *expected}:
        if not math.isclose(added.get(word, 0.0), least, rel_tol=1e-5):  # of equal ones either may be the last
            assert times[word] == pytest.approx(expected[word], rel=1e-5), word


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("feedback") / "s.kin"
    about = {
        "hive": "bees live in a hive and make honey", "queen": "the queen of the bees lays eggs in the hive",
        "nectar": "honey is made of nectar", "smoker": "a smoker calms before the hive is opened",
        "signal": "a signal stops the train", "engine": "the engine pulls the train",
    }  # fmt: skip
    collection(path, *(page(URL(name), title=name, words=words) for name, words in about.items()))
    Collection(path).build(["inverted", "subrelevant"])
    return Collection(path)


def test_it_finds_pages_without_a_word_of_the_question_and_says_so(site):
    plain, more = site.search("bees", alpha=0), site.search("bees", alpha=0, expand=True)
    assert {row.url for row in plain} == {URL("hive"), URL("queen")}
    assert {row.url for row in more} == {URL(name) for name in ("hive", "queen", "nectar", "smoker")}
    assert {row.url for row in list(more)[:2]} == {row.url for row in plain}
    assert "also looked for: " in more.note
    assert more.terms == plain.terms


def test_conditions_hold_and_nothing_found_stays_nothing(site):
    assert URL("queen") not in {row.url for row in site.search("bees -queen", alpha=0, expand=True)}
    assert not site.search("zeppelin", expand=True).results
    assert not site.search("", expand=True).results


def test_it_weighs_by_bm25_alone(site):
    with pytest.raises(UsageError, match="bm25"):
        site.search("bees", by="tf-idf", expand=True)
