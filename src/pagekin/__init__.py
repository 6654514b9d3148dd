"""pagekin finds the pages related to a page from the way pages link to each other, and says why."""

from typing import TYPE_CHECKING, Any

from pagekin import version

if TYPE_CHECKING:
    from pagekin.answers.collection import Collection
    from pagekin.answers.filters import Filters
    from pagekin.model import Evidence, Ranking, Related

__version__ = version.VERSION
__all__ = ["Collection", "Evidence", "Filters", "Ranking", "Related", "__version__"]


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first used: `import pagekin` itself costs nothing."""
    if name in ("Evidence", "Ranking", "Related"):
        from pagekin import model

        return getattr(model, name)
    if name == "Filters":
        from pagekin.answers.filters import Filters

        return Filters
    if name == "Collection":
        from pagekin.answers.collection import Collection

        return Collection
    raise AttributeError(f"module 'pagekin' has no attribute {name!r}")
