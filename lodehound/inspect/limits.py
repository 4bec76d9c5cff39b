"""How much a file may cost. Files come from the web and are hostile."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from lodehound.inspect.statistics import StatisticsRule

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What one file may cost, and how much of it is kept.

    Attributes:
        seconds: Time for one file; then the process that reads it is killed.
        memory_bytes: Memory of that process, beyond what it needs to start.
        read_bytes: Bytes read of a text file, and the largest spreadsheet or PDF opened.
        parse_bytes: The largest JSON file: it is held in memory at about ten times its size.
        line_chars: The longest line of a CSV file: one of 1,000,000 columns fits.
        unpacked_bytes: Bytes unpacked from one archive or spreadsheet, all together.
        member_bytes: Bytes unpacked from one member of an archive.
        ratio: How many times smaller than its content a large member may be. Deflate reaches
            1032; tables of text reach 5 to 50.
        members: Members of an archive that are opened.
        depth: Archives within archives that are opened.
        pages: Pages of a PDF that are read; all are counted.
        sheets: Sheets of a workbook that are read; all are counted.
        tables: Tables kept in an Inspection; all are counted.
        names: Names of columns or members kept.
        sample_rows: Rows of a table that are judged; all are counted.
        sample_columns: Columns of a table that are judged.
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
    sample_rows: int = 1000
    sample_columns: int = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that can be set: what a file may cost, and what looks like statistics."""

    limits: FileLimits = field(default_factory=FileLimits)
    rule: StatisticsRule = field(default_factory=StatisticsRule)


def options_to_json(options: Options) -> str:
    """Return options as one line."""
    rule = {**asdict(options.rule), "not_measures": sorted(options.rule.not_measures)}
    return json.dumps({"limits": asdict(options.limits), "rule": rule})


def options_from_json(text: str | bytes) -> Options:
    """Return what `options_to_json` wrote."""
    fields: dict[str, Any] = json.loads(text)
    rule = {**fields["rule"], "not_measures": frozenset(fields["rule"]["not_measures"])}
    return Options(limits=FileLimits(**fields["limits"]), rule=StatisticsRule(**rule))
