"""A small site with every kind of file, and the same site some time later."""

from __future__ import annotations

import html

from lodehound.stores.records import Record
from tests.inspect import make

HERE = "http://site/"  # served at whatever address
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TOWNS = make.csv(make.POPULATION)
GROWN = (
    TOWNS.replace("Bonn", "Cologne").replace("2021\r\n", "2021,Note\r\n") + "Paris,1,2,3,new\r\n"
)
PRICES = "town,price\nOslo,12.5\nRome,13.5\nBonn,9.5\n"
NOTES = "These are notes. They hold no table, only some words about the files beside them.\n"
LONG = "town,year,births\n" + "Oslo,2020,512\n" * 500
MOST = 5000  # bytes: less than LONG
HOSTILE = "<img src=x onerror=alert(1)>"


def page(place: str, title: str, *links: tuple[str, str]) -> Record:
    anchors = "".join(f'<p><a href="/{to}">{html.escape(text)}</a></p>' for to, text in links)
    body = f"<title>{html.escape(title)}</title>{anchors}"
    return Record(HERE + place, 200, "text/html; charset=utf-8", body.encode())


def file(place: str, body: str | bytes, mime: str = "text/csv", status: int = 200) -> Record:
    return Record(HERE + place, status, mime, body if isinstance(body, bytes) else body.encode())


def before() -> list[Record]:
    """Eleven finds in ten files: 5 with tables, 1 empty, 1 without tables, 2 unreadable, 1 cut."""
    births = [("births.csv", "CSV"), ("births.xlsx", "Excel"), ("empty.csv", "No births")]
    deaths = [("deaths.csv", "CSV"), ("copy.csv", "CSV"), ("broken.xlsx", "Broken"), ("a.pdf", "")]
    other = [("notes.txt", "Notes"), ("long.csv", "Long"), ("old/prices.csv", HOSTILE)]
    return [
        page("", "Office", ("births", "Births"), ("deaths", "Deaths"), ("other", "Other")),
        page("births", "Births", *births),
        page("deaths", "Deaths", *deaths, ("error.csv", "Error")),
        page("other", "Other", *other),
        *_same(),
        file("births.csv", TOWNS),
        file("empty.csv", "town,year,births\n"),
        file("deaths.csv", TOWNS.replace("Oslo", "Lima")),
        file("error.csv", TOWNS.replace("Oslo", "Cairo")),
        file("old/prices.csv", PRICES),
    ]


def after() -> list[Record]:
    """The same later: one file of every fate."""
    births = [("births.csv", "CSV"), ("births.xlsx", "Excel")]
    deaths = [("deaths.csv", "CSV"), ("copy.csv", "CSV"), ("broken.xlsx", "Broken"), ("a.pdf", "")]
    other = [("notes.txt", "Notes"), ("long.csv", "Long"), ("new/prices.csv", HOSTILE)]
    return [
        page("", "Office", ("births", "Births"), ("deaths", "Deaths"), ("other", "Other")),
        page("births", "Births", *births, ("fresh.csv", "Fresh")),
        page("deaths", "Deaths", *deaths, ("error.csv", "Error")),
        page("other", "Other", *other),
        *_same(),
        file("births.csv", GROWN),
        file("fresh.csv", "a,b\n1,2\n3,4\n"),
        file("deaths.csv", "gone", "text/html", 404),
        file("error.csv", "down", "text/html", 503),
        file("new/prices.csv", PRICES),
    ]


def _same() -> list[Record]:
    return [
        file("births.xlsx", WORKBOOK, XLSX),
        file("copy.csv", TOWNS),
        file("broken.xlsx", b"PK\x03\x04 broken", XLSX),
        file("a.pdf", b"%PDF-1.4 broken", "application/pdf"),
        file("notes.txt", NOTES, "text/plain"),
        file("long.csv", LONG),
    ]


WORKBOOK = make.xlsx({"One": make.POPULATION}, title="Live births by town")
