"""Tables of finds as pandas DataFrames."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lodehound.core.errors import ConfigError
from lodehound.inspect.records import Values
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.tables.names import NamedTable, named_tables
from lodehound.tables.rows import TableReader
from lodehound.text.counts import counted

if TYPE_CHECKING:
    from pandas import DataFrame

TYPES = {"integer": "Int64", "number": "float64", "boolean": "boolean", "text": "object"}
TIMES = {"date": "datetime64[s]", "time": "datetime64[us]"}


def pandas_for(what: str) -> Any:
    """Return pandas, or raise a ConfigError that says what needs it."""
    try:
        import pandas  # noqa: PLC0415 - optional
    except ImportError as error:
        raise ConfigError(f"{what} needs pandas: pip install pandas.") from error
    return pandas


def frame_of(catalogue: Catalogue, entry: CatalogueEntry, number: int) -> DataFrame:
    """Return a table of a find, typed; warn if it is not complete.

    Args:
        catalogue: The catalogue of the find.
        entry: The find.
        number: Of the table in the file, from 1.

    Raises:
        ConfigError: There is no such table, or it cannot be read.
    """
    pandas = pandas_for("table()")
    tables = [one for one in named_tables(catalogue) if one.entry.find.file == entry.find.file]
    if not 0 < number <= len(tables):
        known = f"{counted(len(tables), 'table')} is known" if len(tables) == 1 else ""
        known = known or f"{counted(len(tables), 'table')} are known"
        raise ConfigError(f"There is no table {number} in {entry.find.final_url}: {known}.")
    table, frames = tables[number - 1], []

    def put(_: NamedTable, values: Values) -> int:
        rows = list(values.rows)
        columns = zip(values.names, values.kinds, strict=True)
        series = {
            name: _series(pandas, kind, [row[at] for row in rows])
            for at, (name, kind) in enumerate(columns)
        }
        frames.append(pandas.DataFrame(series))
        return len(rows)

    with TableReader() as reader:
        (loaded,) = reader.load([table], lambda one: catalogue.path_of(one.entry.find), put)
    if not frames:
        raise ConfigError(f"{entry.find.final_url} cannot be read: {loaded.note}.")
    if loaded.note:
        warnings.warn(f"{entry.find.final_url}: {loaded.note}", stacklevel=3)
    return frames[0]


def _series(pandas: Any, kind: str, values: Sequence[Any]) -> Any:
    if kind in TIMES:
        moments = np.array([value or "NaT" for value in values], dtype=TIMES[kind])
        return pandas.Series(moments)
    return pandas.Series(values, dtype=TYPES[kind])
