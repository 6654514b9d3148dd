"""Decides which machines may be connected to: the public Internet, and nothing behind our own firewall.

A page can link, or a name resolve, to 127.0.0.1, to a router or to the machine that hands out a cloud's passwords. So
addresses are checked where the connection is made, after the name is resolved (`resolver`): an earlier check could be
out of date.
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from pagekin.errors import UsageError
from pagekin.wording import option

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolution = tuple[str, str, int | None]  # host, address, port

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# The blocks that IANA's special-purpose registries call not globally reachable, and multicast. Python's own `is_global`
# differs between versions and does not know all of them.
_NOT_PUBLIC_4 = tuple(map(ipaddress.IPv4Network, (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",  # the last looks after each machine in Azure, from within
)))  # fmt: skip
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")  # the only unicast addresses that IANA hands out
_NOT_PUBLIC_6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
# Exceptions within these blocks: anycast of PCP, TURN, DNS-SD, AMT and AS112; identifiers of machines and of drones.
_YET_PUBLIC = tuple(map(ipaddress.ip_network, (
    "192.0.0.9/32", "192.0.0.10/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32",
    "2001:4:112::/48", "2001:20::/28", "2001:30::/28",
)))  # fmt: skip
_ENTRY = re.compile(r"([^=\s]+)=(\[[0-9A-Fa-f:.]+\]|[0-9.]+)(?::(\d{1,5}))?")


def is_private(address: str, allowed: Sequence[str] = ()) -> bool:
    """Whether an IP address is outside the public Internet and not in an `allowed` network.

    >>> is_private("169.254.169.254"), is_private("::ffff:10.0.0.1"), is_private("151.101.1.1")
    (True, True, False)
    >>> is_private("127.0.0.1", ["127.0.0.0/8"])
    False
    """
    real = _unwrapped(ipaddress.ip_address(address.partition("%")[0]))
    if _is_public(real):
        return False
    return not any(real.version == network.version and real in network for network in map(_network, allowed))


def _is_public(address: Address) -> bool:
    if any(address in block for block in _YET_PUBLIC if block.version == address.version):
        return True
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in _NOT_PUBLIC_4)
    return address in _PUBLIC_6 and not any(address in block for block in _NOT_PUBLIC_6)


def _unwrapped(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one (mapped, 6to4, Teredo, NAT64), else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
    if inside is None and address in _NAT64:
        inside = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return inside or address


@lru_cache(64)
def _network(written: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(written)


def literal(host: str) -> str | None:
    """The IP address if a host (with or without a port) is one; None if it is a name.

    >>> literal("[::1]:8080"), literal("127.0.0.1"), literal("a.example:80")
    ('::1', '127.0.0.1', None)
    """
    bare = host[1 : host.index("]")] if host.startswith("[") else host.partition(":")[0]
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return None
    return bare


def resolutions(written: Iterable[str]) -> tuple[Resolution, ...]:
    """Read `HOST=ADDRESS:PORT`, or files of such lines, as `--resolve` takes them; the host `*` means any.

    >>> resolutions(["bees.example=127.0.0.1:8080", "*=[::1]"])
    (('bees.example', '127.0.0.1', 8080), ('*', '::1', None))
    """
    found: list[Resolution] = []
    for text in written:
        lines = [text] if "=" in text else _lines(text)
        found += [_resolution(line) for line in lines]
    return tuple(found)


def _lines(file: str) -> list[str]:
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        wanted = f"{option('resolve')} takes HOST=ADDRESS:PORT, or a file of such lines"
        raise UsageError(f"{wanted}; {file}: {error}") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _resolution(line: str) -> Resolution:
    entry = _ENTRY.fullmatch(line)
    try:
        if entry is None or int(entry[3] or 1) not in range(1, 65_536):
            raise ValueError
        return entry[1].lower(), str(ipaddress.ip_address(entry[2].strip("[]"))), int(entry[3]) if entry[3] else None
    except ValueError:
        raise UsageError(f"'{line}' is not HOST=ADDRESS:PORT, like bees.example=127.0.0.1:8080") from None
