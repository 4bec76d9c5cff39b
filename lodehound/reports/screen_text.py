"""Makes text from the web safe to show."""

from __future__ import annotations

import unicodedata

# Control and format characters (escape sequences, changes of the text direction), surrogates,
# private and unassigned ones, line separators: they have effects, mislead, or are invisible.
UNFIT = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
MOST = 300  # characters per text


def clean(text: str, most: int = MOST) -> str:
    r"""Return a text as one line that is safe in a terminal and in a page.

    >>> clean("Sales\n 2024 \x1b[31mred\u202egnp.exe"), clean("x" * 9, 4)
    ('Sales 2024 �[31mred�gnp.exe', 'xxx…')
    """
    line = " ".join(text[: 4 * most].split())
    if not line.isascii() or not line.isprintable():
        line = "".join("\ufffd" if unicodedata.category(c) in UNFIT else c for c in line)
    return line if len(line) <= most else line[: most - 1] + "…"


def shorten(text: str, most: int = 110) -> str:
    """Return a long text without its middle: tag paths differ at their ends.

    >>> shorten("group 1 like html/body/div/div/ul/li/a", 24)
    'group 1 …/div/div/ul/li/a'
    """
    head = most // 6 if most > 60 else most // 3
    return text if len(text) <= most else f"{text[:head]}…{text[head - most :]}"


def tail(url: str, most: int = 60) -> str:
    """Return a URL without its scheme, and without its beginning if it is long.

    >>> tail("https://e.org/a"), tail("https://www.example.org/stats/2024/a.csv", 12)
    ('e.org/a', '…s/2024/a.csv')
    """
    bare = url.partition("://")[2] or url
    return bare if len(bare) <= most else f"…{bare[-most:]}"


OFFICE = "application/vnd.openxmlformats-officedocument."
OPEN = "application/vnd.oasis.opendocument."
SHORT = {
    f"{OFFICE}spreadsheetml.sheet": "xlsx",
    f"{OFFICE}wordprocessingml.document": "docx",
    f"{OFFICE}presentationml.presentation": "pptx",
    f"{OPEN}spreadsheet": "ods",
    f"{OPEN}text": "odt",
    "application/json": "json",
    "application/pdf": "pdf",
    "application/xml": "xml",
    "application/zip": "zip",
    "text/csv": "csv",
    "text/plain": "txt",
    "text/tab-separated-values": "tsv",
    "text/xml": "xml",
    "application/vnd.ms-excel": "xls",
    "application/msword": "doc",
    "application/vnd.ms-powerpoint": "ppt",
}


def type_name(mime: str) -> str:
    """Return the common name of a type.

    >>> type_name("application/vnd.ms-excel"), type_name("x/y"), type_name("")
    ('xls', 'x/y', 'unknown')
    """
    return SHORT.get(mime) or clean(mime, 100) or "unknown"


def in_bytes(size: float) -> str:
    """Return a volume as text.

    >>> in_bytes(512), in_bytes(20_480), in_bytes(3_200_000)
    ('512 B', '20.5 kB', '3.2 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def in_time(seconds: float) -> str:
    """Return a duration as text.

    >>> in_time(0.25), in_time(75), in_time(120), in_time(7380)
    ('0.25 s', '1 min 15 s', '2 min', '2 h 3 min')
    """
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min"
