"""Stores the files of a crawl atomically, named after their URLs if possible."""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from lodehound.stores.errors import DamagedCrawlError, write_error
from lodehound.stores.files.file_names import NAMINGS, folded, path_for
from lodehound.stores.files.inside import is_inside
from lodehound.stores.files.old_versions import TEMPORARY, OldVersions, hash_of

LEFTOVER = re.compile(re.escape(TEMPORARY) + "[0-9a-f]{32}")


class FileStore:
    """Saves files by host and path. For one thread at a time.

    Identical contents are stored once. Otherwise no two URLs share a file, even on disks that
    ignore case. If the same URL is saved again, its file is replaced.

    Args:
        folder: The folder for the files.
        taken: Paths in use, relative to the crawl directory, with the URL and the SHA-256 of
            each ("" if it is not known).
        guard: Called before a file is stored; raises to stop it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        taken: Iterable[tuple[str, str, str]] = (),
        guard: Callable[[], None] | None = None,
    ) -> None:
        self.folder = folder
        self._guard = guard
        self._above = folder.parent.absolute()  # the process may change its working folder
        self.versions = OldVersions(self._above / "versions")
        self._owners: dict[str, bytes] = {}  # case-folded path -> digest of its URL
        self._folders: set[str] = set()  # case-folded
        self._contents: dict[bytes, str] = {}  # SHA-256 -> path
        for path, url, sha256 in taken:
            if path:
                self._on_disk(path)  # the catalogue may be damaged, or a stranger's
            self._claim(path, url)
            self._remember(path, sha256)

    def save(
        self,
        url: str,
        *,
        mime: str,
        body: bytes,
        sha256: str = "",
        avoid: str = "",
        proposed: str = "",
    ) -> str:
        """Store a file; return its path relative to the crawl directory.

        The file appears under its name when it is completely on disk.

        Args:
            url: Its URL.
            mime: Its detected type; decides the extension if that of the URL does not fit.
            body: The content.
            sha256: Hash of the content, if it is complete: identical contents are stored once.
            avoid: A path that must not be used.
            proposed: The name that the server proposes.
        """
        if self._guard is not None:
            self._guard()
        # Empty files are not duplicates of each other.
        sha256 = sha256 if body else ""
        same = self._contents.get(bytes.fromhex(sha256))
        if same is not None and self._holds(same, len(body)):
            return same
        path = self._free_path(url, mime, avoid, proposed)
        target = self._on_disk(path)
        try:
            _make_folder(target.parent)
            _write(target, body)
        except OSError as error:
            raise write_error(self.folder.parent, error) from error
        self._claim(path, url)
        self._remember(path, sha256)
        return path

    def replace(
        self,
        url: str,
        *,
        mime: str,
        body: bytes,
        sha256: str,
        old: str,
        old_sha256: str,
        shared: bool,
        proposed: str = "",
    ) -> tuple[str, str]:
        """Store a newer version of a file; return its path, and where the older one is kept.

        Call ``settle`` when the newer version is in the catalogue.

        Args:
            url: Its URL.
            mime: Its detected type.
            body: The content.
            sha256: Hash of the content, if it is complete.
            old: The path of the older version.
            old_sha256: The hash of the older version.
            shared: Other finds have the same file, so it stays as it is.
            proposed: The name that the server proposes.
        """
        if self._guard is not None:
            self._guard()
        try:
            kept = self.versions.keep(self._on_disk(old), old_sha256)
        except OSError as error:
            raise write_error(self.folder.parent, error) from error
        if not shared and old_sha256:
            self._contents.pop(bytes.fromhex(old_sha256), None)
        avoid = old if shared else ""
        path = self.save(url, mime=mime, body=body, sha256=sha256, avoid=avoid, proposed=proposed)
        return path, kept

    def settle(self, *, kept: str = "", unused: str = "") -> None:
        """Remove what is no longer wanted of an older version.

        Args:
            kept: Where it was kept, if it shall not be.
            unused: Its path, if no find has it any more.
        """
        try:
            if kept:
                self.versions.drop(kept)
            if unused:
                self._on_disk(unused).unlink(missing_ok=True)
        except OSError as error:
            raise write_error(self.folder.parent, error) from error

    def _remember(self, path: str, sha256: str) -> None:
        if sha256:
            self._contents.setdefault(bytes.fromhex(sha256), path)

    def _holds(self, path: str, size: int) -> bool:
        """Return whether a file is still unchanged: users may edit the folder."""
        try:
            return self._on_disk(path).stat().st_size == size
        except OSError:
            return False

    def _free_path(self, url: str, mime: str, avoid: str, proposed: str) -> str:
        """Return the simplest path that is free; the last candidate always is."""
        for mark, flat in NAMINGS:
            path = (
                f"{self.folder.name}/{path_for(url, mime, mark=mark, flat=flat, proposed=proposed)}"
            )
            if path != avoid and self._is_free(path, url):
                break
        return path

    def _is_free(self, path: str, url: str) -> bool:
        key = folded(path)
        if self._owners.get(key, _digest(url)) != _digest(url) or key in self._folders:
            return False
        if any(above in self._owners for above in _above(key)):
            return False
        # A killed process may have left a file that is not recorded.
        return not self._on_disk(path).is_dir() and not any(
            self._on_disk(above).is_file() for above in _above(path)
        )

    def _claim(self, path: str, url: str) -> None:
        key = folded(path)
        self._owners.setdefault(key, _digest(url))
        self._folders.update(_above(key))

    def _on_disk(self, path: str) -> Path:
        if not is_inside(path, self.folder.name):
            what = f"file cannot be read ({path[:40]!r} is no file of this folder)"
            raise DamagedCrawlError(self._above, what)
        return self._above / path

    def tidy(
        self,
        kept: Collection[str] = (),
        replaced: Collection[str] = (),
        *,
        unused: Iterable[str] = (),
    ) -> None:
        """Create the folder and remove what a killed process left.

        Args:
            kept: The files of older versions that are kept.
            replaced: The hashes of those that are not.
            unused: Paths that no find has any more.
        """
        try:
            _make_folder(self.folder)
            self.versions.tidy(kept, replaced, self._contents)
            for path in map(self._on_disk, unused):
                # The path of a find may be damaged: its content is never removed, nor what
                # cannot be read.
                sha256 = hash_of(path)
                if sha256 and bytes.fromhex(sha256) not in self._contents:
                    path.unlink(missing_ok=True)
            for folder, _, names in os.walk(self.folder):
                for name in filter(LEFTOVER.fullmatch, names):
                    Path(folder, name).unlink()
        except OSError as error:
            raise write_error(self.folder.parent, error) from error


def _above(path: str) -> list[str]:
    """Return the parent folders of a path, except the outermost."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(2, len(parts) + 1)]


def _digest(url: str) -> bytes:
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _make_folder(folder: Path) -> None:
    """Create a folder and its parents durably, so that they survive a power failure."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _write(target: Path, body: bytes) -> None:
    temporary = target.with_name(TEMPORARY + uuid.uuid4().hex)
    try:
        with temporary.open("xb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable: the name belongs to the folder, not to the file."""
    if os.name == "nt":  # Windows cannot open folders
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
