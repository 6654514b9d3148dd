"""A MkDocs plug-in: lists of related pages in the site that MkDocs has built. `plugins: [search, pagekin]`

    k         how many pages a list names (5)
    method    by which method (fused)
    heading   the heading, instead of “See also” in the page's language

Pages are changed when the build has ended, so the theme needs no change; `site_url` is the address, if it is set. The
collection is beside the folder that was built: `site.kin`. `mkdocs serve` builds into a passing folder for each change,
and shows pages without lists.
"""

import logging
from typing import Literal

from mkdocs.config import config_options as options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

from pagekin.model import DEFAULT_METHOD


class Options(Config):  # type: ignore[no-untyped-call]
    """What a site's mkdocs.yml may say under the name of the plug-in."""

    k = options.Type(int, default=5)
    method = options.Type(str, default=DEFAULT_METHOD)
    heading = options.Optional(options.Type(str))


class Plugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """What MkDocs finds as the plug-in `pagekin`."""

    serving = False

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        self.serving = command == "serve"

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        if self.serving:
            return
        from pagekin import PagekinError, see_also

        try:
            report = see_also(
                config.site_dir, config.site_url or None, k=self.config.k, method=self.config.method,
                heading=self.config.heading, progress=lambda progress: None,
            )  # fmt: skip
        except PagekinError as error:
            raise PluginError(f"pagekin: {error}") from error
        logging.getLogger("mkdocs.plugins.pagekin").info("; ".join(report.lines[:2]))
