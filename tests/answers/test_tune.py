"""`tune`: weights that help are kept, others are not, and no page's truth is seen before it is measured."""

import random

import numpy as np
import pytest

from pagekin import Collection
from pagekin.answers import tune as tuning
from pagekin.collection.store import Store
from pagekin.errors import NotBuiltError, PagekinError, UsageError
from pagekin.evaluate.fitting import fitted
from pagekin.evaluate.truth import read_pairs
from pagekin.index import base
from pagekin.methods.fused import WEIGHTS, Fused
from tests.shell.test_main import shell  # noqa: F401
from tests.small_webs import collection, page

URL = "http://h.example/{}.html".format
N, TOPICS = 60, 12
BAD = ("a,b,c,d\n", "nix,nada\n", "", "0.html,0.html\n")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Pages with a title of their topic, and words and links of chance: pages of one topic are related."""
    dice = random.Random(1)
    pages = []
    for i in range(N):
        words = " ".join(f"w{dice.randrange(40)}" for _ in range(60))
        links = [URL(dice.randrange(N)) for _ in range(3)]
        pages.append(page(URL(i), *links, title=f"topic{i % TOPICS} t{i}", words=words))
    made = Collection(collection(tmp_path_factory.mktemp("tune") / "s.kin", *pages).path)
    made.build(method="fused")
    return made.path


def pairs(path, shuffled=None):
    """Pages of one topic; shuffled: the same number of pairs, between pages of chance."""
    found = [(i, j) for i in range(N) for j in range(i + 1, N) if i % TOPICS == j % TOPICS]
    if shuffled is not None:
        places = list(range(N))
        random.Random(shuffled).shuffle(places)
        found = [(places[i], places[j]) for i, j in found]
    path.write_text("".join(f"{URL(i)},{URL(j)}\n" for i, j in found))
    return path


def test_weights_that_help_are_kept_shown_used_and_removed(site, tmp_path, shell):  # noqa: F811
    before = Collection(site).related(URL(0))
    code, out, err = shell("tune", site, "--related", pairs(tmp_path / "r.csv"))
    assert (code, out) == (0, "")
    lines = err.splitlines()
    assert lines[0].startswith(f"nDCG@10 of {N} pages, each held out when it is measured: ")
    assert lines[1].startswith("kept these weights: smoothed ")
    kept = Collection(site).info().tuned
    assert kept["title"] / kept["smoothed"] > WEIGHTS["title"] / WEIGHTS["smoothed"]
    assert "tuned" in shell("info", site)[1]
    after = Collection(site).related(URL(0), k=4)
    right = {URL(i) for i in range(TOPICS, N, TOPICS)}
    assert len({row.url for row in after} & right) > len({row.url for row in before.results[:4]} & right)
    assert after.note == before.note
    code, _, err = shell("tune", site, "--reset")
    assert (code, err) == (0, "removed the tuned weights\n")
    assert Collection(site).related(URL(0)).results == before.results
    assert shell("tune", site, "--reset")[2] == "there are no tuned weights; nothing to remove\n"


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_truth_does_not_help_and_nothing_is_kept(site, tmp_path, seed):
    report = Collection(site).tune(pairs(tmp_path / "r.csv", shuffled=seed))
    assert not report.kept
    assert report.low <= 0
    assert report.lines[-1] == "warning: fitted weights are not surely better on pages held out, so none are kept"
    assert Collection(site).info().tuned == {}


def test_what_was_kept_before_stays_if_the_next_does_not_help(site, tmp_path):
    kept = Collection(site).tune(pairs(tmp_path / "r.csv")).weights
    report = Collection(site).tune(pairs(tmp_path / "r.csv", shuffled=1))
    assert not report.kept
    assert report.lines[-1].startswith("warning: ")
    assert "those tuned before stay: smoothed " in report.lines[-1]
    assert Collection(site).info().tuned == kept
    again = Collection(site).tune(
        pairs(tmp_path / "r.csv")
    )  # compared with the shipped weights, not with the tuned ones
    assert again.weights == kept
    Collection(site).tune(reset=True)


def test_a_fold_s_truth_is_not_seen_when_its_weights_are_fitted(site, tmp_path):
    """The figures of a fold stay the same when what is known of the fold's own pages is replaced by chance."""
    store = Store(site)
    truth = read_pairs(store, pairs(tmp_path / "r.csv"))
    known = tuning.gathered(Fused().seen(store), truth)
    start = np.array([WEIGHTS[part] for part in known.names])
    fold = set(known.asked[::5])
    other = {q: {p: g for p, g in of.items() if p not in fold} for q, of in truth.of.items()}
    for q in fold:
        other[q] = {p: 1 for p in known.asked[:7] if p != q}
    for q in other:
        if q not in fold:
            other[q] |= dict.fromkeys(sorted(fold)[:2], 5)
    lied = tuning.gathered(Fused().seen(store), type(truth)(other))
    fits = [fitted([each.scored(each.asked, unseen=fold)], start).tolist() for each in (known, lied)]
    assert fits[0] == fits[1]


