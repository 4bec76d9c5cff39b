"""Where a workbench is, and the secrets that let its user in. All of them end with its process.

Browsers send a cookie to every port of its host, so any server on 127.0.0.1 gets a cookie of
127.0.0.1. The cookie of a workbench therefore belongs to a host name that is drawn at its start
and that only the browser of its user learns. At 127.0.0.1 there is no cookie but a password:
browsers keep that for one port.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from html import escape

LOOPBACK = "127.0.0.1"
USER = "lodehound"  # any name is taken with the password
SIGNS = "abcdefghijkmnopqrstuvwxyz2345679"  # 5 bits each, easy to tell apart and to type
PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={place}">
<link rel="icon" href="/static/icon.svg"><title>lodehound</title>
<p><a href="{place}">Open the workbench</a></p></html>
"""


class Access:
    """The addresses of a workbench and its secrets.

    Args:
        port: The port that it listens on.
        used: Called with the next link when a browser has used one.

    Attributes:
        name: The host name, which nobody else knows.
        address: The URL for scripts, and for browsers that cannot find the name.
        password: What that URL asks for.
        session: The cookie of those who came by a link.
        form_token: What every form contains: whoever knows it has read a page.
    """

    def __init__(self, port: int, used: Callable[[str], None]) -> None:
        self._port = port
        self._used = used
        self._token = _secret(20)
        self.name = f"lodehound-{_secret(16)}.localhost"
        self.address = f"http://{LOOPBACK}:{port}/"
        self.password = "-".join(_secret(5) for _ in range(4))
        self.session = secrets.token_urlsafe(32)
        self.form_token = secrets.token_urlsafe(32)

    @property
    def link(self) -> str:
        """The URL that lets one browser in, once."""
        return f"http://{self.name}:{self._port}/?token={self._token}"

    def is_named(self, host: str) -> bool:
        """Return whether a Host header has the name of this workbench."""
        return host in self._with_port(self.name)

    def is_numbered(self, host: str) -> bool:
        """Return whether a Host header has the number of this machine, or the usual name for it."""
        return host in self._with_port(LOOPBACK) | self._with_port("localhost")

    def use_link(self, token: str) -> bool:
        """Return whether this is the token of the link; from now on it is another."""
        if not same(token, self._token):
            return False
        self._token = _secret(20)
        self._used(self.link)
        return True

    def _with_port(self, name: str) -> set[str]:
        return {f"{name}:{self._port}", *([name] if self._port == 80 else [])}


def same(given: str, known: str) -> bool:
    """Compare secrets in a time that reveals nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def page_to(place: str) -> str:
    """Return a page that leads to a URL at once."""
    return PAGE.format(place=escape(place))


def _secret(length: int) -> str:
    return "".join(secrets.choice(SIGNS) for _ in range(length))
