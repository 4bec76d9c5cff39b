"""How a fleet is shown: figures are never cut for a long note."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from lodehound.reports.fleet import table_of
from lodehound.stores.fleet import FleetSite


def test_a_long_note_cuts_no_figure() -> None:
    site = FleetSite(
        1, "statistics.example", "https://statistics.example/", "", 1, "failed", "SiteError",
        "something " * 30, 123456, 7890, 0, 0, 0, 0.0, "", None,
    )  # fmt: skip
    out = StringIO()
    Console(file=out, width=80).print(table_of([site]))
    heading, line, *_ = out.getvalue().splitlines()
    assert heading.split()[:5] == ["site", "state", "requests", "finds", "per"]
    assert line.split()[:5] == ["statistics.example", "failed", "123,456", "7,890", "6.4"]
