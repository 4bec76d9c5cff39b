"""SQLite and GeoPackage: each table of the database is a table.

The schema of the file is the stranger's: no view, trigger, virtual table or generated column is
read, functions of its own are refused, and it is opened so that nothing is written beside it.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain

from lodehound.inspect.cells import cell_of
from lodehound.inspect.grid import table_from
from lodehound.inspect.headings import MOST_LINE, Heading
from lodehound.inspect.limits import FileLimits, Options
from lodehound.inspect.records import Inspection, Table, clean, notes, too_large
from lodehound.inspect.sampling import places
from lodehound.inspect.source import Source
from lodehound.text.counts import counted

MOST_BYTES = 32 << 20  # of one row
OURS = ("sqlite_", "gpkg_", "rtree_", "idx_")  # tables of SQLite, GeoPackage and SpatiaLite
NOT_TABLES = ("tiles", "2d-gridded-coverage")  # what GeoPackage says of images
ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})
FUNCTIONS = frozenset({"count", "min", "max"})
SETTINGS = (
    "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON",
    "temp_store = MEMORY",
)  # fmt: skip
# Views and virtual tables have no pages of their own.
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
VIRTUAL = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage = 0"
CONTENTS = "SELECT table_name, data_type, identifier, description FROM gpkg_contents"


def inspect_database(source: Source, kind: str, options: Options) -> Inspection:
    """Read the tables of a database."""
    if source.size > options.limits.read_bytes:
        return Inspection(kind, error=too_large(options.limits.read_bytes))
    reader = _Database(options)
    tables: list[Table] = []
    error = "" if _is_whole(source) else "not readable: it ends before its last page"
    try:
        with closing(_opened(source)) as db:
            tables.extend(reader.tables(db))
    except sqlite3.Error as problem:
        error = error or clean(f"not readable: {problem}")
    found = Inspection(kind, note=notes(*reader.notes), error=error)
    return found.with_tables(tables, kept=options.limits.tables)


def _is_whole(source: Source) -> bool:
    """Return whether a database has the number of pages that it says (0: it says none)."""
    head = source.head(32)
    size, pages = struct.unpack(">H10xL", head[16:32]) if len(head) == 32 else (0, 1)
    return bool(source.size >= pages * (1 << 16 if size == 1 else size))


def _opened(source: Source) -> sqlite3.Connection:
    place = source.place
    if isinstance(place, bytes):
        db = sqlite3.connect(":memory:", isolation_level=None)
        # In memory there is no write-ahead log: say so where the file says how it is written.
        db.deserialize(place[:18] + b"\x01\x01" + place[20:])
    else:
        name = f"{place.absolute().as_uri()}?mode=ro&immutable=1"
        db = sqlite3.connect(name, uri=True, isolation_level=None)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for setting in SETTINGS:
        db.execute(f"PRAGMA {setting}")
    db.set_authorizer(_allow)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    return db


def _allow(
    action: int, first: str | None, second: str | None, _database: str | None, _view: str | None
) -> int:
    """Allow reading tables; refuse everything else, also what views and columns would call."""
    allowed = action in ALLOWED
    allowed |= action == sqlite3.SQLITE_FUNCTION and second in FUNCTIONS
    allowed |= action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


class _Database:
    """Reads the tables one by one; `notes` says which could not be read."""

    def __init__(self, options: Options) -> None:
        self.notes: list[str] = []
        self._options = options

    def tables(self, db: sqlite3.Connection) -> Iterator[Table]:
        names = [name for (name,) in db.execute(TABLES) if not name.startswith(OURS)]
        virtual = tuple(f"{name}_" for (name,) in db.execute(VIRTUAL))
        names = [name for name in names if not name.startswith(virtual)]  # their parts
        described = self._described(db)
        names = [name for name in names if described.get(name, [""])[0] not in NOT_TABLES]
        most = self._options.limits.sheets
        for name in names[:most]:
            try:
                yield self._table(db, name, described.get(name, [])[1:])
            except sqlite3.Error as error:
                self.notes.append(clean(f"{name}: {error}"))
        if len(names) > most:
            left = counted(len(names) - most, "more table was", "more tables were")
            self.notes.append(f"{left} not read")

    def _described(self, db: sqlite3.Connection) -> dict[str, list[str]]:
        """Return what a GeoPackage says of its tables; {} of other databases."""
        try:
            return {
                name: [str(text or "") for text in about] for name, *about in db.execute(CONTENTS)
            }
        except (sqlite3.Error, ValueError):
            return {}

    def _table(self, db: sqlite3.Connection, name: str, titles: Sequence[str]) -> Table:
        limits = self._options.limits
        table = _quoted(name)
        # Hidden columns are generated: to read them would run expressions of the file.
        header = [row[1] for row in db.execute(f"PRAGMA table_xinfo({table})") if not row[6]]
        ((rows,),) = db.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - quoted
        columns = ", ".join(map(_quoted, header[: limits.sample_columns]))
        chosen = f"SELECT {columns} FROM {table}"  # noqa: S608 - quoted
        data = [
            [cell_of(value) for value in row]
            for row in chain.from_iterable(
                db.execute(f"{chosen} {where} LIMIT {most}")
                for where, most in _where(db, table, rows, limits)
            )
        ]
        lines = tuple(line for text in titles if (line := clean(text, MOST_LINE)))
        heading = Heading(titles=lines)
        return table_from(
            name, header, data, self._options, rows=rows, columns=len(header), heading=heading
        )


def _where(
    db: sqlite3.Connection, table: str, rows: int, limits: FileLimits
) -> Iterator[tuple[str, int]]:
    """Yield where to begin to read, and how many rows there."""
    wanted = limits.sample_rows
    try:
        ((low, high),) = db.execute(f"SELECT min(rowid), max(rowid) FROM {table}")  # noqa: S608 - quoted
    except sqlite3.Error:  # a table without numbers of rows
        low = high = None
    whole = rows <= wanted or limits.sample_places == 1
    if whole or not isinstance(low, int) or not isinstance(high, int):
        yield "", wanted
        return
    for first, most in places(high - low + 1, wanted):
        yield f"WHERE rowid >= {low + first:d}", most


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
