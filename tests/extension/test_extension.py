"""What the extension may do, and that its source does no more: these promises are in its README."""

import json
import re
import shutil
import subprocess

import pytest
from selectolax.lexbor import LexborHTMLParser

from extension.pack import SOURCE
from pagekin.serve.panel import FORMAT
from pagekin.serve.settings import PORT
from pagekin.version import VERSION

MANIFEST = json.loads((SOURCE / "manifest.json").read_text("utf-8"))
SCRIPTS = {path.name: path.read_text("utf-8") for path in SOURCE.glob("*.js")}
PAGES = {path.name: path.read_text("utf-8") for path in SOURCE.glob("*.html")}
TEXTS = SCRIPTS | PAGES | {name: (SOURCE / name).read_text("utf-8") for name in ("style.css", "manifest.json")}
LOOPBACK = {"http://127.0.0.1:8420", "http://127.0.0.1/*"}
PATTERNS = {"http://*/*", "https://*/*"}
KEEPERS = r"storage\.(?:sync|session|managed)|localStorage|sessionStorage|indexedDB|\bcaches\b|\.cookie"
NODE = shutil.which("node")


def code(name):
    """A script without its comments."""
    return re.sub(r"^\s*//.*$|(?<=[;{,(]) // .*$", "", SCRIPTS[name], flags=re.MULTILINE)


def test_permissions_are_these_and_no_others():
    assert MANIFEST["permissions"] == ["sidePanel", "storage", "tabs"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*"]
    assert MANIFEST["optional_host_permissions"] == ["http://*/*", "https://*/*"]
    further = {"optional_permissions", "content_scripts", "web_accessible_resources", "externally_connectable"}
    assert not further & MANIFEST.keys()
    assert MANIFEST["incognito"] == "not_allowed"
    assert MANIFEST["manifest_version"] == 3


def test_the_version_the_format_and_the_address_are_the_server_s():
    assert MANIFEST["version"] == VERSION
    assert f"export const FORMAT = {FORMAT};" in SCRIPTS["server.js"]
    assert f'export const DEFAULT = "http://127.0.0.1:{PORT}";' in SCRIPTS["server.js"]


def test_no_code_comes_from_elsewhere():
    policy = MANIFEST["content_security_policy"]["extension_pages"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    for name, text in PAGES.items():
        page = LexborHTMLParser(text)
        loaded = [node.attributes.get("src") or node.attributes.get("href") for node in page.css("script, link, img")]
        assert loaded, name
        assert all((SOURCE / each).is_file() for each in loaded)
        assert all("src" in script.attributes and not script.text() for script in page.css("script"))
        assert not [key for node in page.css("*") for key in node.attributes if key.startswith("on") or key == "style"]
    for name in SCRIPTS:
        imported = re.findall(r"""(?:from|import)\s*\(?\s*["']([^"']+)""", code(name))
        assert all(each.startswith("./") and (SOURCE / each).is_file() for each in imported)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_no_markup_and_no_code_of_text(name):
    made = r"innerHTML|outerHTML|insertAdjacentHTML|setHTML|srcdoc|document\.write|DOMParser|createContextualFragment"
    assert re.findall(made + r"|\beval\b|\bFunction\b|importScripts|javascript:", code(name)) == []


def test_no_address_but_loopback_s_is_in_any_file():
    for name, text in TEXTS.items():
        found = re.findall(r"""(?:https?|wss?|ftp)://[^\s"'`<>)]*""", text)
        assert set(found) <= LOOPBACK | PATTERNS | {"http://", "http://${typed}"}, name
        assert not re.search(r"(?:src|href)=[\"']//", text)


def test_it_asks_in_one_place_and_sends_nothing_of_the_browser_s():
    everything = "".join(map(code, SCRIPTS))
    assert len(re.findall(r"\bfetch\(", everything)) == len(re.findall(r"\bfetch\(", code("server.js"))) == 1
    assert not re.search(r"XMLHttpRequest|WebSocket|EventSource|sendBeacon|RTCPeer|new Image|importScripts", everything)
    for setting in ('cache: "no-store"', 'credentials: "omit"', 'redirect: "error"', 'referrerPolicy: "no-referrer"'):
        assert setting in code("server.js")
    assert len(re.findall(r"question\.push|const question", everything)) == 4  # url and why, method, alpha, k


def test_it_listens_to_tabs_in_the_panel_alone_and_keeps_only_settings():
    for name in SCRIPTS:
        assert ("api.tabs" in code(name)) == (name == "panel.js")
        used = set(re.findall(r"\b(?:api|chrome|browser)\.(\w+)", code(name)))
        assert used <= {"tabs", "windows", "storage", "permissions", "runtime", "sidePanel", "sidebarAction", "action"}
        assert not re.search(KEEPERS, code(name))
    kept = re.findall(r"const SETTINGS = \{(.*)\}", SCRIPTS["server.js"])
    assert kept == [' server: DEFAULT, method: "", alpha: "" ']
    assert len(re.findall(r"storage\.local\.set", "".join(SCRIPTS.values()))) == 1


def test_every_file_that_the_manifest_names_is_there():
    named = re.findall(r'"([\w-]+\.(?:png|html|js))"', TEXTS["manifest.json"])
    assert len(named) > 8
    assert [name for name in named if not (SOURCE / name).is_file()] == []
    assert not [path.name for path in SOURCE.iterdir() if path.name.startswith(("_", ".")) or path.is_dir()]


@pytest.mark.skipif(not NODE, reason="there is no node here; on Debian: apt-get install nodejs")
def test_every_script_can_be_parsed(tmp_path):
    for name in SCRIPTS:
        (tmp_path / f"{name}.mjs").write_text(SCRIPTS[name])
        checked = subprocess.run([NODE, "--check", tmp_path / f"{name}.mjs"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
