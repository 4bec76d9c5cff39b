"""Races with shortcuts, on a recorded portal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lodehound.lab.race import RaceOptions, race
from lodehound.shortcuts.ckan import Ckan
from lodehound.sites.portals import CkanPortal
from lodehound.stores.warc import write_warc

ROOT = "https://portal.example/"


def requests_to_90(folder: Path, **options: str) -> int | None:
    """Race on a portal of 40 datasets, recorded with the answer of its API."""
    portal = CkanPortal(40, host=ROOT)
    places = [ROOT, ROOT + "datasets", *(f"{ROOT}datasets?page={page}" for page in (2, 3, 4))]
    places += [f"{ROOT}{kind}" for n in range(40) for kind in (f"dataset/{n}", f"files/{n}.csv")]
    places += Ckan().probes(ROOT)
    path = folder / "portal.warc.gz"
    write_warc(path, [replace(portal.get(url), url=url) for url in places])
    chosen = RaceOptions(cache=folder / "cache", **options)  # type: ignore[arg-type]
    (run,) = race([(path,)], ["bfs"], options=chosen)
    return run.row.requests_to_90


def test_a_race_takes_shortcuts_only_when_asked_to(tmp_path: Path) -> None:
    """One page and one answer come before the 36 files; without them, lists and datasets, too."""
    assert requests_to_90(tmp_path) == 143
    assert requests_to_90(tmp_path, shortcuts="auto") == 41
