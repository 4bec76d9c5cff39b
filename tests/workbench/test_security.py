"""Nobody but the user sees or changes anything, and nothing from the web is run."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.workbench.security import MOST_BODY
from tests.workbench.conftest import ACCESS, ORIGIN, client_of, enter, path_to


@pytest.fixture
def stranger(crawl_folder: Path) -> Iterator[TestClient]:
    """A browser that has not seen the printed address."""
    with client_of(crawl_folder, control=True) as client:
        yield client


@pytest.mark.parametrize("csrf", ["", "guess", "x" * 43])
def test_every_action_needs_the_token_of_its_form(
    stranger: TestClient, crawl_folder: Path, csrf: str
) -> None:
    control = path_to(crawl_folder / "office") + "/control"
    for path in ("/start", f"{control}/pause", f"{control}/resume"):
        response = enter(stranger).post(path, data={"csrf": csrf}, headers=ORIGIN)

        assert response.status_code == 403
        assert "not from this workbench" in response.text


def test_it_only_reads_unless_told(visitor: TestClient, crawl_folder: Path) -> None:
    control = path_to(crawl_folder / "office") + "/control"
    for path in ("/start", f"{control}/pause", f"{control}/resume"):
        fields = {"csrf": ACCESS.form_token}
        response = visitor.post(path, data=fields, headers=ORIGIN)

        assert response.status_code == 403
        assert "only reads" in response.text
    assert "<button" not in visitor.get(control).text.partition("<main")[2]


def test_a_large_form_is_refused(stranger: TestClient) -> None:
    fields = {"csrf": "x" * MOST_BODY}

    assert enter(stranger).post("/start", data=fields, headers=ORIGIN).status_code == 413


def test_a_large_form_that_does_not_say_so_is_refused(stranger: TestClient) -> None:
    pieces = iter([b"x" * MOST_BODY, b"x"])

    assert enter(stranger).post("/start", content=pieces, headers=ORIGIN).status_code == 413


def test_what_no_command_can_take_is_refused(stranger: TestClient) -> None:
    fields = {"csrf": ACCESS.form_token, "url": "http://s.example/\0", "folder": "new"}
    response = enter(stranger).post("/start", data=fields, headers=ORIGIN)

    assert (response.status_code, "that no command can take" in response.text) == (400, True)


def test_pages_run_no_script_but_ours(visitor: TestClient, crawl_folder: Path) -> None:
    response = visitor.get(path_to(crawl_folder / "nasty") + "/")
    policy = response.headers["content-security-policy"]

    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "same-origin"


def test_a_file_is_saved_and_never_shown(visitor: TestClient, crawl_folder: Path) -> None:
    response = visitor.get(first_find(crawl_folder / "nasty") + "/file")

    assert response.headers["content-disposition"].startswith("attachment;")
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"


@pytest.mark.parametrize(
    "place", ["../secret.csv", "files/../../secret.csv", "files/way/secret.csv", "/etc/passwd"]
)
def test_no_name_leads_out_of_the_crawl(crawl_folder: Path, tmp_path: Path, place: str) -> None:
    crawl = tmp_path / "crawl"
    shutil.copytree(crawl_folder / "nasty", crawl)
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (crawl / "files" / "way").symlink_to(tmp_path)
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        db.execute("UPDATE finds SET file = ?", (place,))
    with client_of(crawl) as client:
        enter(client)
        find = first_find(crawl)
        answers = [client.get(find + end) for end in ("/file", "/preview", "/preview.csv")]

    assert [answer.status_code for answer in answers] == [404] * 3


@pytest.mark.parametrize("name", ["../app.py", "%2e%2e%2fapp.py", "html/live.html.jinja"])
def test_no_file_of_the_package_is_served_but_those_named(visitor: TestClient, name: str) -> None:
    assert visitor.get(f"/static/{name}").status_code == 404


def first_find(crawl: Path) -> str:
    """Return the path of the first find of a crawl."""
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db:
        (number,) = db.execute("SELECT min(number) FROM finds").fetchone()
    return f"{path_to(crawl)}/finds/{number}"
