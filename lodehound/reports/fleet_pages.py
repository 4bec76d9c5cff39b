"""The report of a fleet: a page about all sites, and one about each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lodehound.assembly.rebuild import config_of
from lodehound.assembly.trust import notes_of_plug_ins
from lodehound.core.errors import ConfigError, SiteError
from lodehound.reports.fleet import note_of
from lodehound.reports.page import REPORT, make_report
from lodehound.reports.template import HtmlPage
from lodehound.stores.catalogue.totals import finds_per_hundred
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import output_error
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.fleet import FleetSite, FleetStore
from lodehound.stores.log.crawl_reader import CrawlReader

INDEX = HtmlPage("fleet")
STATES = ("ended", "running", "waiting", "failed")


def write_fleet_report(
    store: FleetStore, folder: Path, warn: Callable[[str], None] = lambda _: None
) -> Path:
    """Write ``index.html`` and a page per site into a folder; return the index.

    A site that has not begun, or whose directory is damaged, has a line and no page.

    Args:
        store: The fleet.
        folder: Where to.
        warn: Takes a line about each target that is not loaded.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise output_error(folder, error) from error
    notes: dict[str, None] = {}
    rows = [
        (site, _write_site(store, site, folder, notes), note_of(site)) for site in store.sites()
    ]
    for note in notes:
        warn(note)
    return INDEX.write(lambda: _index(store, rows), folder / "index.html")


def _write_site(store: FleetStore, site: FleetSite, folder: Path, notes: dict[str, None]) -> str:
    """Write the page of a site; return its name, "" if there is none.

    Args:
        store: The fleet.
        site: The site.
        folder: Where to.
        notes: Gets what the page does without.
    """
    path = store.crawl_folder(site.name)
    if not (path / DATABASE).is_file():
        return ""
    page = folder / f"{site.name}.html"
    try:
        with CrawlDir.open(path, write=False) as crawl, CrawlReader(path) as look:
            notes |= dict.fromkeys(notes_of_plug_ins(config_of(crawl), {"want"}, addable=False))
            made = make_report(crawl, look, page)
    except (ConfigError, SiteError):
        return ""
    return REPORT.write(lambda: made, page).name


def _index(store: FleetStore, rows: list[tuple[FleetSite, str, str]]) -> str:
    totals = store.totals()
    figures = [
        (f"{totals.sites:,}", "sites", ""),
        (f"{totals.requests:,}", "requests", ""),
        (f"{totals.finds:,}", "finds", ""),
        (f"{finds_per_hundred(totals.finds, totals.requests):.1f}", "finds per 100 requests", ""),
    ]
    states = [f"{totals.states[name]:,} {name}" for name in STATES if totals.states.get(name)]
    rows = sorted(rows, key=lambda row: (-row[0].finds, row[0].number))
    return INDEX.made(title=store.folder.name, figures=figures, states=states, rows=rows)
