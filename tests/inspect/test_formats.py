"""Every kind of file: its tables, rows, columns and names."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from lodehound.inspect import FileLimits, Inspection, Options, Table
from lodehound.inspect.files import inspect_file
from tests.inspect import make

TOWNS = ("Town", "2019", "2020", "2021")


def inspect(
    folder: Path, name: str, body: bytes | str, mime: str = "", limits: FileLimits | None = None
) -> Inspection:
    file = folder / name
    file.write_bytes(body if isinstance(body, bytes) else body.encode())
    return inspect_file(file, mime, Options(limits=limits or FileLimits()))


def shapes(found: Inspection) -> tuple[Table, ...]:
    """Return the tables without what is known of their columns, which test_profiles.py is about."""
    return tuple(
        Table(table.name, table.rows, table.columns, table.header, table.statistics)
        for table in found.tables
    )


@pytest.mark.parametrize(
    ("separator", "dialect"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar")]
)
def test_the_separator_of_csv_is_found(tmp_path: Path, separator: str, dialect: str) -> None:
    found = inspect(tmp_path, "a.csv", make.csv(make.POPULATION, separator))

    assert found.dialect == dialect
    assert shapes(found) == (Table("", 3, 4, TOWNS, statistics=True),)
    assert (found.rows, found.columns, found.statistic_tables, found.error) == (3, 4, 1, "")


def test_decimal_commas_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    body = "Stadt;Wert;Rate\n" + "Bonn;1,5;2,5\n" * 5

    assert inspect(tmp_path, "a.csv", body).dialect == "semicolon"


@pytest.mark.parametrize(
    ("charset", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("latin-1", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
    ],
)
def test_the_character_set_of_csv_is_found(tmp_path: Path, charset: str, told: str) -> None:
    body = "Gemeinde;Fläche;Größe\n" + "Zürich;1,5;2\nGenève;2,5;3\nKöln;3,5;4\n" * 10

    found = inspect(tmp_path, "a.csv", body.encode(charset))

    assert found.charset == told
    assert found.tables[0].header == ("Gemeinde", "Fläche", "Größe")
    assert found.rows == 30


def test_titles_above_the_header_are_no_rows(tmp_path: Path) -> None:
    body = "Population of towns\nSource: the office\n\n" + make.csv(make.POPULATION)

    table = inspect(tmp_path, "a.csv", body).tables[0]

    assert (table.header, table.rows) == (TOWNS, 3)


def test_figures_are_no_header(tmp_path: Path) -> None:
    assert inspect(tmp_path, "a.csv", "Oslo,1.5\nRome,2.5\n").tables[0].header == ()


def test_rows_may_hold_lines_and_separators_in_quotes(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.csv", 'a,b\n"one\ntwo, three",1\nfour,2\n')

    assert (found.rows, found.columns) == (2, 2)


def test_prose_is_text_and_a_table_without_a_telling_name_is_csv(tmp_path: Path) -> None:
    prose = "Dear all,\nhere is no table, as you see.\nGood bye, and\nthank you.\n"

    assert inspect(tmp_path, "a.txt", prose, "text/plain").kind == "text"
    table = make.csv(make.POPULATION, "\t")
    assert inspect(tmp_path, "b", table, "application/octet-stream").kind == "tsv"


def test_csv_beyond_the_limit_is_counted_in_part(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.csv", "a,b\n" + "1,2\n" * 1000, limits=FileLimits(read_bytes=400))

    assert found.rows == 99
    assert found.note == "counted in the first 400 characters"


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "download"])
def test_sheets_of_a_workbook_are_tables_whatever_its_name(tmp_path: Path, name: str) -> None:
    body = make.xlsx({"Towns": make.POPULATION, "People": make.PEOPLE, "Empty": []})

    found = inspect(tmp_path, name, body)

    assert found.kind == "xlsx"
    assert shapes(found) == (
        Table("Towns", 3, 4, TOWNS, statistics=True),
        Table("People", 3, 2, ("Name", "Town")),
    )
    assert (found.table_count, found.statistic_tables) == (2, 1)


def test_sheets_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    body = make.xlsx({f"S{at}": make.PEOPLE for at in range(5)})

    found = inspect(tmp_path, "a.xlsx", body, limits=FileLimits(sheets=2, tables=1))

    assert (found.table_count, len(found.tables)) == (5, 1)
    assert found.note == "3 more sheets were not read"


def test_ods(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.ods", make.ods(make.POPULATION))

    assert found.kind == "ods"
    assert shapes(found) == (Table("One", 3, 4, TOWNS, statistics=True),)


def test_a_page_that_is_sent_as_a_workbook(tmp_path: Path) -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in make.POPULATION
    )
    body = f"<html><body><table><tr><td><table>{rows}</table></td></tr></table></body></html>"

    found = inspect(tmp_path, "a.xls", body, "application/vnd.ms-excel")

    assert found.kind == "html"
    assert shapes(found) == (Table("", 3, 4, TOWNS, statistics=True),)


OBJECTS = [{"town": f"t{at}", "rate": at + 0.5, "tax": at * 3} for at in range(4)]


@pytest.mark.parametrize(
    ("value", "name", "header"),
    [
        (OBJECTS, "$", ("town", "rate", "tax")),
        ({"page": 1, "data": {"items": OBJECTS}}, "$.data.items", ("town", "rate", "tax")),
        ([{"page": 1}, OBJECTS], "$[1]", ("town", "rate", "tax")),
        ([list(row) for row in make.POPULATION], "$", TOWNS),
        (
            {"features": [{"type": "Feature", "properties": o, "geometry": {}} for o in OBJECTS]},
            "$.features",
            ("town", "rate", "tax"),
        ),
    ],
)
def test_tables_in_json(tmp_path: Path, value: object, name: str, header: tuple[str, ...]) -> None:
    found = inspect(tmp_path, "a.json", json.dumps(value))

    assert [(t.name, t.header, t.statistics) for t in found.tables] == [(name, header, True)]


def test_json_lines(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.jsonl", "\n".join(map(json.dumps, OBJECTS)))

    assert (found.rows, found.columns) == (4, 3)


def test_json_stat_and_sdmx_json_are_statistics(tmp_path: Path) -> None:
    cube = {"label": "Births", "id": ["sex", "time"], "dimension": {}, "value": [1, 2, 3, 4]}
    series = {"0:0": {"observations": {"0": [1.5], "1": [2.5], "2": [3]}}}
    message = {"data": {"structure": {}, "dataSets": [{"series": series}]}}

    births = inspect(tmp_path, "a.json", json.dumps(cube))
    rates = inspect(tmp_path, "b.json", json.dumps(message))

    assert shapes(births) == (Table("Births", 4, 3, ("sex", "time", "value"), statistics=True),)
    assert (rates.kind, rates.rows, rates.statistics) == ("sdmx", 3, True)


def test_elements_that_repeat_are_a_table(tmp_path: Path) -> None:
    rows = "".join(f"<r><town>t{at}</town><rate>{at}.5</rate><n v='3'/></r>" for at in range(7))

    found = inspect(tmp_path, "a.xml", f"<?xml version='1.0'?><all><head/>{rows}</all>")

    assert shapes(found) == (Table("all/r", 7, 3, ("town", "rate", "n"), statistics=True),)


def test_fields_that_have_their_name_in_an_attribute(tmp_path: Path) -> None:
    row = "<r><f name='Country' key='A'>Aruba</f><f name='Year'>2001</f><f name='Value'>{}</f></r>"
    rows = "".join(row.format(at * 7.5) for at in range(6))

    found = inspect(tmp_path, "a.xml", f"<Root><data>{rows}</data></Root>")

    assert shapes(found) == (Table("Root/data/r", 6, 3, ("Country", "Year", "Value"), True),)


def test_xml_in_a_character_set_of_east_asia(tmp_path: Path) -> None:
    body = (
        "<?xml version='1.0' encoding='gb2312'?><a>" + "<r><名>中</名><b>1.5</b></r>" * 3 + "</a>"
    )

    found = inspect(tmp_path, "a.xml", body.encode("gb2312"))

    assert (found.error, found.tables[0].header) == ("", ("名", "b"))


@pytest.mark.parametrize(
    "space",
    [
        "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message",
        "http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message",
    ],
)
def test_sdmx_is_known_by_its_namespace(tmp_path: Path, space: str) -> None:
    observations = "".join(
        f'<Obs TIME_PERIOD="20{at}" OBS_VALUE="{at}.5"/>' for at in range(10, 15)
    )
    body = (
        f'<?xml version="1.0"?><m:StructureSpecificData xmlns:m="{space}"><m:DataSet>'
        f'<Series FREQ="A" GEO="FR">{observations}</Series></m:DataSet></m:StructureSpecificData>'
    )

    found = inspect(tmp_path, "a.xml", body)

    names = ("FREQ", "GEO", "TIME_PERIOD", "OBS_VALUE")
    assert found.kind == "sdmx"
    assert shapes(found) == (Table("data set 0", 5, 4, names, statistics=True),)


def test_tables_in_a_zip_are_counted(tmp_path: Path) -> None:
    inner = make.zipped({"deep.csv": make.csv(make.PEOPLE)})
    body = make.zipped(
        {
            "data/towns.csv": make.csv(make.POPULATION),
            "book.xlsx": make.xlsx({"S1": make.POPULATION, "S2": make.PEOPLE}),
            "inner.zip": inner,
            "readme.txt": "Nothing here.",
            "main.c": make.csv(make.POPULATION),
            "towns.csv.zip": make.csv(make.POPULATION),
            "data/": "",
        }
    )

    found = inspect(tmp_path, "a.zip", body)

    assert [table.name for table in found.tables] == [
        "data/towns.csv", "book.xlsx/S1", "book.xlsx/S2", "inner.zip/deep.csv", "towns.csv.zip",
    ]  # fmt: skip
    assert (found.table_count, found.statistic_tables, found.member_count) == (5, 3, 6)
    assert found.members[:2] == ("data/towns.csv", "book.xlsx")


def test_gzip_holds_one_file(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.csv.gz", gzip.compress(make.csv(make.POPULATION).encode()))

    assert (found.kind, found.rows, found.dialect, found.statistics) == ("gz", 3, "comma", True)


def test_pages_text_and_tables_of_pdf(tmp_path: Path) -> None:
    table = ["Town 2019 2020", "Oslo 10.5 11.5", "Rome 20.5 21.5", "Bonn 30.5 31.5"]
    contents = ["1 Introduction 3", "2 Methods 5", "3 Results 7", "Much else is in this document"]

    found = inspect(tmp_path, "a.pdf", make.pdf([contents, table]))

    assert (found.kind, found.pages, found.text) == ("pdf", 2, True)
    assert shapes(found) == (Table("page 2", 3, 3, (), statistics=True),)


def test_a_scanned_pdf_has_no_text(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.pdf", make.pdf([[], []]))

    assert (found.pages, found.text, found.table_count) == (2, False, 0)
    assert found.error == "scanned: the pages have no text"


@pytest.mark.parametrize(
    ("name", "body", "module"),
    [
        ("a.xlsx", make.xlsx({"S": make.PEOPLE}), "python_calamine"),
        ("a.pdf", make.pdf([["x"]]), "pypdfium2"),
        ("a.csv", "Zürich,1\nKöln,2\n".encode("latin-1"), "chardet"),
    ],
)
def test_a_missing_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, body: bytes, module: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)

    found = inspect(tmp_path, name, body)

    assert found.kind == name[2:]
    assert "pip install 'lodehound[inspect]'" in (found.error or found.note)
    assert (found.table_count == 0) == bool(found.error)


def test_it_goes_to_json_and_back(tmp_path: Path) -> None:
    found = inspect(tmp_path, "a.zip", make.zipped({"a.csv": make.csv(make.POPULATION)}))

    assert Inspection.from_json(found.to_json()) == found
