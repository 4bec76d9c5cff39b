"""Who may see the workbench: the user who started it, in a page of the workbench itself.

Other users of the machine lack the token. Pages of other sites lack the cookie (SameSite=Strict),
have another Origin, and do not know the CSRF token. A name that resolves to this machine (DNS
rebinding) is no Host that we answer to.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 << 10  # bytes of a form
READING = {"GET", "HEAD"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Files from the web may be opened, but run nothing and belong to no origin.
FILE_POLICY = "default-src 'none'; sandbox"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # Other sites learn nothing. Without any referrer, browsers would hide the origin of forms too.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
STRANGER = (
    "This page needs the token of the workbench: "
    "open the address that 'lodehound ui' has printed.\n"
)


class Gate:
    """Lets through what the user of this workbench asks for, and nothing else.

    Args:
        app: The application behind it.
        token: The token in the printed URL.
        hosts: Values of the Host header that mean this workbench.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: Iterable[str]) -> None:
        self._app = app
        self._token = token
        self._hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with a limited body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        safe = _with_headers(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, safe)
        else:
            await self._app(scope, _limited(receive), safe)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return PlainTextResponse("This is not the name of the workbench.\n", 421)
        if self._is_strange(headers, host, reading=scope["method"] in READING):
            return PlainTextResponse("Another site may not ask the workbench.\n", 403)
        if int(headers.get("content-length", "0") or 0) > MOST_BODY:
            return PlainTextResponse("The form is too large.\n", 413)
        return self._without_token(scope, headers, host)

    def _is_strange(self, headers: Headers, host: str, *, reading: bool) -> bool:
        """Say whether another site made the request: browsers name the origin of every POST."""
        origin = headers.get("origin")
        if origin is None:
            return not reading
        return origin.lower() not in {f"http://{host}", f"https://{host}"}

    def _without_token(self, scope: Scope, headers: Headers, host: str) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        if given and scope["method"] in READING:
            if not _same(given[0], self._token):
                return PlainTextResponse(STRANGER, 403)
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            path = "/" + scope["raw_path"].decode("latin-1").lstrip("/")
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(
                cookie_name(host), self._token, httponly=True, samesite="strict", path="/"
            )
            return response
        if _same(_cookie(headers, cookie_name(host)), self._token):
            return None
        return PlainTextResponse(STRANGER, 403)


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(32)


def csrf_token(token: str) -> str:
    """Return the token of forms: whoever knows it has read a page of the workbench."""
    return hmac.new(token.encode(), b"csrf", hashlib.sha256).hexdigest()


def is_csrf_token(given: str, token: str) -> bool:
    return _same(given, csrf_token(token))


def cookie_name(host: str) -> str:
    """Return the name of the cookie: those of all ports of a host go to all of its ports.

    >>> cookie_name("127.0.0.1:8123")
    'lodehound-8123'
    """
    return f"lodehound-{host.rpartition(':')[2]}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", POLICY)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """Cut off a body that is longer than it says, or does not say how long it is."""
    left = MOST_BODY

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                return {"type": "http.disconnect"}
        return message

    return receiving
