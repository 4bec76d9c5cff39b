"""The papers' measures, by hand."""

from __future__ import annotations

from lodehound.core.messages import Step
from lodehound.lab.metrics import AllTargetsFound, Meter
from lodehound.lab.site_truth import SiteTruth
from lodehound.stores.site import build_site
from lodehound.targets.files import Files


def step(*, found: bool, size: int = 10) -> Step:
    return Step(1, "u", "GET", "", 0, "", 1.0, 200, "", size, found, float(found), "", 0)


def truth(*, targets: int, target_bytes: int = 0, other_bytes: int = 0) -> SiteTruth:
    site = SiteTruth(build_site("s", []), Files())
    site.found = [f"t{i}" for i in range(targets)]
    site.target_bytes, site.other_bytes = target_bytes, other_bytes
    return site


def test_requests_to_90_percent() -> None:
    """With 10 targets the 9th decides; with 11 the 10th (9.9 rounded up)."""
    meter = Meter()
    meter.watch(step(found=i % 2 == 1) for i in range(24))

    assert meter.requests_to_share(truth(targets=10)) == 18
    assert meter.requests_to_share(truth(targets=11)) == 20


def test_enough_is_95_percent_of_the_targets_and_90_of_their_bytes() -> None:
    """Twenty targets of 10 bytes: the 19th; with one of 1,000 bytes, when that one came."""
    rule = AllTargetsFound(truth(targets=20, target_bytes=200))
    stops = [rule.watch(step(found=found)) for found in [True] * 18 + [False, True]]
    assert [bool(stop) for stop in stops] == [False] * 19 + [True]

    late = AllTargetsFound(truth(targets=20, target_bytes=1190))
    assert not any(late.watch(step(found=True)) for _ in range(19))
    assert late.watch(step(found=True, size=1000))


def test_never_reached_is_none() -> None:
    meter = Meter()
    meter.watch([step(found=True)])

    assert meter.requests_to_share(truth(targets=2)) is None
    assert meter.requests_to_share(truth(targets=0)) is None


def test_volume_to_90_percent() -> None:
    """Other bytes at the moment 90 % of the target bytes are there."""
    meter = Meter()
    meter.watch([step(found=False, size=30), step(found=True, size=80)])
    meter.watch([step(found=False, size=20), step(found=True, size=20), step(found=False, size=50)])

    assert meter.volume_to_share(truth(targets=2, target_bytes=100, other_bytes=100)) == 0.5
    assert meter.volume_to_share(truth(targets=2, target_bytes=80, other_bytes=100)) == 0.3
    assert meter.volume_to_share(truth(targets=2, target_bytes=500, other_bytes=100)) is None


def test_curve_begins_at_nothing_and_ends_at_the_totals() -> None:
    meter = Meter()
    meter.watch(step(found=i % 4 == 0, size=i) for i in range(2000))
    curve = meter.curve()

    assert [curve[name][0] for name in curve] == [0, 0, 0, 0, 0]
    assert curve["requests"][-1] == 2000
    assert curve["found"][-1] == 500
    assert curve["target_bytes"][-1] + curve["other_bytes"][-1] == sum(range(2000))
