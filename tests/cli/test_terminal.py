"""What a crawl directory of somebody else holds gives no orders to the terminal."""

from __future__ import annotations

import sqlite3
import unicodedata
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from lodehound.cli.console import Console
from lodehound.cli.echo import echo
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import crawl_words, run, run_many

ORDER = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e\r\nfake line"
COMMANDS = [["status"], ["list"], ["list", "--new"], ["list", "--json"], ["skipped"], ["diff", "b"],
            ["explain", "URL"], ["resume", "--requests", "+1"], ["update"], ["repair"]]  # fmt: skip


def orders(text: str) -> set[str]:
    """Return the characters that a terminal may obey."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp"}}


def test_texts_of_a_directory_are_shown_as_they_are_meant(tmp_path: Path) -> None:
    with SiteServer() as server:
        page = Record(server.url, 200, "text/html", b'<a href="/a.csv">a</a> <a href="/b">b</a>')
        server.serve([page, Record(f"{server.url}a.csv", 200, "text/csv", b"a,b\n1,2\n")])
        assert run(*crawl_words(server.url, out=tmp_path / "b", requests=2)).code == 0
        with closing(sqlite3.connect(tmp_path / "b" / "crawl.sqlite")) as db, db:
            for table, column in [("meta", "value"), ("rounds", "ended"), ("answers", "error"),
                                  ("runs", "policy"), ("finds", "label"), ("answers", "title"),
                                  ("asks", "why"), ("finds", "anchor")]:  # fmt: skip
                which = "WHERE key IN ('ended', 'version')" if table == "meta" else ""
                db.execute(f"UPDATE {table} SET {column} = {column} || ? {which}", (ORDER,))
        commands = [[name, "b", *rest] for name, *rest in COMMANDS]
        words = [[server.url if word == "URL" else word for word in one] for one in commands]
        shown = [done.out + done.err for done in run_many(words, tmp_path)]
    found = {name[0]: orders(text) - {"\t"} for name, text in zip(COMMANDS, shown, strict=True)}
    assert found == {name[0]: set() for name in COMMANDS}
    assert not [line for line in "".join(shown).splitlines() if line.startswith("fake line")]


def test_what_the_console_prints_has_only_its_own_orders() -> None:
    file = StringIO()
    console = Console(file=file, force_terminal=True, color_system="truecolor", width=200)
    table = Table("name")
    table.add_row(Text(ORDER, style="red"))
    console.print(Text(ORDER, style="bold"), table)
    assert "\x1b[1m" in file.getvalue()
    assert not {"\x07", "\x9b", "\u202e", "\r"} & set(file.getvalue())
    assert "\x1b]" not in file.getvalue()
    assert "\x1b[2J" not in file.getvalue()


def test_a_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    echo(f"a {ORDER}\tb")
    assert capsys.readouterr().out == "a �]0;title��[2J�31m�� fake line\tb\n"


def test_commands_print_by_no_other_way() -> None:
    """But for a page that is the output, and for the lines of the workbench's own link."""
    folder = Path(echo.__code__.co_filename).parent
    others = {path.name for path in folder.glob("*.py") if "typer.echo(" in path.read_text("utf-8")}
    assert others == {"echo.py", "report.py", "ui.py"}
