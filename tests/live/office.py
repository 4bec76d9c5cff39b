"""A statistics office on this machine, and what a replay of it says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lodehound.drivers.replay import replay
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from lodehound.stores.site import build_site
from lodehound.targets.files import Files

SEED = 1


@dataclass(frozen=True)
class Office:
    """A served site, and how a crawl of it goes that nothing disturbs."""

    server: SiteServer
    records: list[Record]

    @property
    def asked(self) -> list[tuple[str, str]]:
        """What was asked for so far, in order, robots.txt left out."""
        return [(one.method, one.path) for one in self.server.log if one.path != "/robots.txt"]

    def replayed(self) -> tuple[list[tuple[str, str]], dict[str, str]]:
        """Return the requests of a replay with the same seed in their order, and its finds."""
        site = build_site("office", self.records)
        bodies = {record.url: record.body for record in self.records}
        _, steps = replay(site, policy=LodehoundPolicy(seed=SEED), target=Files())
        taken = list(steps)
        order = [(str(step.method), "/" + step.url.split("/", 3)[3]) for step in taken]
        found = [step.url for step in taken if step.found]
        return order, {url: hashlib.sha256(bodies[url]).hexdigest() for url in found}


@contextmanager
def open_office(pages: int, files: int) -> Iterator[Office]:
    """Serve an office, its own links made for the address it is at."""
    with SiteServer() as server:
        site = StatsOffice(pages=pages, files=files, redirects=10, seed=3, host=server.url)
        records = list(site.records())
        server.serve(records)
        yield Office(server, records)
