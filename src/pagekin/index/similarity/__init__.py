"""The similarity graph of paper 1: `graph` makes and reads it, from the sets in `neighbourhoods`; `candidates` finds
the pages around one."""

from pagekin.index.similarity.graph import Similarity, SimilarityGraph, SimilaritySettings
from pagekin.index.similarity.neighbourhoods import Level, Measure

__all__ = ["Level", "Measure", "Similarity", "SimilarityGraph", "SimilaritySettings"]
