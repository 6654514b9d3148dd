"""`pagekin serve` as a process of its own: it answers, with several workers too, and stops when it is told to."""

import pickle
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from multiprocessing.reduction import ForkingPickler

import httpx
import pytest

from pagekin.errors import PagekinError
from pagekin.serve import run
from pagekin.serve.run import is_everywhere, listening
from tests.gates import gates
from tests.serve.blog import PAGE

PROGRAM = [sys.executable, "-c", "from pagekin.shell.main import main; main()", "serve"]


@contextmanager
def serving(*words):
    """The address of a server; the process is told to stop and must do so in time."""
    process = subprocess.Popen([*PROGRAM, *map(str, words), "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        said = process.stderr.readline()
        yield re.search(r"serving .* at (http://\S+/)", said)[1], process
    finally:
        process.terminate()
        process.wait(10)
        process.stderr.close()


@pytest.mark.parametrize("workers", gates([1, 2], 2))
def test_a_server_answers_and_stops_within_ten_seconds(blog, workers):
    with serving(blog, "--workers", workers) as (address, process):
        with httpx.Client(base_url=address, timeout=60) as client:
            for _ in range(6):
                assert client.get("/api/related", params={"url": PAGE, "k": 3}).json()["results"][0]["rank"] == 1
            assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 421
            assert "server" not in client.get("/").headers
            counted = client.get("/metrics").text
        # Whichever worker is asked, it counts for all of them.
        assert 'pagekin_requests_total{route="/api/related",status="200"} 6\n' in counted
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert "Traceback" not in process.stderr.read()


def test_readers_who_go_before_their_answer_comes_do_not_end_it(blog):
    with serving(blog) as (address, process):
        port = int(address.rsplit(":", 1)[1].strip("/"))
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
        assert httpx.get(f"{address}healthz", timeout=60).status_code == 200
        assert process.poll() is None


def test_a_port_that_is_taken_is_said_to_be(blog):
    with listening("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run([*PROGRAM, str(blog), "--port", port], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert f"port {port}" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(("host", "port"), [("nowhere.invalid", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1)])
def test_an_address_that_cannot_be_had_is_an_error_in_words(host, port):
    with pytest.raises(PagekinError, match="choose another"):
        listening(host, port)


def test_all_interfaces():
    assert [is_everywhere(host) for host in ("0.0.0.0", "::", "127.0.0.1", "localhost")] == [True, True, False, False]


def test_the_socket_names_its_protocol_so_that_answers_do_not_wait_for_acknowledgements():
    with listening("127.0.0.1", 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_workers_take_turns_and_one_alone_takes_all(monkeypatch):
    now = 0.0
    monkeypatch.setattr(run, "monotonic", lambda: now)
    with listening("127.0.0.1", 0) as alone, ExitStack() as opened:
        alone.setblocking(False)
        workers = [opened.enter_context(pickle.loads(ForkingPickler.dumps(alone))) for _ in range(2)]
        for _ in range(7):
            opened.enter_context(socket.create_connection(alone.getsockname()))
        for taken in range(2):
            now += run.TURN_S * taken
            for worker in workers:
                opened.enter_context(worker.accept()[0])
            for worker in workers:
                with pytest.raises(BlockingIOError):  # for the others
                    worker.accept()
        for _ in range(3):
            opened.enter_context(alone.accept()[0])
        now += run.LONGEST_TURN_S
        for bound in (alone, *workers):
            with pytest.raises(BlockingIOError):  # there is none
                bound.accept()
