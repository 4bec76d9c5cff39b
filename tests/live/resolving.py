"""The command line with a resolver of its own, on a machine whose only network is loopback.

``python -m tests.live.resolving crawl ...``. Whoever tries to connect elsewhere is told so, and
so are we: the word ``CONNECTED`` on stderr.
"""

from __future__ import annotations

import ipaddress
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
}

_connect = socket.socket.connect


def getaddrinfo(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
    """Resolve the names above and no others."""
    address = NAMES.get(host, host)
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
    if version == 4:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]
    return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))]


def connect(self: socket.socket, address: Any) -> None:
    """Connect within this machine."""
    if not str(address[0]).startswith("127."):
        sys.stderr.write(f"CONNECTED {address}\n")
        raise ConnectionRefusedError("The test has no network.")
    _connect(self, address)


if __name__ == "__main__":
    socket.getaddrinfo = getaddrinfo  # type: ignore[assignment]
    socket.socket.connect = connect  # type: ignore[assignment, method-assign]
    main()
