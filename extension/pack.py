"""`make extension`: the extension as a file for Chromium and one for Firefox, in build/.

`unpacked/` is what both browsers load as it is, with one manifest for both; each would warn of the other's keys, which
are left out of its file. The same source gives the same bytes on any machine: entries are sorted, dated 1980 and
stored, since compressed bytes depend on the version of zlib.
"""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = HERE / "unpacked"
STATIC = HERE.parent / "src" / "pagekin" / "serve" / "static"
SHARED = ("style.css", "flip.js")  # the panel looks and moves like the pages of the server: copies of its files
MANIFEST = "manifest.json"
# Browser → keys of the manifest that are for the other; a pair is a key of a key, or a value of a list.
OTHERS = {
    "chromium": ("sidebar_action", "browser_specific_settings", ("background", "scripts")),
    "firefox": (
        "side_panel", "minimum_chrome_version", ("background", "service_worker"), ("permissions", "sidePanel"),
    ),
}  # fmt: skip
OPENS = "open-in-{}.js".format  # what the button in the toolbar does, browser by browser
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip file can hold
MODE = 0o644 << 16


def manifest(browser: str) -> dict[str, Any]:
    """The manifest for one browser."""
    found: dict[str, Any] = json.loads((SOURCE / MANIFEST).read_text("utf-8"))
    for other in OTHERS[browser]:
        if isinstance(other, str):
            del found[other]
        else:
            key, part = other
            found[key].remove(part) if isinstance(found[key], list) else found[key].pop(part)
    return found


def files(browser: str) -> dict[str, bytes]:
    """Name → contents of everything in the file for one browser."""
    others = {OPENS(each) for each in OTHERS if each != browser}
    found = {path.name: path.read_bytes() for path in SOURCE.iterdir() if path.name not in others}
    found[MANIFEST] = (json.dumps(manifest(browser), indent=2) + "\n").encode()
    found["LICENSE"] = (HERE.parent / "LICENSE").read_bytes()
    return found


def pack(browser: str, folder: Path) -> Path:
    """Write the file for one browser; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"pagekin-{browser}-{manifest(browser)['version']}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, contents in sorted(files(browser).items()):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr, entry.create_system = MODE, 3  # as on Unix, wherever it is made
            archive.writestr(entry, contents)
    return path


def main() -> None:
    for name in SHARED:
        shutil.copyfile(STATIC / name, SOURCE / name)
    for browser in OTHERS:
        path = pack(browser, HERE.parent / "build")
        print(f"{path.relative_to(HERE.parent)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
