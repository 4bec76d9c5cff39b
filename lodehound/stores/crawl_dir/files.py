"""Stores the files of a crawl atomically, named after their URLs if possible."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
import uuid
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from urllib.parse import unquote

from lodehound.core.urls import host_of
from lodehound.stores.crawl_dir.errors import write_error
from lodehound.stores.crawl_dir.versions import OldVersions, hash_of

TEMPORARY = ".lodehound-"  # no saved file begins with a dot
LEFTOVER = re.compile(re.escape(TEMPORARY) + "[0-9a-f]{32}")

# Windows limits a path to 260 characters; the user's own folders need some of them.
MOST_PATH = 240 - len("files/")  # bytes, below the `files` folder
MOST_NAME = 100  # bytes of one name
MOST_FOLDERS = 10  # below that of the host
SHORT_MARK, LONG_MARK = 8, 32  # hexadecimal digits that distinguish two URLs with the same name

FORBIDDEN = frozenset('<>:"/\\|?*')  # on Windows
# Control and format characters (bidirectional marks), surrogates, private and unassigned ones,
# line separators: invisible, misleading, or refused by some file systems.
UNFIT = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
# Names of devices on Windows, with any extension.
DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|\Z)", re.IGNORECASE)

ENDING = re.compile(r"(\.[a-z0-9]{1,8})?\.(gz|bz2|xz|zst)\Z|\.[a-z0-9]{1,10}\Z", re.IGNORECASE)
# The extensions of each type; the first is appended to a name that has none of them. For other
# types, any extension is accepted.
FITTING = {
    "text/csv application/csv application/x-csv text/x-csv text/comma-separated-values "
    "text/x-comma-separated-values": ".csv .txt .tsv .tab .dat .asc",
    "text/tab-separated-values": ".tsv .tab .txt .csv",
    "text/plain": ".txt .csv .tsv .tab .json .xml .yaml .yml",
    "text/html application/xhtml+xml": ".html .htm .xhtml",
    "application/json text/json": ".json .geojson .topojson .jsonld .txt",
    "application/geo+json": ".geojson .json",
    "application/ld+json": ".jsonld .json",
    "application/xml text/xml": ".xml .rdf .rss .atom .kml .gml .xsd .xsl .svg .owl",
    "application/rdf+xml": ".rdf .xml .owl",
    "application/rss+xml": ".rss .xml",
    "application/yaml application/x-yaml text/yaml text/x-yaml": ".yaml .yml .txt",
    "application/pdf application/x-pdf": ".pdf",
    "application/zip application/x-zip-compressed application/zip-compressed": ".zip .xlsx .xlsm "
    ".docx .pptx .ods .odt .odp .kmz .jar .epub",
    "application/gzip application/x-gzip": ".gz .tgz",
    "application/x-tar application/x-gtar": ".tar .tgz .gz",
    "application/x-7z-compressed": ".7z",
    "application/vnd.rar application/x-rar-compressed": ".rar",
    "application/vnd.ms-excel": ".xls .xlsx .xlsm .xlt .csv",
    "application/vnd.ms-excel.sheet.macroenabled.12": ".xlsm",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx .xlsm",
    "application/msword": ".doc .docx .dot .rtf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx .docm",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template": ".dotx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx .pptm",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.presentation": ".odp",
    "application/vnd.apache.parquet": ".parquet",
}
ENDINGS = {mime: all_.split() for mimes, all_ in FITTING.items() for mime in mimes.split()}
KNOWN_ENDINGS = frozenset(ending for endings in ENDINGS.values() for ending in endings)


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
            self._claim(path, url)
            self._remember(path, sha256)

    def save(self, url: str, *, mime: str, body: bytes, sha256: str = "", avoid: str = "") -> str:
        """Store a file; return its path relative to the crawl directory.

        The file appears under its name when it is completely on disk.

        Args:
            url: Its URL.
            mime: Its detected type; decides the extension if that of the URL does not fit.
            body: The content.
            sha256: Hash of the content, if it is complete: identical contents are stored once.
            avoid: A path that must not be used.
        """
        if self._guard is not None:
            self._guard()
        # Empty files are not duplicates of each other.
        sha256 = sha256 if body else ""
        same = self._contents.get(bytes.fromhex(sha256))
        if same is not None and self._holds(same, len(body)):
            return same
        path = self._free_path(url, mime, avoid)
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
        """
        if self._guard is not None:
            self._guard()
        try:
            kept = self.versions.keep(self._on_disk(old), old_sha256)
        except OSError as error:
            raise write_error(self.folder.parent, error) from error
        if not shared and old_sha256:
            self._contents.pop(bytes.fromhex(old_sha256), None)
        path = self.save(url, mime=mime, body=body, sha256=sha256, avoid=old if shared else "")
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

    def _free_path(self, url: str, mime: str, avoid: str) -> str:
        """Return the simplest path that is free; the last candidate always is."""
        for mark, flat in ((0, False), (SHORT_MARK, False), (LONG_MARK, True)):
            path = f"{self.folder.name}/{path_for(url, mime, mark=mark, flat=flat)}"
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


