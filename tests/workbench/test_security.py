"""Nobody but the user sees or changes anything, and nothing from the web is run."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.workbench.security import MOST_BODY, csrf_token
from lodehound.workbench.server import LOOPBACK, listening_on
from tests.workbench.conftest import HOST, TOKEN, client_of, path_to


@pytest.fixture
def stranger(crawl_folder: Path) -> Iterator[TestClient]:
    """A browser that has not seen the printed address."""
    with client_of(crawl_folder, control=True) as client:
        yield client


def known(client: TestClient) -> TestClient:
    """Visit with the token, as the user does."""
    assert client.get("/", params={"token": TOKEN}).status_code == 200
    return client


def test_it_listens_on_this_machine_only() -> None:
    with listening_on(None) as socket:
        assert socket.getsockname()[0] == LOOPBACK == "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/events", "/static/htmx.js", "/start", "/?token=guess"])
def test_without_the_token_there_is_nothing(stranger: TestClient, path: str) -> None:
    response = stranger.get(path)

    assert response.status_code == 403
    assert "needs the token" in response.text


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger: TestClient) -> None:
    response = stranger.get(f"/compare?token={TOKEN}&first=a", follow_redirects=False)

    assert (response.status_code, response.headers["location"]) == (303, "/compare?first=a")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("lodehound-8180=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert stranger.get("/").status_code == 200


def test_the_token_does_not_lead_to_another_site(stranger: TestClient) -> None:
    response = stranger.get(f"http://{HOST}//evil.example/?token={TOKEN}", follow_redirects=False)

    assert response.headers["location"] == "/evil.example/"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8180", "127.0.0.1", ""])
def test_another_name_of_this_machine_is_refused(stranger: TestClient, host: str) -> None:
    assert known(stranger).get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"http://{HOST}.evil.example"])
def test_pages_of_other_sites_are_refused(stranger: TestClient, origin: str) -> None:
    fields = {"csrf": csrf_token(TOKEN)}
    response = known(stranger).post("/start", data=fields, headers={"Origin": origin})

    assert response.status_code == 403
    assert stranger.get("/", headers={"Origin": origin}).status_code == 403


def test_an_action_without_an_origin_is_refused(stranger: TestClient) -> None:
    assert known(stranger).post("/start", data={"csrf": csrf_token(TOKEN)}).status_code == 403


@pytest.mark.parametrize("csrf", ["", "guess", csrf_token("another token")])
def test_every_action_needs_the_token_of_its_form(
    stranger: TestClient, crawl_folder: Path, csrf: str
) -> None:
    control = path_to(crawl_folder / "office") + "/control"
    for path in ("/start", f"{control}/pause", f"{control}/resume"):
        origin = {"Origin": f"http://{HOST}"}
        response = known(stranger).post(path, data={"csrf": csrf}, headers=origin)

        assert response.status_code == 403
        assert "not from this workbench" in response.text


def test_it_only_reads_unless_told(visitor: TestClient, crawl_folder: Path) -> None:
    control = path_to(crawl_folder / "office") + "/control"
    for path in ("/start", f"{control}/pause", f"{control}/resume"):
        fields, origin = {"csrf": csrf_token(TOKEN)}, {"Origin": f"http://{HOST}"}
        response = visitor.post(path, data=fields, headers=origin)

        assert response.status_code == 403
        assert "only reads" in response.text
    assert "<button" not in visitor.get(control).text.partition("<main")[2]


def test_a_large_form_is_refused(stranger: TestClient) -> None:
    fields, origin = {"csrf": "x" * MOST_BODY}, {"Origin": f"http://{HOST}"}

    assert known(stranger).post("/start", data=fields, headers=origin).status_code == 413


def test_a_large_form_that_does_not_say_so_is_refused(stranger: TestClient) -> None:
    pieces = iter([b"x" * MOST_BODY, b"x"])
    origin = {"Origin": f"http://{HOST}"}

    assert known(stranger).post("/start", content=pieces, headers=origin).status_code == 413


def test_what_no_command_can_take_is_refused(stranger: TestClient) -> None:
    fields = {"csrf": csrf_token(TOKEN), "url": "http://s.example/\0", "folder": "new"}
    response = known(stranger).post("/start", data=fields, headers={"Origin": f"http://{HOST}"})

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
        known(client)
        find = first_find(crawl)
        answers = [client.get(find + end) for end in ("/file", "/preview", "/preview.csv")]

    assert [answer.status_code for answer in answers] == [404] * 3


@pytest.mark.parametrize("name", ["../app.py", "%2e%2e%2fapp.py", "vendor/htmx-4.0.0.min.js"])
def test_no_file_of_the_package_is_served_but_those_named(visitor: TestClient, name: str) -> None:
    assert visitor.get(f"/static/{name}").status_code == 404


def first_find(crawl: Path) -> str:
    """Return the path of the first find of a crawl."""
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db:
        (number,) = db.execute("SELECT min(number) FROM finds").fetchone()
    return f"{path_to(crawl)}/finds/{number}"
