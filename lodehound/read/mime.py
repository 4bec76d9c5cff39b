"""The MIME type of a response."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import Message


def split_content_type(header: str) -> tuple[str, str]:
    """Return the bare type in lower case and the charset of a Content-Type header.

    >>> split_content_type('Text/HTML; boundary=x; charset="UTF-8"')
    ('text/html', 'UTF-8')
    """
    mime, *parameters = header.split(";")
    charset = ""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip("\"'")
            break
    return " ".join(mime.split()).lower(), charset


def proposed_name(headers: Mapping[str, str]) -> str:
    """Return the file name in a Content-Disposition header, or "".

    >>> proposed_name({"content-disposition": "attachment; filename*=UTF-8''a%20b.gpkg"})
    'a b.gpkg'
    """
    header = headers.get("content-disposition", "")[:MOST_HEADER]
    if "filename" not in header.lower():
        return ""
    message = Message()
    try:
        message["content-disposition"] = " ".join(header.split())
        return message.get_filename() or ""
    except (ValueError, LookupError):  # an unknown charset, say
        return ""


def is_html(mime: str) -> bool:
    """Return whether a type is HTML or XHTML, as in the SB paper's Algorithm 4."""
    return "html" in mime


def is_json(mime: str) -> bool:
    """Return whether a type is JSON, in any vocabulary (RFC 6839, 3.1)."""
    return mime.endswith(("/json", "+json"))


FEEDS = frozenset({"application/rss+xml", "application/atom+xml"})

# The first bytes of files by type; other types cannot be recognised by their content.
SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/x-gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "application/vnd.ms-excel",
    ),  # or Word: the same container
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
# Declared types for which servers often send an HTML page instead, when the file is gone.
FILE_TYPE = re.compile(
    "pdf|zip|octet-stream|csv|comma-separated|json|excel|msword|officedocument|opendocument|gzip"
    "|tar|rar|7z|parquet|arrow|sqlite|stata|spss|netcdf|hdf|x-xz|bzip|zstd"
)
MOST_HEADER = 2000  # characters
LOOKED_AT = 2048  # bytes: the WHATWG MIME Sniffing standard looks at 1,445


def judge_mime(declared: str, body: bytes) -> str:
    """Return the type of a response: by its header, unless its content shows another.

    >>> judge_mime("application/pdf", b"<!DOCTYPE html><title>Not found</title>")
    'text/html'
    >>> judge_mime("text/html", b"%PDF-1.7 ...")
    'application/pdf'
    """
    head = body[:LOOKED_AT]
    if not head:
        return declared
    detected = ""
    for start, mime in SIGNATURES:
        if head.startswith(start):
            detected = mime
            break
    if detected and (is_html(declared) or not declared):
        return detected
    if not detected and looks_like_html(head):
        mistaken = not declared or FILE_TYPE.search(declared)
        return "text/html" if mistaken else declared
    if is_html(declared) and _looks_like_csv(head):
        return "text/csv"
    return declared


def looks_like_html(head: bytes) -> bool:
    """Return whether a text begins like an HTML page."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x0c").lower()
    while text.startswith(b"<!--") and b"-->" in text:
        text = text.partition(b"-->")[2].lstrip()
    return text.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or (
        text.startswith(b"<?xml") and b"<html" in text
    )


def _looks_like_csv(head: bytes) -> bool:
    """Return whether a text has no tags, and at least three lines with equally many separators."""
    lines = head.splitlines()
    if len(lines) > 3 and not head.endswith((b"\n", b"\r")):
        lines = lines[:-1]  # it may be incomplete
    if b"<" in head or len(lines) < 3:
        return False
    return any(
        lines[0].count(mark) > 0 and len({line.count(mark) for line in lines if line}) == 1
        for mark in (b",", b";", b"\t")
    )
