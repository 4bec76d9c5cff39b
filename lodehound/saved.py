"""A crawl on disk, for programs: its finds, search in them, explanations, reports."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

from lodehound.assembly.changes import with_changes
from lodehound.assembly.rebuild import config_of
from lodehound.assembly.updating import updated_config
from lodehound.config import CrawlConfig
from lodehound.core.forecasts import Outlook
from lodehound.exports.columns import COLUMNS, row_of
from lodehound.inspect.values import distinct
from lodehound.option_types import ResumeOptions, UpdateOptions
from lodehound.reports.explain import Explanation, explain
from lodehound.reports.receipt import receipt_of
from lodehound.reports.round_report import RoundReport, round_report
from lodehound.search.engine import Filter, Found, search
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.catalogue.find_store import FindStore
from lodehound.stores.catalogue.named import one_named
from lodehound.stores.catalogue.totals import Summary, summary_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.files.file_names import name_of
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.tables.frames import frame_of, pandas_for

if TYPE_CHECKING:
    from pandas import DataFrame

    from lodehound.api import CrawlRun


@dataclass(frozen=True, slots=True)
class Find:
    """One find, and where it came from."""

    url: str
    final_url: str  # where the redirects ended
    # The file on this disk. Identical files are stored once, so finds may share it. A dataset of
    # a crawl that only catalogues has none: this is the crawl directory, and details describes it.
    path: Path
    mime: str
    bytes: int
    truncated: bool  # longer than max_file: the beginning was kept
    sha256: str  # "" for a truncated one
    found_on: str  # the page that linked to it
    page_title: str
    anchor: str
    tag_path: str
    depth: int
    why: str
    details: str = ""  # JSON: what the target says of it (the statements of a page, say)
    name: str = ""  # of the file on its site: a shared path may have the name of another find


class SavedCrawl:
    """A crawl on disk, running or not: ``lodehound.open(directory)``.

    Iterate over it to get its finds.

    Args:
        directory: The crawl directory.

    Raises:
        ConfigError: There is no crawl, or it is damaged.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @classmethod
    def open(cls, directory: str | Path) -> SavedCrawl:
        """Return a crawl that was begun earlier, here or by the command line."""
        folder = Path(directory)
        CrawlDir.open(folder, write=False).close()
        return SavedCrawl(folder)

    @property
    def ended(self) -> str:
        """Why the crawl ended: exhausted, requests, user and so on; "" while it runs."""
        with CrawlDir.open(self.directory, write=False) as directory:
            return directory.ended

    @property
    def summary(self) -> Summary:
        """What the crawl has cost and brought so far."""
        with CrawlDatabase(self.directory, write=False) as database:
            return summary_of(database.rows)

    @property
    def forecast(self) -> Outlook | None:
        """What is expected of the rest of the first round; None if nothing is known yet."""
        with CrawlDir.open(self.directory, write=False) as directory:
            return directory.outlook()

    @property
    def round(self) -> RoundReport:
        """What the last round brought so far; in the first round, everything is new."""
        with CrawlDir.open(self.directory, write=False) as directory:
            return round_report(directory)

    @property
    def finds(self) -> list[Find]:
        """The finds so far."""
        with CrawlDatabase(self.directory, write=False) as database:
            return [find_of_row(self.directory, row) for row in FindStore(database)]

    def __iter__(self) -> Iterator[Find]:
        yield from self.finds

    def search(
        self,
        question: str,
        *,
        limit: int = 10,
        type: str = "",  # noqa: A002 - the name of the option
        years: tuple[int, int] | None = None,
        site: str = "",
    ) -> list[Found]:
        """Return the finds that answer a question, the likeliest first, each with the reasons.

        Args:
            question: In plain words.
            limit: How many at most.
            type: Only files of a type.
            years: Only tables that cover some of the years from the first to the last.
            site: Only finds of a host.
        """
        only = Filter(type.lower(), years, site.lower())
        return search(question, [self.directory], limit=limit, only=only)

    def explain(self, url: str) -> Explanation:
        """Return why a URL was fetched, or why not."""
        with (
            CrawlDir.open(self.directory, write=False) as directory,
            CrawlReader(self.directory) as look,
        ):
            return explain(directory, look, url)

    def report(self, output: str | Path | None = None) -> Path:
        """Write the HTML report, and return where it is: ``report.html`` in the crawl directory."""
        from lodehound.reports.page import write_report  # noqa: PLC0415 - templates

        place = Path(output) if output is not None else self.directory / "report.html"
        with (
            CrawlDir.open(self.directory, write=False) as directory,
            CrawlReader(self.directory) as look,
        ):
            return write_report(directory, look, place, force=False)

    def receipt(self) -> dict[str, Any]:
        """Return what the crawl covered and left out, with hashes: ``receipt --json`` as values."""
        with (
            CrawlDir.open(self.directory, write=False) as directory,
            CrawlReader(self.directory) as look,
        ):
            return receipt_of(directory, look)

    def to_pandas(self) -> DataFrame:
        """Return the catalogue as a table: one row per find.

        Its columns are those of ``export --to csv``, path and name of the file.
        """
        pandas = pandas_for("to_pandas()")
        with Catalogue(self.directory) as catalogue:
            rows = [
                {**row_of(entry), "path": self.directory / entry.find.file, "name": entry.name}
                for entry in catalogue.entries()
            ]
        columns = [*(column.name for column in COLUMNS), "path", "name"]
        frame: DataFrame = pandas.DataFrame(rows, columns=columns)
        return frame

    def table(self, find: Find | int | str, table: int = 1) -> DataFrame:
        """Return the rows of a table of a find: numbers, dates, truth values and texts.

        Warn if it is not complete: if it has more than a million rows, say.

        Args:
            find: A find, its number, its URL, or its path.
            table: Its number in the file.
        """
        name = find.final_url if isinstance(find, Find) else str(find)
        with Catalogue(self.directory) as catalogue:
            return frame_of(catalogue, one_named(catalogue, name), table)

    def sql(self, statement: str, *, seconds: float = 60.0) -> list[dict[str, Any]]:
        """Return the rows that a SELECT over the tables of the finds gives.

        "SELECT * FROM tables" lists the tables, and `finds` is the catalogue.

        Args:
            statement: In the SQL of DuckDB. Nothing else is read, and nothing is written.
            seconds: How long it may take, once its tables are read.
        """
        from lodehound.exports.sql_query import ask  # noqa: PLC0415 - an extra

        def warn(line: str) -> None:
            warnings.warn(line, stacklevel=4)

        with ask(self.directory, statement, seconds=seconds, warn=warn) as answer:
            names = distinct(answer.columns)
            return [dict(zip(names, row, strict=True)) for row in answer.rows]

    def resume(self, **options: Unpack[ResumeOptions]) -> CrawlRun:
        """Continue the crawl when it has ended, with other options: ``resume(requests="+500")``.

        "+500" means 500 more than were used so far.
        """
        from lodehound.api import CrawlRun  # noqa: PLC0415 - it derives from this class

        with CrawlDir.open(self.directory, write=False) as directory:
            used = directory.round_summary()
        changes = {name: plain(value) for name, value in options.items()}
        return CrawlRun(with_changes(self._config_now(), changes, used), self.directory)

    def update(self, **options: Unpack[UpdateOptions]) -> CrawlRun:
        """Come back for new and changed files when the crawl has ended: a further round.

        Iteration over the result yields the finds in their newest versions. ``round`` tells what
        is new, changed and gone.
        """
        from lodehound.api import CrawlRun  # noqa: PLC0415 - it derives from this class

        changes = {name: plain(value) for name, value in options.items()}
        return CrawlRun(updated_config(self._config_now(), changes), self.directory, update=True)

    def _config_now(self) -> CrawlConfig:
        with CrawlDir.open(self.directory, write=False) as directory:
            return config_of(directory)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the crawl as it is."""


def find_of_row(folder: Path, row: FindRow) -> Find:
    same = {field.name for field in fields(Find)} - {"path", "name"}
    return Find(
        path=folder / row.file,
        name=name_of(row.file, row.final_url, row.mime),
        **{name: getattr(row, name) for name in same},
    )


def plain(value: Any) -> Any:
    """Return a path as the text that a config holds."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value
