"""One file in another: gzip, bzip2, xz and zstandard. It is unpacked in memory, up to a limit."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO, cast

from lodehound.inspect.archives import CHUNK, SMALL, UNREADABLE, Inspect
from lodehound.inspect.libraries import library
from lodehound.inspect.limits import Options
from lodehound.inspect.records import NEEDS, Inspection, clean, notes
from lodehound.inspect.source import Source

ENDINGS = (".gz", ".bz2", ".xz", ".zst")


def inspect_packed(source: Source, kind: str, options: Options, inspect: Inspect) -> Inspection:
    """Inspect the file in a packed file.

    Args:
        source: The packed file.
        kind: How it is packed: gz, bz2, xz or zst.
        options: Limits and rule.
        inspect: Inspects the file in it.
    """
    limits = options.limits
    limit = min(limits.member_bytes, max(SMALL, limits.ratio * source.size))
    parts, size = [], 0
    try:
        with source.open() as file, OPENED[kind](file) as unpacked:
            while chunk := unpacked.read(CHUNK):
                size += len(chunk)
                if size > limit:
                    return Inspection(kind, error=f"unpacks to more than {limit:,} bytes")
                parts.append(chunk)
    except ImportError:
        return Inspection(kind, error=NEEDS)
    except (*UNREADABLE, lzma.LZMAError) as error:
        return Inspection(kind, error=clean(f"not readable: {error}"))
    name = source.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    found = inspect(Source(b"".join(parts), name, depth=source.depth + 1), options)
    inner = "" if found.kind in {"csv", "tsv"} else f"holds {found.kind}"
    return replace(found, kind=kind, note=notes(inner, found.note))


def _zstandard(file: BinaryIO) -> BinaryIO:
    pyarrow = library("pyarrow")
    return cast(BinaryIO, pyarrow.CompressedInputStream(pyarrow.PythonFile(file, "r"), "zstd"))


OPENED: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    "gz": lambda file: cast(BinaryIO, gzip.GzipFile(fileobj=file)),
    "bz2": lambda file: cast(BinaryIO, bz2.BZ2File(file)),
    "xz": lambda file: cast(BinaryIO, lzma.LZMAFile(file)),  # noqa: SIM115 - closed by the caller
    "zst": _zstandard,
}
