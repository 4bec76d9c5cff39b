"""The statements by which a journal is written and read."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lodehound.stores.catalogue.datasets import ONLY_CATALOGUES
from lodehound.stores.log.events import FindRow, Inspected

ANSWER = (
    "seq", "number", "url", "status", "mime", "declared_mime", "size", "location", "moved",
    "charset", "error", "cut", "tries", "sent", "found", "value", "label", "new_links", "at",
    "fetched_at", "links", "details", "title",
)  # fmt: skip
# The details of a find are in its answer.
FIND = tuple(field.name for field in dataclasses.fields(FindRow) if field.name != "details")
INSPECTION = tuple(field.name for field in dataclasses.fields(Inspected))


def _row_of(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INTO {table} ({', '.join(columns)}) VALUES ({marks})"


NEW_ANSWER = "INSERT " + _row_of("answers", ANSWER)
NEW_FIND = "INSERT " + _row_of("finds", FIND)
NEW_CONTENT = "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?, ?)"
# How a find compares with its last version, of which a repair found the file lost.
CHANGE_SINCE_LOST = """
    SELECT iif(sha256 = ? AND size = ?, 'same', 'changed') FROM versions
    WHERE final_url = ? ORDER BY number DESC LIMIT 1"""
NEW_INSPECTION = "INSERT OR REPLACE " + _row_of("inspections", INSPECTION)
NOT_INSPECTED = """
    SELECT DISTINCT file, mime FROM finds
    WHERE NOT truncated AND file <> '' AND file NOT IN (SELECT file FROM inspections)"""
TITLE = "SELECT title FROM answers WHERE url = ? AND title <> '' LIMIT 1"
LAST_SEQ = """
    SELECT max(seq) FROM (
        SELECT max(seq) AS seq FROM asks UNION ALL SELECT max(seq) FROM answers
        UNION ALL SELECT max(seq) FROM waits UNION ALL SELECT max(seq) FROM offers
    )"""
NEW_RUN = """
    INSERT OR REPLACE INTO runs SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM asks"""
RUN = "SELECT * FROM runs WHERE first <= ? ORDER BY first DESC LIMIT 1"
EVENTS = {
    "asks": "SELECT * FROM asks WHERE seq > ? ORDER BY seq LIMIT ?",
    "waits": "SELECT * FROM waits WHERE seq > ? ORDER BY seq LIMIT ?",
    "offers": "SELECT * FROM offers WHERE seq > ? ORDER BY seq LIMIT ?",
    "answers": """SELECT * FROM answers LEFT JOIN contents USING (number)
        WHERE seq > ? ORDER BY seq LIMIT ?""",
}
FIND_AT = """
    SELECT finds.*, answers.details FROM finds LEFT JOIN answers USING (number)
    WHERE final_url = ? ORDER BY number DESC LIMIT 1"""
FINDS = """
    SELECT finds.*, answers.details FROM finds LEFT JOIN answers USING (number) ORDER BY number"""
FINDS_AFTER = """
    SELECT finds.*, answers.details, answers.seq FROM answers JOIN finds USING (number)
    WHERE answers.seq > ? ORDER BY answers.seq LIMIT ?"""
DROUGHT = f"""
    SELECT count(*) FROM answers WHERE sent AND seq > coalesce(
        (SELECT seq FROM answers WHERE found OR {ONLY_CATALOGUES}
            AND number IN (SELECT number FROM datasets UNION ALL SELECT number FROM listed)
        ORDER BY seq DESC LIMIT 1), 0)"""  # noqa: S608 - our own names
ANSWERED_URLS = "SELECT url FROM answers WHERE status > 0"
