"""Which machines may be connected to: by the address itself, and by what a name resolves to at that very moment."""

import ipaddress

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


# Every block of IANA's two special-purpose registries, multicast, and blocks that were special once; True if it is
# globally reachable. Blocks that hold IPv4 addresses are further below.
REGISTRIES = {
    "0.0.0.0/8": False, "0.0.0.0/32": False, "10.0.0.0/8": False, "100.64.0.0/10": False, "127.0.0.0/8": False,
    "169.254.0.0/16": False, "172.16.0.0/12": False, "192.0.0.0/29": False, "192.0.0.8/32": False, "192.0.0.9/32": True,
    "192.0.0.10/32": True, "192.0.0.11/32": False, "192.0.0.170/32": False, "192.0.0.171/32": False,
    "192.0.0.192/32": False, "192.0.2.0/24": False, "192.31.196.0/24": True, "192.52.193.0/24": True,
    "192.88.99.0/24": False, "192.88.99.2/32": False, "192.168.0.0/16": False, "192.175.48.0/24": True,
    "198.18.0.0/15": False, "198.51.100.0/24": False, "203.0.113.0/24": False, "224.0.0.0/4": False,
    "240.0.0.0/4": False, "255.255.255.255/32": False, "168.63.129.16/32": False,
    "::1/128": False, "::/128": False, "::/96": False, "::ffff:0:0:0/96": False, "64:ff9b:1::/48": False,
    "100::/64": False, "100:0:0:1::/64": False, "200::/7": False, "2001:1::1/128": True, "2001:1::2/128": True,
    "2001:1::3/128": True, "2001:1::4/128": False, "2001:2::/48": False, "2001:3::/32": True, "2001:4:112::/48": True,
    "2001:10::/28": False, "2001:20::/28": True, "2001:30::/28": True, "2001:40::/26": False, "2001:db8::/32": False,
    "2620:4f:8000::/48": True, "3fff::/20": False, "4000::/3": False, "5f00::/16": False, "fc00::/7": False,
    "fe80::/10": False, "fec0::/10": False, "ff00::/8": False, "2001:200::/23": True, "3ffe::/16": True,
}  # fmt: skip


@pytest.mark.parametrize(("block", "public"), REGISTRIES.items())
def test_every_block_of_the_registries(block, public):
    network = ipaddress.ip_network(block)
    middle = network[network.num_addresses // 2]
    assert {is_private(str(each)) for each in (network[0], middle, network[-1])} == {not public}
    assert not is_private(str(middle), [block])


@pytest.mark.parametrize("inner", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "8.8.8.8"])
def test_an_address_within_an_address_decides(inner):
    number = int(ipaddress.IPv4Address(inner))
    holders = {
        "mapped": 0xFFFF << 32 | number,
        "NAT64": 0x64FF9B << 96 | number,
        "6to4": 0x2002 << 112 | number << 80 | 1,
        "Teredo": 0x20010000 << 96 | int(ipaddress.IPv4Address("65.54.227.120")) << 64 | (number ^ 0xFFFFFFFF),
    }
    private = inner != "8.8.8.8"
    for name, holder in holders.items():
        assert is_private(str(ipaddress.IPv6Address(holder))) is private, name
    for always in (number, 0x64FF9B0001 << 80 | number, 0xFFFF << 48 | number):  # compatible, local NAT64, translated
        assert is_private(str(ipaddress.IPv6Address(always)))


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
