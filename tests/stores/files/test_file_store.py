"""Files keep within their folder, part from each other, and are whole."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.errors import SiteError
from lodehound.core.urls import canonical
from lodehound.stores.errors import DiskFullError
from lodehound.stores.files.file_names import DEVICE, folded, name_of, path_for
from lodehound.stores.files.file_store import FileStore

ROOT = "https://s.example/"
CSV, PDF = "text/csv", "application/pdf"

HOSTILE = [
    "../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/x",
    "..\\..\\windows\\system32",
    "%5c%5cserver%5cshare",
    "/etc/passwd",
    "//etc//passwd",
    "C:/windows/x",
    "C%3A%5Cx",
    "a\0b.csv",
    "a%00.csv",
    "con",
    "CON.csv",
    "aux/nul/com1.txt",
    "Lpt9 .tar.gz",
    "com%C2%B9.csv",
    "conin$",
    ".",
    "..",
    "...",
    ".htaccess",
    ".lodehound-" + "0" * 32,
    "x.csv...",
    "x.csv%20",
    "x%20.%20.",
    " ",
    "%20",
    "%E2%80%AEfdp.exe",  # a right-to-left mark: shown as exe.pdf
    "a%0d%0ab.csv",
    "a%1b[31m",
    "<>:\"|?*",
    "\ud800",
    "%ED%A0%80",
    "%F0%9F%98%80.csv",
    "e%CC%81.csv",
    "x" * 5000,
    "%C3%A9" * 1700,
    "x" * 5000 + ".csv",
    "/".join("abcdefghij") * 40,
    ("y" * 90 + "/") * 9,
    "a/b/c/d/e/f/g/h/i/j/k/l/m.csv",
    "?q=../../x",
    "x?" + "q" * 5000,
    "",
]  # fmt: skip


def is_harmless(path: str) -> None:
    """Say what no path of ours may be, on any system."""
    assert len(path.encode()) <= 240
    for name in path.split("/"):
        assert 0 < len(name.encode()) <= 100
        assert not name.startswith((".", " "))
        assert not name.endswith((".", " "))
        assert not DEVICE.match(name)
        assert not set(name) & set('<>:"\\|?*')
        assert not {unicodedata.category(sign) for sign in name} & {"Cc", "Cf", "Cs", "Co", "Cn"}


def all_files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("mime", [CSV, "application/octet-stream"])
def test_no_name_escapes(tmp_path: Path, name: str, mime: str) -> None:
    """Whatever a URL is made of, its file lies in the folder, under a harmless name."""
    store = FileStore(tmp_path / "files")
    path = store.save(ROOT + name, mime=mime, body=b"x")
    is_harmless(path)
    assert path.startswith("files/s.example")
    assert all_files(tmp_path) == {path}


@pytest.mark.parametrize(
    "url",
    [
        "https://../x",
        "https://con/x",
        "https://[::1]:80/x",
        "https://a.:8/x",
        "x",
        "",
        "a//../../b",
    ],
)
def test_no_host_escapes(tmp_path: Path, url: str) -> None:
    path = FileStore(tmp_path / "files").save(url, mime=CSV, body=b"x")
    is_harmless(path)
    assert all_files(tmp_path) == {path}


@settings(max_examples=400, deadline=None)
@given(
    st.text(st.characters(exclude_categories=()), max_size=300),
    st.sampled_from([CSV, PDF, "text/plain", "", "a/b"]),
    st.booleans(),
    st.sampled_from([0, 8, 32]),
)
def test_any_text_has_a_harmless_path(text: str, mime: str, flat: bool, mark: int) -> None:
    """As a URL's path, as a host, and as no URL at all; with and without a mark."""
    for url in (ROOT + text, f"https://{text}", text, canonical(ROOT + text) or ROOT):
        is_harmless("files/" + path_for(url, mime, mark=mark, flat=flat))


def test_what_some_disk_takes_for_the_same() -> None:
    """Upper and lower case, composed or not, and in whatever order the marks come."""
    for one, two in (("É", "e\u0301"), ("ß", "SS"), ("\u01f0\u0323", "J\u0323\u030c")):
        names = (path_for(f"{ROOT}{name}.csv", CSV) for name in (one, two))
        assert len(set(map(folded, names))) == 1


pieces = st.sampled_from(
    ["a", "A", "ß", "ss", "e\u0301", "é", "É", ".csv", "/", "?", "%2F", "x" * 120]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(pieces, max_size=5).map("".join), min_size=2, max_size=12, unique=True))
