"""Serves the workbench on this machine until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.core.extras import extra

LOOPBACK = "127.0.0.1"
PORT = 8180  # unless another program has it


def serve(
    places: Sequence[Path], *, port: int | None, control: bool, ready: Callable[[str], None]
) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        places: Crawl directories, and folders that contain some.
        port: The port; by default 8180 or any free one.
        control: Whether crawls may be started and stopped.
        ready: Called with the URL to open when the server listens.
    """
    with extra("ui"):
        import jinja2  # noqa: F401, PLC0415 - optional, as all of these
        import uvicorn  # noqa: PLC0415

        from lodehound.workbench.app import make_app  # noqa: PLC0415
        from lodehound.workbench.security import new_token  # noqa: PLC0415

    for place in places:
        if not place.is_dir():
            raise ConfigError(f"{str(place)!r} is no folder: name a crawl or a folder of crawls.")
    token, listening = new_token(), listening_on(port)
    number = listening.getsockname()[1]
    hosts = [f"{name}:{number}" for name in (LOOPBACK, "localhost")]
    app = make_app(places, token=token, hosts=hosts, control=control)

    class Server(uvicorn.Server):
        """Says when it listens, and lets the streams of events end."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(f"http://{LOOPBACK}:{number}/?token={token}")

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.closing.set()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, ws="none",
        timeout_graceful_shutdown=3,
    )  # fmt: skip
    with listening, contextlib.suppress(KeyboardInterrupt):  # it has ended in order before that
        asyncio.run(Server(config).serve(sockets=[listening]))


def listening_on(port: int | None) -> socket.socket:
    for number in (PORT, 0) if port is None else (port,):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((LOOPBACK, number))
        except (OSError, OverflowError) as error:
            made.close()
            if number != PORT or port is not None:
                raise ConfigError(
                    f"Port {number} is not free ({error}): choose another."
                ) from error
            continue
        return made
    raise ConfigError("No port is free.")
