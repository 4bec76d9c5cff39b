"""Serves a database with Datasette. Arguments: folder, number of tables. Prints its address."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


async def serve(path: Path) -> None:
    import uvicorn  # noqa: PLC0415
    from datasette.app import Datasette  # noqa: PLC0415

    server = uvicorn.Server(
        uvicorn.Config(Datasette([str(path)]).app(), port=0, log_level="error", lifespan="on")
    )
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/", flush=True)  # noqa: T201
    await running


def main(folder: Path, number: int) -> None:
    path = folder / "files.db"
    with closing(sqlite3.connect(path)) as database:
        for n in range(number):
            database.execute(f'CREATE TABLE "{n}" (a, b)')
            database.execute(f'INSERT INTO "{n}" VALUES (1, 2)')
        database.commit()
    asyncio.run(serve(path))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
