"""The parts of URLs that similar URLs share."""

from __future__ import annotations


def split_url(url: str) -> tuple[str, str, str]:
    """Return directory with host, last segment and query; digits stay.

    A slash at the end says little: the last segment is the last that is not empty.

    >>> split_url("https://e.org/stats/2024/list/?page=2")
    ('e.org/stats/2024', 'list', 'page=2')
    >>> split_url("https://e.org/")
    ('e.org', '', '')
    """
    rest = url.partition("://")[2]
    path, _, query = rest.partition("?")
    folder, slash, segment = path.rstrip("/").rpartition("/")
    return (folder, segment, query) if slash else (segment, "", query)


def ending_of(segment: str) -> str:
    """Return the extension of a last segment in lower case, without its dot, or "".

    >>> ending_of("table.CSV"), ending_of("v1.2-final version"), ending_of("list")
    ('csv', '', '')
    """
    stem, dot, ending = segment.rpartition(".")
    return ending.lower() if stem and dot and ending.isalnum() and len(ending) <= 8 else ""
