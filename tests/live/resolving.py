"""The command line with a resolver of its own, on a machine whose only network is loopback.

``python -m tests.live.resolving crawl ...``. Whoever tries to connect elsewhere is told so, and
so are we: the word ``CONNECTED`` on stderr. The address of ``moving.test`` is in the environment.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from typing import Any

from lodehound.cli import main

NAMES = {
    "office.test": "127.0.0.1",
    "loopback.office.test": "127.0.0.1",
    "private.office.test": "10.255.255.1",
    "shared.office.test": "100.64.0.1",
    "linklocal.office.test": "169.254.169.254",
    "mapped.office.test": "::ffff:10.255.255.1",
    "unique.office.test": "fd00::1",
    "any.office.test": "0.0.0.0",  # noqa: S104 - an address that a name may lead to
    "protocols.office.test": "192.0.0.8",
    "nat64.office.test": "64:ff9b::7f00:1",
    "ownnat64.office.test": "64:ff9b:1::7f00:1",
    "sixtofour.office.test": "2002:7f00:1::1",
    "teredo.office.test": "2001:0:5ef5:79fd::80ff:fffe",
    "sitelocal.office.test": "fec0::1",
    "compatible.office.test": "::7f00:1",
    "translated.office.test": "::ffff:0:7f00:1",
}
MOVING = "moving.test"
PUBLIC = "93.184.216.34"  # what is there is on this machine

_connect = socket.socket.connect


def getaddrinfo(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
    """Resolve the names above and no others."""
    address = os.environ["MOVING"] if host == MOVING else NAMES.get(host, host)
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
    if version == 4:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]
    return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))]


def connect(self: socket.socket, address: Any) -> None:
    """Connect within this machine."""
    if address[0] == PUBLIC:
        address = ("127.0.0.1", *address[1:])
    if not str(address[0]).startswith("127."):
        sys.stderr.write(f"CONNECTED {address}\n")
        raise ConnectionRefusedError("The test has no network.")
    _connect(self, address)


if __name__ == "__main__":
    socket.getaddrinfo = getaddrinfo  # type: ignore[assignment]
    socket.socket.connect = connect  # type: ignore[assignment, method-assign]
    main()
