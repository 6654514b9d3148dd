"""Questions in words: search, which also finds pages that lead to the answer (paper 2), and related words. Importing it
enters the indexes in which it looks in the registry (`index.base`)."""

from pagekin.index import completions as completions
from pagekin.index import inverted as inverted
from pagekin.index import subrelevant as subrelevant

DEFAULT_ALPHA = 0.05  # the page that answers stays first, and pages that lead there come nearer
PAPER_ALPHA = 0.8  # the mixture ratio at which clusters did best in the paper, with its tf-idf
