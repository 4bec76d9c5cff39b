"""Ways to damage a crawl directory, and commands to try on it."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from lodehound.cli import main
from tests.live import Crawled

ROOT = "https://s.example/"
Attack = Callable[[Path, random.Random], None]

# What an edited or flipped cell may hold.
NONSENSE: tuple[Any, ...] = (
    None, "abc", "", b"\xff\xfe", b"", -1, 0, 2**62, 1.5, "[]", "{", "[" * 2000, '{"all": 3}',
    "\x1b[2J",
)  # fmt: skip


def run(*words: object) -> Crawled:
    """Run a command in this process, as a user would in a shell."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    argv = ["lodehound", *map(str, words)]
    code = 0
    with mock.patch.object(sys, "argv", argv), contextlib.ExitStack() as undo:
        undo.enter_context(contextlib.redirect_stdout(out))
        undo.enter_context(contextlib.redirect_stderr(err))
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    out.flush()
    said = out.buffer.getvalue().decode("utf-8", "replace")
    return Crawled(code, said, err.getvalue(), Path())


def commands(crawl: Path, other: Path) -> list[list[object]]:
    """Every command that reads a crawl directory; ``other`` is a sound one."""
    out = crawl.parent / "out"
    return [
        ["status", crawl],
        ["list", crawl, "--sort", "title"],
        ["list", crawl, "--json"],
        ["report", crawl, "--output", "-"],
        ["export", crawl, "--to", "csv", "--output", "-"],
        ["export", crawl, "--to", "dcat", "--output", out / "dcat.jsonld", "--force"],
        ["skipped", crawl],
        ["explain", crawl, ROOT],
        ["diff", other, crawl],
        ["resume", crawl, "--requests", "+3", "--quiet"],
        ["update", crawl, "--requests", "3", "--quiet"],
        ["crawl", ROOT, "--out", crawl, "--quiet"],
    ]


def rows(crawl: Path, statement: str, *values: object) -> list[Any]:
    db = sqlite3.connect(crawl / "crawl.sqlite")
    try:
        with db:
            return db.execute(statement, values).fetchall()
    finally:
        db.close()


def any_row(crawl: Path, table: str, rng: random.Random) -> int:
    """Return the number of a row; 0 if there is none."""
    numbers: list[int] = [
        number for (number,) in rows(crawl, f"SELECT rowid FROM {table} ORDER BY rowid")
    ]
    return rng.choice(numbers or [0])


# --- what happens to the database ------------------------------------------------------------


def edit_a_cell(crawl: Path, rng: random.Random) -> None:
    """Put nonsense into one cell, as a tool or a user might."""
    names = [name for (name,) in rows(crawl, "SELECT name FROM sqlite_schema WHERE type='table'")]
    table = rng.choice(sorted(names))
    columns = [row[1] for row in rows(crawl, f"PRAGMA table_info({table})")]
    column, value = rng.choice(columns), rng.choice(NONSENSE)
    with contextlib.suppress(sqlite3.IntegrityError):
        row = any_row(crawl, table, rng)
        rows(crawl, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, row)


def edit_the_config(crawl: Path, rng: random.Random) -> None:
    """Put nonsense into one value of the config."""
    ((text,),) = rows(crawl, "SELECT value FROM meta WHERE key = 'config'")
    config = json.loads(text)
    config[rng.choice(sorted(config))] = rng.choice([None, 5, "abc", [], {}, [7], True, -1.5])
    rows(crawl, "UPDATE meta SET value = ? WHERE key = 'config'", json.dumps(config))


def drop_a_row(crawl: Path, rng: random.Random) -> None:
    table = rng.choice(["asks", "answers", "finds", "inspections", "meta", "runs"])
    spared = "AND key != 'config'" if table == "meta" else ""  # without it, the replica is lost
    rows(crawl, f"DELETE FROM {table} WHERE rowid = ? {spared}", any_row(crawl, table, rng))


def drop_a_table(crawl: Path, rng: random.Random) -> None:
    rows(crawl, f"DROP TABLE {rng.choice(['asks', 'answers', 'finds', 'inspections'])}")


def flip_bits(crawl: Path, rng: random.Random) -> None:
    data = bytearray((crawl / "crawl.sqlite").read_bytes())
    for _ in range(rng.choice([1, 1, 8, 64])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (crawl / "crawl.sqlite").write_bytes(data)


def blank_a_page(crawl: Path, rng: random.Random) -> None:
    """A page of the file is zeros, as after a power failure."""
    data = bytearray((crawl / "crawl.sqlite").read_bytes())
    page = 4096 * rng.randrange(len(data) // 4096)
    data[page : page + 4096] = bytes(4096)
    (crawl / "crawl.sqlite").write_bytes(data)


def cut_the_database(crawl: Path, rng: random.Random) -> None:
    data = (crawl / "crawl.sqlite").read_bytes()
    # The first half has the roots of the tables, and hardly a row in so small a crawl.
    (crawl / "crawl.sqlite").write_bytes(data[: rng.randrange(len(data) * 3 // 4, len(data))])


ON_DATABASE: tuple[Attack, ...] = (
    edit_a_cell, edit_the_config, drop_a_row, drop_a_table, flip_bits, blank_a_page,
    cut_the_database,
)  # fmt: skip


# --- what happens to the write-ahead log -----------------------------------------------------


def with_log(crawl: Path, to: Path) -> None:
    """Copy a crawl as a killed process leaves it: its last answers are in the log alone."""
    db = sqlite3.connect(crawl / "crawl.sqlite", isolation_level=None)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("BEGIN")
    db.execute("CREATE TABLE moved AS SELECT * FROM answers")
    db.execute("DELETE FROM answers")
    db.execute("INSERT INTO answers SELECT * FROM moved ORDER BY seq")
    db.execute("DROP TABLE moved")
    db.execute("COMMIT")
    shutil.copytree(crawl, to)
    db.close()


def cut_the_log(crawl: Path, rng: random.Random) -> None:
    data = (crawl / "crawl.sqlite-wal").read_bytes()
    (crawl / "crawl.sqlite-wal").write_bytes(data[: rng.randrange(len(data))])


def flip_bits_of_the_log(crawl: Path, rng: random.Random) -> None:
    data = bytearray((crawl / "crawl.sqlite-wal").read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    (crawl / "crawl.sqlite-wal").write_bytes(data)


ON_LOG: tuple[Attack, ...] = (cut_the_log, flip_bits_of_the_log)


# --- what happens to the files ---------------------------------------------------------------


def files_of(crawl: Path) -> list[Path]:
    return sorted(path for path in (crawl / "files").rglob("*") if path.is_file())


def delete_a_file(crawl: Path, rng: random.Random) -> None:
    rng.choice(files_of(crawl)).unlink()


def swap_two_files(crawl: Path, rng: random.Random) -> None:
    one, other = rng.sample(files_of(crawl), 2)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def flip_a_bit_of_a_file(crawl: Path, rng: random.Random) -> None:
    chosen = rng.choice(files_of(crawl))
    data = bytearray(chosen.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    chosen.write_bytes(data)


ON_FILES: tuple[Attack, ...] = (delete_a_file, swap_two_files, flip_a_bit_of_a_file)
