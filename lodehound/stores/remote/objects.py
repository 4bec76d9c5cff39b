"""A folder in an object store, or on any other file system that fsspec knows."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lodehound.core.errors import ConfigError, SiteError, text_of, without_secrets
from lodehound.extras import extra

URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
LARGEST = 2**31  # bytes of an object that is read
Result = TypeVar("Result")


class ObjectStoreError(SiteError):
    """An object store does not do what it is asked for."""


def is_url(place: str) -> bool:
    """Return whether a place is a URL, not a path.

    >>> is_url("s3://bucket/offices"), is_url("offices")
    (True, False)
    """
    return URL.match(place) is not None


class ObjectFolder:
    """Objects below a URL. Its methods may be called in any thread.

    Args:
        url: Such as ``s3://bucket/prefix``. Credentials come from where its library looks for
            them, such as the environment.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        credentials = self.url.partition("://")[2].partition("/")[0].rpartition("@")[0]
        self._secrets = [credentials, credentials.partition(":")[2]]
        with extra("cloud"):
            import fsspec  # noqa: PLC0415 - only who uses an object store needs it
        options: dict[str, Any] = {"use_listings_cache": False}
        if self.url.startswith(("file:", "local:")):
            options["auto_mkdir"] = True
        try:
            self._fs, root = fsspec.core.url_to_fs(self.url, **options)
        except (ImportError, ValueError, OSError) as error:
            raise ConfigError(
                f"{without_secrets(url)!r} cannot be used: {text_of(error, self._secrets)}."
            ) from error
        self._root = str(root).rstrip("/")

    def below(self, name: str) -> ObjectFolder:
        """Return a folder in this one."""
        return ObjectFolder(f"{self.url}/{name}")

    def create(self, name: str, data: bytes) -> bool:
        """Create an object unless there is one of this name; say whether it was created."""

        def create() -> bool:
            try:
                with self._fs.open(self._path(name), "xb") as file:
                    file.write(data)
            except FileExistsError:
                return False
            return True

        return self._done(create)

    def put(self, name: str, data: bytes) -> None:
        self._done(lambda: self._fs.pipe_file(self._path(name), data))

    def put_file(self, name: str, path: Path) -> None:
        self._done(lambda: self._fs.put_file(str(path), self._path(name)))

    @property
    def shown(self) -> str:
        """The URL as it may be printed."""
        return without_secrets(self.url)

    def get(self, name: str) -> bytes | None:
        """Return an object; None if it is not there.

        Raises:
            ObjectStoreError: It cannot be read, or is too large.
        """

        def get() -> bytes | None:
            path = self._path(name)
            try:
                if (size := self._fs.size(path) or 0) > LARGEST:
                    raise ValueError(f"{name} has {size:,} bytes")
                return bytes(self._fs.cat_file(path))
            except FileNotFoundError:
                return None

        return self._done(get)

    def names(self, folder: str) -> list[str]:
        """Return the names of the objects in a folder, in order; [] if there is none."""

        def names() -> list[str]:
            try:
                paths = self._fs.ls(self._path(folder), detail=False)
            except FileNotFoundError:
                return []
            return sorted(str(path).rstrip("/").rpartition("/")[2] for path in paths)

        return self._done(names)

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects, as far as they are there."""
        for name in names:
            self._done(partial(self._delete, self._path(name)))

    def _delete(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self._fs.rm_file(path)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _done(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except Exception as error:  # every library has its own errors
            why = text_of(error, self._secrets)
            raise ObjectStoreError(
                f"{self.shown} cannot be read or written ({why}): "
                f"check the URL, the credentials and the network."
            ) from error


def patiently(work: Callable[[], Result], *, seconds: float, pause: float = 1.0) -> Result:
    """Do something with an object store; try again for a while if it fails."""
    until = time.monotonic() + seconds
    while True:
        try:
            return work()
        except ObjectStoreError:
            if time.monotonic() > until:
                raise
        time.sleep(pause)
