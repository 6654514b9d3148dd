"""A web that is crawled is the web that is added from its files, or from the crawl's archive."""

import pytest

from pagekin import demo
from pagekin.acquire.crawl.addresses import resolutions
from pagekin.acquire.sources import open_sources
from pagekin.collection.graph import same
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from tests.acquire.crawl.crawled import fetched, links, run
from tests.debian import unpacked
from tests.loopback import HTML, Answer, Server


def test_the_demo_web_crawled_is_the_demo_web_added_and_its_warc_is_too(tmp_path):
    web, truth = demo.pages(), demo.truth()

    def answers(asked):
        body = web.get(f"http://{asked.host}{asked.path}")
        return body and Answer(body, 200, {"Content-Type": "text/html"})

    crawled, added, read_back = (tmp_path / f"{name}.kin" for name in ("crawled", "added", "read-back"))
    demo.write(tmp_path / "web")
    ingest(added, open_sources([tmp_path / "web"]), respect_noindex=True)
    with Server(answers) as server:
        hosts = {url.split("/")[2] for url in web}
        (tmp_path / "hosts.txt").write_text(
            "".join(f"{host}={server.address}:{server.port}\n" for host in sorted(hosts))
        )
        resolve = resolutions([str(tmp_path / "hosts.txt")])
        run(crawled, truth.homes[0], across=True, resolve=resolve, radius=9, warc=tmp_path / "warc")
    missed = {truth.spam, truth.isolated}
    assert fetched(crawled) == set(web) - missed
    assert links(crawled) == {link for link in links(added) if link[0] not in missed}
    text = {Store(path): None for path in (crawled, added)}
    of = [{store.url(page): (store.title(page), store.text(page)) for page in range(store.size)} for store in text]
    assert {url: said for url, said in of[0].items() if url in web} == {
        url: said for url, said in of[1].items() if url in web and url not in missed
    }
    ingest(read_back, open_sources([tmp_path / "warc"]), respect_noindex=True)
    graphs = [Store(path).graph for path in (crawled, read_back)]
    asked_in_vain = [graph.pages["status"].is_valid().to_pylist() for graph in graphs]
    assert sum(asked_in_vain[0]) - sum(asked_in_vain[1]) == 1  # a broken link: all that an archive does not bring back
    blank = [_without_status(graph) for graph in graphs]
    assert same(*blank)


def _without_status(graph):
    from dataclasses import replace

    import pyarrow as pa
    import pyarrow.compute as pc

    pages, unfetched = graph.pages, graph.pages["fetched"].is_null()
    for name in ("status", "content_type"):
        kind = pages[name].type.value_type if pa.types.is_dictionary(pages[name].type) else pages[name].type
        blank = pc.if_else(unfetched, pa.scalar(None, kind), pages[name].cast(kind))
        pages = pages.set_column(pages.column_names.index(name), name, blank)
    return replace(graph, pages=pages)


@pytest.mark.slow
def test_a_real_documentation_crawled_whole_is_the_folder_added(tmp_path):
    folder = unpacked("python3.11-doc", tmp_path) / "python3.11/html"
    types = {".html": HTML, ".txt": "text/plain", ".css": "text/css"}

    def answers(asked):
        file = folder / asked.path.lstrip("/").partition("?")[0]
        file = file / "index.html" if file.is_dir() else file
        kind = types.get(file.suffix, "application/octet-stream")
        if (packed := file.with_name(f"{file.name}.gz")).is_file():  # Debian packs the longest page
            return Answer(packed.read_bytes(), 200, {"Content-Type": kind, "Content-Encoding": "gzip"})
        return Answer(file.read_bytes(), 200, {"Content-Type": kind}) if file.is_file() else None

    with Server(answers) as server:
        run(tmp_path / "crawled.kin", server.url, radius=99, at_once=4, timeout=60.0)
        ingest(tmp_path / "added.kin", open_sources([folder], base_url=server.url))
    crawled, added = (fetched(tmp_path / f"{name}.kin") for name in ("crawled", "added"))
    assert len(added) > 500
    reached = {target for source, target, *_ in links(tmp_path / "added.kin") if source in crawled}
    assert crawled == added & (reached | {server.url})  # whatever a link leads to
    assert len(crawled) > 0.9 * len(added)
    assert links(tmp_path / "crawled.kin") == {link for link in links(tmp_path / "added.kin") if link[0] in crawled}
