"""Buckets of Amazon S3 and its likes, and of Azure: 1,000 or 5,000 names in one answer."""

from __future__ import annotations

from urllib.parse import quote, unquote_plus
from xml.etree.ElementTree import Element

from lodehound.core.urls import origin_of, path_of
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, elements, local_name, number, xml_text
from lodehound.shortcuts.paging import query_of, with_query

S3, AZURE = "ListBucketResult", "EnumerationResults"


class Bucket(Shortcut):
    """Buckets: S3, Google Cloud Storage, MinIO and Azure Blob Storage."""

    title = "bucket"
    marks = (S3.encode(), AZURE.encode())

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the root element of a listing: the page is the answer."""
        return (page.url,) if f"<{S3}" in page.head or f"<{AZURE}" in page.head else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return with_query(root, **{"list-type": 2}), with_query(
            root, restype="container", comp="list"
        )

    def expand(self, answer: Fetched) -> Expansion | None:
        root = answer.xml
        if root is None or local_name(root) not in {S3, AZURE}:
            return None
        return _s3(root, answer) if local_name(root) == S3 else _azure(root, answer)


def _s3(root: Element, answer: Fetched) -> Expansion:
    base = _base(answer.url, xml_text(root, "Name"))
    encoded = xml_text(root, "EncodingType") == "url"
    entries = list(elements(root, "Contents"))
    files = (
        ListedFile(
            answer.resolve(base + quote(key)),
            title=key.rpartition("/")[2],
            size=number(xml_text(entry, "Size")),
            modified=xml_text(entry, "LastModified"),
        )
        for entry in entries
        if (key := _name(entry, "Key", encoded=encoded))
        and not key.endswith("/")  # a folder has no content
    )
    folders = (
        ApiPage(with_query(_first(answer.url), prefix=prefix), deeper=True)
        for entry in elements(root, "CommonPrefixes")
        if (prefix := _name(entry, "Prefix", encoded=encoded))
    )
    last = _name(entries[-1], "Key", encoded=encoded) if entries else ""
    marker = _name(root, "NextMarker", encoded=encoded) or last
    return Expansion(
        files=tuple(file for file in files if file.url),
        more=(*_next_s3(root, answer.url, marker, len(entries)), *folders),
    )


def _next_s3(root: Element, url: str, marker: str, got: int) -> tuple[ApiPage, ...]:
    """Return the next page: by token (version 2), or by the last name (version 1)."""
    if xml_text(root, "IsTruncated").lower() != "true":
        return ()
    if token := xml_text(root, "NextContinuationToken"):
        return (ApiPage(with_query(url, **{"continuation-token": token}), got),)
    return (ApiPage(with_query(url, marker=marker), got),) if marker else ()


def _azure(root: Element, answer: Fetched) -> Expansion:
    base = answer.url.partition("?")[0].rstrip("/") + "/"
    entries = list(elements(root, "Blobs", "Blob"))
    files = (
        ListedFile(
            answer.resolve(base + quote(name)),
            title=name.rpartition("/")[2],
            format=xml_text(entry, "Properties", "Content-Type"),
            size=number(xml_text(entry, "Properties", "Content-Length")),
            modified=xml_text(entry, "Properties", "Last-Modified"),
        )
        for entry in entries
        if (name := _name(entry, "Name"))
    )
    marker = xml_text(root, "NextMarker")
    more = (ApiPage(with_query(answer.url, marker=marker), len(entries)),) if marker else ()
    return Expansion(files=tuple(file for file in files if file.url), more=more)


def _name(entry: Element, field: str, *, encoded: bool = False) -> str:
    """Return a name as it is written, because white space in it counts; decoded if necessary."""
    element = next(elements(entry, field), None)
    name = (element.text or "") if element is not None else ""
    return unquote_plus(name) if encoded else name


def _base(url: str, bucket: str) -> str:
    """Return where the files are: the bucket is part of the host, or the first part of the path."""
    below = path_of(url).strip("/") == bucket or path_of(url).startswith(f"/{bucket}/")
    return f"{origin_of(url)}/{bucket}/" if bucket and below else origin_of(url) + "/"


def _first(url: str) -> str:
    """Return the URL without its place in an earlier listing."""
    kept = {"list-type", "delimiter", "max-keys"}
    dropped = [name for name in query_of(url) if name not in kept]
    return with_query(url, **dict.fromkeys(dropped))
