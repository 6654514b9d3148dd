"""Questions in words: search, which also finds pages that lead to the answer (paper 2), and related words."""

from pagekin.index.completions import Completions
from pagekin.index.inverted import Inverted
from pagekin.index.subrelevant import Subrelevant

DEFAULT_ALPHA = 0.05  # the page that answers stays first, and pages that lead there come nearer
PAPER_ALPHA = 0.8  # the mixture ratio at which clusters did best in the paper, with its tf-idf
NEEDED = (Inverted(), Subrelevant(), Completions())  # what `build` makes for a search at its defaults, and for typing
