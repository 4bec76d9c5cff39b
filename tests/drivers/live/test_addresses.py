"""Which addresses may be connected to."""

from __future__ import annotations

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.urls import name_of
from lodehound.drivers.live.addresses import AddressGuard, is_literal, is_public
from lodehound.stores.crawl_dir import Reach

# One address of each block that the registries of IANA set apart, and of each form in which an
# IPv6 address leads to an IPv4 address.
PRIVATE = """0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1
    172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.2.1 192.31.196.1
    192.52.193.1 192.88.99.1 192.168.1.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.1.2.3 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:10.0.0.1 ::ffff:192.0.0.8 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
    64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b::192.88.99.1 64:ff9b:1::1 64:ff9b:1::8.8.8.8
    100::1 100:0:0:1::1 2001::1 2001:0:5ef5:79fd::80ff:fffe 2001:1::1 2001:2::1 2001:3::1
    2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1
    2620:4f:8000::1 3fff::1 4000::1 5f00::1 8000::1 fc00::1 fdff::1 fe80::1 fe80::1%eth0
    fec0::1 ff02::1 ff0e::1""".split()
PUBLIC = """8.8.8.8 93.184.216.34 100.63.255.255 172.32.0.1 192.0.1.1 198.20.0.1 223.255.255.255
    2001:200::1 2001:4860:4860::8888 2606:2800:220:1::1 2a00:1450:4001:81b::200e 3ffe::1
    ::ffff:8.8.8.8 64:ff9b::8.8.8.8""".split()


@pytest.mark.parametrize("address", [*PRIVATE, "[::1]", "127.1", "0x7f.0.0.1", "not an address"])
def test_other_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_public(address: str) -> None:
    """Also a public IPv4 address as a network without IPv4 reaches it (NAT64)."""
    assert is_public(address)


def test_private_addresses_are_left_out() -> None:
    assert AddressGuard().permitted("e.example", [*PRIVATE, *PUBLIC]) == PUBLIC


def test_a_host_named_as_start_may_be_private_under_that_name_only() -> None:
    guard = AddressGuard.made_of(["http://intra.example:8080/x", "http://10.9.9.9/"])

    assert guard.permitted("Intra.example", ["10.0.0.1"]) == ["10.0.0.1"]
    assert guard.permitted("10.9.9.9", ["10.9.9.9"]) == ["10.9.9.9"]
    assert guard.permitted("other.example", ["10.0.0.1", "10.9.9.9"]) == []
    assert guard.permitted("intra.example", ["no address"]) == []


@pytest.mark.parametrize("first", [["8.8.8.8"], ["10.0.0.1", "8.8.8.8"], ["64:ff9b::808:808"]])
def test_a_start_host_that_was_public_stays_so(first: list[str]) -> None:
    kept: dict[str, Reach] = {}
    guard = AddressGuard.made_of(["http://e.example/"], keep=kept.__setitem__)
    assert guard.permitted("e.example", []) == []
    assert kept == {}

    assert guard.permitted("e.example", first) == first[-1:]
    assert guard.permitted("e.example", ["10.0.0.1", "9.9.9.9"]) == ["9.9.9.9"]
    assert kept == {"e.example": "public"}

    later = AddressGuard.made_of(["http://e.example/"], first=kept)
    assert later.permitted("e.example", ["127.0.0.1"]) == []
    allowed = AddressGuard.made_of(["http://e.example/"], ["e.example"], first=kept)
    assert allowed.permitted("e.example", ["127.0.0.1"]) == ["127.0.0.1"]


def test_a_start_host_that_was_private_stays_so() -> None:
    """Its name may lead elsewhere while the user is on another network."""
    kept: dict[str, Reach] = {}
    guard = AddressGuard.made_of(["http://e.example/"], keep=kept.__setitem__)
    for address in ("10.0.0.1", "8.8.8.8", "10.0.0.1"):
        assert guard.permitted("e.example", [address]) == [address]
    assert kept == {"e.example": "private"}

    later = AddressGuard.made_of(["http://e.example/"], first=kept)
    assert later.permitted("e.example", ["8.8.8.8"]) == ["8.8.8.8"]
    assert later.permitted("e.example", ["10.0.0.1"]) == ["10.0.0.1"]


def test_allow_private_takes_hosts_and_networks() -> None:
    guard = AddressGuard.made_of([], ["10.1.0.0/16", "box.example", "::1", "64:ff9b:1::/48"])
    addresses = "10.1.2.3 10.2.0.1 ::1 ::ffff:10.1.2.3 64:ff9b::a01:203 64:ff9b:1::1".split()

    assert guard.permitted("any.example", [*addresses, "::2"]) == [addresses[0], *addresses[2:]]
    assert guard.permitted("box.example", ["192.168.0.7"]) == ["192.168.0.7"]


@pytest.mark.parametrize("text", ["10.0.0.0/99", "a/b", ""])
def test_a_bad_allow_private_is_named(text: str) -> None:
    with pytest.raises(ConfigError, match="--allow-private"):
        AddressGuard.made_of([], [text])


def test_names_that_no_resolver_is_asked_for_are_literal() -> None:
    names = ["127.0.0.1", "127.1", "2130706433", "::1", "fe80::1%eth0", "e.example", "1.example"]

    assert [is_literal(name) for name in names] == [True] * 5 + [False] * 2


def test_names_lose_port_and_brackets() -> None:
    assert [name_of(h) for h in ("a.example:80", "[::1]:80", "[::1]")] == [
        "a.example",
        "::1",
        "::1",
    ]