# --- names -----------------------------------------------------------------------------------


def path_for(url: str, mime: str, *, mark: int = 0, flat: bool = False) -> str:
    """Return the path for the file of a URL. It is safe on every system, whatever the URL.

    Args:
        url: Any text; a canonical URL gives the best name.
        mime: Decides the extension if that of the URL does not fit.
        mark: Number of digits of the URL's digest in the name.
        flat: Leave out the folders between host and name.

    >>> path_for("https://e.org/data/Table%201.csv", "text/csv")
    'e.org/data/Table 1.csv'
    >>> path_for("https://e.org/export?year=2024", "text/csv")
    'e.org/export-5b85fab5.csv'
    """
    path, question, _ = "".join(url.split("/", 3)[3:]).partition("?")
    *folders, name = path.split("/")
    digits = max(mark, SHORT_MARK if question else 0)
    host = _folder_name(host_of(url))
    name = _file_name(unquote(name) or "index", mime, _mark(url, digits))
    room = MOST_PATH - len(f"{host}/{name}".encode())
    return "/".join([host, *_folders([] if flat else folders, room), name])


def folded(path: str) -> str:
    """Return a form that is equal for two paths if some disk treats them as the same."""
    return unicodedata.normalize("NFD", path.casefold())


def _folders(folders: list[str], room: int) -> list[str]:
    """Return the names of nested folders; those that do not fit become a single one."""
    names = [_folder_name(unquote(folder)) for folder in folders if folder]
    for count, name in enumerate(names):
        room -= len(name.encode()) + 1
        if count == MOST_FOLDERS or room < len("/_") + SHORT_MARK:
            return [*names[:count], "_" + _mark("/".join(names[count:]), SHORT_MARK)[1:]]
    return names


def _folder_name(text: str) -> str:
    return _shortened(_safe(text), "", MOST_NAME)


def _file_name(text: str, mime: str, mark: str) -> str:
    safe = _safe(text)
    match = ENDING.search(safe)
    ending = match[0] if match else ""
    if not _fits(ending.lower(), mime):
        ending = ENDINGS[mime][0]
    stem = safe.removesuffix(ending)
    return _shortened(stem, mark, MOST_NAME - len(ending)) + ending


def _fits(ending: str, mime: str) -> bool:
    """Return whether a name may keep its extension."""
    last = "." + ending.rpartition(".")[2]
    if mime not in ENDINGS or last in ENDINGS[mime]:
        return True
    # There are too many extensions of text files to list.
    return mime == "text/plain" and bool(ending) and last not in KNOWN_ENDINGS


def _safe(text: str) -> str:
    """Return a text as one file name: not empty, not hidden, no device, no forbidden characters."""
    normal = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    name = "".join(
        "_" if sign in FORBIDDEN or unicodedata.category(sign) in UNFIT else sign for sign in normal
    )
    name = name.strip(" ").rstrip(" .")  # Windows drops both at the end
    if name.startswith(".") or DEVICE.match(name):
        name = "_" + name.removeprefix(".")
    return name or "_"


def _shortened(name: str, mark: str, room: int) -> str:
    """Return a name with its mark, limited to this many bytes; a mark replaces the rest."""
    if len((name + mark).encode()) <= room:
        return name + mark
    mark = mark or _mark(name, SHORT_MARK)
    return name.encode()[: room - len(mark)].decode(errors="ignore") + mark


def _mark(text: str, digits: int) -> str:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=LONG_MARK // 2)
    return "-" + digest.hexdigest()[:digits] if digits else ""
