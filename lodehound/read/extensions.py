"""Extensions of files that are neither HTML pages nor RDF, and of plain text and data files.

A URL with one of them is taken for such a file without asking for it: a target that can find
nothing in it leaves it out of scope (``Target.adapt``).
"""

from __future__ import annotations

from lodehound.read.rdf.syntaxes import ENDINGS


def _extensions(names: str) -> frozenset[str]:
    return frozenset("." + name for name in names.split())


# One compressed file: what is inside may be anything, and some servers send it decompressed.
COMPRESSED = _extensions("bz2 gz xz zst")
# What browsers and their plug-ins load to show a page.
FONTS_AND_PLUGINS = _extensions("class eot otf swf ttf wasm woff woff2")
# Documents, tables, archives, programs and fonts.
BINARY = FONTS_AND_PLUGINS | _extensions(
    """
    7z apk avro bib bin csv deb djvu dll dmg doc docx dot dotx dvi eps epub exe h5
    hdf5 ics iso jar mdb mobi msi nc odp ods odt parquet pdf pkg pot potx pps ppsx
    ppt pptx ps rar rpm rtf sav shp sqlite tar tex tgz tsv vsd whl xls
    xlsb xlsm xlsx xlt xltx xsd xsl xslt yaml yml zip
    """
)
# Not blocked: few links lead to scripts, and pages have names like Node.js.
SCRIPTS = _extensions("css js map mjs")
ASSETS = SCRIPTS | FONTS_AND_PLUGINS
# Plain text, and data written as text. No source code: code hosts show it on HTML pages.
TEXT = _extensions("log txt")
DATA = _extensions(
    "atom geojson gml gpx ipynb json jsonl kml ndjson rq rss srj srx sql topojson wsdl xml"
)

NOT_PAGES = BINARY | COMPRESSED | TEXT | DATA | frozenset(ENDINGS)
NOT_TEXT = NOT_PAGES - TEXT  # neither pages nor plain text
NOT_RDF = BINARY  # neither RDF nor pages that may embed it
