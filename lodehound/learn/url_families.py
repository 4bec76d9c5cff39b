"""Which URLs are likely to change together, judged by their addresses alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lodehound.core.urls import extension_of

DIGITS = re.compile(r"\d+")
NUMBERS = 6  # of an address that place it in a series
INDEX = re.compile(r"/(?:index|default|home)\.[a-z]{2,5}$", re.IGNORECASE)
# ISO 639-1 codes of languages that sites are often translated to: a segment, or the end of a name.
LANGUAGES = (
    "ar bg ca cs da de el en es et eu fi fr ga gl hr hu it ja ko lt lv mt nl no pl pt ro ru sk sl "
    "sr sv tr uk zh"
).split()
LANGUAGE = re.compile(rf"(?:(?<=/)|[-_.])(?:{'|'.join(LANGUAGES)})(?=$|[/._-])", re.IGNORECASE)


class Address(NamedTuple):
    """Names of a URL, each more general than the one before."""

    alias: str  # without the name of an index page: the same page
    twin: str  # also without scheme and www: the same page on another server
    stem: str  # also without language and ending: another form of the same content
    pattern: str  # directory and ending, all numbers alike
    ending: str
    numbers: tuple[int, ...]


@lru_cache(maxsize=1 << 17)
def address_of(url: str) -> Address:
    """Return the names of a URL.

    >>> one, other = map(address_of, ("https://e.org/en/gdp.csv", "http://www.e.org/fr/gdp.xlsx"))
    >>> one.twin, one.stem == other.stem, one.twin == other.twin
    ('e.org/en/gdp.csv', True, False)
    """
    alias = INDEX.sub("/", url)
    twin = alias.partition("://")[2].removeprefix("www.")
    path, _, query = url.partition("://")[2].removeprefix("www.").partition("?")
    ending = extension_of(url)
    bare = twin.partition("?")[0].rstrip("/")
    if ending and bare.lower().endswith(ending):
        bare = bare[: -len(ending)]
    stem = LANGUAGE.sub("", bare) + (f"?{query}" if query else "")
    keys = "&".join(part.partition("=")[0] for part in query.split("&")[:8]) if query else ""
    folder = path.rstrip("/").rpartition("/")[0]
    pattern = f"{DIGITS.sub('0', folder)}/{ending}?{keys}"
    numbers = tuple(int(number[:18]) for number in DIGITS.findall(twin)[:NUMBERS])
    return Address(alias, twin, stem, pattern, ending, numbers)
