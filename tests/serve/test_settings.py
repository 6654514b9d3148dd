"""The names of collections, and settings on their way to a worker."""

from pathlib import Path

import pytest

from pagekin.errors import UsageError
from pagekin.serve.settings import VARIABLE, Settings, named


def test_collections_are_named_after_their_folders():
    assert named([Path("/srv/a.kin"), Path("b/b-2.kin/")]) == {"a": "/srv/a.kin", "b-2": "b/b-2.kin"}


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["a.kin", "b/a.kin"], "both called a"),
        (["api.kin"], "/api/"),
        (["ü.kin"], "letters"),
        (["a b.kin"], "letters"),
        ([], "at least one"),
    ],
)
def test_names_that_cannot_stand_in_an_address_are_refused(paths, said):
    with pytest.raises(UsageError, match=said):
        named([Path(path) for path in paths])


def test_settings_reach_a_worker_as_they_are(monkeypatch):
    settings = Settings({"a": "/a.kin"}, hosts=("x",), origins=("https://y",), root_path="/kin", slow=3, budget=1.5)
    monkeypatch.setenv(VARIABLE, settings.as_text())
    assert Settings.from_environment() == settings
