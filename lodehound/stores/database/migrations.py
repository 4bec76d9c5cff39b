"""Migrates the database of a crawl from older formats."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from lodehound.stores.database.schema import SCHEMA, VIEWS

NEW_IN_5 = (
    "catalogued", "dataset_changes", "dataset_changes_number", "dataset_changes_name",
    "entries", "entries_title", "entries_host", "entries_section", "entries_type",
    "entries_content", "entries_size", "entries_rows",
)  # fmt: skip
# Tables and indexes that format 2 did not have.
NEW_IN_3 = (
    "runs", "rounds", "estimates", "ignored_encodings", "contents", "versions",
    "renders", "renders_url", "page_requests", "page_requests_page",
    "finds_file", "finds_content", "finds_final_url", "versions_final_url",
    "datasets", "listed", "listed_url", "listed_dataset", "listed_number",
    "sent_links", "sent_links_part", "taken_links",
)  # fmt: skip
# Tables that format 3 did not have.
NEW_IN_4 = ("captions",)


def from_1(db: sqlite3.Connection) -> None:
    """Add titles, true sizes, details, inspections and changes of sleeping hosts (format 2).

    Format 1 stored all sleeping hosts with every ask and wait, and nothing if none slept.
    """
    for table in ("asks", "waits"):
        db.execute(
            f"UPDATE {table} SET asleep = '{{\"all\":' || coalesce(asleep, '[]') || '}}'"  # noqa: S608 - our own names
        )
    db.execute("ALTER TABLE answers ADD COLUMN details TEXT")
    db.execute("ALTER TABLE answers ADD COLUMN title TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE finds RENAME TO old_finds")
    made_of = {
        "answers", "asks", "meta", "waits", "offers", "answers_summary", *NEW_IN_3, *NEW_IN_4,
        *NEW_IN_5,
    }  # fmt: skip
    for statement in SCHEMA:
        if statement.split()[2] not in made_of:
            db.execute(statement)
    db.execute(
        """INSERT INTO finds SELECT number, url, final_url, file, mime, declared_mime, bytes, bytes,
        cut, CASE WHEN cut THEN '' ELSE sha256 END, last_modified, etag, content_disposition,
        fetched_at, found_on, '', anchor, tag_path, depth, why, 1.0, '' FROM old_finds"""
    )
    db.execute("DROP TABLE old_finds")


def from_2(db: sqlite3.Connection) -> None:
    """Format 3 adds groups, runs, rounds, estimates, listings, rendered pages, a view of contents.

    Before, the reason of a choice began with the name of its group, if it had one, and a
    crawl had one policy, that of its config.
    """
    db.execute("ALTER TABLE asks ADD COLUMN crawl_group TEXT NOT NULL DEFAULT ''")
    db.execute(
        """UPDATE asks SET crawl_group = substr(why, 1, instr(why, ': ') - 1)
        WHERE instr(why, ': ') > 0"""
    )
    db.execute("DROP INDEX IF EXISTS finds_file")
    _make_new(db, NEW_IN_3)
    db.execute(
        """INSERT INTO rounds SELECT 1, 1, 0, 0.0, max(value) FILTER (WHERE key = 'created_at'),
        coalesce(max(value) FILTER (WHERE key = 'ended'), '') FROM meta"""
    )
    config = "(SELECT value FROM meta WHERE key = 'config')"
    db.execute(
        f"""INSERT INTO runs SELECT 1, max(value) FILTER (WHERE key = 'version'),
        coalesce(json_extract({config}, '$.policy'), ''),
        coalesce(json_extract({config}, '$.seed'), 0),
        max(value) FILTER (WHERE key = 'created_at') FROM meta"""  # noqa: S608 - our own words
    )
    for name, statement in VIEWS.items():
        db.execute(f"DROP VIEW IF EXISTS {name}")
        db.execute(statement)


def from_3(db: sqlite3.Connection) -> None:
    """Format 4 adds what pages say about links."""
    _make_new(db, NEW_IN_4)


def from_4(db: sqlite3.Connection) -> None:
    """Format 5 adds the entries of the catalogue, which are made when it is opened to be written.

    A repair may have left what identifies the content of an answer that is asked for again.
    """
    _make_new(db, NEW_IN_5)
    db.execute("DELETE FROM contents WHERE number NOT IN (SELECT number FROM answers)")


def _make_new(db: sqlite3.Connection, names: tuple[str, ...]) -> None:
    for statement in SCHEMA:
        if statement.split()[2] in names:
            db.execute(statement)


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: from_1, 2: from_2, 3: from_3, 4: from_4,
}  # fmt: skip
