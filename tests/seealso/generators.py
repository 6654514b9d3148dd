"""Small sites for the generators that the docs name, and these programs: as installed, or from Debian's packages."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.debian import unpacked

TOPICS = {
    "bees": "Bees make honey in a hive with a queen who lays eggs while workers dance for nectar and pollen.",
    "trains": "Trains run on rails with an engine that pulls coaches past signals to a station and its platform.",
}
NAMES = [f"{topic}{number}" for topic in TOPICS for number in range(4)]
BASE = "https://farm.example/docs/"
LAYOUT = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} | Farm</title>'
    "<nav><a href='/'>Farm</a></nav><main>{main}</main><footer>The same on every page</footer></html>"
)
HUGO = {
    "_default/single.html": LAYOUT.format(title="{{ .Title }}", main="<h1>{{ .Title }}</h1>{{ .Content }}"),
    "_default/list.html": LAYOUT.format(
        title="{{ .Title }}",
        main="<ul>{{ range .Pages }}<li><a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}</ul>",
    ),
}
JEKYLL = {
    "post.html": LAYOUT.format(title="{{ page.title }}", main="<h1>{{ page.title }}</h1>{{ content }}"),
    "home.html": LAYOUT.format(
        title="Home",
        main="<ul>{% for post in site.posts %}<li><a href='{{ post.url | relative_url }}'>{{ post.title }}</a>"
        "{% endfor %}</ul>",
    ),
}
# What Jekyll needs of its dependencies; the rest is on every Debian.
_OF_RUBY = re.compile(
    r"(lib)?ruby.*|jekyll|rake|libyaml-0-2|libsass(1|-dev)|libffi8|libhttp-parser.*|libmarkdown2|libgmp10"
)
_DEPENDS = (
    "apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances"
)


def text(name: str) -> str:
    words = TOPICS[name[:-1]]
    return f"# {name.title()}\n\n{words} {name}. {' '.join(reversed(words.split()))}.\n\n## More\n\n{words}\n"


def _written(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def _post(name: str, more: str) -> str:
    return f"---\ntitle: {name.title()}\n{more}\n---\n{text(name).partition(chr(10))[2]}"


def mkdocs_source(folder: Path, base: str = BASE, options: str = "") -> None:
    _written(folder, {f"docs/{name}.md": text(name) for name in NAMES})
    plugins = f"plugins:\n  - search\n  - pagekin:\n      k: 2\n{options}"
    _written(folder, {
        "docs/index.md": "# The front\n\nWords of the front page.\n",
        "mkdocs.yml": f"site_name: Farm\nsite_url: {base}\n{plugins}",
    })  # fmt: skip


def sphinx_source(folder: Path, base: str = BASE) -> None:
    conf = f'project = "Farm"\nextensions = ["pagekin.sphinx"]\nhtml_baseurl = "{base}"\npagekin_k = 2\n'
    index = "Farm\n====\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in NAMES)
    _written(folder, {"conf.py": conf, "index.rst": index})
    for name in NAMES:
        words = TOPICS[name[:-1]]
        page = f"{name.title()}\n=======\n\n{words} {name}.\n\nMore\n----\n\n{words}\n"
        _written(folder, {f"{name}.rst": page})


def hugo_source(folder: Path, base: str = BASE) -> None:
    _written(folder / "layouts", HUGO)
    _written(folder, {f"content/posts/{name}.md": _post(name, f"tags: [{name[:-1]}]") for name in NAMES})
    _written(folder, {"config.toml": f'baseURL = "{base}"\ntitle = "Farm"\n'})


def jekyll_source(folder: Path, base: str = BASE) -> None:
    host, path = re.fullmatch(r"(\w+://[^/]+)(.*)/", base).groups()  # type: ignore[union-attr]
    _written(folder / "_layouts", JEKYLL)
    _written(folder, {f"_posts/2024-01-02-{name}.md": _post(name, "layout: post") for name in NAMES})
    _written(folder, {
        "index.md": "---\nlayout: home\n---\n",
        "_config.yml": f'title: Farm\nurl: "{host}"\nbaseurl: "{path}"\npermalink: /:title/\n',
    })  # fmt: skip


Program = tuple[list[str], dict[str, str]]  # what to run, and what to add to the environment


def hugo(folder: Path) -> Program:
    """Hugo, installed or unpacked below a folder."""
    if found := shutil.which("hugo"):
        return [found], {}
    for package in ("hugo", "libsass1", "libwebp7"):
        usr = unpacked(package, folder).parents[1]
    return [str(usr / "bin" / "hugo")], {"LD_LIBRARY_PATH": _joined((usr / "lib").glob("*-linux-*"))}


def jekyll(folder: Path) -> Program:
    """Jekyll, installed or unpacked below a folder with the Ruby that it runs on."""
    if found := shutil.which("jekyll"):
        return [found], {}
    try:
        done = subprocess.run([*_DEPENDS.split(), "jekyll"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"Jekyll cannot be had from the distribution: {error}")
    for package in sorted(set(filter(_OF_RUBY.fullmatch, done.stdout.split("\n")))):
        unpacked(package, folder)
    usr = folder / "usr"
    for native in usr.glob(
        "share/rubygems-integration/all/gems/sassc-*/lib/sassc/native.rb"
    ):  # it names the file whole
        native.write_text(native.read_text().replace('"/usr/lib/', f'"{usr}/lib/'))
    ruby = next((path for path in (usr / "bin").glob("ruby[0-9]*")), usr / "bin" / "ruby")
    gems = (each.parent for each in usr.glob("**/specifications") if each.is_dir())
    libraries = [*usr.glob("lib/ruby/vendor_ruby"), *usr.glob("lib/*/ruby/vendor_ruby/*")]
    libraries += [*usr.glob("lib/ruby/[0-9]*"), *usr.glob("lib/*/ruby/[0-9]*")]
    return [str(ruby), str(usr / "bin" / "jekyll")], {
        "LD_LIBRARY_PATH": _joined((usr / "lib").glob("*-linux-*")), "RUBYLIB": _joined(libraries),
        "GEM_PATH": _joined(gems), "GEM_HOME": str(folder / "gems"),
    }  # fmt: skip


def _joined(paths: object) -> str:
    return ":".join(map(str, paths))  # type: ignore[call-overload]


GENERATORS: dict[str, tuple[Callable[[Path], Program], Callable[[Path, str], None]]] = {
    "hugo": (hugo, hugo_source),
    "jekyll": (jekyll, jekyll_source),
}


def run_line(line: str, generator: str, source: Path, programs: Path) -> str:
    """Run a line of the docs in the source of a site, where `pagekin` and the generator are commands; what it said."""
    programs.mkdir(exist_ok=True)
    command, more = GENERATORS[generator][0](programs)
    exports = "".join(f"export {name}='{value}'\n" for name, value in more.items())
    for name, started in ((generator, command), ("pagekin", [sys.executable, "-m", "pagekin"])):
        shim = programs / "bin" / name
        shim.parent.mkdir(exist_ok=True)
        shim.write_text(f'#!/bin/sh\n{exports if name == generator else ""}exec {" ".join(started)} "$@"\n')
        shim.chmod(0o755)
    environment = os.environ | {"PATH": f"{programs / 'bin'}:{os.environ['PATH']}"}
    version = [str(programs / "bin" / generator), "version" if generator == "hugo" else "--version"]
    try:
        subprocess.run(version, check=True, capture_output=True, timeout=120, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{generator} does not run here: {error}")
    done = subprocess.run(["sh", "-c", line], cwd=source, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def built(command: list[str], folder: Path) -> None:
    """Run a generator that is a module of Python."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
