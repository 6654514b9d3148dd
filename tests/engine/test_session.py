"""What may be missing for Spark is said in a sentence, before anything is started."""

import socket
import stat

import pytest

from pagekin.engine import session as sessions
from pagekin.engine.session import check_java, check_master, java_version, session
from pagekin.errors import MissingExtraError, PagekinError, UnsupportedSystemError, UsageError

pytest.importorskip("pyspark", reason="PySpark is not installed; run: pip install 'pagekin[spark]'")


def java_that_says(folder, text, code=0):
    """A Java of which only the version is asked."""
    file = folder / "bin" / "java"
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\necho '{text}' >&2\nexit {code}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_292"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("not a java", None),
    ],
)
def test_the_version_of_a_java(tmp_path, text, version):
    assert java_version(str(java_that_says(tmp_path, text))) == version


def test_a_java_that_fails_is_none(tmp_path):
    assert java_version(str(java_that_says(tmp_path, 'version "17"', 1))) is None
    assert java_version(str(tmp_path / "nothing")) is None


def test_no_java(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnsupportedSystemError, match=r"Spark needs Java, and there is none here; install Java 17"):
        check_java()


def test_too_old_a_java(monkeypatch, tmp_path):
    java_that_says(tmp_path, 'openjdk version "11.0.2"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(UnsupportedSystemError, match=r"Java 17 or later, and .*/bin/java is 11; install"):
        check_java()


def test_a_java_home_without_java(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(UnsupportedSystemError, match=r"JAVA_HOME=.* does not run; .* set JAVA_HOME"):
        check_java()


def test_no_pyspark(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyspark", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pagekin\[spark\]'"):
        check_java()


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]", "local[2, 3]", "yarn", "spark://a:7077"])
def test_masters(master):
    check_master(master)


@pytest.mark.parametrize("master", ["", "nowhere", "http://a:7077", "local[two]", "local[2", "spark://"])
def test_what_is_no_master(master):
    with pytest.raises(UsageError, match=r"no master of Spark; expected local\[2\] or spark://HOST:7077"):
        check_master(master)


@pytest.fixture
def with_java(monkeypatch):
    monkeypatch.setattr(sessions, "check_java", lambda: None)


@pytest.mark.parametrize("master", ["spark://host", "spark://host:7077,other", "spark://a/b:1"])
def test_a_master_without_a_port(with_java, master):
    with pytest.raises(UsageError, match="no host and port"), session(master):
        pass


def test_a_master_that_nobody_answers_for(with_java):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and never listens
        master = f"spark://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(PagekinError, match=r"nobody answers at spark://127.*start the cluster"), session(master):
            pass
    with pytest.raises(PagekinError, match="nobody answers"), session("spark://127.0.0.1:99999"):
        pass
