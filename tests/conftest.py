"""What all tests share: the real data of PAGEKIN_DATA, disks that are full, none that is waited for, few processes.

A last line counts the gates on real data, so that a silent skip is seen.
"""

import fcntl
import os
import tarfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("many", max_examples=100 * settings.default.max_examples, deadline=None)  # make properties

DATA = os.environ.get("PAGEKIN_DATA")
REASON = "PAGEKIN_DATA does not name a directory with the real data"


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """`data("citeseer")` is the folder that citeseer.tar.xz unpacks to, once a run; a plain file is given in place."""
    if not DATA or not Path(DATA).is_dir():
        pytest.skip(REASON)
    base = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        base = base.parent  # the workers share what one of them unpacked
    cache = base / "data"
    cache.mkdir(exist_ok=True)

    def unpacked(name: str) -> Path:
        plain = Path(DATA) / name
        if plain.is_file():
            return plain
        with (cache / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (cache / name).is_dir():
                with tarfile.open(Path(DATA) / f"{name}.tar.xz") as archive:
                    archive.extractall(cache / f"{name}.unpacking", filter="data")
                (cache / f"{name}.unpacking" / name).rename(cache / name)
        return cache / name

    return unpacked


@pytest.fixture(scope="session", autouse=True)
def no_power_cuts() -> Iterator[None]:
    """Files are not waited for until they are on the disk: only a power cut could tell, and it takes long.

    That whatever counts was waited for is in tests/collection/test_sealed.py and test_writer.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def few_processes() -> Iterator[None]:
    """Some thousand pages are parsed in the process of the test: others have the other cores, and workers start slowly.

    Tests of the workers say so (tests/collection/test_workers.py); a `pagekin` that is started has them as ever.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pagekin.collection.workers.FEW_PAGES", 5_000)
        yield


@pytest.fixture
def full(tmp_path: Path) -> Callable[[], Path]:
    """`full()` is a new path at which every write finds the disk full: a link to /dev/full.

    Never hand out the device itself: pyarrow removes a file that it failed to write, and the superuser may remove that.
    """
    if not Path("/dev/full").is_char_device():
        pytest.skip("there is no /dev/full here")
    made = count()

    def link() -> Path:
        path = tmp_path / f"full-{next(made)}"
        path.symlink_to("/dev/full")
        return path

    return link


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    ran = sum("data" in getattr(report, "keywords", ()) for report in terminalreporter.getreports("passed"))
    failed = sum("data" in getattr(report, "keywords", ()) for report in terminalreporter.getreports("failed"))
    skipped = sum("data" in getattr(report, "keywords", ()) for report in terminalreporter.getreports("skipped"))
    terminalreporter.write_line(f"real-data gates: {ran} held, {failed} broken, {skipped} skipped")
