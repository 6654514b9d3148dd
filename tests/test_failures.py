"""What the system refuses is said in plain words, with the remedy; and never blamed on the disk or on the data."""

import errno
import os
import resource
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagekin import Collection
from pagekin.collection import graph as graphs
from pagekin.collection import parts
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.errors import CollectionError
from pagekin.failures import explained, said
from tests.small_webs import collection, page

A, B = "http://a.example/", "http://b.example/"


def _hidden() -> OSError:
    """An error as llvmlite raises it if its library cannot be mapped."""
    try:
        try:
            raise OSError("libllvmlite.so: failed to map segment from shared object")
        except OSError:
            raise OSError("Could not find/load shared object file 'libllvmlite.so'")  # noqa: B904
    except OSError as error:
        return error


NO_MEMORY = [
    MemoryError(),
    pa.ArrowMemoryError("malloc of size 64 failed"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    ImportError("_duckdb.so: failed to map segment from shared object"),
    OSError("ZSTD compression failed: Allocation error : not enough memory"),
    RuntimeError("std::bad_alloc"),
    _hidden(),
]


NO_THREAD = [
    RuntimeError("can't start new thread"),
    pa.ArrowException("Unknown error: Failed to launch worker thread: Resource temporarily unavailable"),
]


@pytest.mark.parametrize("error", NO_MEMORY, ids=repr)
def test_a_lack_of_memory_is_known_in_all_its_forms(error):
    assert said(error).startswith("there is not enough memory")
    assert "disk" not in said(error)


@pytest.mark.parametrize(
    ("number", "wrong", "remedy"),
    [
        (errno.ENOSPC, "the disk is full (", "make room"),
        (errno.EDQUOT, "your quota is used up", "ask for more room"),
        (errno.EROFS, "the file system is read-only", "make the file system writable"),
        (errno.EFBIG, "the file system takes no file so large", "another file system"),
        (errno.EACCES, "permission denied", "owner and permissions"),
        (errno.EMFILE, "too many files are open (this process may have ", "`ulimit -n`"),
        (errno.ENFILE, "too many files are open on this machine", "close other programs"),
    ],
)
def test_what_the_system_refuses_has_plain_words_and_a_remedy(tmp_path, number, wrong, remedy):
    found = explained(OSError(number, os.strerror(number)), tmp_path)
    assert found is not None
    assert found.wrong.startswith(wrong)
    assert remedy in found.remedy


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    error = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "one"))
    assert str(tmp_path / "one") in said(error, tmp_path)


def test_a_full_disk_is_told_with_what_is_free_even_if_the_file_is_gone(tmp_path):
    assert f"free for {tmp_path})" in said(OSError(errno.ENOSPC, "full"), tmp_path / "gone" / "file")


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), ValueError("bad"), RuntimeError("no"), KeyError(1)]
)
def test_what_may_be_damage_is_not_explained(error):
    assert explained(error) is None


def test_within_a_limit_of_memory_an_extension_that_fails_without_a_word_lacks_it(monkeypatch):
    error = SystemError("error return without exception set")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (resource.RLIM_INFINITY,) * 2)
    assert explained(error) is None
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1_000_000_000,) * 2)
    assert "limited to 1.0 GB" in said(error)


def test_a_mistake_in_handling_a_refusal_is_not_hidden():
    try:
        try:
            raise PermissionError(errno.EACCES, "Permission denied")
        except PermissionError:
            {}["no such key"]
    except KeyError as error:
        assert explained(error) is None


@pytest.mark.parametrize("error", [*NO_MEMORY, *NO_THREAD], ids=repr)
def test_a_writer_without_memory_does_not_blame_the_disk(tmp_path, error):
    collection(tmp_path / "s.kin", page(A, B))
    with (
        pytest.raises(CollectionError, match=r"memory.*what was committed before is safe.*again") as told,
        writing(tmp_path / "s.kin"),
    ):
        raise error
    assert "disk" not in str(told.value)


