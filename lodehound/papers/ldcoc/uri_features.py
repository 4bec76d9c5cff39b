"""What the LDCOC paper (Sec. 3.2) knows of a URI before it is dereferenced, as hashed columns."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lodehound.core.errors import ConfigError
from lodehound.core.link import Context, Link
from lodehound.core.urls import extension_of, host_of
from lodehound.papers.ldcoc.ftrl import Columns
from lodehound.papers.ldcoc.similarity import similarity

SETS = "trpx"
MAX_PARTS = 12  # segments of a path, keys of a query
DIGITS = re.compile(r"\d+")
NO_CONTEXT = Context()


class Head(NamedTuple):
    """What a HEAD said of a URI."""

    status: int = 0
    mime: str = ""


NO_HEAD = Head()


def read_sets(written: str) -> frozenset[str]:
    """Read ``t+r+p``.

    >>> sorted(read_sets("t+r+p"))
    ['p', 'r', 't']
    """
    sets = [name.strip() for name in written.split("+")]
    if not all(len(name) == 1 and name in SETS for name in sets):
        raise ConfigError(f"features={written!r} is not understood: join t, r, p and x with +.")
    return frozenset(sets)


class UriFeatures:
    """Describes URIs by four sets of features.

    Their own parts (t), their referrer's (r), their properties' (p), and crosses of their
    siblings' parts, types, similarity and relevance (x).

    Args:
        sets: Which of t, r, p and x.
        size: Columns that features are hashed to.
        similar: From which similarity on a sibling counts as alike.
    """

    def __init__(self, sets: frozenset[str], *, size: int, similar: float = 0.5) -> None:
        self.sets = sets
        self.size = size
        self.similar = similar
        self._known: dict[str, tuple[str, bool]] = {}  # type and relevance of what was fetched

    def see(self, url: str, mime: str, *, relevant: bool) -> None:
        """Take in what a URI turned out to be: its siblings may ask."""
        if "x" in self.sets:
            self._known[url] = (mime, relevant)

    def columns(self, link: Link, head: Head = NO_HEAD) -> Columns:
        """Return the columns that are 1 for a link, each once."""
        context = link.context or NO_CONTEXT
        found = {0: None}  # column 0 is always 1: the odds of any URI
        if "t" in self.sets:
            found.update(_columns("t", link.url, self.size))
            found.update(dict.fromkeys(self._hashed(_head(head, context))))
        if "r" in self.sets:
            found.update(_columns("r", link.source, self.size))
        if "p" in self.sets:
            place = f"p at={link.kind},{context.position}"
            found[_column(place, self.size)] = None
            for name in context.properties:
                found.update(_columns("p", name, self.size))
        if "x" in self.sets:
            found.update(dict.fromkeys(self._hashed(self._crosses(link, context))))
        return np.fromiter(found, dtype=np.int64, count=len(found))

    def _hashed(self, texts: Iterator[str]) -> Iterator[int]:
        return (_column(text, self.size) for text in texts)

    def _crosses(self, link: Link, context: Context) -> Iterator[str]:
        for sibling in context.siblings:
            mime, relevant = self._known.get(sibling, ("", None))
            alike = similarity(sibling, link.url) > self.similar
            for part in parts(sibling):
                yield f"x {part} {mime} {alike} {relevant}"


def _head(head: Head, context: Context) -> Iterator[str]:
    if head.status:
        yield f"t status={head.status}"
        yield f"t type={head.mime}"
    if context.declared:
        yield f"t declared={context.declared}"
    if "#" in context.position:
        yield "t fragment"


@lru_cache(maxsize=65536)
def _columns(prefix: str, uri: str, size: int) -> dict[int, None]:
    return dict.fromkeys(_column(f"{prefix} {part}", size) for part in parts(uri))


def _column(text: str, size: int) -> int:
    """Hash a feature; column 0 is taken."""
    return 1 + zlib.crc32(text.encode("utf-8", "surrogatepass")) % (size - 1)


def parts(uri: str) -> list[str]:
    """Return the parts of a URI that may tell: Figure 1 of the paper, the path in segments.

    >>> parts("http://e.org/id/42.ttl?v=1")[:4]
    ['scheme=http', 'host=e.org', 'site=e.org', 'path=/id/42.ttl']
    """
    scheme, _, _ = uri.partition(":")
    host = host_of(uri)
    whole, _, fragment = uri.partition("#")
    path, _, query = whole.partition("?")
    path = "/" + "/".join(path.split("/")[3:])
    segments = path.split("/")[1:]
    found = [
        f"scheme={scheme}",
        f"host={host}",
        f"site={'.'.join(host.split('.')[-2:])}",
        f"path={path}",
        f"in={host}{path.rpartition('/')[0]}",
        f"depth={len(segments)}",
        f"extension={extension_of(uri)}",
        f"shape={DIGITS.sub('0', segments[-1])}",
        *(f"segment={segment}" for segment in segments[:MAX_PARTS]),
    ]
    if len(segments) > 1:
        found.append(f"top={host}/{segments[0]}")
    if query:
        found.append(f"query={query}")
        found.extend(f"key={pair.partition('=')[0]}" for pair in query.split("&")[:MAX_PARTS])
    if fragment:
        found.append(f"fragment={fragment}")
    return found
