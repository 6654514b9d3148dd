"""The demo web on loopback, and as folders of sites."""

import urllib.request
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit

import pytest

from pagekin import demo
from pagekin.demo.serving import serving
from pagekin.demo.web import write_sites


def test_every_page_is_served_at_its_host():
    with serving() as address:
        for url, body in demo.pages().items():
            where = urlsplit(url)
            asked = urllib.request.Request(f"http://{address}{where.path}", headers={"Host": where.netloc})
            with urllib.request.urlopen(asked) as response:
                assert response.read() == body
        home = urlsplit(demo.truth().homes[0])
        asked = urllib.request.Request(f"http://{address}/index.html", headers={"Host": home.netloc})
        with urllib.request.urlopen(asked) as response:
            assert response.read() == demo.pages()[home.geturl()]
        with pytest.raises(HTTPError, match="404"):
            urllib.request.urlopen(f"http://{address}/")  # as 127.0.0.1, which is none of its hosts


def test_sites_are_files_at_the_paths_of_their_pages(tmp_path: Path):
    hosts = write_sites(tmp_path)
    web = demo.pages()
    assert hosts == sorted({urlsplit(url).netloc for url in web})
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert {f"http://{quote(str(file).removesuffix('index.html'))}" for file in files} == set(web)