def test_no_two_urls_share_a_file(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    """Not on a disk without upper and lower case either; and every URL finds its file again."""
    folder = tmp_path_factory.mktemp("any")
    store = FileStore(folder / "files")
    paths = {}
    for name in names:
        paths[name] = store.save(ROOT + name, mime=CSV, body=name.encode())
    assert len({folded(path) for path in paths.values()}) == len(names)
    for name in names:
        assert (folder / paths[name]).read_bytes() == name.encode()
        assert store.save(ROOT + name, mime=CSV, body=b"again") == paths[name]


# --- names that people like ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "mime", "path"),
    [
        ("data/Table%201.csv", CSV, "data/Table 1.csv"),
        ("données/é.csv", CSV, "données/é.csv"),
        ("data/", CSV, "data/index.csv"),
        ("", PDF, "index.pdf"),
        ("export.php", CSV, "export.php.csv"),
        ("download/17", PDF, "download/17.pdf"),
        ("Report.PDF", PDF, "Report.PDF"),
        ("report.pdf", "text/html", "report.pdf.html"),
        ("report.pdf", "text/plain", "report.pdf.txt"),
        ("table.px", "text/plain", "table.px"),
        ("README", "text/plain", "README.txt"),
        ("book.xlsx", "application/zip", "book.xlsx"),
        ("data.csv.gz", "application/gzip", "data.csv.gz"),
        ("v1.2", CSV, "v1.2.csv"),
        ("thing.dta", "application/octet-stream", "thing.dta"),
        ("thing", "application/octet-stream", "thing"),
        ("thing.abc", "application/x-unheard-of", "thing.abc"),
    ],
)
def test_names_stay_readable(name: str, mime: str, path: str) -> None:
    """The URL's own name; an ending is added where it says something else than the type."""
    assert path_for(ROOT + name, mime) == "s.example/" + path


@pytest.mark.parametrize(
    ("name", "mime", "proposed", "path"),
    [
        ("get", "application/octet-stream", "births.csv", "get.csv"),
        ("get", "application/force-download", "Births.CSV.gz", "get.csv.gz"),
        ("get.aspx", "application/octet-stream", "births.ods", "get.aspx.ods"),
        ("a.dta", "application/octet-stream", "b.csv", "a.dta"),
        ("get", PDF, "births.csv", "get.pdf"),
        ("get", "application/octet-stream", "setup.exe", "get"),
        ("get", "application/octet-stream", "../births", "get"),
        ("x" * 99, "application/octet-stream", "births.csv", "x" * 99),
    ],
)
def test_a_download_has_the_ending_that_the_server_proposes(
    name: str, mime: str, proposed: str, path: str
) -> None:
    made = path_for(ROOT + name, mime, proposed=proposed)
    assert made == "s.example/" + path
    assert name_of(f"files/{made}", ROOT + name, mime) == path


def test_queries_make_distinct_names() -> None:
    """The name stays, its ending too; a digest of the URL parts them."""
    one, two = (path_for(f"{ROOT}get.csv?id={number}", CSV) for number in (1, 2))
    assert one != two
    assert one.startswith("s.example/get-")
    assert one.endswith(".csv")
    assert path_for(f"{ROOT}all.tar.gz?a", "application/gzip").endswith(".tar.gz")


def test_deep_folders_become_one() -> None:
    """Files of the same deep folder stay together, those of two deep folders apart."""
    deep = ROOT + "/".join("abcdefghijklmnop")
    one, two, three = (path_for(deep + rest, CSV) for rest in ("/1.csv", "/2.csv", "/q/1.csv"))
    assert one.startswith("s.example/a/b/c/d/e/f/g/h/i/j/_")
    assert Path(one).parent == Path(two).parent
    assert Path(one).parent != Path(three).parent


# --- what is taken ---------------------------------------------------------------------------


def test_names_that_differ_in_case_only(tmp_path: Path) -> None:
    """The first keeps its name, the second gets a mark, also after reopening."""
    store = FileStore(tmp_path / "files")
    first = store.save(ROOT + "Data/X.csv", mime=CSV, body=b"1")
    again = FileStore(tmp_path / "files", taken=[(first, ROOT + "Data/X.csv", "")])
    second = again.save(ROOT + "data/x.csv", mime=CSV, body=b"2")
    assert first == "files/s.example/Data/X.csv"
    assert second.startswith("files/s.example/data/x-")
    assert again.save(ROOT + "Data/X.csv", mime=CSV, body=b"3") == first


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    """/a is a file and /a/b needs a folder of that name, or the other way round."""
    binary = "application/octet-stream"
    for number, names in enumerate([("a", "A/b"), ("A/b", "a"), ("a", "a/b/c"), ("a/b", "a")]):
        store = FileStore(tmp_path / str(number) / "files")
        paths = {store.save(ROOT + name, mime=binary, body=name.encode()) for name in names}
        assert all_files(tmp_path / str(number)) == paths
        one, two = map(folded, paths)
        assert not one.startswith(two + "/")
        assert not two.startswith(one + "/")


