"""lodehound sql: questions about the tables in the files that were found."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from lodehound.cli.catalogue import write_lines
from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError

SHOWN = 100  # rows in a terminal unless told


def sql(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    statement: Annotated[
        str,
        typer.Argument(help="A SELECT. 'select * from tables' lists the tables.", metavar="SQL"),
    ],
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of rows.", show_default=f"{SHOWN} in a terminal"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per row.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV, for spreadsheets.")] = False,
) -> None:
    """Ask in SQL about the tables in the files that were found."""
    from lodehound.exports.sql_query import ask

    if as_json and as_csv:
        raise ConfigError("--json and --csv exclude each other: choose one.")
    in_terminal = sys.stdout.isatty() and not (as_json or as_csv)
    most = limit or (SHOWN if in_terminal else None)
    with ask(directory, statement, warn=lambda line: echo(line, err=True)) as answer:
        rows = itertools.islice(answer.rows, most)
        if as_csv:
            from lodehound.exports.csv_file import write_rows

            write_rows(sys.stdout.buffer, answer.columns, (map(_plain, row) for row in rows))
            sys.stdout.buffer.flush()
        elif as_json:
            _write_json(answer.columns, rows)
        elif in_terminal:
            _show(answer.columns, rows)
        else:
            lines = itertools.chain([answer.columns], rows)
            write_lines("\t".join(map(_cell, row)) for row in lines)
        if most and next(answer.rows, None) is not None:
            echo(f"Only the first {most} rows: --limit shows more.", err=True)


def _write_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from lodehound.exports.jsonl import line_of
    from lodehound.inspect.values import distinct

    names = distinct(columns)
    write_lines(line_of(dict(zip(names, map(_plain, row), strict=True))) for row in rows)


def _show(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from lodehound.cli.console import Console

    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(Text(_cell(name)))
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    Console(highlight=False).print(table)


def _cell(value: Any) -> str:
    from lodehound.stores.texts import one_line

    return "" if value is None else one_line(str(_plain(value)), 5000)


def _plain(value: Any) -> Any:
    """Return a value of DuckDB as one of JSON."""
    from lodehound.exports.sql_values import plain

    return plain(value)
