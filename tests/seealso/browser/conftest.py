"""Chromium, as for the pages of the server."""

from pathlib import Path

import pytest

from tests.serve.browser.conftest import chromium, screenshots  # noqa: F401


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
