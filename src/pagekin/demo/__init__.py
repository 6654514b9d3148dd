"""The demo web: about 200 pages of our own on 12 hosts and 8 topics, the same on every machine, with its planted truth.

>>> from pagekin import demo
>>> web, truth = demo.pages(), demo.truth()
>>> len(set(truth.topics.values())), truth.spam in web
(8, True)
"""

from pagekin.demo.truth import Truth, truth
from pagekin.demo.web import pages, write

__all__ = ["Truth", "pages", "truth", "write"]
