"""What Spark says when something goes wrong, as it was seen to, becomes an error that says what to do."""

import errno

import pytest

from pagekin.engine.jobs import explained
from pagekin.errors import PagekinError


class Py4JJavaError(Exception):
    """As py4j's, which cannot be made without a Java."""


Py4JJavaError.__module__ = "py4j.protocol"

TRACEBACK = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 3.0 failed 4 times:
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "worker.py", line 1, in main
    process()
  File "task.py", line 9, in work
    return 1 / 0
ZeroDivisionError: division by zero

\tat org.apache.spark.api.python.BasePythonRunner.handlePythonException(PythonRunner.scala:572)
"""


def test_what_a_task_raised_is_named():
    told = explained(Py4JJavaError(TRACEBACK))
    assert isinstance(told, PagekinError)
    assert str(told).endswith("tried again in vain: ZeroDivisionError: division by zero")


def test_where_no_task_raised_anything_java_s_cause_is_named():
    """Not the call of py4j, which says nothing."""
    text = """An error occurred while calling o976.parquet.
: org.apache.spark.SparkException: Job aborted.
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.jobAbortedError(QueryExecutionErrors.scala:638)
Caused by: org.apache.spark.SparkFileNotFoundException: it is possible the files have been updated
\tat org.apache.spark.sql.execution.FileScanRDD.readFile(FileScanRDD.scala:215)
"""
    found = str(explained(Py4JJavaError(text)))
    assert found.endswith(
        "vain: org.apache.spark.SparkFileNotFoundException: it is possible the files have been updated"
    )
    found = str(explained(Py4JJavaError(text.partition("Caused")[0])))
    assert found.endswith("in vain: org.apache.spark.SparkException: Job aborted.")


@pytest.mark.parametrize(
    "text",
    ["java.io.IOException: No space left on device", "OSError: [Errno 28] No space left on device: '/x/y.new'"],
)
def test_a_full_disk_is_one(text):
    told = explained(Py4JJavaError(text))
    assert isinstance(told, OSError)
    assert told.errno == errno.ENOSPC


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("java.lang.OutOfMemoryError: Java heap space", "ran out of memory; give workers more"),
        ("MemoryError: Unable to allocate 1. GiB", "ran out of memory"),
        ("org.apache.spark.SparkException: Job 0 cancelled because SparkContext was shut down", "Spark ended before"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/shared/a.kin/x.parquet.", "does not see /shared/a.kin/x.parquet"),
    ],
)
def test_what_is_lacking_is_said(text, said):
    told = explained(Py4JJavaError(text))
    assert isinstance(told, PagekinError)
    assert said in str(told)


def test_an_error_that_is_not_of_spark_stays():
    error = KeyError("x")
    assert explained(error) is error


def test_an_error_whose_java_is_gone():
    class GoneError(Py4JJavaError):
        def __str__(self):
            raise ConnectionRefusedError

    assert "Spark ended before the work did" in str(explained(GoneError()))
