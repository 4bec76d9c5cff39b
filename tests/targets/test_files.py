"""Data files by type."""

from __future__ import annotations

import pytest

from lodehound.checks import check_target, target_checks
from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.link import Link
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.registry import make_target, parse
from lodehound.targets import TARGETS
from lodehound.targets.files import DATA_MIMES, SHORT_NAMES, Files
from tests.helpers import FOUND, ROOT


def page(mime: str, status: int = 200, method: str = "GET") -> Page:
    return Page(ROOT, method, status, mime)  # type: ignore[arg-type]


@pytest.mark.parametrize("check", list(target_checks()), ids=lambda check: check.__name__)
@pytest.mark.parametrize("make", [Files, lambda: Files.from_argument("pdf")], ids=["all", "pdf"])
def test_the_contract(make: type[Files], check: type) -> None:
    """All types or some: the promises are the same."""
    check(make)


def test_the_paper_has_38_types() -> None:
    """Appendix A.2; pages, images and feeds of other kinds are not among them."""
    assert len(DATA_MIMES) == 38
    assert {"text/csv", "application/pdf", "application/octet-stream", "text/plain"} <= DATA_MIMES
    assert not DATA_MIMES & {
        "text/html",
        "application/xhtml+xml",
        "image/png",
        "application/atom+xml",
        "",
    }
    assert all(mime == mime.lower() for mime in DATA_MIMES)


def test_a_find() -> None:
    """Worth 1, labelled by its type, at any 2xx; a HEAD is judged like the GET to come."""
    assert Files().judge(page("text/csv")) == Verdict(found=True, value=1.0, label="text/csv")
    assert Files().judge(page("application/pdf", status=206)).found
    assert Files().judge(page("text/csv", method="HEAD")).found


@pytest.mark.parametrize(
    ("mime", "status"),
    [("text/html", 200), ("", 200), ("text/csv", 404), ("text/csv", 301), ("text/csv", 0)],
)
def test_no_find(mime: str, status: int) -> None:
    """Other types, and whatever did not come with 2xx."""
    assert Files().judge(page(mime, status)) == NOT_FOUND


@pytest.mark.parametrize(
    ("argument", "mimes"),
    [
        ("pdf", {"application/pdf", "application/x-pdf"}),
        (".PDF", {"application/pdf", "application/x-pdf"}),
        ("json, txt,", {"application/json", "text/json", "text/plain"}),
        ("text/csv", {"text/csv"}),
        ("Image/PNG", {"image/png"}),
        ("png", {"image/png"}),
        ("csv", set(SHORT_NAMES["csv"])),
    ],
)
def test_types_as_written(argument: str, mimes: set[str]) -> None:
    """Short names stand for every type that goes by them; others are looked up."""
    assert Files.from_argument(argument).mimes == mimes


@pytest.mark.parametrize("argument", [",", " , ", ".", ""])
def test_no_types(argument: str) -> None:
    """A colon with nothing behind it is a mistake."""
    with pytest.raises(ConfigError):
        Files.from_argument(argument)


def test_an_unknown_type() -> None:
    """One wrong name among good ones is not passed over."""
    with pytest.raises(
        UnknownNameError, match=r"There is no file type 'xslx'. Did you mean 'xlsx'\?"
    ):
        Files.from_argument("csv,xslx")


def test_short_names_are_types() -> None:
    """Bare types in lower case; every type of the paper goes by a short name or is a rarity."""
    named = {mime for mimes in SHORT_NAMES.values() for mime in mimes}

    assert all(mime.count("/") == 1 and mime == mime.lower().strip() for mime in named)
    assert DATA_MIMES - named == {
        "application/octet-stream",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    }


def test_a_target_without_arguments_says_so() -> None:
    """What stands behind its name is not ignored."""

    class Plain(Target):
        def judge(self, page: Page) -> Verdict:
            return NOT_FOUND

    with pytest.raises(ConfigError, match="Plain takes no argument, but got 'x'"):
        Plain.from_argument("x")


