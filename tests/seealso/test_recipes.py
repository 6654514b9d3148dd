"""The recipes for Hugo and Jekyll and the workflow of a forge: their lines are run as the docs give them."""

import re
from pathlib import Path

import pytest
import yaml

from pagekin import see_also
from tests.seealso.generators import GENERATORS, NAMES, run_line
from tests.seealso.test_sites import links, pages_of

DOCS = (Path(__file__).parents[2] / "docs" / "seealso.md").read_text()
RECIPE = re.compile(r"^    ((\w+)(?: build)? && pagekin see-also (\S+)/ --base-url (\S+))$", re.MULTILINE)
RECIPES = {found[2]: found for found in RECIPE.finditer(DOCS)}


def holds(top: Path) -> None:
    """What must hold of a built site: a list in each post, whose links lead to other posts."""
    listed = [page for page in pages_of(top) if b"data-pagekin-list" in page.read_bytes()]
    assert sorted(path.parent.name for path in listed) == sorted(NAMES)
    for page in listed:
        found = list(links(page))
        assert found and page not in found and all(path.is_file() for path in found), page


def test_there_is_a_recipe_for_each() -> None:
    assert RECIPES.keys() == GENERATORS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_recipe(generator: str, tmp_path: Path) -> None:
    line, _, folder, base = RECIPES[generator].groups()
    source, programs = tmp_path / "source", tmp_path / "programs"
    GENERATORS[generator][1](source, base)
    run_line(line.partition(" && ")[0], generator, source, programs)
    before = pages_of(source / folder)
    said = run_line(line, generator, source, programs)
    assert f"{len(NAMES)} of " in said
    holds(source / folder)
    once = pages_of(source / folder)
    assert see_also(source / folder, base).changed == ()
    run_line(line, generator, source, programs)  # the generator writes every page anew
    assert not list((source / folder).rglob("*.kin"))
    assert pages_of(source / folder) == once and see_also(source / folder, base).parsed == 0
    assert see_also(source / folder, remove=True).left_out == {}
    assert pages_of(source / folder) == before


@pytest.mark.slow
def test_the_workflow_of_a_forge(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(# \.github/workflows/.*?)```", DOCS, re.DOTALL)
    assert found
    (job,) = yaml.safe_load(found[1])["jobs"].values()
    lines = [step["run"] for step in job["steps"] if "run" in step]
    ours = [line for line in lines if not re.match(r"sudo apt-get|pip install", line)]
    assert ours[0] == "hugo" and ours[1].startswith("pagekin see-also public/ --base-url ") and len(ours) == 2
    (cached,) = (step["with"]["path"] for step in job["steps"] if "cache" in step.get("uses", ""))
    GENERATORS["hugo"][1](tmp_path / "source", ours[1].split()[-1])
    run_line(" && ".join(ours), "hugo", tmp_path / "source", tmp_path / "programs")
    holds(tmp_path / "source" / "public")
    assert (tmp_path / "source" / cached / "manifest.json").is_file()
