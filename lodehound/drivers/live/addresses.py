"""Which network addresses a crawl may connect to.

A page may link or redirect to an address inside the crawler's own network (server-side request
forgery). Only public addresses are connected to, except for the start hosts that the user named
and what ``--allow-private`` names. The check is made on the address that is connected to, not on
the name. What the name of a start host leads to at first decides for good: a public host may not
become a private one later (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Self

from lodehound.core.errors import ConfigError
from lodehound.core.urls import canonical, host_of, name_of
from lodehound.stores.crawl_dir import Reach

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# The IPv4 blocks of the IANA Special-Purpose Address Registry, and multicast. Python's own
# table depends on its version, and takes some of these for global.
SPECIAL_IPV4 = tuple(
    map(
        ipaddress.IPv4Network,
        """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
        192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
        192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
        240.0.0.0/4""".split(),
    )
)
# IANA allocates public IPv6 addresses from this block only (RFC 4291, 2.4).
ALLOCATED_IPV6 = ipaddress.IPv6Network("2000::/3")
# What the IPv6 registry sets apart in it: IETF protocols with Teredo, documentation, 6to4, AS112.
SPECIAL_IPV6 = tuple(
    map(
        ipaddress.IPv6Network,
        "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20".split(),
    )
)
# Blocks whose last 32 bits are the IPv4 address that is reached in the end. A network without IPv4
# of its own reaches every IPv4 host by the second (NAT64, RFC 6052). 6to4 and Teredo have no such
# use, and 64:ff9b:1::/48 is for private networks (RFC 8215): all of these are refused.
TRANSLATED = (ipaddress.IPv6Network("::ffff:0:0/96"), ipaddress.IPv6Network("64:ff9b::/96"))


class AddressGuard:
    """Says which addresses may be connected to.

    Args:
        hosts: Names and literal addresses that may be private.
        networks: Address ranges that may be private.
        starts: Names that may be private if they are so at first.
        first: What the names of start hosts led to at first, as far as is known.
        keep: Called with a start host and what it leads to, the first time.
    """

    def __init__(
        self,
        hosts: Collection[str] = (),
        networks: Sequence[Network] = (),
        starts: Collection[str] = (),
        *,
        first: Mapping[str, Reach] | None = None,
        keep: Callable[[str, Reach], object] = lambda *_: None,
    ) -> None:
        self.hosts = frozenset(hosts)
        self.networks = tuple(networks)
        self.starts = frozenset(starts)
        self._first: dict[str, Reach] = dict(first or {})
        self._keep = keep

    @classmethod
    def made_of(
        cls,
        starts: Collection[str],
        allowed: Collection[str] = (),
        *,
        first: Mapping[str, Reach] | None = None,
        keep: Callable[[str, Reach], object] = lambda *_: None,
    ) -> Self:
        """Make a guard from start URLs and the values of ``--allow-private``."""
        names = {name_of(host_of(url)) for url in starts}
        hosts = {name for name in names if is_literal(name)}  # these lead nowhere else
        networks: list[Network] = []
        for text in allowed:
            network = _network(text)
            if network is not None:
                networks.append(network)
            elif "/" in text or not (name := name_of(host_of(canonical(f"http://{text}/")))):
                raise ConfigError(f"--allow-private {text!r} is neither a host nor a network.")
            else:
                hosts.add(name)
        return cls(hosts, networks, names - hosts, first=first, keep=keep)

    def permitted(self, name: str, addresses: Sequence[str]) -> list[str]:
        """Return those addresses of a name that may be connected to.

        >>> AddressGuard().permitted("e.org", ["10.0.0.1", "8.8.8.8"])
        ['8.8.8.8']
        """
        name = name.lower()
        if name in self.hosts or (name in self.starts and self._is_private(name, addresses)):
            return [address for address in addresses if _parsed(address)]
        return [address for address in addresses if is_public(address) or self._is_near(address)]

    def was_public(self, name: str) -> bool:
        """Return whether a name is a start host that led to a public address at first."""
        return self._first.get(name.lower()) == "public"

    def _is_private(self, name: str, addresses: Sequence[str]) -> bool:
        """Return whether a start host may be private, as its first addresses decide."""
        if name not in self._first and addresses:
            reach: Reach = "public" if any(map(is_public, addresses)) else "private"
            self._first[name] = reach
            self._keep(name, reach)
        return self._first.get(name) == "private"

    def _is_near(self, address: str) -> bool:
        """Return whether an address is in a range that may be private."""
        place = _parsed(address)
        places = () if place is None else (place, _reached(place))
        return any(place in network for network in self.networks for place in places)


def is_public(address: str) -> bool:
    """Return whether an address is one of the public internet.

    >>> is_public("8.8.8.8"), is_public("64:ff9b::808:808"), is_public("64:ff9b::a00:1")
    (True, True, False)
    """
    place = _parsed(address)
    if place is None:
        return False
    place = _reached(place)
    if isinstance(place, ipaddress.IPv4Address):
        return not any(place in network for network in SPECIAL_IPV4)
    return place in ALLOCATED_IPV6 and not any(place in network for network in SPECIAL_IPV6)


def is_literal(name: str) -> bool:
    """Return whether a host name is an address already, so that no resolver will be asked.

    Also one in digits that the system would complete: 127.1.
    """
    return ":" in name or name.replace(".", "").isdigit()


def _parsed(address: str) -> Address | None:
    """Return an address without brackets and scope; None if it is none."""
    try:
        return ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _reached(place: Address) -> Address:
    """Return the IPv4 address that an IPv6 address is translated to, else the address itself."""
    if any(place in network for network in TRANSLATED):
        return ipaddress.IPv4Address(int(place) & 0xFFFF_FFFF)
    return place


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return None
