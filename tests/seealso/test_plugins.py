"""The plug-ins for MkDocs and Sphinx: a small site built by each, strictly, twice."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TOPICS = {
    "bees": "Bees make honey in a hive with a queen who lays eggs while workers dance for nectar and pollen.",
    "trains": "Trains run on rails with an engine that pulls coaches past signals to a station and its platform.",
}
NAMES = [f"{topic}{number}" for topic in TOPICS for number in range(4)]


def text(name: str) -> str:
    words = TOPICS[name[:-1]]
    return f"# {name.title()}\n\n{words} {name}. {' '.join(reversed(words.split()))}.\n\n## More\n\n{words}\n"


def built(command: list[str], folder: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout


def listed(pages: list[Path]) -> list[bytes]:
    return [page.read_bytes() for page in pages if b"data-pagekin-list" in page.read_bytes()]


@pytest.mark.skipif(not find_spec("mkdocs"), reason="MkDocs is not installed: pip install mkdocs")
def test_mkdocs(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# The front\n\nWords of the front page.\n")
    for name in NAMES:
        (tmp_path / "docs" / f"{name}.md").write_text(text(name))
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Farm\nsite_url: https://farm.example/docs/\nplugins:\n  - search\n  - pagekin:\n      k: 2\n"
        "      heading: Read on\n"
    )
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
    (tmp_path / "conf.py").write_text(
        'project = "Farm"\nextensions = ["pagekin.sphinx"]\nhtml_baseurl = "https://farm.example/"\npagekin_k = 2\n'
    )
    (tmp_path / "index.rst").write_text("Farm\n====\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in NAMES))
    for name in NAMES:
        words = TOPICS[name[:-1]]
        (tmp_path / f"{name}.rst").write_text(f"{name.title()}\n=======\n\n{words} {name}.\n\nMore\n----\n\n{words}\n")
    pages = [tmp_path / "out" / (f"{name}.html" if builder == "html" else f"{name}/index.html") for name in NAMES]
    for _ in range(2):
        built(["sphinx", "-W", "-b", builder, ".", "out"], tmp_path)
        assert len(listed(pages)) == len(NAMES)
    once = listed(pages)
    (tmp_path / "bees0.rst").write_text((tmp_path / "bees0.rst").read_text() + "\nOne more sentence.\n")
    built(["sphinx", "-W", "-b", builder, ".", "out"], tmp_path)
    assert len(listed(pages)) == len(NAMES) and listed(pages)[0] != once[0]
    assert not [page for page in (tmp_path / "out").rglob("*.html") if page not in pages and listed([page])]
