"""Data files of a generated site: names, types and contents."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

OFFICE = "application/vnd.openxmlformats-officedocument"

FORMATS = {
    "csv": "text/csv",
    "xlsx": f"{OFFICE}.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "json": "application/json",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
}
# The first bytes of file types whose content is not generated.
MAGIC = {"xlsx": b"PK\x03\x04", "pdf": b"%PDF-1.7\n", "zip": b"PK\x03\x04", "ods": b"PK\x03\x04"}
WEIGHTS = (8, 4, 4, 2, 1, 1)  # of the formats, in order
BARE = 5  # one in this many files has a URL without an extension


@dataclass(frozen=True, slots=True)
class DataFile:
    """One data file; its content depends on its number and the seed."""

    path: str
    format: str
    number: int

    @property
    def mime(self) -> str:
        return FORMATS[self.format]

    def body(self, seed: int) -> bytes:
        """Return the content: real tables as CSV and JSON, otherwise a file header and noise."""
        rng = random.Random(f"{seed}/{self.number}")
        if self.format in MAGIC:
            return MAGIC[self.format] + rng.randbytes(rng.randrange(200, 2000))
        rows = [
            {"period": f"{2000 + row // 4}-Q{row % 4 + 1}", "value": round(rng.uniform(80, 120), 1)}
            for row in range(rng.randrange(4, 40))
        ]
        if self.format == "json":
            return json.dumps(rows).encode()
        lines = ["period,value", *(f"{row['period']},{row['value']}" for row in rows)]
        return "\r\n".join([*lines, ""]).encode()


def draw_file(base: str, number: int, rng: random.Random) -> DataFile:
    """Draw the format and URL of file number ``number`` below ``base``."""
    (name,) = rng.choices(list(FORMATS), WEIGHTS)
    if number % BARE == BARE - 1:
        return DataFile(f"{base}download/{number}", name, number)
    return DataFile(f"{base}files/table-{number}.{name}", name, number)
