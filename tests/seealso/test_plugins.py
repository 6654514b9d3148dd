"""The plug-ins for MkDocs and Sphinx: a small site built by each, strictly, twice."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.seealso.generators import NAMES, built, mkdocs_source, sphinx_source


def listed(pages: list[Path]) -> list[bytes]:
    return [page.read_bytes() for page in pages if b"data-pagekin-list" in page.read_bytes()]


@pytest.mark.skipif(not find_spec("mkdocs"), reason="MkDocs is not installed: pip install mkdocs")
def test_mkdocs(tmp_path: Path) -> None:
    mkdocs_source(tmp_path, options="      heading: Read on\n")
    for _ in range(2):
        built(["mkdocs", "build", "--strict"], tmp_path)
        pages = [tmp_path / "site" / name / "index.html" for name in NAMES]
        assert len(listed(pages)) == len(NAMES)
        assert all(b">Read on</h2>" in page for page in listed(pages))
        assert b'href="../bees' in listed(pages)[0]
        assert not listed([tmp_path / "site" / "index.html", tmp_path / "site" / "404.html"])
    assert (tmp_path / "site.kin").is_dir()
    (tmp_path / "mkdocs.yml").write_text("site_name: Farm\nplugins:\n  - pagekin:\n      method: cocit\n")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1 and "did you mean 'co-citation'" in done.stderr and "Traceback" not in done.stderr


WITH_SPHINX = pytest.mark.skipif(not find_spec("sphinx"), reason="Sphinx is not installed: pip install sphinx")


@WITH_SPHINX
def test_sphinx(tmp_path: Path) -> None:
    sphinx_source(tmp_path)
    pages = [tmp_path / "out" / f"{name}.html" for name in NAMES]
    for _ in range(2):
        built(["sphinx", "-W", "-b", "html", ".", "out"], tmp_path)
        assert len(listed(pages)) == len(NAMES)
    once = listed(pages)
    (tmp_path / "bees0.rst").write_text((tmp_path / "bees0.rst").read_text() + "\nOne more sentence.\n")
    built(["sphinx", "-W", "-b", "html", ".", "out"], tmp_path)
    assert len(listed(pages)) == len(NAMES) and listed(pages)[0] != once[0]
    assert no_others_are_listed(tmp_path / "out", pages)


@WITH_SPHINX
@pytest.mark.slow
def test_sphinx_with_a_folder_for_each_page(tmp_path: Path) -> None:
    sphinx_source(tmp_path)
    built(["sphinx", "-W", "-b", "dirhtml", ".", "out"], tmp_path)
    pages = [tmp_path / "out" / name / "index.html" for name in NAMES]
    assert len(listed(pages)) == len(NAMES)
    assert no_others_are_listed(tmp_path / "out", pages)


def no_others_are_listed(folder: Path, pages: list[Path]) -> bool:
    return not listed([page for page in folder.rglob("*.html") if page not in pages])
