"""Crawling from a program: every find as it comes.

    for find in lodehound.crawl("https://www.example.org/", want="files:csv", requests=500):
        print(find.url, find.path)

The crawl runs in a thread of its own with an event loop of its own, so this works in a
script, in a notebook (where a loop runs already), and several times at once.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.running import RunningCrawl, StopRequest, Watcher
from lodehound.assembly.starting import begin, go_on, is_begun, used_in
from lodehound.assembly.updating import before_round, begin_round
from lodehound.config import CrawlConfig, asks_for_more
from lodehound.core.errors import LodehoundError
from lodehound.core.messages import Step
from lodehound.option_types import CrawlOptions
from lodehound.options import NOTHING_USED
from lodehound.saved import Find, SavedCrawl, find_of_row, plain
from lodehound.stores.catalogue.find_store import FindStore
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.text.shell import quoted

if TYPE_CHECKING:
    pass

GRACE = 15.0  # seconds a crawl has to finish what is in flight when it is stopped
BATCH = 500  # finds read from the journal at a time

logger = logging.getLogger(__name__)


def crawl(
    url: str | Sequence[str] = (),
    *,
    out: str | Path | None = None,
    **options: Unpack[CrawlOptions],
) -> CrawlRun:
    """Begin a crawl and return it; iterate over it to get every find as soon as it is on disk.

    Called again with the same ``out`` it continues that crawl: iteration then yields the finds
    that are there already, and after them the new ones.

    Args:
        url: Where to start; several are fine.
        out: The crawl directory; a new temporary one unless given. It is kept either way.
        options: Those of ``lodehound crawl``, under the same names (``max_file="50MB"``).

    Raises:
        ConfigError: What was asked for cannot be run.
    """
    folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="lodehound-")) / "crawl"
    urls = [url] if isinstance(url, str) else list(url)
    given = {name: plain(value) for name, value in options.items()}
    used = used_in(folder) if asks_for_more(given) else NOTHING_USED
    return CrawlRun(CrawlConfig.made_of({**given, "urls": urls}, used=used), folder)


class CrawlRun(SavedCrawl):
    """A crawl that runs in a thread of its own. Iterate over it, with or without ``async``.

    Iteration yields every find of the crawl, from its first, and ends with the crawl. Leaving it
    early stops the crawl in order: what is in flight is finished and kept.

    Args:
        config: What the user said.
        directory: The crawl directory; a crawl that was begun there is continued.
        on_step: Called in that thread with every request, and with None at the end.
        update: Begin a further round of the crawl.

    Raises:
        ConfigError: The crawl cannot be run.
    """

    def __init__(
        self,
        config: CrawlConfig,
        directory: Path,
        *,
        on_step: Callable[[Step | None], object] = lambda _: None,
        update: bool = False,
    ) -> None:
        super().__init__(directory)
        self._config = config
        self._update = update
        self._on_step = on_step
        self._stop = StopRequest()
        self._process = os.getpid()
        self._begun = threading.Event()
        self._over = threading.Event()
        self._failure: BaseException | None = None
        self._ending: Ending | None = None
        self._news = threading.Condition()  # a find, or the end
        self._count = 0  # of news
        self._thread = threading.Thread(target=self._run, name=f"crawl {directory}", daemon=True)
        self._thread.start()
        atexit.register(self.stop)  # a program that ends does not tear a request apart
        self._begun.wait()
        if self._over.is_set():
            self._raise_failure()

    @property
    def running(self) -> bool:
        """Whether the crawl runs.

        Raises:
            LodehoundError: It runs in the process that this one was forked from.
        """
        if self._over.is_set():
            return False
        if os.getpid() != self._process:  # a forked process has no thread but its own
            raise LodehoundError(
                f"The crawl in {str(self.directory)!r} runs in process {self._process}, from which "
                f"this one was forked: wait for it there, or begin it after the fork."
            )
        return True

    @property
    def ended(self) -> str:
        """Why the crawl ended: exhausted, requests, user and so on; "" while it runs."""
        return self._ending.reason if self._ending is not None else ""

    def stop(self) -> None:
        """Ask for nothing more, and wait until what is in flight is received and kept."""
        self._stop.make()
        self._thread.join(GRACE)
        self._stop.make()  # a second time: what is in flight is given up
        self._thread.join()

    def wait(self) -> Self:
        """Wait until the crawl has ended.

        Raises:
            LodehoundError: Nothing could be reached, the disk is full, or the crawl failed.
        """
        try:
            if self.running:  # in a forked process, this raises: it would wait for ever
                self._over.wait()
        except KeyboardInterrupt as error:
            self._interrupted(error)
            raise
        self._raise_failure()
        return self

    def __iter__(self) -> Iterator[Find]:
        last = 0
        try:
            with CrawlDatabase(self.directory, write=False) as database:
                found = FindStore(database)
                while True:
                    count, running = self._count, self.running  # before the look: none is missed
                    while rows := found.after(last, BATCH):
                        last = rows[-1][0]
                        yield from (find_of_row(self.directory, row) for _, row in rows)
                    if not running:
                        break
                    with self._news:
                        while self._count == count:
                            self._news.wait()
        except KeyboardInterrupt as error:
            self._interrupted(error)
            raise
        finally:
            self.stop()
        self._raise_failure()

    async def __aiter__(self) -> AsyncIterator[Find]:
        finds = iter(self)
        try:
            while (find := await asyncio.to_thread(next, finds, None)) is not None:
                yield find
        finally:
            await asyncio.to_thread(self.stop)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the crawl."""
        self.stop()

    def _config_now(self) -> CrawlConfig:
        return self._config

    # --- in the thread of the crawl -----------------------------------------------------------

    def _run(self) -> None:
        try:
            self._ending = self._crawl()
            if self._ending.code not in {Exit.FINISHED, Exit.STOPPED}:
                text = f"{self._ending.reason}: {self._ending.detail}"
                self._failure = LodehoundError(text)
        except BaseException as error:
            self._failure = error
        atexit.unregister(self.stop)
        self._over.set()
        self._begun.set()
        self._notify()
        self._on_step(None)

    def _crawl(self) -> Ending:
        # Here, and not above: it needs an extra, and nothing else of the package does.
        from lodehound.drivers.live.assemble import prepare  # noqa: PLC0415
        from lodehound.drivers.live.run import run_crawl  # noqa: PLC0415

        config, resumed = prepare(self._config), is_begun(self.directory)
        beginning = before_round(self.directory) if self._update else contextlib.nullcontext()
        with contextlib.ExitStack() as stack:
            with beginning:
                directory, config = (go_on if resumed else _begun)(config, self.directory)
                stack.enter_context(directory)
                if self._update:
                    begin_round(directory, config)
            self._config = config
            self._begun.set()
            return run_crawl(
                config,
                directory,
                resumed=resumed,
                watcher=_Steps(self._stepped),
                stop=self._stop,
                warn=logger.warning,
            )

    def _stepped(self, step: Step) -> None:
        self._on_step(step)
        if step.found or self._config.metadata_only:
            self._notify()

    def _notify(self) -> None:
        with self._news:
            self._count += 1
            self._news.notify_all()

    # --- in the threads of the finds' readers -------------------------------------------------

    def _interrupted(self, error: KeyboardInterrupt) -> None:
        """Stop in order after Ctrl-C, and say in the traceback where everything is."""
        self.stop()
        error.add_note(
            f"The crawl in {str(self.directory)!r} was stopped in order; nothing is lost. "
            f"Continue it with the same call and out={str(self.directory)!r}, "
            f"or with: lodehound resume {quoted(self.directory)}"
        )

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


def _begun(config: CrawlConfig, folder: Path) -> tuple[CrawlDir, CrawlConfig]:
    return begin(config, folder), config


class _Steps(Watcher):
    """Hands on every step, and nothing else."""

    def __init__(self, take: Callable[[Step], None]) -> None:
        self.take = take

    def stepped(self, running: RunningCrawl, step: Step) -> None:  # noqa: ARG002 - of every watcher
        self.take(step)
