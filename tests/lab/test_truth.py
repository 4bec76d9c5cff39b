"""What an exhaustive crawl finds out."""

from __future__ import annotations

import pytest

from lodehound.drivers.replay import scope_of
from lodehound.lab.site_facts import facts_of
from lodehound.lab.site_truth import SiteTruth, survey
from lodehound.stores.records import Record
from lodehound.stores.site import build_site
from lodehound.targets.files import Files

ROOT = "https://s.example/"


def page(path: str, *links: str) -> Record:
    body = "".join(f'<a href="{link}">x</a>' for link in links).encode()
    return Record(ROOT + path, 200, "text/html", body, size=len(body), head_size=9)


def file(path: str, size: int = 100) -> Record:
    return Record(ROOT + path, 200, "text/csv", b"a,b", size=size, head_size=9)


def small_site() -> SiteTruth:
    """Root -> list, dead link, moved file; list -> one file; one file nobody links to."""
    site = build_site(
        "s",
        [
            page("", "list", "gone", "moved"),
            page("list", "a.csv", "/"),
            file("a.csv", 100),
            Record(ROOT + "moved", 302, "", b"", location="/b.csv"),
            file("b.csv", 300),
            file("orphan.csv"),
        ],
    )
    return survey(site, target=Files(), starts=[ROOT], scope=scope_of(site, [ROOT]))


def test_the_denominator_counts_errors_and_hops() -> None:
    truth = small_site()

    # root, list, gone, moved, b.csv (the hop), a.csv
    assert truth.requests_total == 6


def test_targets_are_those_reached() -> None:
    truth = small_site()

    assert sorted(truth.targets()) == [ROOT + "a.csv", ROOT + "b.csv"]
    assert truth.target_bytes == 400


def test_kinds_are_those_at_the_end_of_the_redirects() -> None:
    truth = small_site()

    kinds = {path: truth.kind(ROOT + path) for path in ("", "a.csv", "moved", "gone")}
    assert kinds == {"": "html", "a.csv": "target", "moved": "target", "gone": "neither"}


def test_a_redirect_loop_is_neither() -> None:
    site = build_site(
        "s",
        [
            page("", "x"),
            Record(ROOT + "x", 301, location="/y"),
            Record(ROOT + "y", 301, location="/x"),
        ],
    )

    assert SiteTruth(site, Files()).kind(ROOT + "x") == "neither"


def test_what_a_site_is_like() -> None:
    """Both pages lead to a file, one of them by a redirect; files are one and two links deep."""
    facts = facts_of(small_site())

    assert (facts.available, facts.targets, facts.html_to_target) == (4, 2, 100.0)
    assert facts.size == pytest.approx((0.0002, 0.0001))
    assert facts.depth == (1.5, 0.5)


def test_the_fewest_requests_count_the_redirects_on_the_way_to_a_file() -> None:
    """The root, a list and a.csv; a redirect and b.csv."""
    assert small_site().floor == 5
