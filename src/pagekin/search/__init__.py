"""Asking by words: search, which finds the pages leading to the answer, too (paper 2); words that go together."""

from pagekin.index.inverted import Inverted
from pagekin.index.subrelevant import Subrelevant

DEFAULT_ALPHA = 0.8  # the mixture ratio at which the paper's clusters did best
NEEDED = (Inverted(), Subrelevant())  # what `build` makes for a search at its defaults
