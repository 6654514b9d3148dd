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


@pytest.mark.skipif(not find_spec("sphinx"), reason="Sphinx is not installed: pip install sphinx")
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_sphinx(tmp_path: Path, builder: str) -> None:
    sphinx_source(tmp_path)
    pages = [tmp_path / "out" / (f"{name}.html" if builder == "html" else f"{name}/index.html") for name in NAMES]
    for _ in range(2):
        built(["sphinx", "-W", "-b", builder, ".", "out"], tmp_path)
        assert len(listed(pages)) == len(NAMES)
    once = listed(pages)
    (tmp_path / "bees0.rst").write_text((tmp_path / "bees0.rst").read_text() + "\nOne more sentence.\n")
    built(["sphinx", "-W", "-b", builder, ".", "out"], tmp_path)
    assert len(listed(pages)) == len(NAMES) and listed(pages)[0] != once[0]
    assert not [page for page in (tmp_path / "out").rglob("*.html") if page not in pages and listed([page])]
