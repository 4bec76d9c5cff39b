"""Rows of tables as typed values: the types follow from what is known of the columns."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import IO, Any

from lodehound.inspect.cells import EMPTY, NUMBER, YEAR, Cell, classify
from lodehound.inspect.profile import BOOLEAN, DATE, GROUPS, INTEGER, TRUTHS
from lodehound.inspect.records import ColumnFacts, Inspection, Values, clean

MOST_UNFIT = 0.05  # of the filled cells of a typed column; with more it is a column of texts
EXACT = 2**53  # a larger number in a spreadsheet has lost digits
LONGEST = 1 << 16  # characters of a value
LONGEST_NAME = 100  # characters of the name of a column
MOMENT = "time"
UNFIT = object()
MINUS = str.maketrans("\u2212\u2013", "--")

_MARKS = re.compile(r"\s?(?:\([a-z]\)|[a-z*])$", re.IGNORECASE)  # of a footnote
_PARTS = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})")
_CODE = re.compile(r"0\d+")


def values_of(
    header: Sequence[str], facts: Sequence[ColumnFacts], rows: Sequence[Sequence[Cell]]
) -> Values:
    """Return rows of a table as values; a column may have nothing but a name.

    >>> facts = [ColumnFacts("a", "text", 1), ColumnFacts("a", "number", 2)]
    >>> values_of(["a", "a"], facts, [["x", "1,5"], [None, "2"]])
    Values(names=('a', 'a 2'), kinds=('text', 'number'), rows=[('x', 1.5), (None, 2.0)], unfit=0)
    """
    kinds, columns, unfit = [], [], 0
    width = max(len(facts), len(header))
    for at in range(width):
        cells = [row[at] if at < len(row) else None for row in rows]
        kind, column, lost = _typed(facts[at].kind if at < len(facts) else EMPTY, cells)
        kinds.append(kind)
        columns.append(column)
        unfit += lost
    names = distinct(header[at] if at < len(header) else "" for at in range(width))
    return Values(tuple(names), tuple(kinds), list(zip(*columns, strict=True)), unfit)


def distinct(names: Iterable[str]) -> list[str]:
    """Return names that differ in more than upper and lower case; columns without one get one.

    >>> distinct(["Year", "", "year"])
    ['Year', 'column 2', 'year 2']
    """
    made: dict[str, str] = {}
    for number, given in enumerate(names, 1):
        name = clean(given, LONGEST_NAME) or f"column {number}"
        unique, count = name, 1
        while unique.casefold() in made:
            count += 1
            unique = f"{name} {count}"
        made[unique.casefold()] = unique
    return list(made.values())


def _typed(kind: str, cells: list[Cell]) -> tuple[str, list[Any], int]:
    """Return the type of a column, its values, and how many do not fit."""
    if kind not in {INTEGER, NUMBER, YEAR, DATE, BOOLEAN} or _has_codes(cells):
        return "text", list(map(_text, cells)), 0
    convert: dict[str, Callable[[list[Cell]], list[Any]]] = {DATE: _dates, BOOLEAN: _truths}
    values = convert.get(kind, _numbers)(cells)
    unfit = sum(value is UNFIT for value in values)
    filled = sum(value is not None for value in values)
    if unfit > MOST_UNFIT * filled:
        return "text", list(map(_text, cells)), 0
    values = [None if value is UNFIT else value for value in values]
    if kind == DATE:
        moments = any(value is not None and len(value) > len("2020-01-31") for value in values)
        return MOMENT if moments else "date", values, unfit
    if kind == BOOLEAN:
        return "boolean", values, unfit
    if all(value is None or (value.is_integer() and abs(value) <= EXACT) for value in values):
        return "integer", [None if value is None else int(value) for value in values], unfit
    return "number", values, unfit


def _has_codes(cells: list[Cell]) -> bool:
    """Return whether numbers are codes: those of communes would lose their first zero."""
    return any(isinstance(cell, str) and _CODE.fullmatch(cell.strip()) for cell in cells)


def _text(cell: Cell) -> str | None:
    if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) <= EXACT:
        return str(int(cell))
    return str(cell)[:LONGEST].encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def _numbers(cells: list[Cell]) -> list[Any]:
    comma = decimal_comma([cell for cell in cells if isinstance(cell, str)])
    return [_number(cell, comma) for cell in cells]


def _number(cell: Cell, comma: bool) -> Any:
    if classify(cell) == EMPTY:
        return None
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        return UNFIT
    if not isinstance(cell, str):
        return float(cell) if math.isfinite(cell) else None
    if classify(cell) not in {NUMBER, YEAR}:
        return UNFIT
    text = _MARKS.sub("", cell.strip()).translate(GROUPS).translate(MINUS).strip()
    if text.startswith("(") and text.endswith(")"):
        text = f"-{text[1:-1]}"
    group, sign = (".", ",") if comma else (",", ".")
    try:
        number = float(text.replace(group, "").replace(sign, "."))
    except ValueError:
        return UNFIT
    return number if math.isfinite(number) else UNFIT


def decimal_comma(texts: Iterable[str]) -> bool:
    """Return whether a comma is the decimal sign of numbers, by those that leave no doubt.

    >>> decimal_comma(["1,234", "12,5"]), decimal_comma(["1,234", "99"]), decimal_comma(["1.000,5"])
    (True, False, True)
    >>> decimal_comma(["0,125", "1,234"]), decimal_comma(["1,234.5"])
    (True, False)
    """
    votes = Counter(vote for text in texts for vote in _votes(text))
    return votes[","] > votes["."]


def _votes(text: str) -> Iterator[str]:
    """Yield the decimal sign of a number, if there is no doubt."""
    commas, dots = text.count(","), text.count(".")
    if not commas and not dots:
        return
    if commas and dots:
        yield "," if text.rfind(",") > text.rfind(".") else "."
    elif commas + dots > 1:
        yield "." if commas else ","
    else:
        sign = "," if commas else "."
        before, _, after = text.strip().partition(sign)
        whole = "".join(filter(str.isdigit, before))
        digits = len(after) - len(after.lstrip("0123456789"))
        if digits != 3 or whole in {"", "0"} or len(whole) > 3:
            yield sign


def _truths(cells: list[Cell]) -> list[Any]:
    return [_truth(cell) for cell in cells]


def _truth(cell: Cell) -> Any:
    if isinstance(cell, bool):
        return cell
    text = str(cell).strip().lower()
    return text == "true" if text in TRUTHS else None if classify(cell) == EMPTY else UNFIT


def _dates(cells: list[Cell]) -> list[Any]:
    texts = [match for cell in cells if isinstance(cell, str) and (match := _PARTS.match(cell))]
    short = [match for match in texts if len(match[1]) < 4]
    month_first = any(int(match[3]) > 12 for match in short)
    # 01/02/2020 is the first of February or the second of January.
    doubtful = (
        not month_first
        and any(match[2] == "/" for match in short)
        and all(int(match[1]) <= 12 for match in short)
    )
    return [UNFIT if doubtful and _is_short(cell) else _moment(cell, month_first) for cell in cells]


def _is_short(cell: Cell) -> bool:
    match = _PARTS.match(cell) if isinstance(cell, str) else None
    return match is not None and len(match[1]) < 4


def _moment(cell: Cell, month_first: bool) -> Any:
    """Return a date or a time as ISO 8601 writes it."""
    if classify(cell) == EMPTY:
        return None
    if isinstance(cell, datetime):
        cell = cell.replace(tzinfo=None)
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    if not isinstance(cell, str) or isinstance(cell, timedelta):
        return UNFIT
    try:
        return _parsed(cell.strip(), month_first)
    except ValueError:
        return UNFIT


def _parsed(text: str, month_first: bool) -> Any:
    match = _PARTS.match(text)
    if match is None:
        return UNFIT
    first, second, third = match[1], match[3], match[4]
    if len(first) == 4:
        year, month, day = first, second, third
    elif len(third) == 4:
        year, month, day = (third, first, second) if month_first else (third, second, first)
    else:
        return UNFIT  # 01.02.03
    found = date(int(year), int(month), int(day)).isoformat()
    rest = text[match.end() :].strip().lstrip("T")
    if not rest:
        return found
    moment = datetime.fromisoformat(f"{found} {rest}")
    return UNFIT if moment.tzinfo else _moment(moment, month_first)


def value_lines(found: Inspection, most: int) -> Iterator[bytes]:
    """Yield the values of all tables as lines: of each table, what it is, and then its rows.

    Args:
        found: An inspection with values.
        most: How many bytes.
    """
    for number, table in enumerate(found.tables):
        values = table.values
        if values is None:
            continue
        about = {"table": number, "names": values.names, "kinds": values.kinds}
        head = _line([about | {"unfit": values.unfit}])
        most -= len(head)
        if most < 0:
            return
        yield head
        for row in values.rows:
            line = _line(row)
            most -= len(line)
            if most < 0:
                return
            yield line


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def read_values(lines: IO[bytes]) -> Iterator[tuple[int, Values]]:
    """Yield the number of each table, and its values; its rows are read one after the other.

    Args:
        lines: What `value_lines` yielded.
    """
    lines.seek(0)
    waiting: list[Any] = []

    def rows() -> Iterator[Any]:
        for line in lines:
            row = json.loads(line)
            if row and isinstance(row[0], dict):
                waiting.append(row[0])
                return
            yield row

    for _ in rows():
        pass
    while waiting:
        about = waiting.pop()
        some = rows()
        yield (
            about["table"],
            Values(tuple(about["names"]), tuple(about["kinds"]), some, about["unfit"]),
        )
        for _ in some:
            pass
