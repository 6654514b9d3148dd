"""Runs: what is wrong with one is counted; ties do not help; what we write, others and we ourselves read alike."""

import ir_measures
import numpy as np
import pytest

from pagekin.errors import PagekinError
from pagekin.evaluate.experiment import judged
from pagekin.evaluate.trec import qrels_lines, read_run, run_lines
from pagekin.evaluate.truth import Relevance
from pagekin.methods import ask_all, method
from tests.small_webs import from_edges, random_pairs


@pytest.fixture
def store(tmp_path):
    return from_edges(tmp_path / "s.kin", [("a", "b"), ("b", "c"), ("c", "d x")])


@pytest.fixture
def truth(store):
    number = {store.url(page): page for page in range(store.size)}
    return Relevance({"1": {number["a"]: 2, number["d x"]: 1}, "2": {number["b"]: 1}}, words={"1": "bees", "2": "wax"})


def read(store, truth, path, text, k=5):
    path.write_text(text)
    lists, notes = read_run(store, truth, path, k)
    found = [
        [store.url(page) if page >= 0 else "?" for page in row[:size]] for size, row in zip(*lists[:2], strict=True)
    ]
    return found, notes


def test_scores_give_the_order_not_ranks_nor_rows(store, truth, tmp_path):
    rows = "01 Q0 b 1 0.5 x\n1 Q0 a 2 0.9 x\n1 Q0 d%20x 3 -7 x\n\n"
    assert read(store, truth, tmp_path / "r", rows) == ([["a", "b", "d x"], []], [])
    assert read(store, truth, tmp_path / "r", rows, k=2)[0] == [["a", "b"], []]


def test_what_is_wrong_is_counted(store, truth, tmp_path):
    rows = [
        "1 Q0 a 1 9 x", "1 Q0 b 1 8 x", "1 Q0 a 2 7 x", "1 Q0 nobody 3 6 x", "1 Q0 c 4 nan x", "too few",
        "9 Q0 a 1 1 x", "1 Q0 http://b/ 5 5 x",
    ]  # fmt: skip
    found, notes = read(store, truth, tmp_path / "r", "\n".join(rows))
    assert found == [["a", "b", "?", "?"], []]
    assert notes == [
        "2 rows of r could not be read (expected question Q0 page rank score tag): line 5, line 6",
        "1 questions of r have two pages at one rank; scores give the order: 1",
        "1 questions of r are not asked here and are left out: 9",
        "2 pages of r are not in the collection and count as wrong: nobody, http://b/",
        "1 rows of r repeat a page; its best score counts",
    ]


def test_nothing_to_measure(store, truth, tmp_path):
    for text in ("", "9 Q0 a 1 1 x\n", "no run\n"):
        with pytest.raises(PagekinError, match="r answers none of the questions"):
            read(store, truth, tmp_path / "r", text)


def test_a_page_is_no_answer_to_itself(store, tmp_path):
    number = {store.url(page): page for page in range(store.size)}
    about = Relevance({number["a"]: {number["b"]: 1}})
    found, notes = read(store, about, tmp_path / "r", "a Q0 a 1 9 x\na Q0 b 2 8 x\n")
    assert (found, notes) == ([["b"]], ["1 questions of r are answered with the page itself, which is left out"])


def test_a_constant_score_gets_what_chance_gets(tmp_path):
    """The relevant pages stand first in the file, and have the names that trec_eval would put first."""
    reached = []
    for seed in range(50):
        names = [f"http://w{seed}.example/{'z' if i < 10 else 'a'}{i}" for i in range(60)]
        store = from_edges(tmp_path / f"{seed}.kin", [(names[i], names[i - 1]) for i in range(60)])
        number = {store.url(page): page for page in range(store.size)}
        truth = Relevance({"q": {number[name]: 1 for name in names[:10]}}, words={"q": "words"})
        rows = [f"q Q0 {name} {rank} 1.0 x\n" for rank, name in enumerate(names, 1)]
        (tmp_path / "constant.run").write_text("".join(rows))
        lists, _ = read_run(store, truth, tmp_path / "constant.run", 10)
        reached.append(judged("x", lists, truth, 10).values["P@10"][0])
    assert sum(reached) / 50 == pytest.approx(10 / 60, abs=0.045)  # three standard errors


@pytest.mark.parametrize("about_pages", [True, False])
def test_what_is_written_is_read_alike_by_us_and_by_ir_measures(tmp_path, about_pages):
    store = from_edges(tmp_path / "s.kin", [(f"p {s}", f"p {t}") for s, t in random_pairs(2, 40, 300)])
    of = {page: {(page * 7 + i) % store.size: 1 + i for i in range(3)} for page in range(0, store.size, 2)}
    of = {page: {other: grade for other, grade in pages.items() if other != page} for page, pages in of.items()}
    truth = (
        Relevance(of)
        if about_pages
        else Relevance({str(q): p for q, p in of.items()}, words=dict.fromkeys(map(str, of), "w"))
    )
    lists = ask_all(method("co-citation"), store, 10, np.array(sorted(of), np.int32))
    (tmp_path / "x.run").write_text("".join(run_lines(store, truth, lists, "a b")))
    (tmp_path / "qrels").write_text("".join(qrels_lines(store, truth)))
    again, notes = read_run(store, truth, tmp_path / "x.run", 10)
    assert notes == []
    ours = judged("x", lists, truth, 10)
    assert (ours.grades == judged("x", again, truth, 10).grades).all()
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels")))
    run = list(ir_measures.read_trec_run(str(tmp_path / "x.run")))
    names = ["nDCG@10", "P@10", "R@10", "AP@10", "RR", "Success@1"]
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in names], qrels, run)
    assert {str(name): value for name, value in theirs.items()} == pytest.approx(
        {name: ours.values[name].mean() for name in names}
    )
