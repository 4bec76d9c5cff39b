"""A parsed recorded site: the response for every URL, and every link of every page.

Everything is stored in columns (one array per field, each text once), so that a
site of a million pages and twenty million links fits in memory and opens fast.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import ORIGINS, Context, Link
from lodehound.core.urls import canonical, host_of, resolve
from lodehound.read.html import PageLinks
from lodehound.read.links import read_links
from lodehound.read.mime import is_html, split_content_type
from lodehound.read.rdf.uri_links import read_rdf_links as rdf_links
from lodehound.stores.records import Damage, Record

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]

ABSENT = -1
KINDS = list(ORIGINS)
FIELDS = 6  # numbers per link

Reads = Literal["html", "html+rdf"]


@dataclass(slots=True)
class RecordedSite:
    """The contents of a replica.

    URL number i is recorded if i < ``len(status)``; the other URLs are only linked to.
    The links of URL i are rows ``starts[i]`` to ``starts[i + 1]`` of the link
    columns.
    """

    name: str
    urls: list[str]
    status: Ids
    mime: Ids
    size: Ints
    head_size: Ids
    location: Ids  # URL number that a redirect or a meta refresh leads to, or ABSENT
    starts: Ints
    link_url: Ids
    link_path: Ids
    link_anchor: Ids
    link_around: Ids
    link_kind: NDArray[np.int8]
    mimes: list[str]
    paths: list[str]
    anchors: list[str]
    arounds: list[str]
    cut: frozenset[str] = frozenset()
    damage: Damage = field(default_factory=Damage)
    link_context: Ids = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    contexts: list[str] = field(default_factory=list)  # as JSON; the first is empty
    # Validators and identity of the content, by the number of the URL; [] if they are not kept.
    etags: list[str] = field(default_factory=list)
    modified: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    _index: dict[str, int] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The URL of the first response."""
        return self.urls[0]

    @property
    def hosts(self) -> frozenset[str]:
        """Every host and port with a recorded response."""
        return frozenset(host_of(url) for url in self.urls[: len(self.status)])

    def number(self, url: str) -> int:
        """Return the number of a recorded URL, or ABSENT."""
        if not self._index:
            recorded = self.urls[: len(self.status)]
            self._index = {url: number for number, url in enumerate(recorded)}
        return self._index.get(url, ABSENT)

    def links(self, number: int, depth: int) -> tuple[Link, ...]:
        """Return the links of a recorded page, in document order and with duplicates."""
        first, last = int(self.starts[number]), int(self.starts[number + 1])
        if first == last:
            return ()
        rows = slice(first, last)
        fields = zip(
            map(self.urls.__getitem__, self.link_url[rows].tolist()),
            repeat(self.urls[number]),
            map(self.paths.__getitem__, self.link_path[rows].tolist()),
            map(self.anchors.__getitem__, self.link_anchor[rows].tolist()),
            map(self.arounds.__getitem__, self.link_around[rows].tolist()),
            map(KINDS.__getitem__, self.link_kind[rows].tolist()),
            repeat(depth),
            self._contexts(rows),
            strict=False,
        )
        # Like Link(*fields), but without a Python call for each of possibly millions of links.
        return tuple(map(tuple.__new__, repeat(Link), fields))

    def _contexts(self, rows: slice) -> Iterable[Context | None]:
        if len(self.contexts) <= 1:
            return repeat(None)
        numbers = self.link_context[rows].tolist()
        return [context_of(self.contexts[number]) if number else None for number in numbers]


def written(context: Context | None) -> str:
    """Return a context as text, "" for None."""
    return json.dumps(context, ensure_ascii=False, separators=(",", ":")) if context else ""


@lru_cache(maxsize=65536)
def context_of(text: str) -> Context:
    """Return the context that ``written`` wrote."""
    position, properties, siblings, declared = json.loads(text)
    return Context(position, tuple(properties), tuple(siblings), declared)


