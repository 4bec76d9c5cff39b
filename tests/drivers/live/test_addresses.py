"""Which addresses may be connected to."""

from __future__ import annotations

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.urls import name_of
from lodehound.drivers.live.addresses import AddressGuard


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fc00::1", "ff02::1",
        "::ffff:10.0.0.1", "fe80::1%eth0", "[::1]", "not an address",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(address: str) -> None:
    assert AddressGuard().refuses("e.example", address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_global_addresses_are_not(address: str) -> None:
    assert not AddressGuard().refuses("e.example", address)


def test_a_host_named_as_start_may_be_private_under_that_name_only() -> None:
    guard = AddressGuard.made_of(["http://intra.example:8080/x"])

    assert not guard.refuses("intra.example", "10.0.0.1")
    assert guard.refuses("other.example", "10.0.0.1")


def test_allow_private_takes_hosts_and_networks() -> None:
    guard = AddressGuard.made_of([], ["10.1.0.0/16", "box.example", "::1"])

    assert not guard.refuses("any.example", "10.1.2.3")
    assert guard.refuses("any.example", "10.2.0.1")
    assert not guard.refuses("box.example", "192.168.0.7")
    assert not guard.refuses("any.example", "::1")


@pytest.mark.parametrize("text", ["10.0.0.0/99", "a/b", ""])
def test_a_bad_allow_private_is_named(text: str) -> None:
    with pytest.raises(ConfigError, match="--allow-private"):
        AddressGuard.made_of([], [text])


def test_names_lose_port_and_brackets() -> None:
    assert [name_of(h) for h in ("a.example:80", "[::1]:80", "[::1]")] == [
        "a.example",
        "::1",
        "::1",
    ]
