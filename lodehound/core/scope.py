"""The links that belong to a crawl: site, hosts, block lists, trap guards. Pure predicates."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self
from urllib.parse import unquote
from zlib import crc32

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.urls import canonical, extension_of, host_of, path_of

# Appendix B.3 of the SB paper: multimedia extensions.
BLOCKED_EXTENSIONS = frozenset(
    "." + name
    for name in """
    3g2 3ga 3gp2 3gp 3gpa 3gpp2 3gpp aac aacp adp aff aif aiff arw asf asx avi avif avifs bmp btif
    cgm cmx cr2 crw dcr djb dju dng dts dtshd dwg dxf ecelp4800 ecelp7470 ecelp9600 eol erf f4v fb3
    fh4 fh5 fh7 fh fhc flac fli flv fpk fst fvt g3 gif h261 h263 h264 heic heif icns ico ief jfi
    jfif-tbn1 jfif jif jpe jpeg jpg jpgm jpgv jpm k25 kar kdc lvp m1v m2a m2v m3a m3u m4a m4b m4p
    m4r m4u m4v mdi mid midi mj2 mka mkv mmr mov movie mp2 mp2a mp3 mp4 mp4v mpa mpe mpeg mpg mpg4
    mpga mrw mxu nef npx oga ogg ogv opus orf pbm pct pcx pef pgm pic pjpg png pnm ppm psd ptx pya
    pyv qt ra raf ram ras raw rgb rlc rmi rmp rw2 rwl snd spx sr2 srf svg svgz tif tiff ts viv wav
    wax wbmp weba webm webp wm wma wmv wmx wvx x3f xbm xif xpm xwd
    """.split()
)
TOO_DEEP = "too deep"
WHOLE = (0, 1)  # the part of a crawl that is not divided
# Appendix B.3: multimedia types.
BLOCKED_MIMES = ("image/", "audio/", "video/")


@dataclass(frozen=True, slots=True)
class Scope:
    """Decides which links belong to a crawl.

    Args:
        sites: Host names without a leading ``www``; a host belongs to the crawl if it is one of
            them or a subdomain (Sec. 2.1 of the SB paper). Empty: any host.
        hosts: If given, only these hosts and ports exist (those of a recorded site).
        without: URLs that are known to be unavailable (the cut list of a replica).
        blocked_extensions: Extensions of URLs that are never requested.
        blocked_mimes: Prefixes of types whose bodies are never read.
        max_length: Maximum length of a URL; the released SB crawler uses the length of the
            start URL + 350.
        max_repeats: A path segment, query key or query value that occurs this often in a URL
            indicates a trap; the released crawler uses 3.
        include: If given, only URLs that match one of these patterns (``*`` matches any text).
        exclude: No URLs that match one of these patterns.
        under: Only paths that start with this.
        max_depth: Maximum number of links from a start URL.
        allowed: If given, only these hosts and their subdomains.
        barred: None of these hosts and their subdomains.
        part: Of a crawl that is divided by hosts, the number of this part (from 0) and how many
            there are.
    """

    sites: tuple[str, ...] = ()
    hosts: Collection[str] | None = None
    without: Collection[str] = frozenset()
    blocked_extensions: frozenset[str] = BLOCKED_EXTENSIONS
    blocked_mimes: tuple[str, ...] = BLOCKED_MIMES
    max_length: int = 2048
    max_repeats: int = 3
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    under: str = ""
    max_depth: int | None = None
    allowed: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    part: tuple[int, int] = WHOLE

    @classmethod
    def around(
        cls,
        starts: Collection[str],
        *,
        web: bool = False,
        hosts: Collection[str] | None = None,
        without: Collection[str] = frozenset(),
        block: bool = True,
        traps: bool = True,
    ) -> Self:
        """Return the SB paper's scope: the sites of the start URLs, block lists and trap guards.

        With ``web``, any host is in scope.
        """
        if not starts:
            raise ConfigError("There is no start URL: give one.")
        return cls(
            sites=() if web else tuple(sorted({site_of(url) for url in starts})),
            hosts=hosts,
            without=without,
            blocked_extensions=BLOCKED_EXTENSIONS if block else frozenset(),
            blocked_mimes=BLOCKED_MIMES if block else (),
            max_length=max(map(len, starts)) + 350 if traps else 1 << 30,
            max_repeats=3 if traps else 1 << 30,
        )

    def refusal(self, link: Link) -> str:
        """Return why this link is out of scope, or ""."""
        url = link.url
        if outside := self.outside(host_of(url)):
            return outside
        if url in self.without:
            return "not recorded"
        if self.blocked_extensions and extension_of(url) in self.blocked_extensions:
            return "blocked extension"
        options = self.include or self.exclude or self.under or self.max_depth is not None
        if options and (unwanted := self._unwanted(link)):
            return unwanted
        if len(url) > self.max_length:
            return "trap: too long"
        return "trap: repeated parts" if repeats(url) >= self.max_repeats else ""

    def lets_host(self, host: str) -> bool:
        """Return whether the lists of hosts allow a host."""
        if self.allowed and not _among(host, self.allowed):
            return False
        return not _among(host, self.barred)

    def outside(self, host: str) -> str:
        """Return why a host is out of scope, or ""."""
        if self.sites and not _holds(self.sites, host):
            return "other site"
        if self.hosts is not None and host not in self.hosts:
            return "host not recorded"
        if (self.allowed or self.barred) and not self.lets_host(host):
            return "host blocked" if _among(host, self.barred) else "host not allowed"
        return "" if self.part == WHOLE or self.is_mine(host) else "other part"

    def is_mine(self, host: str) -> bool:
        """Return whether a host belongs to this part of the crawl."""
        number, parts = self.part
        return parts == 1 or part_of(host, parts) == number

    def _unwanted(self, link: Link) -> str:
        """Return which option of the user excludes this link, or ""."""
        url = link.url
        if self.max_depth is not None and link.depth > self.max_depth:
            return TOO_DEEP
        if self.under and not path_of(url).startswith(self.under):
            return "not under the path"
        if self.include and not any(matches(text, url) for text in self.include):
            return "not included"
        return "excluded" if self.excludes(url) else ""

    def excludes(self, url: str) -> bool:
        """Return whether the user excluded a URL."""
        return any(matches(text, url) for text in self.exclude)

    def holds(self, host: str) -> bool:
        """Return whether the host is one of the sites or a subdomain."""
        return _holds(self.sites, host)

    def blocking(self, extensions: frozenset[str]) -> Self:
        """Return a scope that blocks these extensions too, unless block lists are switched off."""
        if not self.blocked_extensions:
            return self
        return replace(self, blocked_extensions=self.blocked_extensions | extensions)

    def blocks(self, mime: str) -> bool:
        """Return whether bodies of this type should not be read."""
        return mime.startswith(self.blocked_mimes)


def part_of(host: str, parts: int) -> int:
    """Return the part of a divided crawl that asks a host: all its URLs, always the same.

    >>> part_of("example.org", 4), part_of("example.net", 4)
    (3, 0)
    """
    return crc32(host.encode("utf-8", "surrogatepass")) % parts


@lru_cache(maxsize=65536)
def _holds(sites: tuple[str, ...], host: str) -> bool:
    name = bare_host(host)
    return any(name == site or name.endswith("." + site) for site in sites)


def _among(host: str, names: Collection[str]) -> bool:
    """Return whether a host is one of many names, or a subdomain.

    >>> [_among("a.b.example:80", {name}) for name in ("b.example", "a.b.example:80", "x.example")]
    [True, True, False]
    """
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if host in names or name in names:
        return True
    while name:
        name = name.partition(".")[2]
        if name in names:
            return True
    return False


def matches(pattern: str, url: str) -> bool:
    """Return whether a URL matches a pattern; ``*`` matches any text.

    >>> matches("*data*", "https://e.org/data/"), matches("data", "https://e.org/data/")
    (True, False)
    """
    return _pattern(pattern).match(url) is not None


@lru_cache(maxsize=1024)
def _pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern in which ``*`` matches any text, and ``?`` itself, as in URLs."""
    first, *between = map(re.escape, text.split("*"))
    if between:
        # Atomic, so that every URL is fast: the first match of a part is as good as any other.
        *between, last = between
        first += "".join(f"(?>.*?{part})" for part in between) + f".*{last}"
    return re.compile(first + r"\Z", re.DOTALL)


