"""Files at addresses of the file systems that Spark is configured for: `hdfs://…`, `s3a://…`, `file://…`.

Names are listed by the driver's Java, bytes are read by tasks (`binaryFiles`): a whole file at a time, so one may have
2 GB at most, and a worker needs memory for it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pagekin.errors import SourceError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.core.rdd import RDD

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/(?!/)")
_PATTERN = re.compile(r"[,*?\[\]{}\\^]")  # what a list of Hadoop's patterns would not take as it is


def listed(context: "SparkContext", address: str) -> list[str]:
    """The files at an address: a file, a folder with all below it, or a pattern (`*`, `{a,b}`); in order."""
    from py4j.protocol import Py4JError

    try:
        return sorted(_files(context, address))
    except Py4JError as error:
        said = getattr(error, "java_exception", None)
        raise SourceError(
            f"Spark cannot list {address}: {str(said or error).splitlines()[0]}; expected an address of a file system "
            "that Spark is configured for (SPARK_CONF_DIR; hadoop-aws for s3a://)"
        ) from None


def _files(context: Any, address: str) -> Iterator[str]:
    path = context._jvm.org.apache.hadoop.fs.Path(address)
    system = path.getFileSystem(context._jsc.hadoopConfiguration())
    for found in system.globStatus(path) or ():
        if not found.isDirectory():
            yield found.getPath().toString()
            continue
        below = system.listFiles(found.getPath(), True)
        while below.hasNext():
            yield below.next().getPath().toString()


def contents(context: "SparkContext", files: Sequence[str]) -> "RDD[tuple[str, bytes]]":
    """The files that `listed` found, each with its bytes."""
    wanted = frozenset(files)
    patterns = ",".join(_PATTERN.sub("?", file) for file in files)  # which may fit other files, too
    return context.binaryFiles(patterns, len(files)).filter(lambda file: file[0] in wanted)


def written(address: str) -> str:
    """An address as people write it; Hadoop leaves out the slashes of an empty host.

    >>> written("file:/web/a.warc.gz"), written("s3a://web/a.warc.gz")
    ('file:///web/a.warc.gz', 's3a://web/a.warc.gz')
    """
    return SCHEME.sub(r"\1:///", address, count=1)


def named(task: Callable[[tuple[Any, ...]], Any]) -> Callable[[tuple[str, bytes]], tuple[str, Any]]:
    """A task over files and their bytes, whose results are found by file."""
    return lambda file: (file[0], task((written(file[0]), file[1])))
