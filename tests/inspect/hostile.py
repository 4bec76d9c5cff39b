"""Files that are made to hurt whoever reads them."""

from __future__ import annotations

import base64
import gzip
import random
import struct
import zipfile
import zlib

import pyarrow

from tests.inspect import make, make_data

MIB = 1 << 20
# Russ Cox, "Zip Files All The Way Down" (2010): the only member of this archive is this archive.
QUINE = """
UEsDBBQAAAAIAAgDZDz59IlkSAEAALgBAAAHAAAAci9yLnppcAAlANr/UEsDBBQAAAAIAAgDZDz59IlkSAEAALgB
AAAHAAAAci9yLnppcAAvAND/ACUA2v9QSwMEFAAAAAgACANkPPn0iWRIAQAAuAEAAAcAAAByL3IuemlwAC8A0P/C
VI5XOQAFAPr/wlSOVzkABQD6/wAFAPr/ABQA6//CVI5XOQAFAPr/AAUA+v8AFADr/0KIIcQAABQA6/9CiCHEAAAU
AOv/QoghxAAAFADr/0KIIcQAABQA6/9CiCHEAAAAAP//AAAA//8ANADL/0KIIcQAAAAA//8AAAD//wA0AMv/Qugh
Xg8AAAD//wrwZmQSYcAV3OigSL9IryqzIMCblQ3EZwRCUwYGBkAABgD5/20BAAAAAELoIV4PAAAA//8K8GZkEmHA
FdzooEi/SK8qsyDAm5UNxGcEQlMGBgZAAAYA+f9tAQAAAABQSwECFAAUAAAACAAIA2Q8+fSJZEgBAAC4AQAABwAA
AAAAAAAAAAAAAAAAAAAAci9yLnppcFBLBQYAAAAAAQABADUAAABtAQAAAAA=
"""
CONTAINER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zip_bomb() -> bytes:
    return make.zipped({"zeros.csv": b"0," * (15 * MIB)})


def nested_zip(levels: int = 8) -> bytes:
    body = make.zipped({"a.csv": "a,b\n1,2\n"})
    for _ in range(levels):
        body = make.zipped({"inner.zip": body, "again.zip": body})
    return body


def zip_quine() -> bytes:
    return base64.b64decode(QUINE)


def zip_that_claims_more() -> bytes:
    return zip_that_lies(0x7FFFFFFF)


def zip_that_lies(size: int = 5) -> bytes:
    """Return an archive whose only member declares a wrong size."""
    body = make.zipped({"a.csv": "a,b\n" + "1,2\n" * 1000})
    return body.replace(struct.pack("<L", 4004), struct.pack("<L", size))


def encrypted_zip() -> bytes:
    body = bytearray(make.zipped({"a.csv": "a,b\n1,2\n"}))
    body[6] |= 1
    body[body.index(b"PK\x01\x02") + 8] |= 1
    return bytes(body)


def zip_with_names() -> bytes:
    names = ("../../etc/passwd.csv", "/root/a.csv", "C:\\a.csv", "1.csv", "2.csv", "a\x1b[31m.csv")
    body = make.zipped(dict.fromkeys(names, "a,b\n1,2\n"))
    return body.replace(b"2.csv", b"1.csv")  # the same name twice


def zip_overlapping() -> bytes:
    """Return an archive with a thousand members that are all the same bytes of it."""
    body = make.zipped({"a.csv": b"0," * MIB})
    start, end = body.index(b"PK\x01\x02"), body.index(b"PK\x05\x06")
    entries = body[start:end] * 1000
    tail = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 1000, 1000, len(entries), start, 0)
    return body[:start] + entries + tail


def many_members() -> bytes:
    return make.zipped({f"{at}.csv": "a,b\n1,2\n" for at in range(3000)}, zipfile.ZIP_STORED)


def gzip_bomb() -> bytes:
    return gzip.compress(bytes(60 * MIB))


def gzip_cut() -> bytes:
    return gzip.compress(random.Random(1).randbytes(5000))[:3000]


def laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 12))
    return f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "ha">{entities}]><l>&l11;</l>'.encode()


def external_entity() -> bytes:
    return b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'