def bare_host(host: str) -> str:
    """Return the host name without port and leading ``www``.

    >>> bare_host("www.example.org:8080"), bare_host("[::1]:80")
    ('example.org', '[::1]')
    """
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.removeprefix("www.")


def site_of(url: str) -> str:
    """Return the site of a start URL."""
    return bare_host(host_of(canonical(url)))


def repeats(url: str) -> int:
    """Return the count of the most frequent path segment, query key or query value of a URL.

    The released SB crawler counts every segment and value. Numbers in paths
    (/2024/1/1/1) and short values (?a=0&b=0&c=0) also repeat on ordinary sites, so
    they do not count here.

    >>> repeats("https://e.org/a/b/a/c/a/?x=1&y=1&z=1")
    3
    >>> repeats("https://e.org/2024/1/1/1?x=1&y=1&z=1")
    1
    """
    path, _, query = url.split("/", 3)[-1].partition("?")
    segments = path.split("/")
    if not query and "%" not in path and len(set(segments)) == len(segments):
        return 1  # nearly every URL: nothing to decode
    fields = [field.partition("=") for field in query.split("&")]
    return max(
        _most_frequent([part for part in segments if not part.isdigit()]),
        _most_frequent([key for key, _, _ in fields]),
        _most_frequent([value for _, _, value in fields if len(value) >= 8]),
    )


def _most_frequent(parts: list[str]) -> int:
    counts: dict[str, int] = {}
    for part in parts:
        if text := _decode(part):
            counts[text] = counts.get(text, 0) + 1
    return max(counts.values(), default=0)


def _decode(text: str) -> str:
    """Decode percent-encoding, up to three levels (traps encode again on each visit)."""
    for _ in range(3):
        if "%" not in text or (decoded := unquote(text)) == text:
            break
        text = decoded
    return text
