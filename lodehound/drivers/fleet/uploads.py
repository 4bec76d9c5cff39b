"""Writes a crawl to an object store while it runs, and lets it wait if that is slow."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

from lodehound.drivers.live.session import Session
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.remote.mirror import Mirror
from lodehound.stores.remote.objects import ObjectFolder

LOOK = 0.5  # most seconds between two looks at whether something was committed


class Uploads:
    """Keeps the crawl directory of one site in an object store.

    The crawl runs ahead of what is stored by at most as many requests as it may have in flight.

    Args:
        url: Where it is in the store.
        folder: Where it is on this machine; removed in the end.
        check: Raises LeaseLostError once the lease is lost.

    Attributes:
        limit: Requests that the crawl may have made until more is stored.
    """

    def __init__(self, url: str, folder: Path, check: Callable[[], None]) -> None:
        self.folder = folder
        self.limit = 0
        self._check = check
        self._mirror = Mirror(ObjectFolder(url), folder / DATABASE)
        self._changed = asyncio.Event()
        self._ending = False

    def check(self) -> None:
        """Refuse to go on for whoever no longer holds the lease, here or in the store."""
        if self._mirror.lost:
            self._mirror.check()
        self._check()

    async def fetch(self) -> None:
        """Claim the crawl, and make the folder what it is in the store."""
        self._check()
        await asyncio.to_thread(self._mirror.claim)
        await asyncio.to_thread(self._mirror.restore)

    async def begin(self, directory: CrawlDir) -> None:
        """Store the crawl as it is, and see every commit from now on."""
        loop, mirror = asyncio.get_running_loop(), self._mirror

        def committed() -> None:
            mirror.committed()
            loop.call_soon_threadsafe(self._changed.set)

        await asyncio.to_thread(mirror.begin)
        directory.database.on_commit = committed
        await asyncio.to_thread(mirror.push)
        files = [file for file, _ in directory.finds.not_inspected()]
        await asyncio.to_thread(mirror.fetch, files)

    async def run(self, session: Session, stored: Callable[[], None]) -> None:
        """Store what is committed until ``stop`` is called.

        Args:
            session: The crawl.
            stored: Called whenever the limit has grown.
        """
        made = session.crawl.requests
        while not self._ending:
            self.limit = made + session.concurrency
            stored()
            made = session.crawl.requests
            if self._mirror.waits:
                self._check()
                await asyncio.to_thread(self._mirror.push)
                continue
            try:
                async with asyncio.timeout(LOOK):
                    await self._changed.wait()
            except TimeoutError:
                continue
            self._changed.clear()

    def stop(self) -> None:
        self._ending = True
        self._changed.set()

    async def end(self) -> None:
        """Store the rest, compactly, and remove the folder. The crawl directory is closed."""
        self.check()
        await asyncio.to_thread(self._mirror.finish)
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)
