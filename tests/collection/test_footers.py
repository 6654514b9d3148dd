import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin.collection.footers import footer_of, whole_groups

ROWS = pa.table({"page": pa.array(range(100), pa.int64()), "text": [f"text {i}" * 9 for i in range(100)]})


@pytest.fixture
def file(tmp_path):
    pq.write_table(ROWS, tmp_path / "text.parquet", compression="zstd", row_group_size=25)
    return tmp_path / "text.parquet"


def test_all_of_a_whole_file_is_read(file):
    rows, lost = whole_groups(file.read_bytes(), footer_of(file))
    assert rows.equals(ROWS)
    assert not lost


def test_whichever_byte_is_flipped_only_its_group_is_lost(file):
    footer, held = footer_of(file), file.read_bytes()
    for at in range(len(held)):
        rows, lost = whole_groups(held[:at] + bytes([held[at] ^ 4]) + held[at + 1 :], footer)
        assert len(lost) <= 1
        want = pa.concat_tables([ROWS.slice(25 * group, 25) for group in range(4) if group not in lost])
        assert rows.equals(want)


def test_a_file_that_was_cut_short_keeps_the_groups_before(file):
    footer, held = footer_of(file), file.read_bytes()
    kept = [whole_groups(held[:size], footer)[0].num_rows for size in range(len(held))]
    assert kept == sorted(kept)
    assert set(kept) == {0, 25, 50, 75, 100}