def test_a_mistake_of_ours_stays_a_traceback(tmp_path):
    collection(tmp_path / "s.kin", page(A, B))
    with pytest.raises(RuntimeError, match="a mistake"), writing(tmp_path / "s.kin"):
        raise RuntimeError("a mistake")


@pytest.mark.parametrize("error", [OSError(errno.ENOMEM, "Cannot allocate memory"), *NO_THREAD[1:]])
def test_a_graph_that_cannot_be_mapped_is_not_called_damaged(tmp_path, monkeypatch, error):
    store = collection(tmp_path / "s.kin", page(A, B))

    def lacking(folder):
        raise error

    monkeypatch.setattr(graphs, "read", lacking)
    with pytest.raises(CollectionError, match=r"reading .* failed: .* memory") as told:
        _ = Store(store.path).graph
    assert "damaged" not in str(told.value)


def test_a_part_that_cannot_be_opened_is_not_called_damaged(tmp_path, monkeypatch):
    store = collection(tmp_path / "s.kin", page(A, B))

    def lacking(*_, **__):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(parts.pq, "ParquetFile", lacking)
    with pytest.raises(CollectionError, match=r"reading .*parquet failed: too many files are open"):
        store.contribution(0)


def test_scrub_sets_no_part_aside_for_want_of_file_handles(tmp_path, monkeypatch):
    store = collection(tmp_path / "s.kin", page(A, B))

    def lacking(path):
        raise OSError(errno.EMFILE, "Too many open files", str(path))

    monkeypatch.setattr(parts, "checksum", lacking)
    with pytest.raises(CollectionError, match="too many files are open"):
        Collection(store.path).scrub()
    assert not (store.path / "damaged").exists()
    assert Store(store.path).manifest.parts == store.manifest.parts


def _limited(kind: int, limit: int, *words: str) -> str:
    """What `pagekin` prints to stderr within a limit."""
    run = (
        f"import resource, sys; resource.setrlimit({kind}, ({limit}, {limit})); sys.argv = {['pagekin', *words]!r}; "
        "from pagekin.shell.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_limit_on_files_is_named(tmp_path):
    table = tmp_path / "links.csv"
    table.write_text("source,target\n" + "".join(f"http://a.example/{i},http://b.example/{i}\n" for i in range(3_000)))
    told = _limited(resource.RLIMIT_FSIZE, 20_000, "add", str(tmp_path / "s.kin"), str(table))
    assert "no file may be larger than 20.0 kB" in told
    assert "`ulimit -f`" in told
    assert not (tmp_path / "s.kin").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
def test_a_limit_on_memory_is_named(tmp_path, monkeypatch):
    """The shell asks a question that needs more memory than there is; here the lack is made certain by its size."""
    store = collection(tmp_path / "s.kin", page(A, B))
    run = (
        "import resource, sys, numpy as np; from pagekin.methods.cocitation import CoCitation; "
        "CoCitation.related = lambda *_: np.ones(1 << 40); resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33)); "
        f"sys.argv = ['pagekin', 'related', {str(store.path)!r}, {A!r}, '--method', 'co-citation']; "
        "from pagekin.shell.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    assert done.stderr.startswith(
        "pagekin: related failed: there is not enough memory (this process is limited to 8.6 GB);"
    )
    assert "`ulimit -v`" in done.stderr
    assert done.returncode == 1


def test_a_path_is_optional():
    assert said(OSError(errno.ENOSPC, "full")).startswith("the disk is full;")


def test_a_full_disk_is_known_however_a_file_is_written(tmp_path, full):
    table = pa.table({"a": list(range(100_000))})

    def arrow():
        with pa.ipc.new_file(full(), table.schema) as file:
            file.write_table(table)

    for write in (arrow, lambda: pq.write_table(table, full())):
        with pytest.raises(OSError) as told:
            write()
        assert said(told.value, tmp_path).startswith("the disk is full (")
