"""The tables of a crawl directory, and how older ones become these."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

# The layout of the database. A new one gets a new number here and, in MIGRATIONS, under
# the old number, what makes the new layout of the old one.
FORMAT = 2

# For people who open the file with Datasette or any other tool.
VIEWS = {
    "catalogue": """CREATE VIEW catalogue AS
    SELECT finds.*, answers.details, kind, tables, rows, columns, header, pages, statistics,
        coalesce(inspections.error, '') AS inspection_error
    FROM finds LEFT JOIN inspections USING (file) LEFT JOIN answers USING (number)""",
    "types": """CREATE VIEW types AS
    SELECT mime, count(*) AS finds, sum(bytes) AS bytes, sum(statistics > 0) AS with_statistics
    FROM catalogue GROUP BY mime ORDER BY finds DESC""",
    "sources": """CREATE VIEW sources AS
    SELECT found_on AS page, page_title AS title, count(*) AS finds, sum(bytes) AS bytes
    FROM finds GROUP BY found_on ORDER BY finds DESC""",
    "requests": """CREATE VIEW requests AS
    SELECT asks.number, asks.url, method, status, mime, size, error, found, new_links, title,
        source, depth, why, at, fetched_at
    FROM asks LEFT JOIN answers USING (number)""",
}

# The comments stay in the file, for people who open it with Datasette and the like.
SCHEMA = (
    """CREATE TABLE meta (
    key TEXT PRIMARY KEY, -- format, version, created_at, config, ended
    value TEXT NOT NULL
)""",
    """CREATE TABLE asks ( -- requests the crawl decided to make
    seq INTEGER PRIMARY KEY, -- one order for asks, waits, offers and answers
    number INTEGER NOT NULL UNIQUE, -- counts the asks
    url TEXT NOT NULL,
    method TEXT NOT NULL,
    source TEXT NOT NULL, -- the page that showed the link
    depth INTEGER NOT NULL, -- links followed from the start
    why TEXT NOT NULL, -- the policy's reason
    probability REAL, -- the odds the policy gave this choice
    asleep TEXT, -- JSON: hosts that fell asleep and that woke since the event before; NULL: none
    asked_at TEXT NOT NULL -- UTC
)""",
    """CREATE TABLE answers ( -- what came back
    seq INTEGER PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE, -- of the ask
    url TEXT NOT NULL, -- where the request went
    status INTEGER NOT NULL, -- of HTTP; 0 when nothing came
    mime TEXT NOT NULL, -- what it really is
    declared_mime TEXT NOT NULL, -- what the server said
    size INTEGER NOT NULL, -- bytes
    location TEXT NOT NULL, -- of a redirect, as sent
    moved TEXT NOT NULL, -- where the page itself sends its readers
    charset TEXT NOT NULL,
    error TEXT NOT NULL,
    cut INTEGER NOT NULL, -- 1: it was longer than the limit
    tries INTEGER NOT NULL, -- requests it took
    sent INTEGER NOT NULL, -- 0: it was not asked for (robots.txt)
    found INTEGER NOT NULL, -- 1: a find
    value REAL,
    label TEXT NOT NULL,
    new_links INTEGER NOT NULL, -- links never seen before
    title TEXT NOT NULL, -- of the page
    at REAL NOT NULL, -- seconds since the crawl began
    fetched_at TEXT NOT NULL, -- UTC
    links BLOB, -- zlib-compressed JSON: [url, tag path, anchor, text around, kind]; NULL: unread
    details TEXT -- JSON: what the target says of it beyond its label
)""",
    # Everything a summary needs, so that it does not read through the pages of links.
    "CREATE INDEX answers_summary ON answers (status, error, sent, tries, size, found, at)",
    "CREATE INDEX answers_url ON answers (url)",
    """CREATE TABLE waits ( -- moments when the policy was asked and had nothing to ask for
    seq INTEGER PRIMARY KEY,
    asleep TEXT -- as of asks
)""",
    """CREATE TABLE offers ( -- links that no page showed, from sitemaps and feeds
    seq INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    links BLOB NOT NULL
)""",
    """CREATE TABLE finds ( -- the catalogue
    number INTEGER PRIMARY KEY, -- of the ask that brought it
    url TEXT NOT NULL, -- the link as chosen
    final_url TEXT NOT NULL, -- where its redirects ended
    file TEXT NOT NULL, -- path in this folder
    mime TEXT NOT NULL,
    declared_mime TEXT NOT NULL,
    bytes INTEGER NOT NULL, -- of the file
    size INTEGER NOT NULL, -- bytes of the whole; more than those of the file when it is truncated
    truncated INTEGER NOT NULL, -- 1: the file is only the beginning; it is not hashed nor inspected
    sha256 TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    etag TEXT NOT NULL,
    content_disposition TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    found_on TEXT NOT NULL, -- the page that showed the link
    page_title TEXT NOT NULL, -- of that page
    anchor TEXT NOT NULL, -- text of the link
    tag_path TEXT NOT NULL, -- HTML elements around the link
    depth INTEGER NOT NULL,
    why TEXT NOT NULL, -- the policy's reason
    value REAL NOT NULL, -- what the target says it is worth
    label TEXT NOT NULL -- what the target calls it
)""",
    "CREATE INDEX finds_file ON finds (file)",
    """CREATE TABLE inspections ( -- what is in the files
    file TEXT PRIMARY KEY, -- path in this folder; several finds may share one
    kind TEXT NOT NULL, -- csv, xlsx, json, pdf, zip ...
    tables INTEGER NOT NULL, -- how many
    rows INTEGER NOT NULL, -- of the largest table
    columns INTEGER NOT NULL, -- of that table
    header TEXT NOT NULL, -- JSON list: names of its columns
    pages INTEGER NOT NULL, -- of a PDF
    statistics INTEGER NOT NULL, -- tables that look like statistics
    error TEXT NOT NULL, -- why it could not be read
    inspection TEXT NOT NULL -- JSON: everything
)""",
    *VIEWS.values(),
)


def from_1(db: sqlite3.Connection) -> None:
    """Titles, true sizes, details and inspections came with 2, and changes of sleeping hosts.

    Format 1 wrote all sleeping hosts with every ask and wait, and nothing when none slept.
    """
    for table in ("asks", "waits"):
        db.execute(
            f"UPDATE {table} SET asleep = '{{\"all\":' || coalesce(asleep, '[]') || '}}'"  # noqa: S608 - our own names
        )
    db.execute("ALTER TABLE answers ADD COLUMN details TEXT")
    db.execute("ALTER TABLE answers ADD COLUMN title TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE finds RENAME TO old_finds")
    made_of = {"answers", "asks", "meta", "waits", "offers", "answers_summary"}
    for statement in SCHEMA:
        if statement.split()[2] not in made_of:
            db.execute(statement)
    db.execute(
        """INSERT INTO finds SELECT number, url, final_url, file, mime, declared_mime, bytes, bytes,
        cut, CASE WHEN cut THEN '' ELSE sha256 END, last_modified, etag, content_disposition,
        fetched_at, found_on, '', anchor, tag_path, depth, why, 1.0, '' FROM old_finds"""
    )
    db.execute("DROP TABLE old_finds")


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: from_1}
