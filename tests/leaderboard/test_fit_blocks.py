"""The choice of S by hand: relative to the best of each set, and the paper's where nothing is better."""

from leaderboard.fit_blocks import PAPER, TRIED, best


def figures(**given):
    """The same for every S but those given as S80=0.5."""
    return {most: given.get(f"S{most}", 0.1) for most in TRIED}


def test_sets_count_alike_however_hard_they_are():
    easy, hard = figures(S200=0.5, S80=0.45), figures(S80=0.002, S200=0.0005) | dict.fromkeys((20, 40), 0.0)
    hard = {most: min(value, 0.002) if most in (20, 40, 80, 200) else 0.0 for most, value in hard.items()}
    assert best([easy]) == 200
    assert best([easy, hard]) == 80  # a tenth less on the one, four times as much on the other


def test_of_equally_good_ones_it_is_the_paper_s():
    assert best([figures()]) == PAPER == 80
    assert best([figures(S40=0.2, S400=0.2)]) == 40
    assert best([dict.fromkeys(TRIED, 0.0)]) == PAPER
