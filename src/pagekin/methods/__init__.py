"""The methods, listed by the files of this folder. Importing it enters them all in the registry (`base`)."""

from pagekin.methods import assisted as assisted
from pagekin.methods import block as block
from pagekin.methods import cocitation as cocitation
from pagekin.methods import companion as companion
from pagekin.methods import cosine as cosine
from pagekin.methods import fused as fused
from pagekin.methods import hamming as hamming
from pagekin.methods import hits as hits
from pagekin.methods import integrated as integrated
from pagekin.methods import semantic as semantic
from pagekin.methods import siblings as siblings
from pagekin.methods import simrank as simrank
from pagekin.methods import walk as walk
from pagekin.methods.base import REGISTRY, Method, Scores, ask, ask_all, index_note, method

__all__ = ["REGISTRY", "Method", "Scores", "ask", "ask_all", "index_note", "method"]
