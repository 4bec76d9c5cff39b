"""lodehound list, export and diff as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lodehound.cli import catalogue, list_table
from lodehound.config import CrawlConfig
from lodehound.exports import FORMATS
from lodehound.reports.figures import budget_words, figure_rows
from lodehound.stores.catalogue.entries import Catalogue
from tests.cli.test_cli import Cli, cli
from tests.exports.crawls import CSV, ROOT, add, begin, fill

__all__ = ["cli"]  # a fixture


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "crawl"
    with begin(path) as directory:
        fill(directory)
    return path


def test_list_in_a_pipe_is_a_line_to_a_find(cli: Cli, crawled: Path) -> None:
    code, out, _ = cli("list", crawled)
    lines = [line.split("\t") for line in out.splitlines()]
    assert code == 0
    assert [len(line) for line in lines] == [11] * 10
    assert lines[0][:7] == [ROOT + "births.csv", "files/s.example/births.csv", "text/csv", "csv",
                            str(len(CSV)), "2", "3"]  # fmt: skip
    assert "<script>alert(1)</script> [31m gnp.exe" in lines[8][8]
    assert out.replace("\n", "").replace("\t", "").isprintable()


def test_empty_files_are_neither_readable_nor_unreadable(cli: Cli, tmp_path: Path) -> None:
    with begin(tmp_path) as directory:
        for place, body in (("a.csv", b""), ("b.csv", b""), ("c.csv", b"a,b\n"), ("d.csv", CSV)):
            add(directory, place, body)
        summary = directory.summary()
    counts = summary.contents
    assert (counts.readable, counts.unreadable, counts.empty, counts.files) == (2, 0, 2, 4)
    assert figure_rows(summary)[-5:-2] == [
        ("readable", "2 files: 1 with tables, 1 with headers only"),
        ("empty", "2 files of 0 bytes"),
        ("unreadable", "0 files"),
    ]
    out = cli("list", tmp_path, "--json", "--content", "empty")[1]
    urls = [json.loads(line)["url"] for line in out.splitlines()]
    assert urls == [ROOT + "a.csv", ROOT + "b.csv"]
    assert len(cli("list", tmp_path, "--content", "no-rows")[1].splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "CRAWL", "--like", "no such text"], "No find matches --like 'no such text'.\n"),
        (
            ["list", "CRAWL", "--json", "--min-rows", "5000"],
            "No find matches --min-rows 5000.\n",
        ),
        (["list", "CRAWL", "--limit", "0"], ""),
        (["list", "CRAWL", "--like", "births"], ""),
        (
            [
                "export",
                "CRAWL",
                "--to",
                "jsonl",
                "--min-rows",
                "5000",
                "--changed",
                "--output",
                "-",
            ],
            "No find matches --min-rows 5000 --changed.\n0 finds written to -\n",
        ),
    ],
)
def test_filters_that_nothing_passes_are_named(
    cli: Cli, crawled: Path, words: list[str], said: str
) -> None:
    code, _, err = cli(*(crawled if word == "CRAWL" else word for word in words))
    about = [line for line in err.splitlines(keepends=True) if not line.startswith("Round ")]
    assert (code, "".join(about)) == (0, said)


def test_a_crawl_without_finds_says_so(cli: Cli, tmp_path: Path) -> None:
    with begin(tmp_path):
        pass
    assert cli("list", tmp_path) == (0, "", "No finds so far.\n")


def test_budgets_and_volumes_are_written_as_people_read_them() -> None:
    config = CrawlConfig(requests=1, bytes=186_390, time=2.75, finds=2, early_stop="auto")
    assert budget_words(config) == "1 request, 186.4 kB, 2.8 s, 2 finds, --early-stop auto"
    assert budget_words(CrawlConfig()) == "no limit"


def test_list_names_a_copy_by_its_own_address(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "old.csv", CSV, anchor="Births")
        add(directory, "new.csv", CSV, anchor="")
    with Catalogue(tmp_path / "crawl") as source:
        cells = [list_table._cells(entry, "", wide=False) for entry in source.entries()]
    assert [(title, name) for _, _, _, title, name, _ in cells] == [
        ("Births", "old.csv"), ("Data", "new.csv"),
    ]  # fmt: skip


def test_list_takes_filters(cli: Cli, crawled: Path) -> None:
    code, out, _ = cli("list", crawled, "--like", "births", "--type", "csv", "--min-rows", 3)
    assert (code, len(out.splitlines())) == (0, 1)
    assert len(cli("list", crawled, "--type", ".PDF")[1].splitlines()) == 1
    _, out, _ = cli("list", crawled, "--like", "BIRTHS", "--json")
    assert json.loads(out.splitlines()[0])["url"] == ROOT + "births.csv"


def test_list_on_a_terminal_is_a_table_that_fits(
    cli: Cli, crawled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("_pytest.capture.CaptureIO.isatty", lambda _: True, raising=False)
    code, out, _ = cli("list", crawled)
    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 12
    assert "births.csv" in lines[1]
    assert "10 finds" in lines[-1]
    assert "\x1b[31m" not in out
    assert "\u202e" not in out
    assert max(len(line) for line in lines[1:-1]) <= 80


def titles(cli: Cli, crawled: Path, *words: object) -> list[str]:
    code, out, err = cli("list", crawled, "--json", *words)
    assert (code, err) == (0, "")
    return [json.loads(line)["title"][:20] for line in out.splitlines()]


def test_list_sorts_and_limits(cli: Cli, crawled: Path) -> None:
    """The most of something first, texts from A to Z, and as found unless told otherwise."""
    found = titles(cli, crawled)

    assert titles(cli, crawled, "--limit", 2) == found[:2]
    assert titles(cli, crawled, "--reverse") == found[::-1]
    assert titles(cli, crawled, "--limit", 0) == []
    by_title = titles(cli, crawled, "--sort", "title")
    assert by_title == sorted(found, key=str.casefold)
    assert titles(cli, crawled, "--sort", "rows", "--limit", 3) == [
        "Data (whole.zip)", "Data (area.csv)", "Data (titled.csv)",
    ]  # fmt: skip
    assert titles(cli, crawled, "--sort", "size", "--limit", 1) == ["Data (cut.csv)"]
    assert titles(cli, crawled, "--sort", "size", "--reverse", "--limit", 1) == [by_title[0]]
    assert titles(cli, crawled, "--sort", "title", "--type", "pdf") == ["x" * 20]


def test_list_wide_cuts_nothing_off(cli: Cli, crawled: Path) -> None:
    """In a pipe, too: it is for less -S."""
    code, out, _ = cli("list", crawled, "--wide", "--type", "csv")
    heading, *lines, total = out.splitlines()

    assert code == 0
    assert heading.split() == ["type", "size", "rows", "title", "file", "address"]
    assert [line.split()[0] for line in lines] == ["csv"] * 5
    assert lines[1].split()[3:] == ["2", "copy", "of", "births.csv", "files/s.example/births.csv",
                                    f"{ROOT}copy", "of", "births.csv"]  # fmt: skip
    assert total == "5 of 10 finds"


def test_list_tells_the_contents_apart(cli: Cli, crawled: Path) -> None:
    assert titles(cli, crawled, "--content", "unreadable") == ["x" * 20]
    assert titles(cli, crawled, "--content", "truncated") == ["Data (cut.csv)", "Data (cut.zip)"]


@pytest.mark.parametrize(
    "form", ["csv", "jsonl", "parquet", "dcat", "datapackage", "ro-crate", "warc"]
)
def test_export_takes_the_filters_of_list(
    cli: Cli, crawled: Path, tmp_path: Path, form: str
) -> None:
    words = ("--like", "births", "--type", "csv", "--min-rows", 3, "--content", "tables")
    code, _, err = cli("export", crawled, "--to", form, "--output", tmp_path / "out", *words)

    assert (code, err) == (0, f"1 find written to {tmp_path / 'out'}\n")
    assert len(cli("list", crawled, *words)[1].splitlines()) == 1
    copied = [path.name for path in (tmp_path / "out").rglob("*.csv")]
    assert copied == (["titled.csv"] if form in {"datapackage", "ro-crate"} else [])


def test_export_writes_and_says_how_many(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    code, out, err = cli("export", crawled, "--to", "csv", "--output", tmp_path / "a/finds.csv")
    assert (code, out) == (0, "")
    assert err == f"10 finds written to {tmp_path / 'a/finds.csv'}\n"
    code, out, _ = cli("export", crawled, "--to", "jsonl", "--output", "-")
    assert (code, len(out.splitlines())) == (0, 10)


def test_help_names_every_format() -> None:
    assert all(name in catalogue.FORMATS for name in FORMATS)


def test_export_names_the_publisher(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    cli("export", crawled, "--to", "dcat", "--output", tmp_path / "dcat.json", "--title", "Births",
        "--publisher", "The Paper")  # fmt: skip
    read = json.loads((tmp_path / "dcat.json").read_text(encoding="utf-8"))
    assert read["dct:title"] == "Births"
    assert read["dct:publisher"]["foaf:name"] == "The Paper"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("list", "nowhere"), "There is no crawl in 'nowhere'"),
        (("export", "nowhere", "--to", "csv", "--output", "x"), "There is no crawl"),
        (("diff", "nowhere", "nowhere"), "There is no crawl"),
        (("export", "nowhere", "--to", "cvs", "--output", "x"), "Did you mean 'csv'?"),
        (("export", "nowhere"), "Missing option '--to'. See '"),
        (("export",), "Missing argument 'DIR'. See '"),
        (("list", "nowhere", "--jsn"), "There is no option '--jsn'. Did you mean '--json'?"),
        (("lst", "nowhere"), "No such command 'lst'. Did you mean 'list'? See 'lodehound -h'."),
        (("list", "nowhere", "--type"), "requires an argument. See 'lodehound list -h'."),
        (("list", "nowhere", "--type", " "), "--type is empty"),
        (("list", "nowhere", "--min-rows", "-1"), "--min-rows"),
        (("export", "nowhere", "--to", "csv", "--output", "x", "--min-rows", "-1"), "--min-rows"),
        (("list", "nowhere", "--content", "unreadible"), "Did you mean 'unreadable'?"),
        (("list", "nowhere", "--limit", "-1"), "--limit"),
    ],
)
def test_mistakes_are_one_line(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two crawls of a site that has changed in between."""
    with begin(tmp_path / "one") as directory:
        for place in ("same.csv", "changed.csv", "gone.csv"):
            add(directory, place, CSV + place.encode())
        for place in ("cut same.csv", "cut changed.csv", "cut longer.csv"):
            add(directory, place, CSV[:20], truncated=True, size=100)
        directory.keep_end("exhausted")
    with begin(tmp_path / "two") as directory:
        add(directory, "same.csv", CSV + b"same.csv", etag='"v2"')
        add(directory, "changed.csv", CSV)
        add(directory, "new.csv", CSV + b"new.csv")
        add(directory, "cut same.csv", CSV[:10], truncated=True, size=100, etag='W/"v1"')
        add(directory, "cut changed.csv", CSV[:20], truncated=True, size=100, etag='"v2"')
        add(directory, "cut longer.csv", CSV[:20], truncated=True, size=200, etag="")
    return tmp_path / "one", tmp_path / "two"


