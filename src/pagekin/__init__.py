"""pagekin finds the pages related to a page from the way pages link to each other, and says why."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pagekin import version

if TYPE_CHECKING:
    from pagekin.answer import Answer, Report
    from pagekin.answers.collection import Collection
    from pagekin.answers.filters import Filters
    from pagekin.answers.progress import Progress
    from pagekin.answers.ranking import Ranking, Related
    from pagekin.errors import PagekinError
    from pagekin.model import Evidence
    from pagekin.seealso.run import see_also

__version__ = version.VERSION
__all__ = [
    "Answer", "Collection", "Evidence", "Filters", "PagekinError", "Progress", "Ranking", "Related", "Report",
    "__version__", "see_also",
]  # fmt: skip

_HOMES = {
    "Answer": "answer",
    "Collection": "answers.collection",
    "Evidence": "model",
    "Filters": "answers.filters",
    "PagekinError": "errors",
    "Progress": "answers.progress",
    "Ranking": "answers.ranking",
    "Related": "answers.ranking",
    "Report": "answer",
    "see_also": "seealso.run",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import pagekin` itself costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pagekin' has no attribute {name!r}")
    return getattr(import_module(f"pagekin.{_HOMES[name]}"), name)
