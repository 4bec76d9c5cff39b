"""Small files of every kind, made by hand: what reads them is not what wrote them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

Rows = Sequence[Sequence[str | float]]
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"

POPULATION: Rows = [
    ["Town", "2019", "2020", "2021"],
    ["Oslo", 10.5, 11.5, 12.5],
    ["Rome", 20.5, 21.5, 22.5],
    ["Bonn", 30.5, 31.5, 32.5],
]
PEOPLE: Rows = [["Name", "Town"], ["Ann", "Oslo"], ["Bob", "Rome"], ["Cleo", "Bonn"]]


def csv(rows: Rows, separator: str = ",") -> str:
    return "".join(separator.join(map(str, row)) + "\r\n" for row in rows)


def zipped(members: dict[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return out.getvalue()


def xlsx(
    sheets: dict[str, Rows] | None = None, *, raw: str | None = None, title: str = ""
) -> bytes:
    """Return a workbook; `raw` is the XML of its only sheet."""
    bodies = {name: _cells(rows) for name, rows in (sheets or {}).items()}
    if raw is not None:
        bodies = {"Sheet": raw}
    names = links = ""
    for at, name in enumerate(bodies, 1):
        names += f'<sheet name="{escape(name)}" sheetId="{at}" r:id="r{at}"/>'
        links += _relation(f"r{at}", "worksheet", f"worksheets/sheet{at}.xml")
    spaces = f'xmlns="{SHEET}" xmlns:r="{RELATIONS}"'
    members: dict[str, bytes | str] = {
        "_rels/.rels": _relations(_relation("r0", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f"<workbook {spaces}><sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(links),
    }
    for at, body in enumerate(bodies.values(), 1):
        members[f"xl/worksheets/sheet{at}.xml"] = body
    if title:
        members["docProps/core.xml"] = _properties(title)
    return zipped(members)


def _properties(title: str) -> str:
    return (
        f'<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></p>'
    )


def _relations(links: str) -> str:
    return f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>'


def _relation(name: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{name}" Type="{RELATIONS}/{kind}" Target="{target}"/>'


def sheet(data: str, dimension: str = "A1") -> str:
    head = f'<worksheet xmlns="{SHEET}"><dimension ref="{dimension}"/><sheetData>'
    return f"{head}{data}</sheetData></worksheet>"


def _cells(rows: Rows) -> str:
    lines = []
    for number, row in enumerate(rows, 1):
        cells = "".join(
            f'<c r="{chr(65 + at)}{number}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
            if isinstance(cell, str)
            else f'<c r="{chr(65 + at)}{number}"><v>{cell}</v></c>'
            for at, cell in enumerate(row)
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    return sheet("".join(lines))


def ods(rows: Rows | None = None, *, raw: str = "", title: str = "") -> bytes:
    """Return a workbook with one sheet; `raw` is the XML of its rows."""
    lines = raw or "".join(
        "<table:table-row>" + "".join(map(_ods_cell, row)) + "</table:table-row>"
        for row in rows or []
    )
    content = (
        f'<office:document-content xmlns:office="{OFFICE}" xmlns:table="{TABLE}" '
        f'xmlns:text="{TEXT}"><office:body><office:spreadsheet><table:table table:name="One">'
        f"{lines}</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    members = {"mimetype": mime, "content.xml": content, "META-INF/manifest.xml": manifest}
    return zipped({**members, **({"meta.xml": _properties(title)} if title else {})})


def _ods_cell(cell: str | float) -> str:
    if isinstance(cell, str):
        kind = 'office:value-type="string"'
        return f"<table:table-cell {kind}><text:p>{escape(cell)}</text:p></table:table-cell>"
    return f'<table:table-cell office:value-type="float" office:value="{cell}"/>'


def pdf(pages: Sequence[Sequence[str]], title: str = "") -> bytes:
    """Return a document with these lines on its pages."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for at, lines in enumerate(pages):
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F 10 Tf 50 700 Td {shown}ET"
        fonts = "/Resources<</Font<</F 3 0 R>>>>"
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {5 + 2 * at} 0 R{fonts}>>",
            f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",
        ]
    if not title:
        return pdf_of(objects)
    return pdf_of([*objects, f"<</Title({title})>>"], f"/Info {len(objects) + 1} 0 R")


def pdf_of(objects: Sequence[str], trailer: str = "") -> bytes:
    """Return a document of these objects, the first of which is its root."""
    body = b"%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    root = f"<</Size {size}/Root 1 0 R{trailer}>>"
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n{root}\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF\n".encode()
