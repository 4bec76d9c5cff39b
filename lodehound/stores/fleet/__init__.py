"""A fleet directory: many crawls, and who runs which of them.

::

    DIR/fleet.sqlite   the list of sites, how each stands, and the leases of workers
    DIR/sites/NAME/    an ordinary crawl directory for each site
    DIR/lock           names the process that runs the fleet

A worker holds sites by a lease with a fencing epoch. It holds the lease for as long as its
row in `workers` changes; nobody compares clocks. Whoever sees a row unchanged for too long
dismisses the worker: its sites are free again, and their epochs are new, so that a worker that
was only frozen finds itself fenced before its next request or write.
"""

from __future__ import annotations

import json
import math
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from lodehound.stores.database.connect import connected
from lodehound.stores.errors import MovedError
from lodehound.stores.files.layout import DATABASE as CRAWL
from lodehound.stores.files.layout import FLEET
from lodehound.stores.fleet import sql
from lodehound.stores.fleet.errors import damaged, failure, go_on
from lodehound.stores.fleet.parts import BUSY, SENT_TO, WAKE, publish, wake
from lodehound.stores.fleet.rows import (
    FleetSite,
    FleetTotals,
    Lease,
    LeaseLostError,
    NewSite,
    NoFleetError,
    Progress,
    SiteFigures,
    progress_row,
)
from lodehound.stores.fleet.schema import EXCHANGE_INDEX, FORMAT, SCHEMA
from lodehound.stores.fleet.soundness import SITES, check_inside, problem_of_list
from lodehound.stores.repair.damage import blame_damage

DATABASE = FLEET
SPENT = sql.SPENT


