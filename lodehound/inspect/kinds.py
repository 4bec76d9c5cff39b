"""The format of a file: by its content first, then by its declared type and its name.

Servers send spreadsheets as application/octet-stream and pages as application/vnd.ms-excel;
the first bytes are reliable.
"""

from __future__ import annotations

import re
import struct
import zipfile

from lodehound.inspect.source import HEAD, Source
from lodehound.read.mime import looks_like_html

SQLITE = b"SQLite format 3\x00"
GEOPACKAGE = (b"GPKG", b"GP10", b"GP11")  # its number of the application
# Format 104 to 115, the order of bytes, the type of file (Stata's "help dta_115").
OLD_STATA = re.compile(rb"[\x68-\x73][\x01\x02]\x01[\x00\x01]")
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
    (b"ARROW1", "arrow"),
    (b"FEA1", "feather"),  # the first version of Feather, which was no Arrow file
    (SQLITE, "sqlite"),
    (b"$FL2", "sav"),
    (b"$FL3", "sav"),  # compressed as a whole
    (b"<stata_dta>", "dta"),
    (b"HEADER RECORD*******LIB", "xpt"),
    (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00", "sas7bdat"),
    (b"\x00\x00\x27\x0a" + bytes(20), "shp"),
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
ARROW_STREAMS = frozenset({"arrow", "arrows", "feather"})
MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")


def kind_of(source: Source) -> str:
    """Return the format of a file: csv, json, xml, html, zip, xlsx, pdf...; "unknown" if none."""
    head = source.head()
    if not head:
        return "empty"
    kind = _signed(head)
    if kind == "zip":
        return _kind_of_zip(source)
    if not kind and (is_binary(head) or source.suffix == "dbf"):
        return _without_signature(source, head)
    return kind or _kind_of_text(source, head)


def _signed(head: bytes) -> str:
    """Return the format by the signature of a file, or ""."""
    if b"%PDF-" in head[:PDF_WITHIN]:
        return "pdf"
    if head[257:262] == b"ustar":
        return "tar"
    if b"SPSSPORT" in head[:600]:
        return "por"
    if head.startswith(SQLITE) and head[68:72] in GEOPACKAGE:
        return "gpkg"
    kind = next((kind for start, kind in SIGNATURES if head.startswith(start)), "")
    return kind or ("dta" if OLD_STATA.match(head) else "")


def _without_signature(source: Source, head: bytes) -> str:
    """Return the format of binary files that have no magic bytes, by their structure."""
    if is_dbf(head):
        return "dbf"
    # A stream of Arrow begins with the length of its schema, after a mark since version 0.15.
    is_arrow = head.startswith(b"\xff\xff\xff\xff") and source.suffix in ARROW_STREAMS
    return "arrow" if is_arrow else "unknown"


def is_dbf(head: bytes) -> bool:
    """Return whether bytes are the beginning of a dBASE table: its header says its own length."""
    if len(head) < 65 or not (1 <= head[2] <= 12 and 1 <= head[3] <= 31):
        return False
    header, row = struct.unpack_from("<HH", head, 8)
    ends = range(32, min(header, len(head)), 32)
    end = next((at for at in ends if head[at] == 0x0D), 0)
    return end > 32 and header > end and row == 1 + sum(head[48:end:32])


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
