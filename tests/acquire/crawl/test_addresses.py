"""Which machines may be connected to: by the address itself, and by what a name resolves to at that very moment."""

import pytest

from pagekin.acquire.crawl.addresses import is_private, literal, resolutions
from pagekin.acquire.crawl.resolver import Resolver
from pagekin.acquire.crawl.rules import PRIVATE, Rules
from pagekin.errors import UsageError

PRIVATE_ADDRESSES = [
    "127.0.0.1", "127.8.9.10", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_private_addresses(address):
    assert is_private(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "151.101.1.69", "2606:4700::6810:84e5", "64:ff9b::808:808"])
def test_public_addresses(address):
    assert not is_private(address)


def test_allowed_networks():
    assert not is_private("127.0.0.2", ["127.0.0.2/32"])
    assert is_private("127.0.0.1", ["127.0.0.2/32"])
    assert not is_private("::1", ["0.0.0.0/0", "::/0"])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]:8080/",
        "http://localhost/",
        "http://a.localhost:1/",
        "http://169.254.169.254/latest/",
    ],
)
def test_an_address_that_is_private_by_its_looks_is_not_even_resolved(url):
    assert Rules([], across=True).against(url) == PRIVATE
    assert Rules([], across=True, private=["0.0.0.0/0", "::/0"]).against(url) is None


class Receiver:
    def __init__(self):
        self.got = []
        self.ended = False

    def resolutionBegan(self, resolution):  # noqa: N802
        pass

    def addressResolved(self, address):  # noqa: N802
        self.got.append((address.host, address.port))

    def resolutionComplete(self):  # noqa: N802
        self.ended = True


class System:
    """A name server that changes its mind."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.nameResolver = self

    def resolveHostName(self, receiver, name, port=0, types=None, semantics="TCP"):  # noqa: N802
        from twisted.internet.address import IPv4Address

        receiver.resolutionBegan(self)
        for address in self.answers.pop(0):
            receiver.addressResolved(IPv4Address("TCP", address, port))
        receiver.resolutionComplete()
        return self


def asked(resolver, name="rebound.example"):
    receiver = Receiver()
    resolver.resolveHostName(receiver, name, 80)
    assert receiver.ended
    return receiver.got


def test_a_name_that_turns_private_is_refused_when_it_does():
    resolver = Resolver(System(["93.184.216.34"], ["127.0.0.1"], ["10.0.0.1", "93.184.216.34"]), (), ())
    assert asked(resolver) == [("93.184.216.34", 80)]
    assert resolver.refused == set()
    assert asked(resolver) == []
    assert resolver.refused == {"rebound.example"}
    assert asked(resolver) == [("93.184.216.34", 80)]


def test_resolve_maps_names_and_is_sieved_too():
    mapped = resolutions(["bees.example=127.0.0.1:8080", "kites.example=93.184.216.34"])
    assert asked(Resolver(System(), ("127.0.0.0/8",), mapped), "bees.example") == [("127.0.0.1", 8080)]
    assert asked(Resolver(System(), (), mapped), "bees.example") == []
    assert asked(Resolver(System(), (), mapped), "kites.example") == [("93.184.216.34", 80)]


def test_resolve_reads_a_file(tmp_path):
    (tmp_path / "hosts.txt").write_text("# the demo web\nbees.example=127.0.0.1:81\n\n*=[::1]:82\n")
    assert resolutions([str(tmp_path / "hosts.txt")]) == (("bees.example", "127.0.0.1", 81), ("*", "::1", 82))


@pytest.mark.parametrize("written", ["a=b:80", "a=1.2.3.4:99999", "=1.2.3.4", "a=1.2.3.400", "no-such-file"])
def test_resolve_says_what_it_wants(written):
    with pytest.raises(UsageError, match="HOST=ADDRESS:PORT"):
        resolutions([written])


def test_literals():
    assert literal("1.2.3.4:80") == "1.2.3.4"
    assert literal("a.example") is None
