"""Directory listings of Apache, nginx, lighttpd and IIS: names, dates and sizes in one page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import MAX_ITEMS, Fetched

# Apache, nginx and lighttpd; IIS; Python's http.server and others.
TITLES = re.compile(
    rb"<title>\s*(?:index of\s|directory listing for\s|[^<]{1,300} - /[^<]{0,1000}</title>)",
    re.IGNORECASE,
)
HEADING = re.compile(
    rb"<h[12]>\s*(?:index of\s|directory listing for\s|[^<]{1,300} - /)", re.IGNORECASE
)
LOOKED_AT = 4000  # octets
DATE = re.compile(
    r"(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?"  # Apache
    r"|\d{2}-[A-Z][a-z]{2}-\d{4} \d{2}:\d{2}"  # nginx
    r"|\d{4}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2}"  # lighttpd
    r"|\d{1,2}/\d{1,2}/\d{4}\s+\d{1,2}:\d{2} [AP]M)"  # IIS
    r"\s*(\d{1,15})?(?![\d.]*[KMGT])"  # the size, if it is not rounded
)


class Directory(Shortcut):
    """Directory listings of web servers (Apache, nginx, lighttpd, IIS)."""

    title = "directory listing"
    marks = (b"ndex of", b"irectory listing for", b" - /")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the title and the heading that all these servers write: the page is the answer."""
        return (page.url,) if self._is_listing(page) else ()

    def _is_listing(self, page: Fetched) -> bool:
        head = page.body[:LOOKED_AT]
        return page.is_html and bool(TITLES.search(head)) and bool(HEADING.search(head))

    def expand(self, answer: Fetched) -> Expansion | None:
        if not self._is_listing(answer):
            return None
        files, folders = [], []
        for url, text in _entries(answer):
            if url.endswith("/"):
                folders.append(ApiPage(url, deeper=True))
            else:
                files.append(_file(url, text))
        return Expansion(files=tuple(files), more=tuple(folders), complete=True)


def _entries(answer: Fetched) -> Iterator[tuple[str, str]]:
    """Yield the URLs directly below the listed folder, each once, with the text beside them.

    Other links lead to orders of the columns, to the folder above or out of the listing.
    """
    folder = answer.url.partition("?")[0]
    seen: set[str] = set()
    for node in answer.html.css("a[href]")[:MAX_ITEMS] if answer.html is not None else ():
        url = answer.resolve(node.attributes.get("href"))
        name = url.removeprefix(folder)
        below = url.startswith(folder) and name and "/" not in name[:-1] and "?" not in name
        if below and url not in seen:
            seen.add(url)
            yield url, _beside(node)


def _beside(node: LexborNode) -> str:
    """Return the text of the table row, or what stands after a name (IIS: before it)."""
    cell = node.parent
    row = cell.parent if cell is not None else None
    if cell is not None and row is not None and row.tag == "tr":
        return " ".join(one.text(deep=True) for one in row.css("td")[1:])
    texts = [one.text_content or "" for one in (node.next, node.prev) if one is not None]
    return next((text for text in texts if DATE.search(text)), "")


def _file(url: str, text: str) -> ListedFile:
    found = DATE.search(text)
    if found is None:
        return ListedFile(url)
    return ListedFile(
        url, size=int(found[2]) if found[2] else None, modified=" ".join(found[1].split())
    )
