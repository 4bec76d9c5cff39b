"""Makes the data of ``lodehound.sites.Lookalike`` from recorded sites.

    python -m bench.lookalikes [--corpora DIR]

A word is replaced by the same made-up word wherever it stands. Numbers and the endings of files
stay. Only links of elements `a` are kept.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zlib import crc32

from lodehound.core.urls import extension_of
from lodehound.sites.lookalike import FOLDER
from lodehound.stores.cache import open_site
from lodehound.stores.site import RecordedSite

MADE_OF = {"agency": "irishaid", "conference": "jaiio43", "proceedings": "modelica2012"}
WORD = re.compile(r"[^\W\d_]+")
UNSAFE = re.compile(r"[^\w./?&=:;,+~@!$'()*-]", re.ASCII)
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    for name, recorded in MADE_OF.items():
        site = open_site([given.corpora / "sites" / f"{recorded}.warc.zst"])
        packed = lzma.compress(json.dumps(data_of(site)).encode(), preset=9)
        (FOLDER / f"{name}.json.xz").write_bytes(packed)
        print(f"{name}: {len(packed):,} bytes")


def data_of(site: RecordedSite) -> dict[str, Any]:
    """Return what ``Lookalike`` reads."""
    return {
        "urls": [disguised_url(url) for url in site.urls],
        "paths": ["/".join(map(disguised_element, path.split("/"))) for path in site.paths],
        "texts": [disguised(text) for text in site.anchors],
        "pages": [_page(site, number) for number in range(len(site.status))],
    }


def _page(site: RecordedSite, number: int) -> list[int | str]:
    first, last = site.starts[number], site.starts[number + 1]
    row = [number, int(site.status[number]), site.mimes[site.mime[number]]]
    row.append(int(site.location[number]))
    for at in range(first, last):
        path = site.paths[site.link_path[at]]
        if re.match(r"a\b", path.rpartition("/")[2]):
            row += map(int, (site.link_url[at], site.link_path[at], site.link_anchor[at]))
    return row


def disguised(text: str) -> str:
    """Replace every word of a text.

    >>> disguised("Data of 2024, data")
    'pofupe visi 2024, pofupe'
    """
    return WORD.sub(lambda word: made_up(word[0].lower()), text)


@cache
def made_up(word: str) -> str:
    """Return a word of up to four syllables that stands for another."""
    number, syllables = crc32(word.encode()), []
    for _ in range(min(1 + len(word) // 2, 4)):
        number, rest = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[rest])
    return "".join(syllables)


def disguised_url(url: str) -> str:
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    ending = extension_of(url) if "?" not in url else ""
    stem = unquote(path.removesuffix(ending) if path.endswith(ending) else path)
    named = UNSAFE.sub("-", disguised(stem)) + (ending if path.endswith(ending) else "")
    return f"{scheme}://{disguised(host).replace('.', '-')}.example{slash}{named}"


def disguised_element(element: str) -> str:
    name = re.match(r"[^.#]*", element)
    begin = name.end() if name else 0
    return element[:begin] + disguised(element[begin:])


if __name__ == "__main__":
    main()
