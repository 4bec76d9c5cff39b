"""Portals that never end, and early stopping on them."""

from __future__ import annotations

from typing import get_args
from urllib.request import urlopen

import pytest

from lodehound.core.auto_stop import AutoStop
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Step
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.drivers.replay import run
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.read.mime import split_content_type
from lodehound.read.page import read_page
from lodehound.sites.endless import EndlessPortal, Trap
from lodehound.sites.server import SiteServer
from lodehound.targets.files import Files


def crawled(portal: EndlessPortal) -> tuple[Crawl, list[Step]]:
    """Crawl a portal until early stopping ends it, or 6,000 requests are spent."""
    policy = LodehoundPolicy(seed=0)
    crawl = Crawl(
        [Link(portal.host)],
        policy=policy,
        target=Files(),
        read=read_page,
        scope=Scope.around([portal.host]),
        budget=Budget(requests=6000),
        rules=[forecaster := Forecaster(Lanes(policy)), AutoStop(forecaster)],
    )

    def answer(ask: Ask) -> Answer:
        record = portal.get(ask.url)
        mime, charset = split_content_type(record.content_type)
        return Answer(ask, record.status, mime, record.body, record.size, charset=charset)

    return crawl, list(run(crawl, answer))


@pytest.mark.parametrize("trap", get_args(Trap))
def test_early_stopping_leaves_a_trap(trap: Trap) -> None:
    """All files are found, and the crawl ends within 500 requests, or 25 %, of the last find."""
    crawl, steps = crawled(EndlessPortal(trap, datasets=30))

    last = max(step.number for step in steps if step.found)
    assert (crawl.stopped, crawl.finds) == ("early-stop", 30)
    assert len(steps) - last <= max(500, 0.25 * len(steps))


@pytest.mark.parametrize(
    ("trap", "place", "links"),
    [
        ("facets", "/datasets?f0=1", "/datasets?f0=1&amp;f11=4"),
        ("calendar", "/events/2026-12", "/events/2027-01"),
        ("sort", "/datasets?page=99", "/datasets?page=100"),
        ("session", "/datasets", "/dataset/9?sid="),
    ],
)
def test_traps_go_on_for_ever(trap: Trap, place: str, links: str) -> None:
    assert links in EndlessPortal(trap).get(place).body.decode()


def test_facets_only_filter() -> None:
    """Every dataset is in exactly one of the lists of a facet."""
    portal = EndlessPortal("facets", datasets=10)
    lists = [portal.get(f"/datasets?f3={value}").body.decode() for value in range(5)]

    assert sum(text.count("/dataset/") for text in lists) == 10


def test_a_portal_can_be_served() -> None:
    with SiteServer() as server:
        server.serve(EndlessPortal("facets").get)
        with urlopen(server.url + "datasets?f1=2") as response:  # noqa: S310 - our own server
            assert (response.status, b"f1=2" in response.read()) == (200, True)


def test_an_unknown_trap_is_refused() -> None:
    with pytest.raises(ConfigError, match="facets"):
        EndlessPortal("tar")  # type: ignore[arg-type]
