"""Starts a Spark session and ends it: quietly, on loopback, with nothing left in anybody's folder.

Whatever may be missing is asked for first, so that it is said in a sentence: Java, its version, a master that answers
and a worker that takes work. Nothing waits without a bound.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from pagekin.engine.memory import memory
from pagekin.errors import MissingExtraError, PagekinError, UnsupportedSystemError, UsageError
from pagekin.wording import option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA = 17  # the oldest that Spark 4 runs on
ANSWER_S = 10  # that a master has to answer
START_S = 120  # that a session has to start, and that a worker has to take the first task
LOOPBACK = "127.0.0.1"

_STANDALONE = re.compile(r"spark://(\[[0-9a-fA-F:]+\]|[^:/,\[\]]+):(\d+)")
_MASTERS = re.compile(r"local(\[(\*|\d+)(,\s*\d+)?\])?|yarn|k8s://\S+|spark://\S+")

# Errors alone, in a file: a terminal is for what pagekin says.
LOGGING = """\
rootLogger.level = error
rootLogger.appenderRef.file.ref = file
appender.file.type = Console
appender.file.name = file
appender.file.target = SYSTEM_ERR
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c{1}: %m%n%ex{1}
"""


@contextmanager
def session(master: str) -> Iterator["SparkSession"]:
    """A session of Spark at a master: `local[2]`, `spark://host:7077`; ended afterwards, with its Java."""
    check_master(master)
    check_java()
    _check_answer(master)
    with TemporaryDirectory(prefix="pagekin-spark-") as folder:
        started = _started(master, Path(folder))
        try:
            _check_worker(started, master)
            yield started
        finally:
            _stop(started)


def check_master(master: str) -> None:
    """Refuse what is no master of Spark, before anything is started."""
    if not _MASTERS.fullmatch(master):
        raise UsageError(f"{option('master', master)} is no master of Spark; expected local[2] or spark://HOST:7077")


def check_java() -> None:
    """Refuse to start without pyspark, or without a Java that Spark runs on."""
    try:
        from pyspark import SparkContext
    except ImportError as error:
        raise MissingExtraError("PySpark", "spark") from error
    if SparkContext._active_spark_context is not None:
        raise PagekinError("this program has a Spark session already; stop it first, and run this again")
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    install = f"install Java {JAVA} or later (on Debian: apt install openjdk-17-jre-headless)"
    if java is None:
        raise UnsupportedSystemError(f"Spark needs Java, and there is none here; {install}")
    found = java_version(java)
    if found is None:
        where = f"JAVA_HOME={home}" if home else java
        raise UnsupportedSystemError(f"Spark needs Java, and {where} does not run; {install}, and set JAVA_HOME to it")
    if found < JAVA:
        raise UnsupportedSystemError(f"Spark needs Java {JAVA} or later, and {java} is {found}; {install}")


def java_version(java: str) -> int | None:
    """The version of a Java, if it runs: 17 of `openjdk version "17.0.15"`, 8 of `java version "1.8.0_292"`."""
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=START_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(found[1]) if found and done.returncode == 0 else None


def _check_answer(master: str) -> None:
    """Refuse a master of a standalone cluster that nobody answers for: Spark itself would try for a minute."""
    if not master.startswith("spark://"):
        return
    hosts = [
        _STANDALONE.fullmatch(each if each.startswith("spark://") else f"spark://{each}") for each in master.split(",")
    ]
    if None in hosts:
        raise UsageError(f"{option('master', master)} has no host and port; expected for example spark://HOST:7077")
    wrong = ""
    for each in hosts:
        assert each is not None
        try:
            socket.create_connection((each[1].strip("[]"), int(each[2])), ANSWER_S).close()
            return
        except (OSError, OverflowError) as error:
            wrong = str(error)
    raise PagekinError(
        f"nobody answers at {master} ({wrong}); start the cluster, or use {option('master', 'local[2]')}"
    )


def _settings(master: str, folder: Path) -> dict[str, str]:
    """What pagekin asks of Spark; the rest is as spark-defaults.conf says."""
    logging = folder / "log4j2.properties"
    logging.write_text(LOGGING)
    quiet = f'-Dlog4j2.configurationFile={logging.as_uri()} -Djava.io.tmpdir="{folder}"'
    own = {
        "spark.app.name": "pagekin",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": quiet,
        "spark.sql.catalogImplementation": "in-memory",  # no metastore
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
        "spark.sql.adaptive.enabled": "true",  # splits what is skewed, and joins small pieces
        "spark.driver.maxResultSize": "0",  # results are bounded by pagekin: large ones go through files
        # Files in folders of a collection are tables and nothing else, so that a killed build can be swept up.
        "spark.hadoop.fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
        "spark.hadoop.fs.AbstractFileSystem.file.impl": "org.apache.hadoop.fs.local.RawLocalFs",
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    if is_local(master) or _on_loopback(master):
        own |= {"spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK}
    if is_local(master):
        own |= {"spark.driver.memory": f"{max(memory() >> 20, 512)}m", "spark.local.dir": str(folder / "spilled")}
    return own


def is_local(master: str) -> bool:
    """Whether Spark runs within this process's Java alone."""
    return master.startswith("local")


