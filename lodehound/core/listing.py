"""What an API lists: datasets and files; and the links that stand for requests to it.

A request to an API is a link of the kind API, so that it is chosen, charged, journaled and
restored like any other. Its tag path names the shortcut: ``api/ckan/probe`` is a request that
shows whether CKAN answers, ``api/ckan/page`` one to an API that has answered before.
"""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.core.link import Link

API = "api"  # kind of a link that is a request to an API
LISTED = "listed"  # kind of a link that an API lists
PROBE, PAGE = "probe", "page"  # the two roles of a request to an API
SPARE = "spare"  # the format of a page in a list of all pages of a site
MAX_FORMAT = 20  # characters of a format in a tag path


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file that an API names, with what the API says about it (DCAT: a distribution)."""

    url: str  # absolute, and not empty
    title: str = ""
    format: str = ""  # as written: "CSV", "text/csv"
    size: int | None = None  # bytes
    modified: str = ""  # as written
    licence: str = ""  # a name or a URL; "": that of its dataset
    description: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that an API describes (DCAT), and its files."""

    title: str = ""
    url: str = ""  # its page for readers; crawled only if the dataset names no files
    identifier: str = ""
    description: str = ""
    publisher: str = ""
    licence: str = ""  # a name or a URL
    issued: str = ""  # as written
    modified: str = ""  # as written
    keywords: tuple[str, ...] = ()
    files: tuple[ListedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """What one answer lists, and which shortcut read it."""

    shortcut: str  # its name
    datasets: tuple[Dataset, ...] = ()
    files: tuple[ListedFile, ...] = ()  # that belong to no dataset
    own: bool = False  # it is a page of the site, requested as such, and may itself be a find
    is_wanted: bool = False  # the crawl only catalogues: what is listed are its finds

    @property
    def finds(self) -> int:
        """How many finds these are: the datasets, and the files that belong to none."""
        return len(self.datasets) + len(self.files) if self.is_wanted else 0


def probe_link(shortcut: str, url: str, *, root: str, source: str, depth: int) -> Link:
    """Return the request that shows whether there is such an API below a root."""
    return Link(url, source, f"api/{shortcut}/{PROBE}", around=root, kind=API, depth=depth)


def page_link(shortcut: str, url: str, *, promise: int, source: str, depth: int) -> Link:
    """Return a request to an API that should list so many entries; 0: unknown."""
    return Link(url, source, f"api/{shortcut}/{PAGE}", around=str(promise), kind=API, depth=depth)


def listed_link(
    shortcut: str,
    url: str,
    *,
    source: str,
    depth: int,
    format: str = "",  # noqa: A002 - as in ListedFile
    title: str = "",
    around: str = "",
) -> Link:
    """Return a file or page that an API lists; its tag path ends with its format."""
    short = format.lower().rpartition("/")[2].rpartition(".")[2].partition(";")[0].strip()
    path = f"api/{shortcut}/{short[:MAX_FORMAT].replace('/', '|') or 'file'}"
    return Link(url, source, path, title[:200], around[:200], LISTED, depth)


def shortcut_of(link: Link) -> str:
    """Return the name of the shortcut that a link belongs to; "" for other links."""
    if link.kind not in {API, LISTED}:
        return ""
    return link.tag_path.removeprefix("api/").rpartition("/")[0]


def api_of(link: Link) -> str:
    """Return the name under which the API that a link asks may sleep; "" for other links."""
    return f"{link.host} {shortcut_of(link)}" if link.kind == API else ""


def is_spare(link: Link) -> bool:
    """Return whether a list of all pages of a site names this page: it waits for other links."""
    return link.kind == LISTED and link.tag_path.endswith(f"/{SPARE}")


def is_probe(link: Link) -> bool:
    return link.kind == API and link.tag_path.endswith(f"/{PROBE}")


def is_guess(link: Link) -> bool:
    """Return whether this is a request to an API that no page links to as such."""
    return link.kind == API and link.url != link.around


def promise_of(link: Link) -> int:
    """Return how many entries a request to an API should list; 0: unknown."""
    return int(link.around) if link.around.isdecimal() and len(link.around) < 10 else 0
