"""Search by words, which also finds the pages leading to what was asked for (paper 2)."""

from pagekin.cluster.subrelevant import Subrelevant
from pagekin.collection.inverted import Inverted

DEFAULT_ALPHA = 0.8  # the mixture ratio at which the paper's clusters did best
NEEDED = (Inverted(), Subrelevant())  # what `build` makes for a search at its defaults
