"""Parquet, Arrow and Feather files: column names and types are declared in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lodehound.inspect.cells import MOST_CHARS, Cell, cell_of
from lodehound.inspect.grid import table_from
from lodehound.inspect.libraries import library
from lodehound.inspect.limits import Options
from lodehound.inspect.records import NEEDS, Inspection, clean, too_large
from lodehound.inspect.sampling import places
from lodehound.inspect.source import Source

if TYPE_CHECKING:
    import pyarrow

BATCH = 8192  # rows that are decoded at a time


def inspect_columnar(source: Source, kind: str, options: Options) -> Inspection:
    """Count the rows of a Parquet, Arrow or Feather file, and read some of them."""
    try:
        arrow = library("pyarrow")
        library("pyarrow.parquet")
    except ImportError:
        return Inspection(kind, error=NEEDS)
    if source.size > options.limits.read_bytes:
        return Inspection(kind, error=too_large(options.limits.read_bytes))
    arrow.set_cpu_count(1)  # each thread maps memory
    arrow.set_io_thread_count(1)
    try:
        names, rows, data = (_parquet if kind == "parquet" else _arrow)(source, options)
    except arrow.ArrowMemoryError as error:
        raise MemoryError from error
    except (arrow.ArrowException, OSError) as error:
        return Inspection(kind, error=clean(f"not readable: {error}"))
    table = table_from("", names, data, options, rows=rows, columns=len(names))
    return Inspection(kind).with_tables([table], kept=1)


def _parquet(source: Source, options: Options) -> tuple[list[str], int, list[list[Cell]]]:
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415

    with source.open() as place, ParquetFile(place, pre_buffer=False) as file:
        names, rows = file.schema_arrow.names, file.metadata.num_rows
        wanted = places(rows, options.limits.sample_rows, options.limits.sample_places)
        data: list[list[Cell]] = []
        start = 0
        for group in range(file.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if any(_overlaps(wanted, start, count)):
                batches = file.iter_batches(
                    batch_size=BATCH,
                    row_groups=[group],
                    columns=names[: options.limits.sample_columns],
                    use_threads=False,
                )
                data += _rows(batches, wanted, start)
            start += count
        return names, rows, data


def _arrow(source: Source, options: Options) -> tuple[list[str], int, list[list[Cell]]]:
    """Read a file of batches, or a stream of them (which has no magic bytes at its start)."""
    import pyarrow  # noqa: PLC0415

    place = source.place
    whole = pyarrow.py_buffer(place) if isinstance(place, bytes) else pyarrow.memory_map(str(place))
    if source.head(6) == b"ARROW1":
        file = pyarrow.ipc.open_file(whole)
        batches = [file.get_batch(number) for number in range(file.num_record_batches)]
    else:
        file = pyarrow.ipc.open_stream(whole)
        batches = list(file)
    rows = sum(batch.num_rows for batch in batches)
    used = list(range(min(len(file.schema), options.limits.sample_columns)))
    chosen = (batch.select(used) for batch in batches)
    wanted = places(rows, options.limits.sample_rows, options.limits.sample_places)
    return file.schema.names, rows, list(_rows(chosen, wanted))


def _overlaps(
    wanted: Iterable[tuple[int, int]], start: int, count: int
) -> Iterator[tuple[int, int]]:
    """Yield which of some rows that begin at `start` are wanted: a place among them, a number."""
    for first, most in wanted:
        low, high = max(first, start), min(first + most, start + count)
        if low < high:
            yield low - start, high - low


def _rows(
    batches: Iterable[pyarrow.RecordBatch], wanted: list[tuple[int, int]], start: int = 0
) -> Iterator[list[Cell]]:
    for batch in batches:
        for first, most in _overlaps(wanted, start, batch.num_rows):
            some = batch.slice(first, most)
            some.validate(full=True)  # a hostile file may point outside of its buffers
            cells = [_cells(column) for column in some.columns]
            yield from map(list, zip(*cells, strict=True))
        start += batch.num_rows


def _cells(column: pyarrow.Array) -> list[Cell]:
    import pyarrow  # noqa: PLC0415
    from pyarrow import compute, types  # noqa: PLC0415

    kind = column.type
    # Python has no nanoseconds, and zones need a data base that may be missing.
    if types.is_timestamp(kind):
        column = column.cast(pyarrow.timestamp("us"), safe=False)
    elif types.is_time64(kind):
        column = column.cast(pyarrow.time64("us"), safe=False)
    elif types.is_duration(kind):
        column = column.cast(pyarrow.duration("us"), safe=False)
    elif types.is_string(kind) or types.is_large_string(kind):
        column = compute.utf8_slice_codeunits(column, 0, MOST_CHARS)
    elif types.is_dictionary(kind):
        numbers, texts = column.indices.to_pylist(), _cells(column.dictionary)
        return [None if number is None else texts[number] for number in numbers]
    elif types.is_nested(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        return ["[...]" if there else None for there in column.is_valid().to_pylist()]
    try:
        values = column.to_pylist()
    except (OverflowError, ValueError):  # of years that Python does not have
        values = list(map(_value, column))
    return list(map(cell_of, values))


def _value(scalar: pyarrow.Scalar) -> object:
    """Return a value, or what Arrow calls it if Python cannot hold it."""
    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        return str(scalar.cast("string"))
