"""A cache of parsed sites, keyed by their content and the version of the reader."""

from __future__ import annotations

import gzip
import hashlib
import os
import zipfile
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from lodehound.core.errors import SiteError, reason_of
from lodehound.core.urls import canonical
from lodehound.read.links import VERSION
from lodehound.read.rdf import VERSION as RDF_VERSION
from lodehound.stores.packing import pack, unpack, write_columns
from lodehound.stores.records import Damage, read_records
from lodehound.stores.site import Reads, RecordedSite, build_site
from lodehound.stores.text_files import open_plain, text_lines

# Changes with the layout of the cached file.
FORMAT = 4
MOST_CUT = 20_000_000  # URLs in a list beside a recording

ARRAYS = (
    "status", "mime", "size", "head_size", "location", "starts",
    "link_url", "link_path", "link_anchor", "link_around", "link_kind", "link_context",
)  # fmt: skip
TEXTS = (
    "urls", "mimes", "paths", "anchors", "arounds", "contexts", "etags", "modified", "digests",
)  # fmt: skip


def cache_folder(chosen: Path | None = None) -> Path:
    """Return the cache folder: the chosen one, LODEHOUND_CACHE, or the user's cache folder."""
    named = os.environ.get("LODEHOUND_CACHE")
    return chosen or (Path(named) if named else Path(platformdirs.user_cache_dir("lodehound")))


def open_site(
    paths: Sequence[Path], *, cache: Path | None = None, reads: Reads = "html"
) -> RecordedSite:
    """Return the recorded site in these files, parsing them only once.

    A file ``NAME.cut.txt.gz`` next to ``NAME.warc.*`` lists URLs that exist but
    were not recorded; they are out of scope.
    """
    try:
        key = content_key(paths, reads)
    except OSError as error:
        raise SiteError(f"{site_name(paths)} cannot be read: {reason_of(error)}.") from error
    kept = cache_folder(cache) / f"{key}.site"
    loaded = load_site(kept, site_name(paths))
    if loaded is not None:
        return loaded[0]
    site = _read(paths, reads)
    keep_site(site, kept)
    return site


def stem_of(name: str) -> str:
    """Return a recording's file name without its extension.

    >>> stem_of("www.example.org.warc.gz"), stem_of("replica.db")
    ('www.example.org', 'replica')
    """
    stem, found, _ = name.rpartition(".warc")
    return stem if found else name.rpartition(".")[0] or name


def content_key(paths: Sequence[Path], reads: Reads = "html") -> str:
    """Return a key for the content of a recording and the version of its reader."""
    version = VERSION if reads == "html" else f"{VERSION}.{reads}.{RDF_VERSION}"
    digest = hashlib.blake2b(f"{FORMAT}.{version}".encode(), digest_size=16)
    for path in paths:
        for part in (path, cut_file(path)):
            digest.update(b"+" if part.is_file() else b"-")
            if part.is_file():
                with open_plain(part) as file:
                    digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()


def site_name(paths: Sequence[Path]) -> str:
    """Return the name of a site, made of its file names."""
    return "+".join(path.name for path in paths)


def _read(paths: Sequence[Path], reads: Reads) -> RecordedSite:
    damage = Damage()
    records = (record for path in paths for record in read_records(path, damage))
    cut = frozenset(url for path in paths for url in cut_urls(path))
    site = build_site(site_name(paths), records, damage=damage, reads=reads)
    site.cut = cut - frozenset(
        site.urls[: len(site.status)]
    )  # one file may contain what another lacks
    if not len(site.status):
        why = "; ".join(damage.notes) or "there is none"
        raise SiteError(f"{site_name(paths)} has no readable response: {why}.")
    return site


def cut_file(path: Path) -> Path:
    return path.with_name(stem_of(path.name) + ".cut.txt.gz")


def cut_urls(path: Path) -> list[str]:
    file = cut_file(path)
    if not file.is_file():
        return []
    try:
        with open_plain(file) as packed:
            lines = islice(text_lines(gzip.GzipFile(fileobj=packed)), MOST_CUT + 1)
            urls = [url for line in lines if (url := canonical(line.strip()))]
        if len(urls) > MOST_CUT:
            raise ValueError(f"it has more than {MOST_CUT:,} lines")  # noqa: TRY301
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise SiteError(
            f"{str(file)!r} cannot be read ({reason_of(error)}): repair or remove it."
        ) from error
    return urls


def keep_site(site: RecordedSite, kept: Path, **more: NDArray[Any]) -> None:
    """Write a site, and further columns that belong to it."""
    columns = {name: getattr(site, name) for name in ARRAYS}
    for name in TEXTS:
        columns[name] = pack(getattr(site, name))
    columns["cut"] = pack(sorted(site.cut))
    columns["notes"] = pack(site.damage.notes)
    columns["lost"] = np.array([site.damage.lost])
    write_columns(columns | more, kept)


def load_site(
    kept: Path, name: str, more: Sequence[str] = ()
) -> tuple[RecordedSite, dict[str, NDArray[Any]]] | None:
    """Load a cached site and its further columns; None if it is missing or unreadable."""
    try:
        # Opened here, because numpy does not close a file that is not an archive.
        with kept.open("rb") as file, np.load(file, allow_pickle=False) as columns:
            kept_columns: dict[str, Any] = {name: columns[name] for name in ARRAYS}
            kept_columns |= {name: unpack(columns[name]) for name in TEXTS}
            site = RecordedSite(
                name=name,
                **kept_columns,
                cut=frozenset(unpack(columns["cut"])),
                damage=Damage(unpack(columns["notes"]), int(columns["lost"][0])),
            )
            return site, {name: columns[name] for name in more}
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
