"""Only who has read the terminal gets in, and only by requests of the workbench's own pages."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.core.errors import ConfigError
from lodehound.workbench.access import USER, Access
from lodehound.workbench.server import listening_on
from tests.workbench.conftest import ACCESS, HOST, ORIGIN, client_of, enter

NUMBERED = "127.0.0.1:8180"
PATHS = ["/", "/events", "/static/workbench.js", "/start", "/?token=guess", "/?token="]


@pytest.fixture
def stranger(crawl_folder: Path) -> Iterator[TestClient]:
    """A browser that has not seen the terminal."""
    with client_of(crawl_folder, control=True) as client:
        yield client


# --- where it is ------------------------------------------------------------------------------


def test_it_listens_on_this_machine_only_in_both_families() -> None:
    sockets = listening_on(None)
    places = [one.getsockname()[:2] for one in sockets]
    for one in sockets:
        one.close()

    port = places[0][1]
    assert places in ([("127.0.0.1", port), ("::1", port)], [("127.0.0.1", port)])


@pytest.mark.parametrize(("family", "address"), [(2, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_port_that_another_has_in_one_family_is_not_taken(family: int, address: str) -> None:
    """Browsers go to ::1 first: whoever listens there would get the link."""
    with closing(socket.socket(family)) as squatter:
        try:
            squatter.bind((address, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        squatter.listen()

        with pytest.raises(ConfigError, match="is not free"):
            listening_on(squatter.getsockname()[1])


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8180", "127.0.0.1", "127.0.0.1:8181", "[::1]:8180", "",
        "NAME", "NAME:8181", "a.NAME:8180", "NAME:8180.evil.example", "NAME.:8180",
        "lodehound-aaaaaaaaaaaaaaaa.localhost:8180",
    ],
)  # fmt: skip
def test_another_name_of_this_machine_is_refused(stranger: TestClient, host: str) -> None:
    host = host.replace("NAME", ACCESS.name)

    assert enter(stranger).get("/", headers={"Host": host}).status_code == 421


def test_the_usual_port_is_left_out_of_the_name() -> None:
    access = Access(80, print)

    assert access.is_named(access.name)
    assert access.is_numbered("127.0.0.1")


# --- the link ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_without_the_link_there_is_nothing(stranger: TestClient, path: str) -> None:
    response = stranger.get(path)

    assert (response.status_code, "needs the link" in response.text) == (403, True)
    assert stranger.head(path).status_code == 403


def test_the_link_becomes_a_cookie_and_leaves_the_address(stranger: TestClient) -> None:
    response = stranger.get(ACCESS.link.replace("/?", "/compare?second=%22&") + "&first=a")

    assert 'content="0;url=/compare?second=%22&amp;first=a"' in response.text
    name, *attributes = response.headers["set-cookie"].split("; ")
    assert name == f"lodehound={ACCESS.session}"
    assert sorted(attributes) == ["HttpOnly", "Path=/", "SameSite=strict"]  # host-only
    assert stranger.get("/").status_code == 200


def test_a_link_lets_one_browser_in_once(crawl_folder: Path) -> None:
    shown: list[str] = []
    access = Access(8180, shown.append)
    link = access.link
    with client_of(crawl_folder, access=access) as first:
        assert first.head(link).status_code == 403
        assert [first.get(link).status_code for _ in range(2)] == [200, 200]
        first.cookies.clear()
        assert first.get(link).status_code == 403
        assert shown == [access.link] != [link]
        assert first.get(shown[0]).status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example/", '/"><script>'])
def test_the_link_does_not_lead_to_another_site(stranger: TestClient, path: str) -> None:
    query = ACCESS.link.rpartition("?")[2]
    response = stranger.get(f"http://{HOST}{path}?{query}")

    place = response.text.partition("url=")[2].partition('"')[0]
    assert place in {"/evil.example/", "/%5Cevil.example/", "/%22%3E%3Cscript%3E"}


def test_secrets_are_of_one_start() -> None:
    one, other = Access(8180, print), Access(8180, print)
    names = ("name", "link", "password", "session", "form_token")

    assert len({getattr(access, name) for access in (one, other) for name in names}) == 10
    assert all(len(getattr(one, name)) >= 20 for name in names)


# --- the password -----------------------------------------------------------------------------


@pytest.mark.parametrize("host", [NUMBERED, "localhost:8180"])
def test_the_password_opens_the_number_without_a_cookie(stranger: TestClient, host: str) -> None:
    response = stranger.get(f"http://{host}/", auth=(USER, ACCESS.password))

    assert (response.status_code, response.headers.get("set-cookie")) == (200, None)


@pytest.mark.parametrize("path", PATHS)
def test_the_number_asks_for_the_password(stranger: TestClient, path: str) -> None:
    enter(stranger)  # its cookie is of no use there
    cookie = {"Cookie": f"lodehound={ACCESS.session}"}
    answers = [
        stranger.get(f"http://{NUMBERED}{path}"),
        stranger.get(f"http://{NUMBERED}{path}", headers=cookie),
        stranger.get(f"http://{NUMBERED}{path}", auth=(USER, "guess")),
        *(
            stranger.get(f"http://{NUMBERED}{path}", headers={"Authorization": given})
            for given in ("Basic", "Basic /w==", "Basic ====", f"Bearer {ACCESS.password}")
        ),
    ]

    assert [answer.status_code for answer in answers] == [401] * 7
    assert answers[0].headers["www-authenticate"].startswith('Basic realm="lodehound"')


def test_neither_password_nor_link_open_the_other_address(stranger: TestClient) -> None:
    query = ACCESS.link.rpartition("/")[2]

    assert stranger.get("/", auth=(USER, ACCESS.password)).status_code == 403
    assert stranger.get(f"http://{NUMBERED}/{query}").status_code == 401
    assert ACCESS.link.endswith(query)  # it was not used up


# --- other pages ------------------------------------------------------------------------------


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_of_other_pages_are_refused(stranger: TestClient, site: str) -> None:
    enter(stranger)
    marked, known = {"Sec-Fetch-Site": site}, (USER, ACCESS.password)
    answers = [
        stranger.get("/", headers=marked),
        stranger.head("/", headers=marked),
        stranger.post("/start", data={"csrf": ACCESS.form_token}, headers=ORIGIN | marked),
        stranger.get(f"http://{NUMBERED}/", headers=marked, auth=known),
        stranger.get(f"http://{NUMBERED}/", headers=marked),  # and no password is asked for
    ]

    assert [answer.status_code for answer in answers] == [403] * 5


@pytest.mark.parametrize("site", ["none", "same-origin"])
def test_requests_of_the_user_are_not(stranger: TestClient, site: str) -> None:
    assert enter(stranger).get("/", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://NAME:8180", "http://NAME:8181",
     "http://NAME:8180.evil.example", f"http://{NUMBERED}"],
)  # fmt: skip
def test_pages_of_other_origins_are_refused(stranger: TestClient, origin: str) -> None:
    fields, said = {"csrf": ACCESS.form_token}, {"Origin": origin.replace("NAME", ACCESS.name)}

    assert enter(stranger).post("/start", data=fields, headers=said).status_code == 403
    assert stranger.get("/", headers=said).status_code == 403


def test_an_action_without_an_origin_is_refused(stranger: TestClient) -> None:
    fields = {"csrf": ACCESS.form_token}

    assert enter(stranger).post("/start", data=fields).status_code == 403
