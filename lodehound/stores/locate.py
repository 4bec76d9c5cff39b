"""Which files a recorded site is, and what files of start URLs and hosts say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from lodehound.core.errors import ConfigError, SiteError
from lodehound.core.urls import proposed
from lodehound.stores.text_files import read_text

ENDINGS = (".warc", ".warc.gz", ".warc.zst")


def locate(text: str, corpora: Path | None = None) -> tuple[Path, ...]:
    """Return the files of one recorded site.

    The text names a file; a folder, whose WARC files form one site; several files
    joined by ``+``; or a site in the corpora folder (``--corpora`` or
    LODEHOUND_CORPORA).
    """
    try:
        found = _named(Path(text))
    except OSError as error:
        raise SiteError(f"{text[:200]!r} cannot be read: {error.strerror}.") from error
    if found:
        return found
    if "+" in text:
        return tuple(file for part in text.split("+") for file in locate(part, corpora))
    below = _below(text, corpora or _named_corpora())
    if below is None:
        raise SiteError(
            f"There is no recorded site {text!r}: give a WARC file, a folder of them, "
            f"or a name in the folder LODEHOUND_CORPORA."
        )
    return (below,)


def _named(path: Path) -> tuple[Path, ...]:
    """Return the file of this name, or the files of the folder."""
    if path.is_file():
        return (path,)
    if not path.is_dir():
        return ()
    files = sorted(p for p in path.iterdir() if p.name.endswith(ENDINGS))
    if not files:
        raise SiteError(f"The folder {str(path)!r} has no file ending in {', '.join(ENDINGS)}.")
    return tuple(files)


def _named_corpora() -> Path | None:
    named = os.environ.get("LODEHOUND_CORPORA")
    return Path(named) if named else None


def _below(name: str, corpora: Path | None) -> Path | None:
    if corpora is None:
        return None
    for folder in (corpora, corpora / "sites", corpora / "webs", corpora / "timelines"):
        for ending in ("", *ENDINGS):
            if (path := folder / (name + ending)).is_file():
                return path
    return None


def read_starts(
    given: Sequence[str], stdin: IO[bytes] | None = None, option: str = "--from"
) -> tuple[str, ...]:
    """Read ``--from``: URLs, files with one URL per line, or ``-`` for standard input.

    Args:
        given: The values of the option.
        stdin: Standard input.
        option: The name of the option in messages.
    """
    urls: list[str] = []
    for text in given:
        if text.lower().startswith(("http://", "https://")):
            urls.append(text)
        elif text != "-" and not Path(text).exists() and (meant := proposed(text)):
            raise ConfigError(f"{option} {text!r} is no web address: did you mean {meant} ?")
        else:
            source = stdin if text == "-" else None
            urls.extend(read_lines(text, option, source, what="neither a URL nor"))
    if given and not urls:
        raise ConfigError(f"{option} {' '.join(given)!r} contains no URL.")
    return tuple(urls)


def read_lines(
    name: str, option: str, source: IO[bytes] | None = None, *, what: str = "not"
) -> list[str]:
    """Read a file, or an open one, with one item per line; skip empty lines and comments."""
    try:
        return _clean(read_text(source or Path(name)).splitlines())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{option} {name!r} is {what} a readable file ({error}).") from error


def _clean(lines: Sequence[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return [line for line in stripped if line and not line.startswith("#")]
