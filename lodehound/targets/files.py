"""Data files by MIME type (SB paper, Sec. 2.2)."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection
from dataclasses import replace
from typing import Self
from urllib.parse import unquote

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.core.urls import path_of

# Appendix A.2 of the SB paper: the 38 types that count as data.
DATA_MIMES = frozenset(
    """
    application/csv application/json application/msword application/octet-stream application/pdf
    application/rdf+xml application/rss+xml application/vnd.ms-excel
    application/vnd.ms-excel.sheet.macroenabled.12
    application/vnd.oasis.opendocument.presentation
    application/vnd.oasis.opendocument.spreadsheet
    application/vnd.oasis.opendocument.text
    application/vnd.openxmlformats-officedocument.presentationml.presentation
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    application/vnd.openxmlformats-officedocument.wordprocessingml.document
    application/vnd.openxmlformats-officedocument.wordprocessingml.template
    application/vnd.rar application/x-7z-compressed application/x-csv application/x-gtar
    application/x-gzip application/xml application/x-pdf application/x-rar-compressed
    application/x-tar application/x-yaml application/x-zip-compressed application/yaml
    application/zip application/zip-compressed text/comma-separated-values text/csv text/json
    text/plain text/x-comma-separated-values text/x-csv text/x-yaml text/yaml
    """.split()
)

# Short names in ``--want files:csv,xlsx``, and their types.
SHORT_NAMES = {
    "7z": ("application/x-7z-compressed",),
    "csv": (
        "text/csv",
        "application/csv",
        "application/x-csv",
        "text/comma-separated-values",
        "text/x-comma-separated-values",
        "text/x-csv",
    ),
    "json": ("application/json", "text/json"),
    "pdf": ("application/pdf", "application/x-pdf"),
    "rar": ("application/vnd.rar", "application/x-rar-compressed"),
    "rdf": ("application/rdf+xml",),
    "rss": ("application/rss+xml",),
    "tar": ("application/x-tar", "application/x-gtar"),
    "gz": ("application/x-gzip", "application/gzip"),
    "tsv": ("text/tab-separated-values",),
    "xml": ("application/xml", "text/xml"),
    "yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
    "zip": ("application/zip", "application/x-zip-compressed", "application/zip-compressed"),
    "xls": ("application/vnd.ms-excel",),
    "xlsm": ("application/vnd.ms-excel.sheet.macroenabled.12",),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",),
    "ods": ("application/vnd.oasis.opendocument.spreadsheet",),
    "odt": ("application/vnd.oasis.opendocument.text",),
    "odp": ("application/vnd.oasis.opendocument.presentation",),
    "doc": ("application/msword",),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    "pptx": ("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    "txt": ("text/plain",),
}
# Formats of statistics, maps and science that the paper's list lacks.
MORE_NAMES = {
    "arrow": ("application/vnd.apache.arrow.file", "application/vnd.apache.arrow.stream"),
    "avro": ("application/avro", "application/vnd.apache.avro"),
    "bz2": ("application/x-bzip2", "application/bzip2", "application/x-bzip"),
    "dbf": ("application/dbase", "application/vnd.dbf", "application/x-dbf"),
    "dta": ("application/x-stata-dta", "application/x-stata", "application/x-stata-14"),
    "feather": ("application/vnd.apache.arrow.file", "application/x-feather"),
    "fgb": ("application/flatgeobuf", "application/vnd.flatgeobuf"),
    "geojson": ("application/geo+json", "application/vnd.geo+json"),
    "gml": ("application/gml+xml",),
    "gpkg": ("application/geopackage+sqlite3", "application/geopackage+vnd.sqlite3"),
    "h5": ("application/x-hdf5", "application/x-hdf", "application/vnd.hdfgroup.hdf5"),
    "hdf5": ("application/x-hdf5", "application/x-hdf", "application/vnd.hdfgroup.hdf5"),
    "jsonl": ("application/jsonl", "application/jsonlines", "application/x-jsonlines"),
    "kml": ("application/vnd.google-earth.kml+xml",),
    "kmz": ("application/vnd.google-earth.kmz",),
    "mdb": ("application/vnd.ms-access", "application/x-msaccess"),
    "nc": ("application/x-netcdf", "application/netcdf"),
    "ndjson": ("application/x-ndjson", "application/ndjson"),
    "orc": ("application/vnd.apache.orc",),
    "parquet": (
        "application/vnd.apache.parquet",
        "application/x-parquet",
        "application/parquet",
    ),
    "por": ("application/x-spss-por",),
    "rda": ("application/x-r-data",),
    "rdata": ("application/x-r-data",),
    "rds": ("application/x-rds",),
    "sas7bdat": ("application/x-sas-data", "application/x-sas"),
    "sav": ("application/x-spss-sav", "application/x-spss"),
    "shp": ("application/vnd.shp", "application/x-esri-shape"),
    "sqlite": ("application/vnd.sqlite3", "application/x-sqlite3"),
    "xlsb": ("application/vnd.ms-excel.sheet.binary.macroenabled.12",),
    "xpt": ("application/x-sas-xport", "application/x-xport"),
    "xz": ("application/x-xz", "application/xz"),
    "zsav": ("application/x-spss-sav",),
    "zst": ("application/zstd", "application/x-zstd"),
}
NAMES = {**SHORT_NAMES, **MORE_NAMES}
COMPRESSED = ("bz2", "gz", "xz", "zst")  # one file each: data.csv.gz is a CSV
COMPRESSED_MIMES = frozenset(mime for name in COMPRESSED for mime in NAMES[name])
# Types that say nothing of the format: the ending of the name decides.
UNCLEAR = COMPRESSED_MIMES | {
    "",
    "application/binary",
    "application/download",
    "application/force-download",
    "application/octet-stream",
    "application/x-binary",
    "application/x-download",
    "binary/octet-stream",
    "text/plain",
}
ALL_MIMES = DATA_MIMES.union(*NAMES.values()) - {"text/xml"}  # mostly feeds and sitemaps
PAPER = "paper"
NO_CONTENT = frozenset({204, 205})  # RFC 9110, 15.3.5 and 15.3.6: an answer, and no file


class Files(Target):
    """Data files by MIME type; where the type is unclear, by the ending of the name.

    Args:
        mimes: Types that count; by default all that are known.
        endings: Endings of names that count if the type says nothing of the format.
    """

    inspected = True

    def __init__(
        self, *, mimes: Collection[str] = ALL_MIMES, endings: Collection[str] | None = None
    ) -> None:
        self.mimes = frozenset(mimes)
        by_default = NAMES if self.mimes == ALL_MIMES else ()
        self.endings = frozenset(by_default if endings is None else endings)

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        """Read ``csv,xlsx`` or ``text/csv``; a short name means all its types.

        ``paper`` means the 38 types of the SB paper, and no endings.
        """
        names = [part.strip().lower().removeprefix(".") for part in argument.split(",")]
        names = [name for name in names if name]
        if not names:
            raise ConfigError("files: needs types after the colon, for example files:csv,xlsx.")
        mimes = {mime for name in names for mime in _mimes_of(name)}
        return cls(mimes=mimes, endings={name for name in names if name in NAMES})

    def adapt(self, scope: Scope) -> Scope:
        """Remove wanted types from the block lists, so that images can be found."""
        wanted = {mime for mime in self.mimes if scope.blocks(mime)}
        if not wanted:
            return scope
        endings = {ending for ending, mime in mimetypes.types_map.items() if mime in wanted}
        kept = tuple(b for b in scope.blocked_mimes if not any(m.startswith(b) for m in wanted))
        return replace(
            scope, blocked_mimes=kept, blocked_extensions=scope.blocked_extensions - endings
        )

    def judge(self, page: Page) -> Verdict:
        if page.status in NO_CONTENT:
            return NOT_FOUND
        if page.ok and (page.mime in self.mimes or self._is_named(page)):
            return Verdict(found=True, value=1.0, label=page.mime)
        return NOT_FOUND

    def _is_named(self, page: Page) -> bool:
        """Return whether the name of a file without a clear type has a wanted ending."""
        if page.mime not in UNCLEAR or not self.endings:
            return False
        for name in (page.filename, unquote(path_of(page.url)).rpartition("/")[2]):
            stem, _, ending = name.lower().rpartition(".")
            inside = stem.rpartition(".")[2] if ending in COMPRESSED and "." in stem else ""
            if stem and not self.endings.isdisjoint({ending, inside}):
                return True
        return False


def _mimes_of(name: str) -> Collection[str]:
    if name == PAPER:
        return DATA_MIMES
    if "/" in name:
        return (name,)
    if name in NAMES:
        return NAMES[name]
    guessed = mimetypes.types_map.get("." + name)
    if guessed is None:
        raise UnknownNameError("file type", name, (PAPER, *NAMES))
    return (guessed,)