class _Texts:
    """Texts, each stored once and identified by its number."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts: list[str] = list(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def number(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return number

    def __contains__(self, text: str) -> bool:
        return text in self._numbers


class Columns:
    """Collects records one by one and stores only numbers.

    Args:
        reads: Whose links are read.
        versions: Keep every record of a URL, its validators and the identity of its content;
            otherwise the first record of a URL is used.
    """

    def __init__(self, reads: Reads = "html", *, versions: bool = False) -> None:
        self.reads = reads
        self.versions = versions
        self.numbers: list[int] = []  # number of the URL of each row
        self.etags: list[str] = []
        self.modified: list[str] = []
        self.digests: list[str] = []
        self.recorded, self.places, self.mimes = _Texts(), _Texts(), _Texts()
        self.contexts = _Texts([""])
        self.paths, self.anchors, self.arounds, self.kinds = (
            _Texts(),
            _Texts(),
            _Texts(),
            _Texts(KINDS),
        )
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.starts = array("q", [0])
        self.links = array("i")

    def add(self, record: Record) -> bool:
        """Add a record; return whether it is used."""
        url = canonical(record.url)
        if not url or (url in self.recorded and not self.versions):
            return False
        self.numbers.append(self.recorded.number(url))
        mime, charset = split_content_type(record.content_type)
        ok = 200 <= record.status < 300  # then a Location header is not a redirect
        moved = resolve(url, record.location) if record.location and not ok else ""
        digest = ""
        if ok:
            page = self._read(record, url, mime, charset)
            moved, digest = page.moved, page.digest
        place = self.places.number(moved) if moved else ABSENT
        mime_number = self.mimes.number(mime)
        self.rows.append((record.status, mime_number, record.size, record.head_size, place))
        self.starts.append(len(self.links) // FIELDS)
        if self.versions:
            self._add_version(record, digest)
        return True

    def _add_version(self, record: Record, digest: str) -> None:
        """Keep the validators; truncated bodies are told apart by ETag and true length."""
        self.etags.append(record.etag)
        self.modified.append(record.modified)
        if not digest:
            hashed = hashlib.blake2b(record.body, digest_size=12)
            hashed.update(f"{record.size} {record.etag}".encode())
            digest = hashed.hexdigest()
        self.digests.append(digest)

    def _read(self, record: Record, url: str, mime: str, charset: str) -> PageLinks:
        """Read a response, and add its links."""
        data = self.reads == "html+rdf"
        uris = rdf_links(record.body, url=url, mime=mime, charset=charset) if data else ()
        page = PageLinks()
        if is_html(mime) or not uris:
            page = read_links(
                record.body,
                url=url,
                mime=mime,
                charset=charset,
                headers={"link": record.link_header},
                data=data,
                digest=self.versions,
            )
        for link in (*page.links, *uris):
            self._add_link(link)
        return page

    def _add_link(self, link: Link) -> None:
        self.links.extend(
            (
                self.places.number(link.url),
                self.paths.number(link.tag_path),
                self.anchors.number(link.anchor),
                self.arounds.number(link.around),
                self.kinds.number(link.kind),
                self.contexts.number(written(link.context)) if link.context else 0,
            )
        )

    def site(self, name: str) -> RecordedSite:
        """Return what was collected, one row per record."""
        urls, numbers = self._urls()
        rows = np.array(self.rows, dtype=np.int64).reshape(-1, 5)
        links = np.array(self.links, dtype=np.int32).reshape(-1, FIELDS)
        places = rows[:, 4]
        return RecordedSite(
            name=name,
            urls=urls,
            status=rows[:, 0].astype(np.int32),
            mime=rows[:, 1].astype(np.int32),
            size=rows[:, 2],
            head_size=rows[:, 3].astype(np.int32),
            location=np.append(numbers, np.int32(ABSENT))[places],  # ABSENT is the last entry
            starts=np.array(self.starts, dtype=np.int64),
            link_url=numbers[links[:, 0]],
            link_path=links[:, 1].copy(),
            link_anchor=links[:, 2].copy(),
            link_around=links[:, 3].copy(),
            link_kind=links[:, 4].astype(np.int8),
            link_context=links[:, 5].copy(),
            mimes=self.mimes.texts,
            paths=self.paths.texts,
            anchors=self.anchors.texts,
            arounds=self.arounds.texts,
            contexts=self.contexts.texts,
            etags=self.etags,
            modified=self.modified,
            digests=self.digests,
        )

    def _urls(self) -> tuple[list[str], Ids]:
        """Return all URLs, recorded ones first, and the number of each among them."""
        urls = _Texts(self.recorded.texts)
        numbers = np.fromiter((urls.number(url) for url in self.places.texts), dtype=np.int32)
        return urls.texts, numbers


def build_site(
    name: str,
    records: Iterable[Record],
    *,
    cut: frozenset[str] = frozenset(),
    damage: Damage | None = None,
    reads: Reads = "html",
) -> RecordedSite:
    """Read every record and the links of every page."""
    columns = Columns(reads)
    for record in records:
        columns.add(record)
    site = columns.site(name)
    site.cut, site.damage = cut, damage or Damage()
    return site
