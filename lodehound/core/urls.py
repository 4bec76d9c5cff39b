"""URL rules: parsing, joining and identity according to the WHATWG standard.

Two links have the same URL if their canonical forms are equal: the standard's
serialisation without fragment, user name and password.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

import ada_url

# Longer than any server accepts, but short enough that one link cannot fill the memory.
MAX_URL = 8192


def canonical(url: str) -> str:
    """Return the canonical form of a URL, or "" if it is not a web URL.

    >>> canonical("HTTP://www.Example.org:80/a/../b c?q#top")
    'http://www.example.org/b%20c?q'
    >>> canonical("mailto:someone@example.org")
    ''
    """
    return resolve("", url)


def proposed(text: str) -> str:
    """Return the web address that a text without a scheme probably means, or "".

    >>> proposed("www.example.org/data"), proposed("127.0.0.1:8000"), proposed("notes")
    ('https://www.example.org/data', 'http://127.0.0.1:8000/', '')
    >>> proposed("51")
    ''
    """
    # A port of its own is seldom one for TLS.
    scheme = "http" if ":" in text.partition("/")[0] else "https"
    url = canonical(f"{scheme}://{text}") if "://" not in text else ""
    # A number alone is an address to a browser: 51 is 0.0.0.51. Nobody means that.
    return url if "." in host_of(url) and "." in text else ""


def resolve(base: str, reference: str) -> str:
    """Return the canonical form of a reference on the page ``base``, or "".

    >>> resolve("https://e.org/a/b", "../c?d=1#e")
    'https://e.org/c?d=1'
    """
    if len(reference) > MAX_URL:
        return ""
    if "#" in reference:
        # Without fragments, the sections of a page are one URL in the cache. White space before
        # the mark belongs to the URL; at the end it would be removed.
        before = reference.partition("#")[0]
        reference = before + "#" if before[-1:] <= " " else before
    if not base or reference.startswith(("http://", "https://")):
        return _join("", reference)
    first = reference[:1]
    if first <= " " or first in "?#" or (first in "hH" and ":" in reference):
        # It depends on the complete URL of the page: "", "?x", "#", also after "https:" or
        # after white space and control characters, which the standard removes.
        return _join(base, reference)
    # Everything else depends only on the directory of the page, so a menu that is on every
    # page of a directory is resolved once.
    return _join(base[: base.partition("?")[0].rfind("/") + 1], reference)


@lru_cache(maxsize=8192)  # enough for the menus of a site; more only costs memory
def _join(base: str, reference: str) -> str:
    try:
        url = ada_url.join_url(base, reference) if base else ada_url.normalize_url(reference)
    except ValueError:
        return ""
    if not url.startswith(("http://", "https://")):
        return ""
    url = url.partition("#")[0]
    host = url.split("/", 3)[2]
    if "xn--" in host and _has_bad_label(host.rpartition("@")[2].partition(":")[0]):
        return ""
    if "@" in host:
        url = ada_url.replace_url(url, username="", password="")
    return url if len(url) <= MAX_URL else ""


def _has_bad_label(host: str) -> bool:
    """Return whether Punycode in a host name cannot be decoded: ada lets it pass."""
    return any(label.startswith("xn--") for label in ada_url.idna_to_unicode(host).split("."))


def host_of(url: str) -> str:
    """Return host and port of a canonical URL.

    >>> host_of("https://data.example.org:8080/x?y")
    'data.example.org:8080'
    """
    parts = url.split("/", 3)
    return parts[2] if len(parts) > 2 else ""


def name_of(host: str) -> str:
    """Return a host without its port, and an IPv6 literal without its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[")
    return host.partition(":")[0]


def origin_of(url: str) -> str:
    """Return scheme, host and port of a canonical URL.

    >>> origin_of("https://e.org:8443/a?b")
    'https://e.org:8443'
    """
    return "/".join(url.split("/", 3)[:3])


def path_of(url: str) -> str:
    """Return the path of a canonical URL, without its query."""
    parts = url.split("/", 3)
    return "/" + parts[3].partition("?")[0] if len(parts) > 3 else "/"


def extension_of(url: str) -> str:
    """Return the lower-case extension of the last path segment with its dot, or "".

    >>> extension_of("https://e.org/a.b/data.CSV?version=1.2")
    '.csv'
    >>> extension_of("https://e.org/v1.2/")
    ''
    """
    segment = url.partition("?")[0].rpartition("/")[2] if url.count("/") > 2 else ""
    if "%" in segment:
        segment = unquote(segment)
    stem, dot, extension = segment.rpartition(".")
    return dot + extension.lower() if stem and extension else ""
