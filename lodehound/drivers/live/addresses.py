"""Which network addresses a crawl may connect to.

A page may link or redirect to an address inside the crawler's own network
(server-side request forgery). Only global addresses are connected to, except
for the hosts the user named as start URLs and what ``--allow-private`` names.
The check is made on the address that is connected to, not on the name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from lodehound.core.errors import ConfigError
from lodehound.core.urls import canonical, host_of, name_of

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class AddressGuard:
    """Says which addresses may be connected to.

    Args:
        hosts: Names and literal addresses that may be private.
        networks: Address ranges that may be private.
    """

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def made_of(cls, starts: Collection[str], allowed: Collection[str] = ()) -> Self:
        """Make a guard from start URLs and the values of ``--allow-private``."""
        hosts = {name_of(host_of(url)) for url in starts}
        networks: list[Network] = []
        for text in allowed:
            network = _network(text)
            if network is not None:
                networks.append(network)
            elif "/" in text or not (name := name_of(host_of(canonical(f"http://{text}/")))):
                raise ConfigError(f"--allow-private {text!r} is neither a host nor a network.")
            else:
                hosts.add(name)
        return cls(frozenset(hosts), tuple(networks))

    def refuses(self, name: str, address: str) -> bool:
        """Say whether a connection to this address, asked for under this name, is refused.

        >>> AddressGuard().refuses("e.org", "10.0.0.1"), AddressGuard().refuses("e.org", "8.8.8.8")
        (True, False)
        """
        try:
            place = ipaddress.ip_address(address.partition("%")[0].strip("[]"))
        except ValueError:
            return True
        if isinstance(place, ipaddress.IPv6Address) and place.ipv4_mapped is not None:
            place = place.ipv4_mapped
        if place.is_global and not place.is_multicast:
            return False
        return name.lower() not in self.hosts and not any(place in net for net in self.networks)


def literal(name: str) -> bool:
    """Say whether a host name is an address already, so that no resolver will be asked."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return None
