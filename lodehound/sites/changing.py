"""A generated site that changes by known laws, for tests in which the best order is known.

The laws: a list grows by one file a month; an archive never changes; a news page changes every
month and brings nothing; tables are replaced every month, each in two formats and two languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from lodehound.core.errors import ConfigError
from lodehound.sites.data_files import OFFICE
from lodehound.stores.records import Record
from lodehound.stores.timeline import Timeline

HTML = "text/html; charset=utf-8"
FORMATS = {"csv": "text/csv", "xlsx": f"{OFFICE}.spreadsheetml.sheet"}
LANGUAGES = ("en", "fr")
FIRST_YEAR = 2020


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangingSite:
    """The parameters of a generated site that changes.

    Args:
        months: Snapshots, one a month.
        archive: Pages of the archive, each with a file; none ever changes.
        tables: Tables that are replaced every month.
        host: Root URL of the site.

    >>> site = ChangingSite(months=3, archive=5, tables=1)
    >>> site.news(2)
    ['https://stats.example/releases/2.csv', 'https://stats.example/tables/en/0.csv', \
'https://stats.example/tables/en/0.xlsx', 'https://stats.example/tables/fr/0.csv', \
'https://stats.example/tables/fr/0.xlsx']
    """

    months: int = 6
    archive: int = 100
    tables: int = 2
    host: str = "https://stats.example/"

    def __post_init__(self) -> None:
        if self.months < 1 or self.archive < 0 or self.tables < 0:
            raise ConfigError("A changing site needs 1 month; archive and tables are 0 or more.")

    def date(self, month: int) -> str:
        """Return the date of a snapshot."""
        year, number = divmod(month, 12)
        return datetime(FIRST_YEAR + year, number + 1, 1, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def news(self, month: int) -> list[str]:
        """Return the files that are new or changed in a month after the first."""
        return [f"{self.host}releases/{month}.csv", *(url for url, _ in self._table_urls())]

    def at(self, month: int) -> list[Record]:
        """Return the site as it is in a month, to be served."""
        date = self.date(month)
        latest = {record.url: record for record in self.records() if record.date <= date}
        return list(latest.values())

    def timeline(self) -> Timeline:
        """Make the site with all its versions."""
        dates = [self.date(month) for month in range(self.months)]
        return Timeline.build("changing", dates, self.records())

    def records(self) -> Iterator[Record]:
        """Make every version of every page and file, the oldest first."""
        for month in range(self.months):
            yield from self._fixed() if month == 0 else ()
            yield self._page("releases/", [f"releases/{n}.csv" for n in range(month + 1)], month)
            yield self._page("news/", [], month)
            yield self._file(f"{self.host}releases/{month}.csv", "text/csv", month)
            for url, mime in self._table_urls():
                yield self._file(url, mime, month)

    def _fixed(self) -> Iterator[Record]:
        """Make what never changes, the home page first."""
        yield self._page("", ["releases/", "news/", "archive/", "tables/"], 0)
        yield self._page("archive/", [f"archive/{n}/" for n in range(self.archive)], 0)
        yield self._page("tables/", [url for url, _ in self._table_urls()], 0)
        for number in range(self.archive):
            yield self._page(f"archive/{number}/", [f"archive/{number}/data.csv"], 0)
            yield self._file(f"{self.host}archive/{number}/data.csv", "text/csv", 0)

    def _table_urls(self) -> Iterator[tuple[str, str]]:
        for number in range(self.tables):
            for language in LANGUAGES:
                for ending, mime in FORMATS.items():
                    yield f"{self.host}tables/{language}/{number}.{ending}", mime

    def _page(self, path: str, links: list[str], month: int) -> Record:
        items = "".join(f'<li><a href="/{link}">{link}</a></li>' for link in links)
        items = items.replace(f'"/{self.host}', f'"{self.host}')
        body = f"<h1>{path or 'home'}</h1><p>Month {month}</p><ul>{items}</ul>".encode()
        return self._record(f"{self.host}{path}", HTML, body, month)

    def _file(self, url: str, mime: str, month: int) -> Record:
        return self._record(url, mime, f"{url},{month}".encode(), month)

    def _record(self, url: str, mime: str, body: bytes, month: int) -> Record:
        date, etag = self.date(month), f'"{month}-{len(body)}"'
        return Record(url, 200, mime, body, len(body), etag=etag, date=date)
