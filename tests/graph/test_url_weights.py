"""Link weights by the paper's four rules, and against its own listing."""

import numpy as np
import pytest

from pagekin.graph.url_weights import link_weights
from pagekin.url import components


def listing(u, v, damping):
    """The function of paper 5, 2.2.2.3."""
    one, two = components(u), components(v)
    if one == two:
        return 0.0
    weight = 1.0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        weight *= damping
    return weight


@pytest.mark.parametrize(
    ("u", "v", "weight"),
    [
        ("http://cmu.edu/a/b", "https://cmu.edu/a/b", 0.0),  # equal but for the scheme
        ("http://cmu.edu/a/b", "http://cmu.edu/a/b/", 0.0),  # the same components
        ("http://cmu.edu/a", "http://mit.edu/a", 1.0),  # nothing in common at the left
        ("http://cmu.edu/a", "http://cmu.edu/b", 0.5),
        ("http://cmu.edu/", "http://cmu.edu/b", 0.5),
        ("http://cmu.edu/a/b", "http://cmu.edu/a", 0.25),
        ("http://cmu.edu/a/b?x=1", "http://cmu.edu/a/b?x=2", 0.125),
        ("http://cmu.edu:8080/a", "http://cmu.edu/a", 1.0),  # another port is another host
        ("10.1145/1", "10.1145/2", 1.0),  # identifiers have no parts
    ],
)
def test_the_rules_of_the_paper(u, v, weight):
    assert link_weights([u, v], np.array([0, 1]), np.array([1, 0]), 0.5).tolist() == [weight, weight]


@pytest.mark.parametrize("damping", [0.0, 0.3, 1.0])
def test_random_urls_weigh_what_the_listing_says(damping):
    rng = np.random.default_rng(1)
    paths = ["/".join(rng.choice(["a", "b"], rng.integers(0, 5)).tolist()) for _ in range(60)]
    urls = [f"http://h{rng.integers(3)}.example/{path}" for path in paths] + ["id 1", "id 2", ""]
    source, target = rng.integers(0, len(urls), (2, 500))
    found = link_weights(urls, source, target, damping)
    assert found.tolist() == pytest.approx(
        [listing(urls[s], urls[t], damping) for s, t in zip(source, target, strict=True)]
    )


def test_no_links_and_very_deep_urls():
    assert link_weights([], np.empty(0, int), np.empty(0, int), 0.5).size == 0
    deep = "http://a.example" + "/x" * 2_000
    assert link_weights([deep, deep + "/y"], np.array([0]), np.array([1]), 0.5).tolist() == [0.5**2_001]
