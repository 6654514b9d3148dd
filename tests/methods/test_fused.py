"""`fused` against a slow twin written from its table, and on collections that lack what it likes."""

import math

import numpy as np
import pytest

from pagekin import Collection
from pagekin.answers.telling import every_line as sentences
from pagekin.collection.store import Store
from pagekin.methods import method
from pagekin.methods.fused import WEIGHTS
from tests.small_webs import collection, edges, of_words, page, random_pairs, random_words

NEAR = 0.02  # the deviation of the smoothed part is that of vectors kept as small integers, to about three digits
URL = "http://h.example/{}".format


def built(store):
    Collection(store.path).build(method="fused")
    return method("fused").seen(Store(store.path))


def whole(store):
    """With all links and words: what a thousand pages of one site repeat is else taken for its template."""
    Collection(store.path).build(method="fused(links=all, words=all)")
    return Store(store.path)


def related(store, url, k=10):
    number = store.graph.pages["url"].to_pylist().index(url)
    found = method("fused").related(store, number, k)
    return [store.url(each) for each in found.pages.tolist()], found


class Twin:
    """The table in plain Python and full scans: nothing is sparse, nothing is approximate."""

    def __init__(self, store):
        self.n, self.links = store.size, set()
        for p in range(self.n):
            self.links |= {(p, int(t)) for t in store.arrays.targets(p)}
        self.rows = [[int(t) for t in store.links_of(p)["target"].to_numpy() if t != p] for p in range(self.n)]
        self.body, self.title = [dict() for _ in range(self.n)], [set() for _ in range(self.n)]
        for table in store.rows("terms"):
            for row in table.to_pylist():
                p = store.number(row["page"])
                self.body[p][row["term"]] = row["body"] + 3 * row["title"]
                if row["title"]:
                    self.title[p].add(row["term"])
        self.with_words = sum(map(bool, self.body))
        df = {}
        for terms in self.body:
            for term in terms:
                df[term] = df.get(term, 0) + 1
        most = max(self.with_words / 2, 20)
        self.df = {term: n for term, n in df.items() if 2 <= n <= most and n < self.with_words}
        self.body = [{t: c for t, c in terms.items() if t in self.df} for terms in self.body]
        self.title = [{t for t in terms if t in self.df} for terms in self.title]
        self.with_words = sum(map(bool, self.body))
        self.idf = {term: math.log(self.with_words / n) for term, n in self.df.items()}
        self.x = [unit({t: (1 + math.log(c)) * self.idf[t] for t, c in terms.items()}) for terms in self.body]
        self.titles = [unit({t: self.idf[t] for t in terms}) for terms in self.title]
        self.y = self.smoothed()

    def smoothed(self):
        names = sorted(self.df)
        x = np.array([[row.get(t, 0.0) for t in names] for row in self.x]).reshape(self.n, len(names))
        if not x.any():
            return np.zeros((self.n, 1))
        u, s, _ = np.linalg.svd(x, full_matrices=False)
        v = lengths_1(u * s**1.5)
        there = x.any(axis=1)
        v[~there] = 0
        v[there] -= v[there].mean(axis=0)
        v = lengths_1(v)
        b = np.eye(self.n)
        for p, t in self.links:
            b[p, t] = b[t, p] = 1
        d = np.diag(b.sum(axis=1) ** -0.5)
        g = d @ b @ d
        n = np.array([len(terms) for terms in self.body])
        a = (n / (n + 300))[:, None]
        y = v
        for _ in range(5):
            y = (1 - a) * (g @ y) + a * v
        return lengths_1(y)

    def bm25(self, q):
        best = sorted(self.x[q], key=lambda t: (-self.x[q][t], t))[:25]
        length = [sum(terms.values()) for terms in self.body]
        mean = sum(length) / max(self.with_words, 1)
        found = []
        for p in range(self.n):
            score = 0.0
            for t in best:
                tf, df = self.body[p].get(t, 0), self.df[t]
                norm = 1.2 * (0.25 + 0.75 * length[p] / mean)
                score += math.log(1 + (self.with_words - df + 0.5) / (df + 0.5)) * tf * 2.2 / (tf + norm)
            found.append(score)
        return found

    def by_links(self, q, inward):
        def near(p):
            return {a if inward else b for a, b in self.links if p == (b if inward else a)}

        def weight(c):
            degree = sum(c == (a if inward else b) for a, b in self.links)
            return max(math.log(self.n / max(degree, 1)), 0)

        total = [sum(map(weight, near(p))) for p in range(self.n)]
        common = [sum(map(weight, near(p) & near(q))) for p in range(self.n)]
        return [c / math.sqrt(t * total[q]) if c else 0.0 for c, t in zip(common, total, strict=True)]

    def beside(self, q):
        found, total = [0.0] * self.n, [0.0] * self.n
        for row in self.rows:
            row = [t for i, t in enumerate(row) if not i or t != row[i - 1]]
            for p in set(row):
                total[p] += math.log(self.n / len(set(row)))
            for p in set(row) - {q} if q in row else ():
                apart = min(abs(i - j) for i, a in enumerate(row) for j, b in enumerate(row) if (a, b) == (q, p))
                found[p] += math.log(self.n / len(set(row))) / apart if apart <= 16 else 0
        return [s / math.sqrt(t * total[q]) if s else 0.0 for s, t in zip(found, total, strict=True)]

    def parts(self, q):
        return {
            "smoothed": self.y @ self.y[q],
            "tf-idf": [dot(self.x[q], row) for row in self.x],
            "BM25": self.bm25(q),
            "direct": [((q, p) in self.links) + ((p, q) in self.links) for p in range(self.n)],
            "in-links": self.by_links(q, True),
            "out-links": self.by_links(q, False),
            "beside": self.beside(q),
            "title": [dot(self.titles[q], row) for row in self.titles],
            "words in title": [dot(self.x[q], row) for row in self.titles],
        }

    def scores(self, q):
        others = np.array([p for p in range(self.n) if p != q])
        total = np.zeros(self.n)
        for part, scores in self.parts(q).items():
            s, weight = np.array(scores, float), WEIGHTS[part]
            deviation = max(s[others].std(), s[others].max() / 25)
            if part == "smoothed":
                weight *= min(1, 30 / max(len(self.body[q]), 1))
            if part == "BM25":
                weight *= min(2, 0.2 + 40 / max(len(self.body[q]), 1))
            if deviation > 1e-9:
                total += weight * s / deviation
        total[q] = -1
        return total