def test_a_file_that_nobody_knows_of(tmp_path: Path) -> None:
    """A process was killed between a file and its find: the file is in nobody's way."""
    binary = "application/octet-stream"
    for name in ("a", "x", "f/g"):
        FileStore(tmp_path / "files").save(ROOT + name, mime=binary, body=b"orphan")
    store = FileStore(tmp_path / "files")
    assert store.save(ROOT + "x", mime=binary, body=b"x") == "files/s.example/x"
    below = store.save(ROOT + "a/b", mime=binary, body=b"b")
    above = store.save(ROOT + "f", mime=binary, body=b"f")
    assert [(tmp_path / path).read_bytes() for path in (below, above)] == [b"b", b"f"]


# --- whole or not at all ---------------------------------------------------------------------


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut a name stands for a whole file: content, name, folder, in that order."""
    store = FileStore(tmp_path / "files")
    store.tidy()
    target = tmp_path / "files" / "s.example" / "x.csv"
    seen = []

    def synced(descriptor: int) -> None:
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        seen.append(("folder" if folder else "file", target.exists()))

    monkeypatch.setattr(os, "fsync", synced)
    store.save(ROOT + "x.csv", mime=CSV, body=b"x")
    assert seen == [("folder", False), ("file", False), ("folder", True)]


def test_leftovers_are_removed_on_opening(tmp_path: Path) -> None:
    """Temporary names of ours only; a looker-on removes nothing and makes nothing."""
    left = tmp_path / "files" / "s.example" / (".lodehound-" + "0a" * 16)
    other = left.with_name(".lodehound-notes")
    left.parent.mkdir(parents=True)
    left.touch()
    other.touch()
    FileStore(tmp_path / "files")
    FileStore(tmp_path / "elsewhere")
    assert left.exists()
    FileStore(tmp_path / "files").tidy()
    assert all_files(tmp_path) == {"files/s.example/.lodehound-notes"}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """The message names the folder and the way out; nothing is left; the old file stays."""
    store = FileStore(tmp_path / "files")
    path = store.save(ROOT + "x.csv", mime=CSV, body=b"old")

    def full(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        for name in ("x.csv", "new/y.csv"):
            with pytest.raises(DiskFullError, match="lodehound resume") as caught:
                store.save(ROOT + name, mime=CSV, body=b"new")
            assert str(tmp_path) in str(caught.value)
    assert all_files(tmp_path) == {path}
    assert (tmp_path / path).read_bytes() == b"old"
    assert store.save(ROOT + "new/y.csv", mime=CSV, body=b"new") == "files/s.example/new/y.csv"


def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    """Any other trouble is no full disk."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "s.example").touch()
    with pytest.raises(SiteError, match="cannot be written"):
        FileStore(tmp_path / "files").save(ROOT + "x.csv", mime=CSV, body=b"")


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FileStore(tmp_path / "files")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    store.save(ROOT + "x.csv", mime=CSV, body=b"old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.save(ROOT + "y.csv", mime=CSV, body=b"new")
    assert all_files(tmp_path) == {"files/s.example/x.csv"}


# --- the same content ------------------------------------------------------------------------


def test_identical_contents_are_kept_once(tmp_path: Path) -> None:
    """Also after reopening; but not when the user has taken the file away."""
    sha256 = hashlib.sha256(b"1").hexdigest()
    store = FileStore(tmp_path / "files")
    first = store.save(ROOT + "a.csv", mime=CSV, body=b"1", sha256=sha256)
    again = FileStore(tmp_path / "files", taken=[(first, ROOT + "a.csv", sha256)])
    assert again.save(ROOT + "b.csv", mime=CSV, body=b"1", sha256=sha256) == first
    assert again.save(ROOT + "c.csv", mime=CSV, body=b"1") != first
    (tmp_path / first).unlink()
    assert again.save(ROOT + "d.csv", mime=CSV, body=b"1", sha256=sha256) != first


def test_empty_files_are_not_taken_for_one(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "files")
    sha256 = hashlib.sha256(b"").hexdigest()
    first = store.save(ROOT + "a.csv", mime=CSV, body=b"", sha256=sha256)
    assert store.save(ROOT + "b.zip", mime="application/zip", body=b"", sha256=sha256) != first
