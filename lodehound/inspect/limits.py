"""Limits for one file. Files come from the web and may be hostile."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from lodehound.inspect.statistics import StatisticsRule

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """How much time and memory one file may take, and how much of it is stored.

    Attributes:
        seconds: Time for one file; after that, the process that reads it is killed.
        memory_bytes: Memory of that process, in addition to what it needs at its start.
        read_bytes: Bytes read of a text file, and the largest spreadsheet or PDF opened.
        parse_bytes: The largest JSON file: in memory it takes about ten times its size.
        line_chars: The longest line of a CSV file: a line of 1,000,000 columns fits.
        unpacked_bytes: Total bytes unpacked from one archive or spreadsheet.
        member_bytes: Bytes unpacked from one member of an archive.
        ratio: Highest compression ratio of a large member. Deflate reaches 1032; tables of text
            reach 5 to 50.
        members: Members of an archive that are opened.
        depth: How deeply nested archives are opened.
        pages: Pages of a PDF that are read; all are counted.
        sheets: Sheets of a workbook that are read; all are counted.
        tables: Tables stored in an Inspection; all are counted.
        names: Columns of a table, or members of an archive, that are described.
        titles: Lines above the header of a table that are stored.
        sample_rows: Rows of a table that are examined; all are counted.
        sample_places: Places all over a table where they are taken from; 1: only the first rows.
        sample_columns: Columns of a table that are examined.
        preview_rows: First rows of a table to return: 0 for an inspection that is stored.
        preview_chars: Characters of text to return from the beginning, likewise.
        value_rows: First rows of a table to return as typed values: likewise.
        value_bytes: Bytes of all these rows of a file.
    """

    seconds: float = 20.0
    memory_bytes: int = 1024 * MIB
    read_bytes: int = 256 * MIB
    parse_bytes: int = 64 * MIB
    line_chars: int = 16 * MIB
    unpacked_bytes: int = 512 * MIB
    member_bytes: int = 128 * MIB
    ratio: int = 250
    members: int = 500
    depth: int = 2
    pages: int = 20
    sheets: int = 200
    tables: int = 50
    names: int = 100
    titles: int = 5
    sample_rows: int = 1000
    sample_places: int = 5
    sample_columns: int = 300
    preview_rows: int = 0
    preview_chars: int = 0
    value_rows: int = 0
    value_bytes: int = 256 * MIB


# For somebody who looks at a file: its first rows or words, soon.
PREVIEW = FileLimits(
    seconds=5.0, pages=3, tables=5, sheets=5, members=20, preview_rows=10, preview_chars=2000
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of an inspection: the limits, and the rule for statistics."""

    limits: FileLimits = field(default_factory=FileLimits)
    rule: StatisticsRule = field(default_factory=StatisticsRule)


def options_to_json(options: Options) -> str:
    """Return the options as one line."""
    rule = {**asdict(options.rule), "not_measures": sorted(options.rule.not_measures)}
    return json.dumps({"limits": asdict(options.limits), "rule": rule})


def options_from_json(text: str | bytes) -> Options:
    """Return the options that `options_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    rule = {**fields["rule"], "not_measures": frozenset(fields["rule"]["not_measures"])}
    return Options(limits=FileLimits(**fields["limits"]), rule=StatisticsRule(**rule))
