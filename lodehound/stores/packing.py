"""Stores columns in one file, written atomically, with texts line by line."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import SiteError, reason_of


def write_columns(columns: dict[str, Any], kept: Path) -> None:
    """Write columns under a temporary name first, so that no reader sees an incomplete file."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            temporary = Path(file.name)
            try:
                np.savez(file, **columns)
                temporary.replace(kept)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise SiteError(
            f"The cache {str(kept.parent)!r} cannot be written ({reason_of(error)}): "
            f"choose another with --cache or LODEHOUND_CACHE."
        ) from error


def pack(texts: Sequence[str]) -> NDArray[np.uint8]:
    # A line break in a header or file name is rare; replace it by a space.
    lines = (text.replace("\n", " ") for text in texts)
    joined = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return np.frombuffer(joined, dtype=np.uint8)


def unpack(packed: NDArray[np.uint8]) -> list[str]:
    return packed.tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
