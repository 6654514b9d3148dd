"""Hub and authority scores, each computed from the other in turn (paper 5, Eq. 4), until neither moves.

This uses SciPy's product of a sparse matrix and a vector, not numba: it is as fast, and a question that needs no
compiled kernel of ours is answered sooner.
"""

import numpy as np

from pagekin.kernels import Floats, Ints

TOLERANCE = 1e-10  # change per step: on real base sets the scores are then within about 1e-9 of the eigenvector's
MOST_STEPS = 2_000  # the slowest base set we have seen (cheese) takes 400


def hubs_and_authorities(
    source: Ints,
    target: Ints,
    to_authority: Floats,
    to_hub: Floats,
    size: int,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> tuple[Floats, Floats, Floats]:
    """Authority scores, hub scores, and how far both moved (hub, authority) at each step.

        h(q) = Σ_{q→p} to_hub a(p)        a(p) = Σ_{q→p} to_authority h(q)

    over the links `source` → `target` among `size` pages, with each vector scaled to Euclidean length 1 at every step.
    All pages start with the same score. Scores are never negative; one below the tolerance cannot be told from 0 and
    becomes 0. All are 0 if every weight is 0. It has converged if the last changes are below the tolerance.

    Time: O(links) per step. Memory: two copies of the links with their weights.
    """
    from scipy.sparse import csr_array  # 0.1 s, and only these methods need it

    hubward = csr_array((to_hub, (source, target)), shape=(size, size))
    authorityward = csr_array((to_authority, (target, source)), shape=(size, size))
    hub = authority = _unit(np.ones(size))
    changes = []
    for _ in range(most_steps):
        new_hub = _unit(np.asarray(hubward @ authority))
        new_authority = _unit(np.asarray(authorityward @ new_hub))
        changes.append((np.linalg.norm(new_hub - hub), np.linalg.norm(new_authority - authority)))
        hub, authority = new_hub, new_authority
        if max(changes[-1]) < tolerance:
            break
    for scores in (hub, authority):
        scores[scores < tolerance] = 0.0
    return authority, hub, np.array(changes, np.float64).reshape(-1, 2)


def _unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    return np.asarray(vector / length if length > 0 else vector * 0.0)


def is_simple(source: Ints, target: Ints, authority: Floats, hub: Floats) -> bool:
    """Whether the leading eigenvalue is simple, so that the scores do not depend on where the iteration started.

    Pages connected by links, read as hub – authority – hub …, have one Perron vector between them; unconnected groups
    have one each, and after convergence only those with the largest eigenvalue still have scores. So it is simple if
    all the links between pages with scores are connected.
    """
    alive = (hub[source] > 0) & (authority[target] > 0)
    source, target = source[alive], target[alive]
    reached_hubs, reached = np.zeros(hub.size, bool), np.zeros(hub.size, bool)
    if target.size:
        reached[target[0]] = True
    while True:
        reached_hubs[source[reached[target]]] = True
        found = target[reached_hubs[source]]
        if reached[found].all():
            return bool(reached[target].all())
        reached[found] = True
