"""The recipe for Hugo, run as the docs give it, with the program of the distribution."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pagekin import see_also
from tests.debian import unpacked
from tests.seealso.test_plugins import NAMES, text

RECIPE = re.compile(r"hugo && pagekin see-also public/ --base-url (\S+)")
LAYOUTS = {
    "_default/single.html": "<title>{{ .Title }} | Farm</title><main><h1>{{ .Title }}</h1>{{ .Content }}</main>",
    "_default/list.html": "<title>{{ .Title }}</title><main><ul>{{ range .Pages }}<li><a href='{{ .RelPermalink }}'>"
    "{{ .Title }}</a>{{ end }}</ul></main>",
}


@pytest.mark.slow
def test_the_recipe_for_hugo(tmp_path: Path) -> None:
    found = RECIPE.search((Path(__file__).parents[2] / "docs" / "seealso.md").read_text())
    assert found
    (tmp_path / "deb").mkdir()
    hugo, environment = shutil.which("hugo"), dict(os.environ)
    if not hugo:
        for package in ("hugo", "libsass1", "libwebp7"):
            usr = unpacked(package, tmp_path / "deb").parents[1]
        hugo = str(usr / "bin" / "hugo")
        environment["LD_LIBRARY_PATH"] = ":".join(map(str, (usr / "lib").glob("*-linux-*")))
    site = tmp_path / "site"
    for name, layout in LAYOUTS.items():
        (site / "layouts" / name).parent.mkdir(parents=True, exist_ok=True)
        (site / "layouts" / name).write_text(layout)
    for name in NAMES:
        (site / "content" / "posts").mkdir(parents=True, exist_ok=True)
        body = text(name).split("\n", 1)[1]
        (site / "content" / "posts" / f"{name}.md").write_text(
            f"---\ntitle: {name.title()}\ntags: [{name[:-1]}]\n---\n{body}"
        )
    (site / "config.toml").write_text(f'baseURL = "{found[1]}"\ntitle = "Farm"\n')
    try:
        subprocess.run([hugo], cwd=site, check=True, capture_output=True, timeout=120, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"Hugo does not run here: {error}")
    report = see_also(site / "public", found[1])
    listed = [path for path in (site / "public").rglob("*.html") if b"data-pagekin-list" in path.read_bytes()]
    assert sorted(path.parent.name for path in listed) == sorted(NAMES) and report.lists == len(NAMES)
    subprocess.run([hugo], cwd=site, check=True, capture_output=True, timeout=120, env=environment)
    again = see_also(site / "public", found[1])
    assert again.parsed == 0 and again.lists == len(NAMES)
