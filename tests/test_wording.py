"""Remedies in the language of whoever asked."""

from threading import Thread

from pagekin.wording import command, option, speaking


def test_python_names_and_values():
    assert option("per_host") == "per_host"
    assert option("method", "block(scope=site)") == 'method="block(scope=site)"'
    assert option("from", "warc") == 'kind="warc"'
    assert command("build", "a b.kin") == 'Collection("a b.kin").build()'
    assert command("scrub", "a.kin", index="x", k=3) == 'Collection("a.kin").scrub(index="x", k=3)'


def test_flags_are_quoted_as_a_shell_wants_them():
    with speaking("shell"):
        assert option("per_host", 3) == "--per-host 3"
        assert option("method", "block(scope=site)") == "--method 'block(scope=site)'"
        assert option("from", "warc") == "--from warc"
        assert command("build", "a.kin", index="it's") == "pagekin build a.kin --index 'it'\"'\"'s'"
    assert option("per_host") == "per_host"


def test_one_thread_s_language_is_not_another_s():
    said = []
    with speaking("shell"):
        other = Thread(target=lambda: said.append(option("k")))
        other.start()
        other.join()
    assert said == ["k"]
