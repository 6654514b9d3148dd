"""Resolves names for Scrapy: as the system does, but without private addresses, and as `--resolve` says.

Twisted connects to the very addresses that come from here, so a name that is public when it is checked and private
when it is connected to (DNS rebinding) gets nowhere.
"""

from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from pagekin.acquire.crawl.addresses import is_private


@implementer(IResolutionReceiver)
class Sieve:
    """Passes on only the addresses that may be connected to."""

    def __init__(self, receiver: Any, resolver: "Resolver", name: str) -> None:
        self.receiver, self.resolver, self.name = receiver, resolver, name

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802 - Twisted's name
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if is_private(address.host, self.resolver.private):
            self.resolver.refused.add(self.name)
        else:
            self.receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.receiver.resolutionComplete()


@implementer(IHostResolution)
class Mapped:
    """A resolution that needs no lookup, because `--resolve` gives the address."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        pass


@implementer(IHostnameResolver)
class Resolver:
    """The reactor's resolver with a sieve; `refused` holds the names that had private addresses."""

    def __init__(
        self, reactor: Any, private: tuple[str, ...], resolve: tuple[tuple[str, str, int | None], ...]
    ) -> None:
        self.reactor, self.private = reactor, private
        self.system = reactor.nameResolver
        self.mapped = {host: (address, port) for host, address, port in resolve}
        self.refused: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> "Resolver":
        settings = crawler.settings["PAGEKIN"]
        return cls(reactor, settings.private, settings.resolve)

    def install_on_reactor(self) -> None:
        self.reactor.installNameResolver(self)

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Any = None,  # noqa: N803
        transportSemantics: Any = "TCP",  # noqa: N803
    ) -> Any:
        receiver = Sieve(resolutionReceiver, self, hostName)
        found = self.mapped.get(hostName) or self.mapped.get("*")
        if found is None:
            return self.system.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)
        address, port = found
        resolution = Mapped(hostName)
        receiver.resolutionBegan(resolution)
        kind = IPv6Address if ":" in address else IPv4Address
        receiver.addressResolved(kind(transportSemantics, address, port or portNumber))
        receiver.resolutionComplete()
        return resolution