def unit(row):
    length = math.sqrt(sum(value * value for value in row.values()))
    return {t: value / length for t, value in row.items()}


def dot(a, b):
    return sum(value * b.get(t, 0.0) for t, value in a.items())


def lengths_1(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_equals_the_table(tmp_path, seed):
    links = [(f"p{s}", f"p{t}") for s, t in random_pairs(seed, 50, 120 * (seed - 1))]
    store = built(of_words(tmp_path / "s.kin", random_words(seed, 50, 60, 25), [*links, ("q", "q")]))
    twin = Twin(store)
    for q in range(store.size):
        expected, found = twin.scores(q), method("fused").related(store, q, 100)
        assert found.scores == pytest.approx(expected[found.pages], abs=NEAR)
        missed = np.setdiff1d(np.arange(store.size), found.pages)
        assert expected[missed].max() < NEAR


def test_it_equals_the_table_on_pages_with_titles(tmp_path):
    words = random_words(5, 30, 40, 12)
    pages = [
        page(URL(p), *(URL(t) for s, t in random_pairs(5, 30, 90) if s == at), title=text[:9], words=text)
        for at, (p, text) in enumerate(words.items())
    ]
    store = built(collection(tmp_path / "s.kin", *pages))
    twin = Twin(store)
    assert any(twin.titles)
    for q in range(store.size):
        expected, found = twin.scores(q), method("fused").related(store, q, 100)
        assert found.scores == pytest.approx(expected[found.pages], abs=NEAR)


BEES = "hive wax honey bee queen swarm"
TRAINS = "rail signal coach engine track station"


@pytest.fixture
def two_topics(tmp_path):
    """Ten pages on bees and ten on trains, each with four of six words; a page without words, one without anything."""
    pages = []
    for topic, (name, words) in enumerate((("bee", BEES), ("train", TRAINS))):
        for i in range(10):
            some = [word for at, word in enumerate(words.split()) if (at + i) % 3]
            linked = [URL(f"{name}{(i + 1) % 10}")] if i % 2 else []
            pages.append(page(URL(f"{name}{i}"), *linked, title=f"{name} {i}", words=" ".join(some * (1 + topic))))
    lone = edges((URL("silent"), URL("bee1")), (URL("silent"), URL("bee3")), (URL("nothing"), URL("nothing")))
    return built(collection(tmp_path / "s.kin", *pages, lone))


def test_pages_on_one_topic_come_first_and_say_why(two_topics):
    urls, found = related(two_topics, URL("bee4"), 9)
    assert all("bee" in url for url in urls)
    number = two_topics.graph.pages["url"].to_pylist().index(URL("bee4"))
    for other in found.pages.tolist():
        why = method("fused").why(two_topics, number, other)
        parts = [reason.detail for reason in why if reason.kind == "part"]
        assert sum(part["share"] for part in parts) == pytest.approx(1)
        shares = [part["share"] for part in parts]
        assert shares == sorted(shares, reverse=True)
        said = sentences(reason.as_dict() for reason in why)
        assert any(line.startswith("words ") and "%" in line for line in said)
    words = next(part["words"] for part in parts if part["part"] == "words")
    assert set(words) <= {*BEES.split(), "bees"}


def test_a_page_without_words_is_known_by_its_links(two_topics):
    urls, _ = related(two_topics, URL("silent"), 5)
    assert set(urls[:2]) == {URL("bee1"), URL("bee3")}
    assert all("bee" in url for url in urls)


def test_pages_that_are_put_side_by_side_come_first_and_say_so(tmp_path):
    """Two pages with the same citers: the one whose link is next to it, not the one at the other end of the lists."""
    names = [f"t{i}" for i in range(40)]
    hubs = [page(URL(f"hub{i}"), *(URL(name) for name in names)) for i in range(3)]
    store = built(collection(tmp_path / "s.kin", *hubs, *(page(URL(f"x{i}"), URL(f"y{i}")) for i in range(60))))
    urls, _ = related(store, URL("t20"), 40)
    assert set(urls[:2]) == {URL("t19"), URL("t21")} and urls.index(URL("t22")) < urls.index(URL("t39"))
    number = {url: at for at, url in enumerate(store.graph.pages["url"].to_pylist())}
    for other, said in (("t21", "links to both side by side"), ("t39", "links to both as")):
        why = method("fused").why(store, number[URL("t20")], number[URL(other)])
        lines = sentences(reason.as_dict() for reason in why)
        assert sum(said in line for line in lines) == 3


def test_a_page_without_anything_gets_a_reason(two_topics):
    urls, found = related(two_topics, URL("nothing"))
    assert not urls
    assert "no words" in found.note


def test_a_page_newer_than_the_index_is_projected_when_asked(two_topics):
    collection(two_topics.path, page(URL("new"), URL("bee1"), words="hive honey swarm wax", title="New bee"))
    store = Store(two_topics.path)
    urls, _ = related(store, URL("new"), 5)
    assert all("bee" in url for url in urls)
    number, other = (store.graph.pages["url"].to_pylist().index(URL(name)) for name in ("new", "bee1"))
    assert [reason.kind for reason in method("fused").why(store, number, other)].count("part") == 2
    trains, _ = related(store, URL("train2"), 8)
    assert all("train" in url for url in trains)
    assert set(related(built(store), URL("new"), 5)[0]) & set(urls)


def test_one_page(tmp_path):
    store = built(collection(tmp_path / "s.kin", page(URL("a"), words="hive wax honey")))
    assert related(store, URL("a"))[1].note


def test_a_thousand_copies_of_a_page_are_in_page_order_and_finite(tmp_path):
    copies = [page(URL(f"c{i}"), words=BEES) for i in range(1000)]
    others = [page(URL(f"t{i}"), words=f"{TRAINS} {i % 7} hive") for i in range(2000)]
    store = whole(collection(tmp_path / "s.kin", *copies, *others))
    urls, found = related(store, URL("c5"), 20)
    assert all("/c" in url for url in urls)
    assert np.isfinite(found.scores).all()
    assert len(set(found.scores.round(9).tolist())) == 1
    assert found.pages.tolist() == sorted(found.pages.tolist())


def test_ten_languages_are_kept_apart_by_their_words(tmp_path):
    words = [[f"{'abcdefghij'[language]}word{at}" for at in range(8)] for language in range(10)]
    pages = [
        page(URL(f"{language}/{i}"), words=" ".join(word for at, word in enumerate(words[language]) if (at + i) % 4))
        for language in range(10)
        for i in range(6)
    ]
    store = built(collection(tmp_path / "s.kin", *pages))
    assert all(url.startswith(URL("3/")) for url in related(store, URL("3/2"), 5)[0])


def test_a_page_with_a_million_words(tmp_path):
    many = " ".join(["hive"] * 999_990 + BEES.split())
    pages = [page(URL(f"b{i}"), words=BEES) for i in range(30)]
    trains = [page(URL(f"t{i}"), words=TRAINS) for i in range(40)]
    store = built(collection(tmp_path / "s.kin", page(URL("long"), words=many), *pages, *trains))
    assert all("/b" in url for url in related(store, URL("long"), 10)[0])