def test_grades_and_notes_of_the_file_are_said_as_evaluate_says_them(site, tmp_path):
    file = pairs(tmp_path / "r.csv")
    file.write_text(file.read_text() + f"nix,{URL(0)}\n{URL(1)},{URL(2)},0\n{URL(3)},{URL(3)}\n")
    evaluated = Collection(site).evaluate(related=file, method="amsler").notes
    notes = Collection(site).tune(file).notes
    Collection(site).tune(reset=True)
    assert len(notes) == 3
    assert set(notes) <= set(evaluated)


@pytest.mark.parametrize("text", BAD)
def test_bad_truth_is_refused_as_evaluate_refuses_it(site, tmp_path, shell, text):  # noqa: F811
    (tmp_path / "r.csv").write_text(text)
    evaluated = shell("evaluate", site, "--related", tmp_path / "r.csv", "-m", "amsler")
    tuned = shell("tune", site, "--related", tmp_path / "r.csv")
    assert tuned == evaluated
    assert tuned[0] == 1


def test_what_is_wrong_is_said(site, tmp_path, shell):  # noqa: F811
    file = pairs(tmp_path / "r.csv")
    assert shell("tune", site)[::2] == (
        2, "pagekin: give either --related, a file with rows page,page, or --reset\n",
    )  # fmt: skip
    assert shell("tune", site, "--related", file, "--reset")[::2] == (
        2, "pagekin: give either --related, a file with rows page,page, or --reset, not both\n",
    )  # fmt: skip
    for words in (("--related", file), ("--reset",)):
        code, _, err = shell("tune", tmp_path / "none.kin", *words)
        assert code == 1
        assert "there is no collection" in err
        assert not (tmp_path / "none.kin").exists()
    few = tmp_path / "few.csv"
    few.write_text(f"{URL(0)},{URL(12)}\nnix,{URL(1)}\n")
    code, _, err = shell("tune", site, "--related", few)
    assert code == 1
    assert err == (
        f"pagekin: {few} has known answers for 2 pages of {site}; to fit weights takes at least 20; "
        "1 rows name a page that is not in the collection: nix\n"
    )
    code, _, err = shell("tune", site, "--related", tmp_path / "no.csv")
    assert code == 1
    assert "no.csv" in err


def test_the_same_from_python(site, tmp_path):
    with pytest.raises(UsageError, match="give either related, a file"):
        Collection(site).tune()
    with pytest.raises(PagekinError, match=r"no\.csv"):
        Collection(site).tune(tmp_path / "no.csv")


def test_without_an_index_that_is_slow_to_make_it_says_what_to_build(tmp_path, monkeypatch):
    path = collection(tmp_path / "s.kin", *(page(URL(i), words=f"w{i % 7} bee") for i in range(N))).path
    monkeypatch.setattr(base, "AT_HAND_S", -1)
    with pytest.raises(NotBuiltError, match=r"fitted to all parts: text is not built.*run: Collection\(.*\)\.build"):
        Collection(path).tune(pairs(tmp_path / "r.csv"))


def test_evaluation_in_a_copy_uses_the_tuned_weights(site, tmp_path):
    file = pairs(tmp_path / "r.csv")
    plain = Collection(site).evaluate(related=file, method="fused", hide="related")
    Collection(site).tune(file)
    tuned = Collection(site).evaluate(related=file, method="fused", hide="related")
    Collection(site).tune(reset=True)
    assert tuned.results[0]["nDCG@15"] > plain.results[0]["nDCG@15"]
