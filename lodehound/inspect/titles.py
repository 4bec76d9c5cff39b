"""Titles in the metadata of documents."""

from __future__ import annotations

import re
import zipfile
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

from lodehound.inspect.archives import UNREADABLE
from lodehound.inspect.records import clean

PROPERTIES = ("docProps/core.xml", "meta.xml")  # of Office Open XML, of OpenDocument
MOST_BYTES = 1 << 16  # size of the properties
SEPARATOR = "\x1f"
DUBLIN_CORE = f"http://purl.org/dc/elements/1.1/{SEPARATOR}title"
# Placeholders and prefixes that programs write if the author gave no title.
PLACEHOLDER = re.compile(
    r"(?:untitled|document|presentation|book|sheet|slide|powerpoint presentation|microsoft word"
    r"|title|none|null)[\s\d._-]*",
    re.IGNORECASE,
)
PREFIX = re.compile(r"microsoft (?:office )?(?:word|excel|powerpoint) - ", re.IGNORECASE)
FILE_NAME = re.compile(r"\.(?:docx?|xlsx?|xlsm|pptx?|odt|ods|rtf|pdf|indd|qxd|qxp|cdr|tex|dvi|ps)$",
                       re.IGNORECASE)  # fmt: skip
LEAST_LETTERS = 3


def document_title(text: Any) -> str:
    r"""Return a title as one line, or "" if the text is not a title.

    >>> document_title(" Births\n by region "), document_title("Microsoft Word - Births 2020.doc")
    ('Births by region', 'Births 2020')
    >>> document_title("untitled"), document_title("rep_final.indd"), document_title("Sheet1")
    ('', '', '')
    """
    if not isinstance(text, str):
        return ""
    title = PREFIX.sub("", clean(text), count=1)
    stem = FILE_NAME.sub("", title)
    if stem != title and " " not in stem:
        return ""  # a file name
    if PLACEHOLDER.fullmatch(stem) or sum(map(str.isalpha, stem)) < LEAST_LETTERS:
        return ""
    return stem


def office_title(archive: zipfile.ZipFile) -> str:
    """Return the title in the properties of an office document, or ""."""
    for name in PROPERTIES:
        member = archive.NameToInfo.get(name)
        if member is None or member.file_size > MOST_BYTES:
            continue
        try:
            with archive.open(member) as file:
                return document_title(_dublin_core(file.read(MOST_BYTES)))
        except (*UNREADABLE, ExpatError):
            continue
    return ""


def _dublin_core(body: bytes) -> str:
    """Return the text of the element dc:title."""
    texts: list[str] = []
    within = False

    def start(name: str, _attributes: dict[str, str]) -> None:
        nonlocal within
        within = name == DUBLIN_CORE

    def end(_name: str) -> None:
        nonlocal within
        within = False

    def characters(text: str) -> None:
        if within:
            texts.append(text)

    def refuse(*_: object) -> None:
        raise ValueError("defines entities")

    parser = ParserCreate(None, SEPARATOR)
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = characters, refuse
    parser.Parse(body, True)
    return "".join(texts)
