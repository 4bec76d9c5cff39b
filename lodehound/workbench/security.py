"""Who may see the workbench: the user who started it, in a page of the workbench itself.

Other users of the machine lack the secrets of `Access`. Pages of other sites and of other ports
make requests that browsers mark as theirs (Sec-Fetch-Site, Origin), and do not know the token of
our forms. A name that resolves to this machine (DNS rebinding) is no Host that we answer to.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lodehound.workbench.access import Access, page_to, same

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
COOKIE = "lodehound"
CHALLENGE = {"WWW-Authenticate": 'Basic realm="lodehound", charset="UTF-8"'}
# What a request says of the page that made it: typed or clicked outside of the browser, or ours.
OWN = {"none", "same-origin"}
STRANGER = (
    "This page needs the link that 'lodehound ui' has printed. A link works once: "
    "when it was used, the terminal shows the next one.\n"
)
ELSEWHERE = (
    "Another site may not ask the workbench. If you followed a link to get here, "
    "press Enter in the address bar.\n"
)


class Gate:
    """Lets through what the user of this workbench asks for, and nothing else.

    Args:
        app: The application behind it.
        access: The addresses of the workbench and its secrets.
    """

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with a limited body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        safe = _with_headers(send)
        answer = self._answer(scope)
        if answer is not None:
            await answer(scope, receive, safe)
        else:
            await self._app(scope, _limited(receive), safe)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the refusal, or the way in; None if the request may be passed on."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        named = self._access.is_named(host)
        if not named and not self._access.is_numbered(host):
            return PlainTextResponse("This is not the name of the workbench.\n", 421)
        token, query = _token_of(scope) if named else ("", "")
        if token and self._access.use_link(token):
            return self._entrance(scope, query)
        if refusal := _refusal(headers, host, reading=scope["method"] in READING):
            return refusal
        if not (self._knows_cookie(headers) if named else self._knows_password(headers)):
            return PlainTextResponse(STRANGER, 403 if named else 401, {} if named else CHALLENGE)
        return self._entrance(scope, query) if token else None

    def _knows_cookie(self, headers: Headers) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and same(cookie.value, self._access.session)

    def _knows_password(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        try:
            password = b64decode(given).decode().partition(":")[2]
        except ValueError:
            return False
        return scheme.lower() == "basic" and same(password, self._access.password)

    def _entrance(self, scope: Scope, query: str) -> Response:
        """Return a page that leads to the same address without the token, with the cookie."""
        place = "/" + quote(scope["path"].lstrip("/")) + (f"?{query}" if query else "")
        # After a redirect, browsers hold the new cookie back from what another site led to.
        response = HTMLResponse(page_to(place))
        response.set_cookie(
            COOKIE, self._access.session, httponly=True, samesite="strict", path="/"
        )
        return response


def _refusal(headers: Headers, host: str, *, reading: bool) -> Response | None:
    """Refuse what a page of another origin asked for, or may have asked for."""
    # Browsers name the origin of every POST.
    expected = {f"http://{host}", *([None] if reading else [])}
    if headers.get("sec-fetch-site", "none") not in OWN or headers.get("origin") not in expected:
        return PlainTextResponse(ELSEWHERE, 403)
    if int(headers.get("content-length", "0") or 0) > MOST_BODY:
        return PlainTextResponse("The form is too large.\n", 413)
    return None


def _token_of(scope: Scope) -> tuple[str, str]:
    """Return the token of a link, and the rest of the query."""
    query = scope["query_string"].decode("latin-1")
    if scope["method"] != "GET" or "token=" not in query:
        return "", query
    pairs = parse_qsl(query, keep_blank_values=True)
    token = next((value for name, value in pairs if name == "token"), "")
    return token, urlencode([pair for pair in pairs if pair[0] != "token"])


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