def test_diff_says_what_is_new_gone_and_changed(cli: Cli, two: tuple[Path, Path]) -> None:
    code, out, _ = cli("diff", *two)
    counts, lines = out.splitlines()[:8], out.splitlines()[8:]
    assert code == 0
    assert [line.rsplit(maxsplit=1) for line in counts] == [
        ["added", "1"], ["gone", "0"], ["no longer linked", "0"], ["not reached", "1"],
        ["unavailable", "0"], ["moved", "0"], ["changed", "3"], ["same", "2"],
    ]  # fmt: skip
    assert [tuple(line.split("\t")[:3]) for line in lines] == [
        ("added", ROOT + "new.csv", ""),
        ("not reached", ROOT + "gone.csv", "the page that linked to it was not read"),
        ("changed", ROOT + "changed.csv", "content"),
        ("changed", ROOT + "cut changed.csv", "etag"),
        ("changed", ROOT + "cut longer.csv", "size"),
    ]


def test_diff_as_json(cli: Cli, two: tuple[Path, Path]) -> None:
    code, out, _ = cli("diff", *two, "--json")
    read = json.loads(out)
    assert (code, read["counts"]["changed"]) == (0, 3)
    changed = read["changes"][2]
    assert changed["before"]["sha256"] != changed["after"]["sha256"]


def test_a_crawl_does_not_differ_from_itself(cli: Cli, crawled: Path) -> None:
    code, out, _ = cli("diff", crawled, crawled, "--exit-code")
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines()] == [*"0000000", "10"]
