"""A Sphinx extension: lists of related pages in the HTML that Sphinx has built. `extensions = ["pagekin.sphinx"]`

    pagekin_k         how many pages a list names (5)
    pagekin_method    by which method ("fused")
    pagekin_heading   the heading, instead of “See also” in the page's language ("")

Pages are changed when the build has ended, so the theme needs no change; `html_baseurl` is the address, if it is set.
The collection is beside the folder that was built: `_build/html.kin`.
"""

from typing import TYPE_CHECKING, Any

from pagekin.model import DEFAULT_METHOD
from pagekin.version import VERSION

if TYPE_CHECKING:
    from sphinx.application import Sphinx

BUILDERS = ("html", "dirhtml")  # others write no site of pages, or write it into something else


def setup(app: "Sphinx") -> dict[str, Any]:
    """What Sphinx calls to load an extension."""
    app.add_config_value("pagekin_k", 5, "", types=(int,))
    app.add_config_value("pagekin_method", DEFAULT_METHOD, "", types=(str,))
    app.add_config_value("pagekin_heading", "", "", types=(str,))
    app.connect("build-finished", _finished)
    return {"version": VERSION, "parallel_read_safe": True, "parallel_write_safe": True}


def _finished(app: "Sphinx", exception: Exception | None) -> None:
    if exception is not None or app.builder.name not in BUILDERS:
        return
    from sphinx.errors import ExtensionError
    from sphinx.util import logging

    from pagekin import PagekinError, see_also

    config = app.config
    try:
        report = see_also(
            app.outdir, config.html_baseurl or None, k=config.pagekin_k, method=config.pagekin_method,
            heading=config.pagekin_heading or None, progress=lambda progress: None,
        )  # fmt: skip
    except PagekinError as error:
        raise ExtensionError(f"pagekin: {error}") from error
    logging.getLogger(__name__).info("pagekin: %s", "; ".join(report.lines[:2]))
