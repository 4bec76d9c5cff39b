"""What one visit after another leaves known of a URL."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lodehound.core.history import Content, History, KnownUrl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask
from tests.helpers import ROOT

FILE = Content(200, "text/csv", "1", etag='"1"', modified="Mon", found=True)


def visited(*contents: Content) -> tuple[KnownUrl, list[str]]:
    """Visit a URL once a day; return what is known of it, and how each visit compares."""
    history, changes = History(), []
    for day, content in enumerate(contents):
        history.begin_round(float(day))
        changes.append(history.visit(Link(ROOT + "a", ROOT), content, ()))
    known = history.get(ROOT + "a")
    assert known is not None
    return known, [*map(str, changes)]


@pytest.mark.parametrize(
    ("second", "etag", "modified"),
    [
        (replace(FILE, etag='"2"', modified="Tue"), '"2"', "Tue"),
        (replace(FILE, etag=None, modified=None), '"1"', "Mon"),
        (replace(FILE, etag="", modified=""), "", ""),
        (Content(304), '"1"', "Mon"),
    ],
)
def test_the_same_content_may_have_new_validators(
    second: Content, etag: str, modified: str
) -> None:
    known, changes = visited(FILE, second)
    assert changes == ["new", "same"]
    assert (known.etag, known.modified, known.digest) == (etag, modified, "1")
    assert (known.found, known.mime, known.status) == (True, "text/csv", 200)


def test_the_same_content_stays_what_it_was() -> None:
    """Whatever a later answer says of its type and its links."""
    page = Content(200, "text/html", "1", links=("a",))
    known, changes = visited(page, Content(304, "text/plain"))
    assert changes == ["new", "same"]
    assert (known.mime, known.links) == ("text/html", ("a",))


@pytest.mark.parametrize("status", [404, 500])
def test_what_fails_or_is_gone_keeps_its_last_content(status: int) -> None:
    known, changes = visited(FILE, Content(status, "text/html"))
    assert changes == ["new", "gone" if status == 404 else "failed"]
    assert (known.digest, known.etag, known.mime) == ("1", '"1"', "text/csv")
    assert known.ok == (status == 500)


def test_new_content_replaces_all_of_the_old() -> None:
    known, changes = visited(FILE, Content(200, "text/html", "2", links=("b",)))
    assert changes == ["new", "changed"]
    assert (known.digest, known.etag, known.modified, known.found) == ("2", "", "", False)
    assert (known.mime, known.links, known.last_find) == ("text/html", ("b",), "1")


# --- conditional requests ------------------------------------------------------------------------


def asked_again(*contents: Content) -> tuple[Ask, bool]:
    """Return the request of the next round, and whether a 304 would do as its answer."""
    history = History()
    for content in contents:
        history.visit(Link(ROOT + "a", ROOT), content, ())
    ask = history.conditional(Ask(7, ROOT + "a", "GET", ROOT))
    return ask, history.not_modified(Answer(ask, 304)) is not None


@pytest.mark.parametrize(
    ("contents", "etag", "modified", "stands"),
    [
        ((), "", "", False),
        ((FILE,), '"1"', "Mon", True),
        ((replace(FILE, etag=""),), "", "Mon", True),
        ((replace(FILE, etag="", modified=""),), "", "", True),
        ((FILE, Content(404)), "", "", False),
    ],
)
def test_validators_are_sent_for_what_is_there(
    contents: tuple[Content, ...], etag: str, modified: str, stands: bool
) -> None:
    ask, may_stand = asked_again(*contents)
    assert ask == Ask(7, ROOT + "a", "GET", ROOT, etag, modified)
    assert may_stand == stands


def test_a_304_stands_for_the_page_that_is_known() -> None:
    history = History()
    history.visit(Link(ROOT + "a", ROOT), FILE, ())
    answer = Answer(Ask(1, ROOT + "a"), 304)
    found = history.not_modified(answer)
    assert found is not None
    page, verdict = found
    assert (page.status, page.mime, page.digest) == (304, "text/csv", "1")
    assert (verdict.found, verdict.label) == (True, "text/csv")
    assert history.not_modified(replace(answer, status=200)) is None
