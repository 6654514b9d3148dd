"""What pages say with hreflang stays with them: in parts, compacted, joined, renewed, mended and salvaged."""

import pytest

from pagekin import Collection
from pagekin.collection.compact import compact
from pagekin.collection.ingest import ingest
from pagekin.collection.join import join
from pagekin.collection.renew import renewed
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.model import Capture, Confirmed
from pagekin.url import page_id

EN, DE, FR = (f"http://a.example/{tag}/hive" for tag in ("en", "de", "fr"))


def capture(url, *others, fetched=1000):
    head = "".join(f"<link rel=alternate hreflang={other.split('/')[3]} href={other}>" for other in others)
    return Capture(url, f"<head>{head}</head><p>Bees".encode(), "text/html", fetched=fetched, etag="1", origin="x")


ROWS = {(EN, "de", DE), (EN, "fr", FR), (DE, "en", EN)}


def alternates(path):
    store, url = Store(path), {page_id(each): each for each in (EN, DE, FR)}
    rows = [row for table in store.rows("alternates") for row in table.to_pylist()]
    assert len(rows) == len({tuple(row.values()) for row in rows})
    return {(url[row["page"]], row["language"], url[row["target"]]) for row in rows}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.kin"
    ingest(path, [[capture(EN, FR, fetched=1)]])  # superseded
    ingest(path, [[capture(EN, DE, FR)]])
    ingest(path, [[capture(DE, EN)]])
    return path


def test_at_rest_and_compacted(path):
    assert alternates(path) == ROWS
    assert FR not in Store(path).graph.pages["url"].to_pylist()  # nobody fetched it, and nobody links to it
    with writing(path) as writer:
        assert compact(writer) == 2
    assert alternates(path) == ROWS


def test_joined(path, tmp_path):
    join(tmp_path / "all.kin", [path])
    assert alternates(tmp_path / "all.kin") == ROWS


def test_renewed(path):
    (tables,) = renewed(Store(path), [Confirmed(EN, 2000, etag="1")])
    assert {row["language"] for row in tables["alternates"].to_pylist()} == {"de", "fr"}


def test_scrubbed(path):
    assert "nothing to repair" in str(Collection(path).scrub())
    assert alternates(path) == ROWS
    part = next(part for part in Store(path).manifest.parts if part.rows["alternates"] == 2)
    file = path / part.path / "alternates.parquet"
    file.write_bytes(file.read_bytes()[:-20])
    said = str(Collection(path).scrub())
    assert "its table alternates is damaged: all its 2 rows could be read" in said
    assert alternates(path) == ROWS


def test_a_part_that_was_written_before_has_none(path):
    import json

    from pagekin.collection import sealed

    held, _ = sealed.read(path / "manifest.json")
    for part in held["parts"]:
        del part["rows"]["alternates"]
        part["checksums"].pop("alternates", None)
        (path / "parts" / part["name"] / "alternates.parquet").unlink(missing_ok=True)
    sealed.write(path / "manifest.json", json.loads(json.dumps(held)))
    assert alternates(path) == set()
    assert len(Collection(path).related(EN, method="coupling")) == 0
    Collection(path).build(index="mirrors")
    assert alternates(path) == set()
