"""Answers questions in SQL about the tables of a crawl; nothing is written, nothing else read."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.exports.databases import fill, said
from lodehound.extras import extra
from lodehound.inspect.records import clean
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.tables.databases import Duck, as_texts
from lodehound.tables.names import FINDS, TABLES, NamedTable, named_tables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SECONDS = 60.0  # of a statement
MEMORY = "2GB"
FETCHED = 1000  # rows that are fetched at a time
ZONED = "TIME ZONE"  # in the names of types
LONGEST = 300  # characters of a message of DuckDB
SETTINGS = (
    f"memory_limit = '{MEMORY}'", "temp_directory = ''", "autoinstall_known_extensions = false",
    "autoload_known_extensions = false", "allow_community_extensions = false",
    "python_enable_replacements = false", "enable_external_access = false",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """The answer to a statement.

    Attributes:
        columns: Their names.
        rows: The rows, which are fetched as they are asked for.
    """

    columns: tuple[str, ...]
    rows: Iterator[Sequence[Any]]


@contextmanager
def ask(
    folder: Path,
    statement: str,
    *,
    seconds: float = SECONDS,
    warn: Callable[[str], None] = lambda _: None,
) -> Iterator[SqlAnswer]:
    """Run a SELECT over the tables of a crawl; its answer is valid within the context.

    Args:
        folder: The crawl directory.
        statement: It may name `finds`, `tables`, and the tables that the latter lists.
        seconds: How long the statement may take, once its tables are read.
        warn: Takes a line for each table that could not be read, or not completely.

    Raises:
        ConfigError: The statement cannot be answered, or does more than to read.
    """
    with extra("sql"):
        import duckdb  # noqa: PLC0415 - an extra

    with Catalogue(folder) as catalogue, duckdb.connect(":memory:") as db:
        try:
            for setting in SETTINGS:
                db.execute(f"SET {setting}")
            _check(db, statement)
            tables = list(named_tables(catalogue))
            named = _named(db, statement, tables)
            database, with_finds = Duck(db), FINDS in named
            for loaded in fill(
                database, catalogue, tables, lambda one: one.name in named, with_finds=with_finds
            ):
                if loaded.note:
                    warn(said(loaded))
            db.execute("SET lock_configuration = true")
            with _limited(db, seconds):
                yield _answer(db, statement)
        except duckdb.InterruptException as error:
            raise ConfigError(f"The statement takes more than {seconds:g} seconds.") from error
        except duckdb.Error as error:
            raise ConfigError(f"SQL: {clean(error, LONGEST)}") from error


def _check(db: DuckDBPyConnection, statement: str) -> None:
    """Refuse what is no SELECT."""
    statements = db.extract_statements(statement)
    kinds = [one.type.name for one in statements]
    if kinds != ["SELECT"]:
        what = " and ".join(kind for kind in kinds if kind != "SELECT")
        what = what or (f"{len(kinds)} of them" if kinds else "an empty one")
        raise ConfigError(
            f"Only one SELECT statement is answered, not {what}: nothing is written, and no "
            f"other file is read."
        )


def _named(db: DuckDBPyConnection, statement: str, tables: Sequence[NamedTable]) -> set[str]:
    """Return the tables whose names occur in a statement; refuse one that does not exist."""
    import duckdb  # noqa: PLC0415 - an extra

    known = {FINDS, TABLES, *(table.name for table in tables)}
    try:
        asked = {name.lower() for name in db.get_table_names(statement)}
    except duckdb.Error:
        asked = set()  # what is wrong will be said when it runs
    for name in sorted(asked - known):
        raise UnknownNameError("table", name, known)
    return known & set(re.findall(r"\w+", statement.lower()))


@contextmanager
def _limited(db: DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, db.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _answer(db: DuckDBPyConnection, statement: str) -> SqlAnswer:
    names = tuple(column[0] for column in db.execute(statement).description or ())
    kinds = [str(column[1]) for column in db.description or ()]
    if any(ZONED in kind for kind in kinds):
        # DuckDB makes Python's times of those with a zone by a package that is not installed.
        db.execute(as_texts(statement, [ZONED in kind for kind in kinds]))

    def rows() -> Iterator[Sequence[Any]]:
        while some := db.fetchmany(FETCHED):
            yield from some

    return SqlAnswer(names, rows())
