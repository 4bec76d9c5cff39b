"""The names of the files of a crawl: after their URLs, safe on every system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

from lodehound.core.file_endings import FILE_ENDINGS
from lodehound.core.urls import host_of

# Windows limits a path to 260 characters; the user's own folders need some of them.
MOST_PATH = 240 - len("files/")  # bytes, below the `files` folder
MOST_NAME = 100  # bytes of one name
MOST_FOLDERS = 10  # below that of the host
SHORT_MARK, LONG_MARK = 8, 32  # hexadecimal digits that distinguish two URLs with the same name
# The names that a file may get, the simplest first: digits of the mark, and without its folders.
NAMINGS = ((0, False), (SHORT_MARK, False), (LONG_MARK, True))

FORBIDDEN = frozenset('<>:"/\\|?*')  # on Windows
# Control and format characters (bidirectional marks), surrogates, private and unassigned ones,
# line separators: invisible, misleading, or refused by some file systems.
FIT = re.compile(r"[ !#-).0-9;=@A-Z\[\]^_`a-z{}~+,-]*")  # nothing in it is replaced
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


def path_for(url: str, mime: str, *, mark: int = 0, flat: bool = False, proposed: str = "") -> str:
    """Return the path for the file of a URL. It is safe on every system, whatever the URL.

    Args:
        url: Any text; a canonical URL gives the best name.
        mime: Decides the extension if that of the URL does not fit.
        mark: Number of digits of the URL's digest in the name.
        flat: Leave out the folders between host and name.
        proposed: The name that the server proposes. Its ending is appended if neither the URL nor
            the type has one: of a download as ``application/octet-stream``.

    >>> path_for("https://e.org/data/Table%201.csv", "text/csv")
    'e.org/data/Table 1.csv'
    >>> path_for("https://e.org/export?year=2024", "text/csv")
    'e.org/export-5b85fab5.csv'
    >>> path_for("https://e.org/get.php", "application/octet-stream", proposed="Births.CSV")
    'e.org/get.php.csv'
    """
    path, question, _ = "".join(url.split("/", 3)[3:]).partition("?")
    *folders, name = path.split("/")
    digits = max(mark, SHORT_MARK if question else 0)
    host = _folder_name(host_of(url))
    name = _file_name(unquote(name) or "index", mime, _mark(url, digits))
    name += _proposed_ending(name, mime, proposed)
    room = MOST_PATH - len(f"{host}/{name}".encode())
    return "/".join([host, *_folders([] if flat else folders, room), name])


def name_of(file: str, url: str, mime: str) -> str:
    """Return the name of a find: that of its file, unless the file is stored for another URL.

    Identical contents are stored once, under the name of the find that came first.

    Args:
        file: Path of the file; "" if there is none.
        url: The find's final URL.
        mime: Its detected type.

    >>> name_of("files/e.org/a.csv", "https://e.org/a.csv", "text/csv")
    'a.csv'
    >>> name_of("files/e.org/a.csv", "https://e.org/b.csv", "text/csv")
    'b.csv'
    """
    name = file.rpartition("/")[2]
    if not file:
        return url.rpartition("/")[2]
    # The server may have proposed the ending.
    places = (file, ENDING.sub("", file))
    if any(
        place.endswith("/" + path_for(url, mime, mark=mark, flat=flat))
        for mark, flat in NAMINGS
        for place in places
    ):
        return name
    return path_for(url, mime).rpartition("/")[2]


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


@lru_cache(maxsize=1024)  # hosts and folders repeat
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


def _proposed_ending(name: str, mime: str, proposed: str) -> str:
    """Return the ending that a name lacks and the server proposes; "" if it lacks none."""
    own, match = ENDING.search(name), ENDING.search(proposed.strip())
    if match is None or mime in ENDINGS or (own and _is_of_files(own[0])):
        return ""
    ending = match[0].lower()
    fits = len(name.encode()) + len(ending) <= MOST_NAME
    return ending if fits and _is_of_files(ending) else ""


def _is_of_files(ending: str) -> bool:
    return ending.lower().rpartition(".")[2] in FILE_ENDINGS


def _fits(ending: str, mime: str) -> bool:
    """Return whether a name may keep its extension."""
    last = "." + ending.rpartition(".")[2]
    if mime not in ENDINGS or last in ENDINGS[mime]:
        return True
    # There are too many extensions of text files to list.
    return mime == "text/plain" and bool(ending) and last not in KNOWN_ENDINGS


def _safe(text: str) -> str:
    """Return a text as one file name: not empty, not hidden, no device, no forbidden characters."""
    name = text
    if not FIT.fullmatch(text):
        normal = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
        name = "".join(
            "_" if sign in FORBIDDEN or unicodedata.category(sign) in UNFIT else sign
            for sign in normal
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
