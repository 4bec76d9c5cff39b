"""Has the files of a crawl inspected beside it, and writes down what is in them."""

from __future__ import annotations

import json

from lodehound.inspect import Inspection, Options, Reader, Worker
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.inside import is_inside
from lodehound.stores.files.layout import FILES

INSPECTION_TIMEOUT = 120.0  # seconds that a crawl which has ended gives the files that are left
SHORT_TIMEOUT = 2.0  # when the user wants it to stop; resume inspects the rest


class Inspector:
    """Keeps the inspections of one crawl directory.

    Args:
        directory: Where the files are, and where the results go.
        options: What a file may cost, and what looks like statistics.
        reader: Reads the files; one of its own unless given.
    """

    def __init__(
        self, directory: CrawlDir, options: Options | None = None, reader: Reader | None = None
    ) -> None:
        self.directory = directory
        self._worker: Worker[str] = Worker(options, reader)

        self.under_way = 0  # files that are inspected, or wait for it

    def requeue(self) -> None:
        """Have the files inspected that an earlier session left."""
        for file, mime in self.directory.finds.not_inspected():
            self._submit(file, mime)

    def submit(self, find: FindRow) -> None:
        """Have a find inspected; one that is truncated says nothing of the whole."""
        if not find.truncated:
            self._submit(find.file, find.mime)

    def _submit(self, file: str, mime: str) -> None:
        if not is_inside(file, FILES):  # the catalogue may be damaged, or a stranger's
            return
        host = file.split("/")[1]  # files are kept by host
        self.under_way += 1
        self._worker.submit(file, self.directory.path / file, mime, group=(host, mime))

    def write(self, *, without: str = "") -> None:
        """Write down what is ready; committed with the next answer.

        Args:
            without: A file that was just replaced: what is known of it is out of date.
        """
        for file, found in self._worker.results():
            self.under_way -= 1
            if file != without:
                self.directory.finds.inspected(_row(file, found))

    def close(self, *, wait: float = INSPECTION_TIMEOUT) -> None:
        """Finish what waits, within a time, and commit it."""
        self._worker.close(wait)
        self.write()
        self.directory.database.flush()


def _row(file: str, found: Inspection) -> Inspected:
    header = next((table.header for table in found.tables if table.rows == found.rows), ())
    return Inspected(
        file=file,
        kind=found.kind,
        tables=found.table_count,
        rows=found.rows,
        columns=found.columns,
        header=json.dumps(header, ensure_ascii=False),
        pages=found.pages,
        statistics=found.statistic_tables,
        error=found.error,
        inspection=found.to_json(),
    )
