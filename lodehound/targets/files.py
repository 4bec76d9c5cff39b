"""Data files by MIME type (SB paper, Sec. 2.2)."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection
from dataclasses import replace
from typing import Self

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target

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
    "parquet": ("application/vnd.apache.parquet",),
    "geojson": ("application/geo+json",),
}


class Files(Target):
    """Data files by MIME type.

    Args:
        mimes: Types that count; by default the paper's 38.
    """

    inspected = True

    def __init__(self, *, mimes: Collection[str] = DATA_MIMES) -> None:
        self.mimes = frozenset(mimes)

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        """Read ``csv,xlsx`` or ``text/csv``; a short name means all its types."""
        mimes: set[str] = set()
        for name in filter(None, (part.strip().lower() for part in argument.split(","))):
            mimes.update(_mimes_of(name.removeprefix(".")))
        if not mimes:
            raise ConfigError("files: needs types after the colon, for example files:csv,xlsx.")
        return cls(mimes=mimes)

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
        if page.ok and page.mime in self.mimes:
            return Verdict(found=True, value=1.0, label=page.mime)
        return NOT_FOUND


def _mimes_of(name: str) -> Collection[str]:
    if "/" in name:
        return (name,)
    if name in SHORT_NAMES:
        return SHORT_NAMES[name]
    guessed = mimetypes.types_map.get("." + name)
    if guessed is None:
        raise UnknownNameError("file type", name, SHORT_NAMES)
    return (guessed,)
