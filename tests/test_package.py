"""The wheel: it has every file of the package, and works where there is nothing but the wheel."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest

from pagekin import demo
from pagekin.version import VERSION

ROOT = Path(__file__).parents[1]
PAGE = min(demo.truth().core)
PATIENCE = 900  # seconds for pip, which may have to download
LEAN_MB = 950  # a plain installation has 870 MB, over half of it numba with its LLVM, pyarrow and SciPy


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the source distribution, made from a copy of the tree: neither writes into the checkout."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", source / "dist", source], source)
    (found,) = (source / "dist").glob("*.whl")
    assert (source / "dist" / f"pagekin-{VERSION}.tar.gz").exists()
    return found


def run(command: list[object], cwd: Path, **variables: str) -> str:
    """What a command prints; it must not fail, and it must not see the checkout."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PAGEKIN"))}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=env | variables, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if name.startswith("pagekin/")}
        metadata = packed.read(f"pagekin-{VERSION}.dist-info/METADATA").decode()
        entries = packed.read(f"pagekin-{VERSION}.dist-info/entry_points.txt").decode()
    there = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "pagekin").rglob("*") if path.is_file()}
    kept = {name for name in there if "__pycache__" not in name and not Path(name).name.startswith(".")}
    assert {Path(name).suffix for name in kept} >= {".py", ".toml", ".txt", ".html", ".css", ".js", ".svg", ".typed"}
    assert held == kept
    assert {"figures", "serve", "ja", "zh"} <= set(re.findall(r"^Provides-Extra: (\w+)$", metadata, re.MULTILINE))
    assert "pagekin = pagekin.shell.main:main" in entries
    assert "pagekin = pagekin.mkdocs:Plugin" in entries


class Installed:
    """An environment with nothing but the wheel and what it needs."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.bin = folder, folder / "venv" / "bin"
        run([sys.executable, "-m", "venv", folder / "venv"], folder)
        self.empty = self._size()
        self.pip(wheel)

    def pip(self, *what: object) -> None:
        run([self.bin / "python", "-m", "pip", "install", "--quiet", *what], self.folder)

    def __call__(self, *words: object, **variables: str) -> str:
        return run([self.bin / "pagekin", *words], self.folder, **variables)

    def fails(self, *words: object) -> str:
        """The one line that a command which fails prints."""
        done = subprocess.run(
            [self.bin / "pagekin", *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    def packages(self) -> list[str]:
        held = distributions(path=[str(self._libraries())])
        return sorted(each.metadata["Name"] for each in held if each.metadata["Name"] not in ("pip", "setuptools"))

    def megabytes(self) -> float:
        """What the wheel has brought, without what numba compiles later."""
        return (self._size() - self.empty) / 1e6

    def _libraries(self) -> Path:
        return next((self.folder / "venv" / "lib").glob("python3*")) / "site-packages"

    def _size(self) -> int:
        files = (
            path for path in self._libraries().rglob("*") if path.is_file() and path.suffix not in (".nbi", ".nbc")
        )
        return sum(path.stat().st_size for path in files)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


@pytest.fixture(scope="module", autouse=True)
def told(request: pytest.FixtureRequest) -> Iterator[Callable[[str], None]]:
    """Lines that the run prints even if the test passes."""
    lines: list[str] = []
    yield lines.append
    if lines:
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print("", *lines, sep="\n")


@pytest.mark.slow
def test_a_plain_installation_answers_and_is_lean(installed: Installed, told: Callable[[str], None]) -> None:
    told(f"a plain installation: {len(installed.packages())} packages, {installed.megabytes():.0f} MB")
    assert installed.megabytes() < LEAN_MB
    assert f"pagekin {VERSION}" in installed("--version")
    assert "pages of the demo web are in demo.kin" in installed("demo", "--no-browser")
    assert "links to both" in installed("related", "demo.kin", PAGE, "--method", "co-citation", "--why")
    installed("build", "demo.kin")
    assert "bees" in installed("search", "demo.kin", "queen", "bees")


@pytest.mark.slow
def test_what_is_missing_is_said_with_the_pip_line_which_works(installed: Installed) -> None:
    installed("demo", "--no-browser")
    said = installed.fails("serve", "demo.kin")
    line = re.search(r"pip install '(pagekin\[serve\])'", said)
    assert line
    installed.pip(line[1])  # the line as it is printed
    script = f"""
        import json, re, subprocess, sys, urllib.request
        server = subprocess.Popen(["{installed.bin}/pagekin", "serve", "demo.kin", "--port", "0"],
                                  stderr=subprocess.PIPE, text=True)
        for line in server.stderr:
            if found := re.search(r"at (http://127\\.0\\.0\\.1:\\d+/)", line):
                break
        info = json.load(urllib.request.urlopen(found[1] + "api/info"))
        page = urllib.request.urlopen(found[1]).read().decode()
        style = urllib.request.urlopen(found[1] + "static/style.css").status
        server.terminate()
        print(info["pages"], "<form" in page, style)
    """
    lines = "\n".join(line.removeprefix("        ") for line in script.splitlines())
    assert "True 200" in run([installed.bin / "python", "-c", lines], installed.folder)


@pytest.mark.slow
def test_figures(installed: Installed) -> None:
    installed("demo", "--no-browser")
    question = ("evaluate", "demo.kin", "--method", "co-citation", "--out", "figures.svg")
    assert "pip install 'pagekin[figures]'" in installed.fails(*question)
    installed.pip("pagekin[figures]")
    assert "wrote" in installed(*question)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "text", "language", "term"),
    [("ja", "東京で蜂を飼う", "ja", "蜂"), ("zh", "北京的养蜂人", "zh", "养蜂人")],
)
def test_the_extras_for_languages(installed: Installed, extra: str, text: str, language: str, term: str) -> None:
    folder = installed.folder / extra
    folder.mkdir()
    (folder / "a.html").write_text(f"<html lang={language}><title>{text}</title><p>{text}", encoding="utf-8")
    without = installed("add", f"{extra}0.kin", folder, "--base-url", "http://a.example/")
    assert f"pip install 'pagekin[{extra}]'" in without
    installed.pip(f"pagekin[{extra}]")
    assert "pip install" not in installed("add", f"{extra}.kin", folder, "--base-url", "http://a.example/")
    installed("build", f"{extra}.kin")
    assert "http://a.example/" in installed("search", f"{extra}.kin", term)


@pytest.mark.slow
def test_the_plug_ins_work_where_a_generator_is_installed(installed: Installed) -> None:
    installed.pip("mkdocs", "sphinx")
    source = installed.folder / "plug-ins"
    write = "\n".join([
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])",
        "from tests.seealso.generators import mkdocs_source, sphinx_source",
        "for make, name in ((mkdocs_source, 'mkdocs'), (sphinx_source, 'sphinx')):",
        "    (Path(sys.argv[1]) / name).mkdir(parents=True); make(Path(sys.argv[1]) / name)",
    ])  # fmt: skip
    run([sys.executable, "-c", write, source, ROOT], ROOT, PYTHONPATH=str(ROOT))
    run([installed.bin / "python", "-m", "mkdocs", "build", "--strict"], source / "mkdocs")
    run([installed.bin / "python", "-m", "sphinx", "-W", ".", "out"], source / "sphinx")
    for built in (source / "mkdocs" / "site", source / "sphinx" / "out"):
        assert sum(b"data-pagekin-list" in page.read_bytes() for page in built.rglob("*.html")) > 3