def _on_loopback(master: str) -> bool:
    found = _STANDALONE.fullmatch(master)
    return found is not None and found[1] in (LOOPBACK, "localhost", "[::1]")


def _started(master: str, folder: Path) -> "SparkSession":
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    for name, value in _settings(master, folder).items():
        builder = builder.config(name, value)
    said = folder / "said.txt"
    try:
        with _environment(_environ(master)), _stderr_in(said):
            made = builder.getOrCreate()
    except (Py4JError, PySparkException, OSError, RuntimeError, TypeError) as error:
        _end_java()
        raise PagekinError(f"Spark does not start at {master}: {_last_line(said) or error}") from error
    except BaseException:  # Ctrl-C
        _end_java()
        raise
    return made


def _environ(master: str) -> dict[str, str]:
    """Workers run the Python that runs this, unless the user has said otherwise; nothing is taken from SPARK_HOME."""
    import pyspark

    own = {
        "PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
    }
    return own | ({"SPARK_LOCAL_IP": LOOPBACK} if is_local(master) or _on_loopback(master) else {})


@contextmanager
def _environment(more: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _stderr_in(file: Path) -> Iterator[None]:
    """Processes begun inside this context write what they say to a file: Java has warnings of its own."""
    kept = os.dup(2)
    with file.open("wb") as to:
        os.dup2(to.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _last_line(file: Path) -> str:
    """The last line in which Java names an error."""
    with suppress(OSError):
        lines = file.read_text(errors="replace").splitlines()
        named = [line for line in lines if re.search(r"Error|Exception|error:", line)]
        return named[-1].strip() if named else ""
    return ""


def _check_worker(started: "SparkSession", master: str) -> None:
    """Refuse a cluster in which no worker takes a task: Spark itself would wait for ever."""
    context = started.sparkContext
    if is_local(master):
        return
    done: list[Any] = []

    def first_task() -> None:
        with suppress(Exception):  # it is cancelled, or the master is gone
            done.extend(context.parallelize([1], 1).collect())

    task = Thread(target=first_task, daemon=True)
    task.start()
    task.join(START_S)
    if not done:
        context.cancelAllJobs()
        room = started.conf.get("spark.executor.memory", "1g")
        raise PagekinError(
            f"no worker at {master} took a task within {START_S} seconds; see that workers are registered, and have a "
            f"core and {room} of memory free, and the Python {context.pythonExec}"
        )


def _stop(started: "SparkSession") -> None:
    with suppress(Exception):  # of a Java that is gone
        started.stop()
    _end_java()


def _end_java() -> None:
    """End the Java that pyspark would keep until Python ends; another session may need other settings."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return
    with suppress(Exception):
        gateway.shutdown()
    process = getattr(gateway, "proc", None)
    if process is not None:
        with suppress(OSError):
            process.stdin.close()  # at which it ends
        try:
            process.wait(ANSWER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    SparkContext._gateway = SparkContext._jvm = None
