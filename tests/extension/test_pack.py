"""The files for the two browsers: the same bytes each time, and each only with what its browser knows."""

import json
import zipfile

from extension.pack import MANIFEST, OTHERS, SHARED, SOURCE, STATIC, files, manifest, pack


def test_the_same_source_gives_the_same_bytes(tmp_path):
    for browser in OTHERS:
        one, two = (pack(browser, tmp_path / name) for name in ("one", "two"))
        assert one.name == f"pagekin-{browser}-{manifest(browser)['version']}.zip"
        assert one.read_bytes() == two.read_bytes()


def test_a_file_holds_the_source_and_the_licence_sorted_and_undated(tmp_path):
    for browser in OTHERS:
        with zipfile.ZipFile(pack(browser, tmp_path)) as archive:
            assert archive.testzip() is None
            (other,) = OTHERS.keys() - {browser}
            expected = {path.name for path in SOURCE.iterdir()} | {"LICENSE"}
            assert archive.namelist() == sorted(expected - {f"open-in-{other}.js"})
            assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert json.loads(archive.read(MANIFEST)) == manifest(browser)
            for name, contents in files(browser).items():
                assert archive.read(name) == contents


def test_each_browser_gets_the_keys_that_it_knows():
    chromium, firefox = manifest("chromium"), manifest("firefox")
    assert chromium["permissions"] == ["sidePanel", "storage", "tabs"]
    assert chromium["background"] == {"service_worker": "open-in-chromium.js"}
    assert chromium["side_panel"] == {"default_path": "panel.html"}
    assert not {"sidebar_action", "browser_specific_settings"} & chromium.keys()
    assert firefox["permissions"] == ["storage", "tabs"]
    assert firefox["background"] == {"scripts": ["open-in-firefox.js"]}
    assert firefox["sidebar_action"]["default_panel"] == "panel.html"
    assert not {"side_panel", "minimum_chrome_version"} & firefox.keys()
    both = ("host_permissions", "optional_host_permissions", "incognito", "content_security_policy", "version")
    assert {key: chromium[key] for key in both} == {key: firefox[key] for key in both}


def test_it_looks_and_moves_like_the_pages_of_the_server():
    for name in SHARED:
        assert (SOURCE / name).read_bytes() == (STATIC / name).read_bytes(), f"run: cp {STATIC / name} {SOURCE}"