class FleetStore:
    """The database of a fleet.

    Args:
        folder: The fleet directory.
        write: False to look on.
        shared: The folder is on a network file system, where a write-ahead log does not work.
    """

    def __init__(self, folder: Path, *, write: bool = True, shared: bool = False) -> None:
        self.folder = folder
        self.path = folder / DATABASE
        self._reads = not write
        if not self.path.is_file() and not write:
            raise NoFleetError(str(folder), is_crawl=(folder / CRAWL).is_file())
        check_inside(folder)
        try:
            self._db = connected(self.path, write=write, shared=shared, schema=SCHEMA)
            problem = problem_of_list(self._db)
        except sqlite3.Error as error:
            raise failure(folder, error, write=write) from error
        if problem:
            self._db.close()
            raise damaged(folder, problem)
        self._lock = threading.RLock()  # a transaction belongs to one thread

    @classmethod
    def create(cls, folder: Path, *, version: str, shared: bool = False) -> Self:
        """Open a fleet directory; make its tables unless they are there."""
        store = cls(folder, shared=shared)
        with store._writing():
            if not store._all("SELECT 1 FROM sqlite_schema WHERE name = 'meta'"):
                for statement in SCHEMA:
                    store._db.execute(statement)
                meta = {"format": str(FORMAT), "version": version}
                store._db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            store._db.execute(EXCHANGE_INDEX)
        return store

    def crawl_folder(self, name: str) -> Path:
        """Return the crawl directory of a site."""
        return self.folder / SITES / name

    # --- the list -----------------------------------------------------------------------------

    def names(self) -> dict[str, str]:
        """Return the names of the sites by their start URLs."""
        return dict(map(tuple, self._all("SELECT start, name FROM sites")))

    def enlist(self, sites: Iterable[NewSite]) -> None:
        """Make this the list: add what is new, and leave alone what it no longer names."""
        with self._writing():
            self._db.execute("UPDATE sites SET listed = 0")
            self._db.executemany(
                """INSERT INTO sites VALUES (NULL, ?, ?, ?, ?, 1, 1, 'waiting', '', '', 0, 0, 0, 0,
                0, 0.0, '', NULL, 0, 0) ON CONFLICT (start) DO UPDATE SET
                options = excluded.options, team = excluded.team, listed = 1""",
                ((site.name, site.start, site.options, site.team) for site in sites),
            )
            self._db.execute(
                "INSERT OR IGNORE INTO teams SELECT DISTINCT team, NULL, 0, 0 FROM sites"
            )

    def begin_run(self, requests: int | None) -> None:
        """Release all leases, and make every site wait that may go on.

        Only whoever has the lock of the directory may call this.

        Args:
            requests: The budget that all sites share, if there is one.
        """
        with self._writing():
            self._db.execute(sql.AGAIN)
            self._db.execute(WAKE)
            self._db.execute("UPDATE sites SET idle = 0")
            self._db.execute(sql.OPEN)
            self._db.execute("DELETE FROM workers")
            self._db.execute("UPDATE sites SET granted = ?", (None if requests is None else 0,))
            self._db.execute("DELETE FROM meta WHERE key = ?", (SPENT,))
            self._db.execute(
                "INSERT OR REPLACE INTO meta VALUES ('requests', ?)", (str(requests or ""),)
            )

    def begin_update(self) -> None:
        """Ask for a further round of every site that has ended; call this before ``begin_run``.

        A site that has made no request goes on with the round that it is in.
        """
        with self._writing():
            self._db.execute(
                """UPDATE sites SET rounds = rounds + (requests > 0), state = 'waiting',
                    requests = 0, finds = 0, bytes = 0
                WHERE listed AND state = 'ended'"""
            )

    def begin_again(self, name: str) -> None:
        """Forget how a site stands, so that the next run crawls it from its start."""
        with self._writing():
            self._db.execute(sql.BEGIN_AGAIN, (name,))

    def meta(self) -> dict[str, str]:
        return dict(map(tuple, self._all("SELECT key, value FROM meta")))

    def keep(self, key: str, value: str) -> None:
        """Store a piece of metadata."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def sites(self) -> list[FleetSite]:
        """Return all sites of the list, in its order."""
        statement = f"SELECT {sql.COLUMNS} FROM sites WHERE listed ORDER BY number"  # noqa: S608
        return [FleetSite(*row) for row in self._all(statement)]

    def worst(self, most: int) -> list[FleetSite]:
        """Return the sites that need a look, the worst first."""
        statement = f"SELECT {sql.COLUMNS} FROM sites WHERE listed {sql.WORST} LIMIT ?"  # noqa: S608
        return [FleetSite(*row) for row in self._all(statement, most)]

    def totals(self) -> FleetTotals:
        """Return the figures of all sites together."""
        states = dict(
            map(tuple, self._all("SELECT state, count(*) FROM sites WHERE listed GROUP BY state"))
        )
        sums = "coalesce(sum(requests), 0), coalesce(sum(finds), 0), coalesce(sum(bytes), 0)"
        [row] = self._all(
            f"SELECT {sums}, coalesce(sum(per_minute), 0.0) FROM sites WHERE listed"  # noqa: S608
        )
        return FleetTotals(states, *row)

    def count(self, *states: str) -> int:
        """Return how many sites of the list are in one of these states."""
        marks = ", ".join("?" * len(states))
        statement = f"SELECT count(*) FROM sites WHERE listed AND state IN ({marks})"  # noqa: S608
        return int(self._all(statement, *states)[0][0])

    # --- leases -------------------------------------------------------------------------------

    def join(self, worker: str, place: str) -> None:
        """Announce a worker."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO workers VALUES (?, ?, 0)", (worker, place))

    def beat(self, worker: str, progress: Mapping[int, Progress]) -> bool:
        """Store the heartbeat of a worker and its progress; return False if it was dismissed."""
        with self._writing():
            beaten = self._db.execute("UPDATE workers SET beat = beat + 1 WHERE id = ?", (worker,))
            if not beaten.rowcount:
                return False
            self._db.executemany(sql.PROGRESS, (progress_row(n, p) for n, p in progress.items()))
            publish(self._db, progress)
        return True

    def sent_to(self, parts: Sequence[int]) -> list[tuple[int, int, int]]:
        """Return which links some parts have not taken yet: source, target, last record."""
        rows = self._all(SENT_TO, json.dumps(parts)) if parts else []
        return [(source, target, last) for source, target, last in rows]

    def is_quiet(self) -> bool:
        """Return whether all parts of a divided crawl wait for links, and none is under way."""
        return not self._all(BUSY)

    def beats(self) -> dict[str, int]:
        """Return the last beat of every worker."""
        return dict(map(tuple, self._all("SELECT id, beat FROM workers")))

    def share_of(self, worker: str, workers: int) -> int:
        """Return how many more teams a worker should hold, if so many share them evenly."""
        [(active, mine)] = self._all(
            "SELECT count(*), coalesce(sum(worker = ?), 0) FROM teams "
            "WHERE open OR worker IS NOT NULL",
            worker,
        )
        fair = math.ceil(int(active) / max(workers, 1))
        return max(0, fair - int(mine))

    def has_free(self) -> bool:
        """Return whether there are sites to crawl that nobody holds."""
        return bool(self._all(sql.FREE, 1))

    def claim(self, worker: str, most: int) -> list[Lease]:
        """Lease some of the teams that nobody holds."""
        if most < 1 or not self.has_free():
            return []
        with self._writing():
            if not self._all("SELECT 1 FROM workers WHERE id = ?", worker):
                return []  # dismissed
            leases = []
            for (team,) in self._all(sql.FREE, most):
                [(epoch,)] = self._all(
                    "UPDATE teams SET worker = ?, epoch = epoch + 1 WHERE number = ? "
                    "RETURNING epoch",
                    worker,
                    team,
                )
                self._db.execute(
                    "UPDATE sites SET state = 'running', idle = 0 "
                    "WHERE team = ? AND state = 'waiting' AND listed",
                    (team,),
                )
                leases.append(Lease(team, worker, epoch))
        return leases

    def sites_of(self, lease: Lease) -> list[FleetSite]:
        """Return the sites of a team that are to be crawled."""
        statement = (
            f"SELECT {sql.COLUMNS} FROM sites "  # noqa: S608 - our own names
            "WHERE listed AND team = ? AND state = 'running' ORDER BY number"
        )
        return [FleetSite(*row) for row in self._all(statement, lease.team)]

    def check(self, lease: Lease) -> None:
        """Return if the lease is still held.

        Raises:
            LeaseLostError: It is not.
        """
        rows = self._all("SELECT worker, epoch FROM teams WHERE number = ?", lease.team)
        if [tuple(row) for row in rows] != [(lease.worker, lease.epoch)]:
            raise LeaseLostError(f"Another worker holds team {lease.team}.")

    def end_site(self, lease: Lease, site: int, state: str, reason: str, detail: str) -> None:
        """Write down how a site ended, if the lease is still held."""
        with self._writing():
            self.check(lease)
            self._db.execute(
                """UPDATE sites SET state = ?, reason = ?, detail = ?, obstacle = '', per_minute = 0
                WHERE number = ?""",
                (state, reason, detail, site),
            )
            wake(self._db)

    def release(self, lease: Lease) -> None:
        """Give a team back, if it is still held."""
        with self._writing():
            self._db.execute(
                f"{sql.OPEN} WHERE number = ? AND worker = ? AND epoch = ?",
                (lease.team, lease.worker, lease.epoch),
            )

    def dismiss(self, worker: str, culprit: int = 0) -> None:
        """Free the sites of a worker that is dead or does not move.

        Args:
            worker: The worker.
            culprit: The site whose page it was reading; one that several workers died over is
                left alone for the rest of the run.
        """
        with self._writing():
            self._db.execute(sql.WAIT_AGAIN, (worker,))
            if culprit:
                self._db.execute(sql.STRIKE, (culprit,))
                self._db.execute(sql.GIVE_UP, (culprit, sql.MOST_STRIKES))
            self._db.execute(sql.DISMISS, (worker,))
            self._db.execute("DELETE FROM workers WHERE id = ?", (worker,))

    # --- the shared budget --------------------------------------------------------------------

    def standings(self) -> list[SiteFigures]:
        """Return what every site of the list has used and brought."""
        return [SiteFigures(*row) for row in self._all(sql.STANDINGS)]

    def unsettled(self) -> list[FleetSite]:
        """Return the sites whose figures are perhaps old: their worker was killed."""
        return [site for site in self.sites() if site.state == "running"]

    def settle(self, figures: Mapping[int, tuple[int, int, int]]) -> None:
        """Correct the requests, finds and bytes of sites."""
        with self._writing():
            self._db.executemany(
                "UPDATE sites SET requests = ?, finds = ?, bytes = ? WHERE number = ?",
                ((*three, site) for site, three in figures.items()),
            )

    def grant(self, granted: Mapping[int, int]) -> None:
        """Store how many requests some sites may make in all."""
        with self._writing():
            self._db.executemany(
                "UPDATE sites SET granted = ? WHERE number = ?",
                ((amount, site) for site, amount in granted.items()),
            )

    def granted(self, sites: Sequence[int]) -> dict[int, int | None]:
        """Return how many requests sites may make in all; None for as many as they like."""
        marks = ", ".join("?" * len(sites))
        statement = f"SELECT number, granted FROM sites WHERE number IN ({marks})"  # noqa: S608
        return dict(map(tuple, self._all(statement, *sites)))

    # --- the file -----------------------------------------------------------------------------

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        """Close it; if an error came from a damaged site while it was read, name the site."""
        try:
            if error is not None and self._reads:
                for site in self.sites():
                    if (folder := self.crawl_folder(site.name)).is_dir():
                        blame_damage(folder, error)
        finally:
            self.close()

    def check_place(self) -> None:
        """Raise an error if the folder was moved or removed by someone else."""
        if not self.path.exists():
            raise MovedError(self.folder, "", "fleet resume")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.rollback()
                if isinstance(error, sqlite3.Error):
                    raise failure(self.folder, error, write=True) from error
                raise

    def _all(self, statement: str, *values: object) -> list[sqlite3.Row]:
        try:
            with self._lock:
                return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise failure(self.folder, error, write=False) from error


__all__ = [
    "FleetSite",
    "FleetStore",
    "FleetTotals",
    "Lease",
    "LeaseLostError",
    "NewSite",
    "NoFleetError",
    "Progress",
    "go_on",
]
