"""The format of a file: by its content first, then by its declared type and its name.

Servers send spreadsheets as application/octet-stream and pages as application/vnd.ms-excel;
the first bytes are reliable.
"""

from __future__ import annotations

import re
import zipfile

from lodehound.inspect.source import HEAD, Source
from lodehound.read.mime import looks_like_html

SIGNATURES = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),  # an empty archive
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"),  # or Word, or an encrypted XLSX
    (b"\x1f\x8b", "gz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"PAR1", "parquet"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"\x89PNG\r\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"{\\rtf", "rtf"),
)
# A byte order mark or a line of the generator before the signature (ISO 32000, note H.3.4.1).
PDF_WITHIN = 1024
# The member of a ZIP container that identifies its format.
WITHIN = (
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("word/document.xml", "docx"),
    ("ppt/presentation.xml", "pptx"),
)
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
OPEN_KINDS = {b"spreadsheet": "ods", b"text": "odt", b"presentation": "odp"}
MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")


def kind_of(source: Source) -> str:
    """Return the format of a file: csv, json, xml, html, zip, xlsx, pdf...; "unknown" if none."""
    head = source.head()
    if not head:
        return "empty"
    kind = _signed(head)
    if kind == "zip":
        return _kind_of_zip(source)
    if not kind and is_binary(head):
        return "unknown"
    return kind or _kind_of_text(source, head)


def _signed(head: bytes) -> str:
    """Return the format by the signature of a file, or ""."""
    if b"%PDF-" in head[:PDF_WITHIN]:
        return "pdf"
    if head[257:262] == b"ustar":
        return "tar"
    return next((kind for start, kind in SIGNATURES if head.startswith(start)), "")


def is_binary(head: bytes) -> bool:
    """Return whether bytes are binary: NUL bytes, except as in UTF-16 and UTF-32 text."""
    if head.startswith(MARKS):
        return False
    controls = len(re.findall(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head))
    return not looks_like_utf_16(head) and controls > len(head) // 50


def looks_like_utf_16(head: bytes) -> str:
    """Return "utf-16-le" or "utf-16-be" for mostly Latin text without a byte order mark, or ""."""
    for name, zeros, letters in (("utf-16-le", head[1::2], head[::2]),
                                 ("utf-16-be", head[::2], head[1::2])):  # fmt: skip
        if zeros.count(0) > 0.7 * len(zeros) and letters.count(0) < 0.05 * len(letters):
            return name
    return ""


def _kind_of_text(source: Source, head: bytes) -> str:
    start = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x0c")
    if looks_like_html(start) or re.match(rb"<(?:table|meta|style|div)\b", start, re.IGNORECASE):
        return "html"
    if start.startswith(b"<"):
        return "xml"
    hint = f"{source.mime} {source.suffix}"
    if "json" in hint or (start.startswith((b"{", b"[")) and not ("csv" in hint or "tsv" in hint)):
        return "json"
    return "csv"  # or plain text: its lines decide


def _kind_of_zip(source: Source) -> str:
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            for member, kind in WITHIN:
                if member in names:
                    return kind
            if "mimetype" in names and archive.getinfo("mimetype").file_size < HEAD:
                mime = archive.read("mimetype")[:200].strip()
                if mime.startswith(OPEN_DOCUMENT):
                    return OPEN_KINDS.get(mime[len(OPEN_DOCUMENT) :], "zip")
    except (OSError, ValueError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError):
        pass  # the function that opens it reports the error
    return "zip"