def test_what_is_wanted_is_not_blocked() -> None:
    """Who asks for png gets its endings and the bodies of images; other endings stay blocked."""
    scope = Scope.around([ROOT])

    wide = Files.from_argument("png,csv").adapt(scope)

    refusals = [wide.refusal(Link(ROOT + name)) for name in ("a.png", "a.jpg", "a.mp4")]
    assert refusals == ["", "blocked extension", "blocked extension"]
    assert [wide.blocks(mime) for mime in ("image/png", "video/mp4")] == [False, True]
    assert (wide.sites, wide.max_length) == (scope.sites, scope.max_length)


def test_data_needs_no_wider_scope() -> None:
    """None of the paper's types is on the block list."""
    scope = Scope.around([ROOT])

    assert Files().adapt(scope) is scope


# --- bad targets are caught ----------------------------------------------------------------------


class Wordless(Target):
    """Returns no verdict."""

    def judge(self, page: Page) -> Verdict:
        return True  # type: ignore[return-value]


class Generous(Target):
    """Takes failures for finds."""

    def judge(self, page: Page) -> Verdict:
        return FOUND


class Forgetful(Target):
    """Finds each type once."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def judge(self, page: Page) -> Verdict:
        new = page.ok and page.mime not in self.seen
        self.seen.add(page.mime)
        return Verdict(new)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (Wordless, "judge returned True, not a Verdict"),
        (Generous, "a page of status 301 is no find"),
        (Forgetful, "its verdict depends on the pages before"),
    ],
)
def test_bad_targets_are_caught(bad: type[Target], complaint: str) -> None:
    """Each breaks one promise, and the check of that promise says so."""
    with pytest.raises(AssertionError, match=complaint):
        check_target(bad)


NEEDED = {"topic": "topic:data"}  # what some must be told


@pytest.mark.parametrize("name", TARGETS)
def test_shipped_targets_keep_the_contract(name: str) -> None:
    """One test for all, by the names the command line knows."""
    check_target(lambda: make_target(parse("target", NEEDED.get(name, name))))


@pytest.mark.parametrize(
    ("argument", "mime", "name", "filename", "expected"),
    [
        ("", "application/vnd.apache.parquet", "x", "", True),
        ("", "binary/octet-stream", "a.gpkg", "", True),
        ("", "application/x-download", "get?id=1", "a.SAS7BDAT", True),
        ("", "application/x-download", "get?id=1", "", False),
        ("", "text/html", "a.parquet", "", False),
        ("", "application/javascript", "a.csv", "", False),
        ("sqlite", "application/octet-stream", "a.sqlite", "", True),
        ("sqlite", "application/octet-stream", "sqlite", "", False),
        ("csv", "application/gzip", "a.csv.gz", "", True),
        ("csv", "application/x-xz", "a%2Ecsv.xz", "", True),
        ("csv", "text/plain", "a.csv", "", True),
        ("csv", "application/gzip", "a.tar.gz", "", False),
        ("csv", "application/zip", "a.csv.zip", "", False),
        ("gz", "application/gzip", "a.tar.gz", "", True),
        ("text/csv", "application/octet-stream", "a.csv", "", False),
        ("paper", "application/octet-stream", "a", "", True),
        ("paper", "application/gzip", "a.csv.gz", "", False),
        ("paper", "application/vnd.apache.parquet", "a.parquet", "", False),
    ],
)
def test_names_decide_where_types_do_not(
    argument: str, mime: str, name: str, filename: str, *, expected: bool
) -> None:
    target = Files.from_argument(argument) if argument else Files()
    found = target.judge(Page(ROOT + name, "GET", 200, mime, b"x", filename=filename)).found
    assert found is expected


def test_the_types_of_the_paper_have_a_name() -> None:
    paper = Files.from_argument("paper")
    assert (paper.mimes, paper.endings) == (DATA_MIMES, frozenset())
