"""Serves the workbench on this machine until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.extras import extra
from lodehound.workbench.access import LOOPBACK, Access

PORT = 8180  # unless another program has it
TRIES = 20  # for a port that is free in both families of addresses
# Browsers go to ::1 first: whoever had our port there would get our visitors and their links.
PLACES = ((socket.AF_INET, LOOPBACK), (socket.AF_INET6, "::1"))
# Elsewhere than on Windows, this only ends the wait after an earlier server.
ALONE = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
ABSENT = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}  # without IPv6


def serve(
    places: Sequence[Path],
    *,
    port: int | None,
    control: bool,
    ready: Callable[[Access], None],
    used: Callable[[str], None],
    ended: Callable[[], None],
) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        places: Crawl directories, and folders that contain some.
        port: The port; by default 8180 or any free one.
        control: Whether crawls may be started and stopped.
        ready: Called with the addresses and secrets when the server listens.
        used: Called with the next link when a browser has used one.
        ended: Called when the server stops listening.
    """
    with extra("ui"):
        import jinja2  # noqa: F401, PLC0415 - optional, as all of these
        import uvicorn  # noqa: PLC0415

        from lodehound.workbench.app import make_app  # noqa: PLC0415

    for place in places:
        if not place.is_dir():
            raise ConfigError(f"{str(place)!r} is no folder: name a crawl or a folder of crawls.")
    listening = listening_on(port)
    access = Access(listening[0].getsockname()[1], used)
    app = make_app(places, access=access, control=control)

    class Server(uvicorn.Server):
        """Reports when it listens, and lets the streams of events end."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(access)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            ended()
            app.state.closing.set()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, ws="none",
        timeout_graceful_shutdown=3,
    )  # fmt: skip
    with contextlib.ExitStack() as stack, contextlib.suppress(KeyboardInterrupt):  # ended in order
        for one in listening:
            stack.enter_context(one)
        asyncio.run(Server(config).serve(sockets=listening))


def listening_on(port: int | None) -> list[socket.socket]:
    """Return sockets of one port at every address of this machine for itself.

    Args:
        port: The port; by default 8180 or any free one.

    Raises:
        ConfigError: Another program has the port.
    """
    wanted = (PORT, *[0] * TRIES) if port is None else (port,)
    for number in wanted:
        try:
            return _bound(number)
        except (OSError, OverflowError) as error:
            flaw = error
    raise ConfigError(f"Port {wanted[-1]} is not free ({flaw}): choose another.") from flaw


def _bound(number: int) -> list[socket.socket]:
    made: list[socket.socket] = []
    try:
        for family, address in PLACES:
            one = _bound_to(family, address, number)
            if one is not None:
                made.append(one)
                number = one.getsockname()[1]
    except (OSError, OverflowError):
        for one in made:
            one.close()
        raise
    return made


def _bound_to(family: int, address: str, number: int) -> socket.socket | None:
    """Return a socket that listens, so that nobody else can; None where there is no IPv6."""
    one = None
    try:
        one = socket.socket(family, socket.SOCK_STREAM)
        one.setsockopt(socket.SOL_SOCKET, ALONE, 1)
        one.bind((address, number))
        one.listen()
    except (OSError, OverflowError) as error:
        if one is not None:
            one.close()
        if isinstance(error, OSError) and error.errno in ABSENT and family == socket.AF_INET6:
            return None
        raise
    return one
