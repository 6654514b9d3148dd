"""What people get wrong when they evaluate, on the shell: each is said and counted, and the right thing is blamed."""

import pytest

from pagekin import Collection
from tests.shell.test_main import shell  # noqa: F401

BASE = "http://bees.example/"
LINKS = {"honey": "wax hive", "wax": "honey", "hive": "honey queen", "queen": "drone", "drone": "", "lone": ""}
HONEY, WAX, NIX = (f"{BASE}{name}.html" for name in ("honey", "wax", "nix"))
NAMED = "pages are named as in http://bees.example/"
REFUSED = "pagekin: "


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad") / "site"
    folder.mkdir()
    for name, targets in LINKS.items():
        links = " ".join(f'<a href="{each}.html">the {each}</a>' for each in targets.split())
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>About {name}: {links}")
    made = Collection(folder.parent / "bees.kin")
    made.add(folder, base_url=BASE)
    made.build(index=["inverted"])
    return made.path


@pytest.fixture
def evaluate(shell, site, tmp_path):  # noqa: F811
    """Run `evaluate` with an option for each file, and return the exit code and all that was printed."""

    def evaluate(*words, **files):
        given = []
        for name, text in files.items():
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            given += [f"--{name.replace('_', '-')}", tmp_path / name]
        code, out, err = shell("evaluate", site, *given, *words)
        return code, out + err

    return evaluate


NOTED = {
    "labels for pages that are not there": (
        ("-m", "amsler"), {"labels": "honey.html,a\nwax.html,a\nnix,a\nnada,b\n"},
        ["2 rows name a page that is not in the collection: nix, nada", "2 pages asked about"],
    ),
    "one class only": (
        ("-m", "amsler"), {"labels": "honey.html,a\nwax.html,a\nhive.html,a\n"},
        ["there is only one label, a: every labelled page is a right answer to every question"],
    ),
    "a class of one page": (
        ("-m", "amsler"), {"labels": "honey.html,a\nwax.html,a\nhive.html,b\n"},
        ["1 pages share their label with no other page and are left out: b"],
    ),
    "pages without a truth": (
        ("-m", "amsler"), {"related": "honey.html,wax.html\n"},
        ["4 of 6 pages have no known answer and are not asked about"],
    ),
    "a method that answers nothing": (
        ("-m", "cosine(min_in=9)", "-m", "amsler"), {"related": "honey.html,wax.html\n"},
        ["cosine(min_in=9) answers none of the 2 questions; of the first it says: too few in-links"],
    ),
    "judgements of questions that are not asked, and of pages that are not there": (
        ("-m", "search(alpha=0.0)"),
        {"queries": "1\thoney\n2\twax\n3\tkings\n", "qrels": f"1 0 {HONEY} 1\n2 0 {NIX} 1\n7 0 {WAX} 1\n"},
        [
            f"1 judged pages are not in the collection: {NIX}", "2 of 3 questions have no relevant page",
            "1 judged questions are not in queries and are left out: 7",
        ],
    ),
    "a run with duplicate ranks": (
        ("-m", "amsler"),
        {
            "related": "honey.html,wax.html\n",
            "compare_with": f"{HONEY} Q0 {WAX} 1 3 x\n{HONEY} Q0 {BASE}hive.html 1 2 x\n{HONEY} Q0 {WAX} 2 1 x\n"
            f"{HONEY} Q0 {NIX} 3 0.5 x\n{NIX} Q0 {WAX} 1 1 x\nbroken row\n",
        },
        [
            f"1 questions of compare_with have two pages at one rank; scores give the order: {HONEY}",
            "1 rows of compare_with could not be read (expected question Q0 page rank score tag): line 6",
            f"1 questions of compare_with are not asked here and are left out: {NIX}",
            f"1 pages of compare_with are not in the collection and count as wrong: {NIX}",
            "1 rows of compare_with repeat a page; its best score counts",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("words", "files", "said"), NOTED.values(), ids=NOTED)
def test_what_can_be_used_is_measured_and_the_rest_is_counted(evaluate, words, files, said):
    code, printed = evaluate(*words, **files)
    assert code == 0
    for each in said:
        assert f"note: {each}" in printed or each in printed.partition("\n")[0]


NOTHING = {
    "no truth at all": (
        (), {},
        ["bees.kin has no labels; give --labels a file", "or --related a file", "try --see-also or --index-entries"],
    ),
    "labels of strangers": (
        (), {"labels": "nix,a\nnada,a\n"}, ["2 rows name a page that is not in the collection: nix, nada", NAMED],
    ),
    "every label alone": ((), {"labels": "honey.html,a\nwax.html,b\n"}, ["no two pages have the same label in "]),
    "pairs of strangers": (
        (), {"related": "foo\tbar\nbaz\tqux\n"},
        ["related has no row page,page for two pages of", "2 rows name a page that is not", "foo, bar, baz …", NAMED],
    ),
    "pairs of which one page is known": (
        (), {"related": "honey.html,nix\n"}, ["1 rows name a page that is not in the collection: nix;"],
    ),
    "an empty file": ((), {"related": ""}, ["related has no row page,page", "it has no rows"]),
    "a file that is no table": ((), {"labels": b"\x00\xff\xfe\x80" * 50}, ["1 rows of labels could not be read"]),
    "pairs that are all unrelated": (
        (), {"related": "honey.html,wax.html,0\n"}, ["1 rows have grade 0 and count as not related"],
    ),
    "no see also": (
        ("--see-also",), {}, ["has no “See also” section, so there is nothing to evaluate; give --related a file"],
    ),
    "no index": (("--index-entries",), {}, ["has no index and no list of descriptions", "give --queries and --qrels"]),
    "qrels without queries": ((), {"qrels": f"1 0 {HONEY} 1\n"}, ["--qrels needs --queries: the questions in words"]),
    "queries without qrels": ((), {"queries": "1\thoney\n"}, ["--queries needs --qrels: the pages that answer them"]),
    "no question is judged": (
        (), {"queries": "1\thoney\n2\twax\n", "qrels": f"8 0 {HONEY} 1\n"},
        ["1 judged questions are not in queries and are left out: 8", "the questions of queries are called 1, 2"],
    ),
    "only strangers are judged": (
        (), {"queries": "1\thoney\n", "qrels": f"1 0 {NIX} 1\n"},
        [f"1 judged pages are not in the collection: {NIX}", NAMED],
    ),
    "nothing is relevant": (
        (), {"queries": "1\thoney\n", "qrels": f"1 0 {HONEY} 0\n1 0 {WAX} -1\n"},
        ["no row of qrels has a grade over 0, so no page is relevant"],
    ),
    "empty qrels": ((), {"queries": "1\thoney\n", "qrels": "\n"}, ["qrels has no rows"]),
    "a run about other questions": (
        ("-m", "amsler"), {"related": "honey.html,wax.html\n", "compare_with": f"{NIX} Q0 {WAX} 1 1 x\n"},
        ["compare_with answers none of the questions", f"its questions are {NIX}", f"asked here are {WAX}, {HONEY}"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("words", "files", "said"), NOTHING.values(), ids=NOTHING)
def test_where_nothing_can_be_measured_the_reason_is_said(evaluate, words, files, said):
    code, printed = evaluate(*words, **files)
    assert code in (1, 2) and printed.startswith(REFUSED)
    for each in said:
        assert each in printed
