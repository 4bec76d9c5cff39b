"""Nothing outside of a crawl directory is opened through it.

A directory may come from somebody else, and an archive may hold links. So the names that we open
must be what they seem: files are files of one name, folders are folders. This is looked at when a
directory is opened; the directory itself may be reached by a link.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.files.layout import FILES, JOURNAL, LOCK, METADATA, VERSIONS, WARC
from lodehound.text.shell import quoted

BESIDE = ("-wal", "-shm", "-journal")  # how the names of files end that SQLite has beside its own
# Only this one is looked into. SQLite locks the database and its -shm: to close either of them
# anywhere in a process gives up all locks of that process, and other programs that look on would
# then cut -shm off under a crawl that has it in memory.
ROLLBACK = "-journal"
SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # ends a journal that names another file
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # not on Windows


def is_inside(file: str, folder: str) -> bool:
    """Return whether a path of a catalogue stays in a folder of its crawl directory.

    >>> is_inside("files/e.org/a.csv", "files"), is_inside("files/../lock", "files")
    (True, False)
    """
    first, *others = file.replace(os.sep, "/").split("/")
    return first == folder and bool(others) and not {"", ".", ".."}.intersection(others)


def refuse_links(
    folder: Path, files: Iterable[str], folders: Iterable[str] = (), *, write: bool = True
) -> None:
    """Refuse a directory in which a name of ours leads elsewhere, or waits for ever.

    Args:
        folder: The directory.
        files: Names of files that are opened, if they are there.
        folders: Names of folders; what is in them is another matter.
        write: Files are written: refuse those that have another name elsewhere. Those beside a
            database are written also by readers.

    Raises:
        ConfigError: One is a link, a pipe or a device.
    """
    for name in folders:
        _refuse_odd(folder / name)
    for name in files:
        _refuse_odd(folder / name, alone=write or name.endswith(BESIDE))
        if name.endswith(ROLLBACK):
            _refuse_super_journal(folder / name)


def refuse_links_below(folder: Path, *, deep: bool = True) -> None:
    """Refuse links, pipes and devices in a folder.

    Args:
        folder: The folder; it may be missing.
        deep: Look into the folders in it, too.
    """
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:  # most file systems tell the kinds without a look at each file
            if entry.is_dir(follow_symlinks=False):
                if deep:
                    refuse_links_below(Path(entry.path))
            elif not entry.is_file(follow_symlinks=False):
                _refuse_odd(Path(entry.path))


def check_inside(path: Path, *, write: bool) -> None:
    """Refuse a crawl directory with names that lead elsewhere.

    Args:
        path: The directory; it may itself be reached by a link.
        write: Also look at every file in it: some are replaced or removed.
    """
    refuse_links(path, (LOCK, *JOURNAL, METADATA, WARC), (FILES, VERSIONS), write=write)
    if write:
        refuse_links_below(path / FILES)
        refuse_links_below(path / VERSIONS)


def _refuse_odd(path: Path, *, alone: bool = False) -> None:
    """Refuse what is neither a plain file nor a folder.

    Args:
        path: What is looked at, if it is there.
        alone: A file must have no other name.
    """
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    place = quoted(path)
    if stat.S_ISLNK(status.st_mode):
        raise ConfigError(
            f"{str(path)!r} is a symbolic link, and nothing in a crawl directory may lead "
            f"elsewhere: put what it points to in its place, or remove it with 'rm {place}'."
        )
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise ConfigError(
            f"{str(path)!r} is a pipe, a socket or a device: remove it with 'rm {place}'."
        )
    if alone and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        copy = quoted(f"{path}.copy")
        raise ConfigError(
            f"{str(path)!r} has another name elsewhere (a hard link), which would change with it: "
            f"make it a file of its own with 'cp {place} {copy} && mv {copy} {place}'."
        )


def _refuse_super_journal(path: Path) -> None:
    """Refuse a journal that names another file: SQLite would remove that file."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(SUPER_JOURNAL)))
        if file.read() == SUPER_JOURNAL:
            raise ConfigError(
                f"{str(path)!r} is not the journal of a crawl, as it names another file: "
                f"remove it with 'rm {quoted(path)}'."
            )
