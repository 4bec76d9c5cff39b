"""How a fleet stands: a live screen, plain lines, and tables of its sites."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from rich.console import Console, Group
from rich.live import Live as Screen
from rich.table import Table
from rich.text import Text

from lodehound.assembly.ending import MEANINGS
from lodehound.reports.figures import pace_of
from lodehound.reports.progress import EVERY
from lodehound.reports.screen_text import clean, in_bytes
from lodehound.stores.catalogue.totals import finds_per_hundred
from lodehound.stores.fleet import FleetSite, FleetStore, FleetTotals
from lodehound.text.counts import counted
from lodehound.text.shell import quoted

STATES = ("running", "waiting", "ended", "failed")
STYLES = {"failed": "red", "running": "green", "ended": "dim", "waiting": "yellow"}
HEADINGS = ("site", "state", "requests", "finds", "per 100", "rate", "note")
REDRAW = 1.0  # seconds
NAMED = 3  # failed sites in a line
MARGIN = 6  # lines of a terminal that are not for sites


class FleetScreen:
    """Shows a fleet while it runs: all of it on a terminal, a line now and then elsewhere.

    Args:
        store: The fleet.
        console: Where to.
        quiet: Show nothing.
    """

    def __init__(self, store: FleetStore, console: Console, *, quiet: bool = False) -> None:
        self.store = store
        self.console = console
        self.quiet = quiet
        self._screen: Screen | None = None
        self._next = 0.0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show it for as long as the body of the with-statement runs."""
        if self.quiet or not self.console.is_terminal:
            yield
            return
        with Screen(console=self.console, auto_refresh=False, transient=True) as self._screen:
            yield
        self._screen = None

    def draw(self) -> None:
        """Show how it stands now, unless that was shown a moment ago."""
        if self.quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (REDRAW if self._screen else EVERY)
        totals = self.store.totals()
        if self._screen is None:
            self.console.print(line_of_fleet(totals), markup=False, highlight=False, soft_wrap=True)
            return
        rows = max(self.console.height - MARGIN, 3)
        table = table_of(self.store.worst(rows))
        self._screen.update(Group(Text(line_of_fleet(totals)), table), refresh=True)


def line_of_fleet(totals: FleetTotals) -> str:
    """Return the figures of a fleet in one line."""
    states = ", ".join(f"{totals.states[s]:,} {s}" for s in STATES if totals.states.get(s))
    pace = pace_of(totals.per_minute or None)
    return (
        f"{counted(totals.sites, 'site')}: {states}; {counted(totals.requests, 'request')}"
        f"{f' ({pace})' if pace else ''}, {counted(totals.finds, 'find')}, "
        f"{in_bytes(totals.bytes)}"
    )


def line_of_failed(sites: Sequence[FleetSite], place: str) -> str:
    """Return one line: which sites failed, and how to see why."""
    names = ", ".join(clean(site.name, 40) for site in sites[:NAMED])
    more = f" and {len(sites) - NAMED:,} more" if len(sites) > NAMED else ""
    return f"failed: {names}{more}; see 'lodehound fleet status {quoted(place)}'"


def table_of(sites: Sequence[FleetSite]) -> Table:
    """Return a table with a line per site."""
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    for heading in HEADINGS:
        right = heading in {"requests", "finds", "per 100", "rate"}
        justify: Literal["left", "right"] = "right" if right else "left"
        share = 1 if heading == "note" else None  # it gets the width that is left
        table.add_column(heading, justify=justify, no_wrap=True, ratio=share)
    for site in sites:
        name, state, *figures, note = cells_of(site)
        styled = Text(state, style=STYLES.get(state, ""))
        table.add_row(Text(name), styled, *figures, Text(note, overflow="ellipsis"))
    return table


def cells_of(site: FleetSite) -> tuple[str, ...]:
    """Return the figures of a site as texts."""
    return (
        clean(site.name, 40),
        site.state,
        f"{site.requests:,}",
        f"{site.finds:,}",
        f"{finds_per_hundred(site.finds, site.requests):.1f}",
        f"{site.per_minute:.0f}/min" if site.state == "running" else "",
        note_of(site),
    )


def note_of(site: FleetSite) -> str:
    """Return a note on a site beside its figures."""
    if site.state in {"ended", "failed"}:
        reason = MEANINGS.get(site.reason, site.reason)
        shown = site.detail if site.reason.endswith("Error") else f"{reason}: {site.detail}"
        return clean(shown.removesuffix(": "), 200)
    if site.obstacle:
        return clean(site.obstacle, 200)
    if site.state == "running" and site.idle:
        return "waits for links of the other parts"
    return f"{counted(site.drought, 'request')} since the last find" if site.drought else ""
