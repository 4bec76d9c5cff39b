"""The endings of data files."""

from __future__ import annotations

import re

from lodehound.core.urls import extension_of

FILE_ENDINGS = frozenset(
    """
    csv tsv xls xlsx xlsm ods pdf doc docx odt odp ppt pptx zip gz tgz bz2 xz tar 7z rar
    json jsonl geojson xml rdf rss ttl nt txt yaml yml parquet sav dta dat
    arrow avro dbf feather fgb gml gpkg h5 hdf5 kml kmz mdb nc ndjson orc por rda rdata rds sas7bdat
    shp sqlite xlsb xpt zsav zst
    """.split()
)
PAGE_ENDINGS = frozenset("asp aspx cfm do htm html jsp jspx php shtml xhtml".split())
# In a query, the others are languages, states and countries: lang=por, state=nc.
_IN_QUERY = FILE_ENDINGS - {"nc", "nt", "por"}
_PARTS = re.compile(r"[=.]")


def names_file(url: str) -> bool:
    """Return whether a canonical URL ends like a data file, in its path or in its query.

    >>> names_file("https://e.org/a.CSV?v=2"), names_file("https://e.org/get?name=a.csv")
    (True, True)
    >>> names_file("https://e.org/get?format=csv"), names_file("https://csv/")
    (True, False)
    """
    if extension_of(url)[1:] in FILE_ENDINGS:
        return True
    query = url.partition("?")[2]
    return bool(query) and _PARTS.split(query)[-1].lower() in _IN_QUERY


def names_page(url: str) -> bool:
    """Return whether a canonical URL ends like a page. One with a query may be anything.

    >>> names_page("https://e.org/a/"), names_page("https://e.org/a.php")
    (True, True)
    >>> names_page("https://e.org/a"), names_page("https://e.org/a.php?id=3")
    (False, False)
    """
    return url.endswith("/") or ("?" not in url and extension_of(url)[1:] in PAGE_ENDINGS)
