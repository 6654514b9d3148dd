"""The methods: `ls` of this folder is the list. Importing it enters them all in the registry."""

from pagekin.methods import cocitation as cocitation
from pagekin.methods import integrated as integrated
from pagekin.methods import simrank as simrank
from pagekin.methods.base import DEFAULT, REGISTRY, Method, Scores, everyone, method

__all__ = ["DEFAULT", "REGISTRY", "Method", "Scores", "everyone", "method"]