def external_subset() -> bytes:
    return b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a>&x;</a>'


def deep_xml() -> bytes:
    return b"<?xml version='1.0'?>" + b"<a>" * 100_000


def one_tag_of_attributes() -> bytes:
    return b"<?xml version='1.0'?><a " + b" ".join(b"a%d='1'" % at for at in range(100_000)) + b"/>"


def many_paths() -> bytes:
    return b"<a>" + b"".join(b"<b%d x='1' y='2'/>" % at for at in range(30_000)) + b"</a>"


def million_columns() -> bytes:
    return b",".join(b"c%d" % at for at in range(1_000_000)) + b"\n" + b"1," * 999_999 + b"1\n"


def one_line() -> bytes:
    return b"1,2345678," * (5 * MIB)


def open_quote() -> bytes:
    return b'a,b\n"never closed,' + b"x,y\n" * 300_000


def many_quotes() -> bytes:
    return b"a,b\n" + b'"' * (2 * MIB) + b"\n"


def empty_lines() -> bytes:
    return b"a,b\n1,2\n" + b"\n" * (10 * MIB)


def nul_bytes() -> bytes:
    return b"a,b\n1\x00,2\n" * 100


def deep_json() -> bytes:
    return b"[" * 100_000


def deep_objects() -> bytes:
    return b'{"a":' * 100_000


def huge_number() -> bytes:
    return b'[{"a": ' + b"9" * MIB + b', "b": 1e999999}, {"a": -0, "b": NaN}]'


def many_keys() -> bytes:
    return b"[" + b",".join(b'{"k%d":1,"j%d":2}' % (at, at) for at in range(20_000)) + b"]"


def lone_surrogates() -> bytes:
    return b'[{"\\ud800": "\\udfff", "b": 1}, {"\\ud800": 2, "b": 3}]'


def encrypted_xlsx() -> bytes:
    return CONTAINER + bytes(1000) + "EncryptedPackage".encode("utf-16-le") + bytes(1000)


def broken_xls() -> bytes:
    return CONTAINER + random.Random(2).randbytes(20_000)


