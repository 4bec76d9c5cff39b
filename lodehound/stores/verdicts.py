"""The verdicts of a target on every recorded page, computed once from the body and cached.

In the lab, every policy visits the same pages with every seed. A target that reads
bodies (``needs_body``) would be too slow for that, so each body is judged once and the
verdicts are cached next to the parsed site.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lodehound.core.messages import Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.core.urls import canonical
from lodehound.read.mime import split_content_type
from lodehound.stores.cache import cache_folder, content_key
from lodehound.stores.packing import pack, unpack, write_columns
from lodehound.stores.records import Damage, Record, read_records
from lodehound.stores.site import ABSENT, RecordedSite

# Changes with the layout of the cached file.
FORMAT = 1


class Judged(Target):
    """Returns the cached verdicts of another target.

    Args:
        inner: The other target; it judges responses without a body.
        site: The recording.
        verdicts: The verdicts by URL number.
    """

    def __init__(self, inner: Target, site: RecordedSite, verdicts: Sequence[Verdict]) -> None:
        self.inner = inner
        self.site = site
        self.verdicts = verdicts
        self.subject = inner.subject

    def judge(self, page: Page) -> Verdict:
        number = self.site.number(page.url) if page.method == "GET" and page.ok else ABSENT
        return self.inner.judge(page) if number == ABSENT else self.verdicts[number]

    def adapt(self, scope: Scope) -> Scope:
        return self.inner.adapt(scope)


def judged(
    paths: Sequence[Path],
    site: RecordedSite,
    target: Target,
    *,
    written: str = "",
    cache: Path | None = None,
) -> Target:
    """Return a target for replay: the target itself if it only needs types, or cached verdicts.

    Args:
        paths: The files of the recording.
        site: The parsed recording.
        target: The target.
        written: The target as the user wrote it, with parameters; verdicts are cached under
            this and the target's code. Without it they are not cached.
        cache: The cache folder.
    """
    if not target.needs_body:
        return target
    kept = cache_folder(cache) / f"{_key(paths, target, written)}.verdicts"
    verdicts = _load(kept) if written else None
    if verdicts is None or len(verdicts) != len(site.status):
        verdicts = _judge(paths, site, target)
        if written:
            _keep(verdicts, kept)
    return Judged(target, site, verdicts)


def _key(paths: Sequence[Path], target: Target, written: str) -> str:
    digest = hashlib.blake2b(f"{FORMAT} {written}".encode(), digest_size=16)
    digest.update(content_key(paths).encode())
    for cls in type(target).__mro__:
        digest.update(f"{cls.__module__}.{cls.__qualname__}".encode())
        digest.update(str(vars(cls).get("version", "")).encode())
        digest.update(_source(cls))
    return digest.hexdigest()


def _source(cls: type) -> bytes:
    """Return the source of the module of a class: verdicts depend on the target's code."""
    try:
        return inspect.getsource(sys.modules[cls.__module__]).encode("utf-8", "replace")
    except (OSError, TypeError, KeyError):
        return b""


def _judge(paths: Sequence[Path], site: RecordedSite, target: Target) -> list[Verdict]:
    verdicts: dict[int, Verdict] = {}
    for path in paths:
        for record in read_records(path, Damage()):
            number = site.number(canonical(record.url))
            if number != ABSENT and number not in verdicts:  # the first of two records is used
                verdicts[number] = target.judge(_page(record, site.urls[number]))
    nothing = Verdict(found=False)
    return [verdicts.get(number, nothing) for number in range(len(site.status))]


def _page(record: Record, url: str) -> Page:
    mime, charset = split_content_type(record.content_type)
    return Page(url, "GET", record.status, mime, record.body, charset=charset)


def _keep(verdicts: Sequence[Verdict], kept: Path) -> None:
    columns = {
        "found": np.array([verdict.found for verdict in verdicts], dtype=bool),
        "value": np.array([verdict.value for verdict in verdicts], dtype=np.float64),
        "label": pack([verdict.label for verdict in verdicts]),
        "details": _squeeze(pack([verdict.details for verdict in verdicts])),
    }
    write_columns(columns, kept)


def _load(kept: Path) -> list[Verdict] | None:
    """Return cached verdicts, or None if they are missing or unreadable."""
    try:
        with kept.open("rb") as file, np.load(file, allow_pickle=False) as columns:
            details = np.frombuffer(zlib.decompress(columns["details"].tobytes()), dtype=np.uint8)
            rows = zip(
                columns["found"].tolist(),
                columns["value"].tolist(),
                unpack(columns["label"]),
                unpack(details),
                strict=True,
            )
            return [Verdict(*row) for row in rows]
    except (OSError, EOFError, ValueError, KeyError, zlib.error, zipfile.BadZipFile):
        return None


def _squeeze(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.frombuffer(zlib.compress(packed.tobytes(), 1), dtype=np.uint8)