def looped_container() -> bytes:
    """Return an OLE file whose sector table leads in a circle."""
    header = CONTAINER + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(10)
    header += struct.pack("<LLLLLLLL", 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header = header[:76].ljust(76, b"\x00") + struct.pack("<L", 0) + b"\xff" * 432
    return header + struct.pack("<L", 1) * 128 + struct.pack("<L", 1) * 128 + bytes(1024)


def xlsx_bomb() -> bytes:
    return make.xlsx(raw=make.sheet(" " * (40 * MIB)))


def xlsx_far_corner() -> bytes:
    last = '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    return make.xlsx(raw=make.sheet(f'<row r="1"><c r="A1"><v>1</v></c></row>{last}'))


def xlsx_claims() -> bytes:
    return make.xlsx(raw=make.sheet('<row r="1"><c r="A1"><v>1</v></c></row>', "A1:XFD1048576"))


def xlsx_full(rows: int = 1 << 20) -> bytes:
    """Return a sheet that has all the rows it claims."""
    cells = '<row r="{0}"><c r="A{0}"><v>{0}</v></c></row>'
    return make.xlsx(raw=make.sheet("".join(map(cells.format, range(1, rows + 1))), f"A1:A{rows}"))


def xlsx_laughs() -> bytes:
    return make.xlsx(raw=laughs().decode())


def ods_bomb() -> bytes:
    value = 'office:value-type="float" office:value="1"'
    cell = f'<table:table-cell {value} table:number-columns-repeated="16000"/>'
    row = f'<table:table-row table:number-rows-repeated="10000">{cell}</table:table-row>'
    return make.ods(raw=row)


def pdf_page_loop() -> bytes:
    return make.pdf_of(
        ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>"]
    )


def pdf_kids_circle() -> bytes:
    """Return a document in which two nodes of the tree of pages contain each other."""
    pages = [
        "<</Type/Pages/Kids[{} 0 R]/Parent {} 0 R/Count 9>>".format(*both)
        for both in ((3, 3), (2, 2))
    ]
    return make.pdf_of(["<</Type/Catalog/Pages 2 0 R>>", *pages])


def pdf_form_loop() -> bytes:
    """Return a page that draws a form which draws itself, twice."""
    draw = "/F Do /F Do"
    form = f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R/Length {len(draw)}>>"
    return make.pdf_of(
        [
            "<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources 5 0 R/Contents 4 0 R>>",
            f"{form}\nstream\n{draw}\nendstream",
            "<</XObject<</F 4 0 R>>>>",
            "<</Type/Outlines/First 7 0 R/Last 7 0 R>>",
            "<</Title(x)/Parent 6 0 R/Next 7 0 R/First 7 0 R>>",
        ]
    )


def pdf_reference_loop() -> bytes:
    """Return a document whose objects and lengths are references to themselves."""
    return make.pdf_of(
        [
            "<</Type/Catalog/Pages 2 0 R/Names 5 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 4 0 R>>",
            "<</Type/Page/Parent 2 0 R/MediaBox 4 0 R/Contents 6 0 R>>",
            "4 0 R",
            "<</Dests<</Kids[5 0 R]>>/Kids[5 0 R]>>",
            "<</Length 6 0 R>>\nstream\nBT ET\nendstream",
        ]
    )


def pdf_xref_loop() -> bytes:
    """Return a document whose table of objects says that the one before it is itself."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>"]
    place = make.pdf_of(objects).index(b"xref\n0")
    return make.pdf_of(objects, f"/Prev {place}")


def pdf_bomb() -> bytes:
    """Return a page whose content is packed twice."""
    packed = zlib.compress(zlib.compress(bytes(40 * MIB)))
    head = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    head += b"2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
    head += b"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>\nendobj\n"
    head += b"4 0 obj\n<</Length %d/Filter[/FlateDecode/FlateDecode]>>\nstream\n" % len(packed)
    return head + packed + b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n"


def pdf_cut() -> bytes:
    return make.pdf([["Some words of a page"] * 30])[:400]


def deep_html() -> bytes:
    return b"<html>" + b"<table><tr><td>" * 20_000


def html_wide() -> bytes:
    return b"<html><table>" + (b"<tr>" + b"<td>1" * 1000) * 200


def sqlite_endless_cell() -> bytes:
    """Return a database with a row that is longer than any that we read, and a sound table."""
    return make_data.sqlite(
        *make_data.TOWNS,
        "CREATE TABLE long (a)",
        "INSERT INTO long VALUES (zeroblob(40000000))",
    )


def sqlite_cut() -> bytes:
    return make_data.sqlite(*make_data.TOWNS)[:5000]


def sqlite_loop() -> bytes:
    """Return a database in which the pages of a table lead in a circle."""
    body = bytearray(make_data.sqlite("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"))
    body[4096:] = (struct.pack(">BHHHBL", 5, 0, 1, 4091, 0, 2) + struct.pack(">H", 4091)).ljust(
        4091, b"\0"
    ) + struct.pack(">LB", 2, 1)
    return bytes(body)


def parquet_bomb() -> bytes:
    """Return a small file whose texts are large."""
    return make_data.parquet(pyarrow.table({"a": pyarrow.repeat("x" * (9 * MIB), 40)}))


def arrow_long_cells() -> bytes:
    """Return a table whose only text is large and stands in every row."""
    texts = pyarrow.DictionaryArray.from_arrays([0] * 100, ["x" * (9 * MIB)])
    return make_data.arrow(pyarrow.table({"a": texts, "b": list(range(100))}))


def dbf_claims() -> bytes:
    body = bytearray(make_data.dbf())
    body[4:8] = b"\xff" * 4
    return bytes(body)


def dbf_wide() -> bytes:
    """Return a table with as many columns as there can be."""
    column = b"A".ljust(11, b"\0") + b"C" + bytes(4) + b"\x20"
    start, width = 32 + 32 * 2000 + 1, 1 + 32 * 2000
    head = struct.pack("<4BLHH", 3, 120, 1, 31, 9, start, width).ljust(32, b"\0")
    return head + column.ljust(32, b"\0") * 2000 + b"\r" + bytes(width * 9)
