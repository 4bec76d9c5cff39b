"""Which links belong to a crawl."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.scope import BLOCKED_EXTENSIONS, Scope, bare_host, repeats, site_of

SCOPE = Scope.around(["https://www.example.org/start"])


def refusal(url: str, scope: Scope = SCOPE) -> str:
    return scope.refusal(Link(url))


@pytest.mark.parametrize(
    ("host", "inside"),
    [
        ("example.org", True),
        ("www.example.org", True),
        ("data.example.org", True),
        ("a.b.example.org", True),
        ("www.data.example.org", True),
        ("example.org:8443", True),
        ("notexample.org", False),
        ("example.org.evil.com", False),
        ("org", False),
        ("wwwexample.org", False),
    ],
)
def test_a_site_is_its_host_and_everything_below(host: str, inside: bool) -> None:
    """Section 2.1: labels of the start host, www aside, end those of a host inside."""
    assert refusal(f"https://{host}/x") == ("" if inside else "other site")


def test_a_start_below_does_not_open_the_site_above() -> None:
    """Starting at data.example.org leaves example.org and www.example.org outside."""
    scope = Scope.around(["https://data.example.org/"])

    assert refusal("https://data.example.org/", scope) == ""
    assert refusal("https://x.data.example.org/", scope) == ""
    assert refusal("https://example.org/", scope) == "other site"
    assert refusal("https://www.example.org/", scope) == "other site"


def test_several_starts_open_several_sites() -> None:
    """Sites are those of all start URLs, each once, in any order."""
    scope = Scope.around(["https://www.b.org/x", "http://a.org:81/", "https://b.org/"])

    assert scope.sites == ("a.org", "b.org")
    assert [refusal(f"https://{host}/", scope) for host in ("a.org", "x.b.org")] == ["", ""]


def test_a_start_need_not_be_canonical() -> None:
    """A start URL in capitals opens the same site as in small letters."""
    assert Scope.around(["HTTPS://WWW.Example.ORG:443"]).sites == ("example.org",)
    assert site_of("https://user@Bücher.example") == "xn--bcher-kva.example"


def test_without_a_start_there_is_no_scope() -> None:
    """The site is that of the start URLs, so one is needed."""
    with pytest.raises(ConfigError, match="no start URL"):
        Scope.around([])


@pytest.mark.parametrize(
    ("start", "inside", "outside"),
    [
        ("http://192.0.2.7/", "http://192.0.2.7:8080/x", "http://192.0.2.77/"),
        ("http://[2001:db8::1]/", "http://[2001:db8::1]:8080/x", "http://[2001:db8::2]/"),
        ("http://localhost:8000/", "http://localhost:9000/x", "http://host/"),
    ],
)
def test_hosts_that_are_no_names(start: str, inside: str, outside: str) -> None:
    """IP addresses and local names are sites too; a port makes no other site."""
    scope = Scope.around([start])

    assert (refusal(inside, scope), refusal(outside, scope)) == ("", "other site")


@pytest.mark.parametrize(
    ("host", "bare"),
    [
        ("www.example.org", "example.org"),
        ("www.example.org:8080", "example.org"),
        ("example.org", "example.org"),
        ("www2.example.org", "www2.example.org"),
        ("[::1]", "[::1]"),
        ("[::1]:80", "[::1]"),
        ("", ""),
    ],
)
def test_bare_host(host: str, bare: str) -> None:
    """Port and a leading www are no part of a site's name."""
    assert bare_host(host) == bare


def test_a_recorded_site_has_hosts_and_ports() -> None:
    """Where hosts are given, a port of its own is a host of its own."""
    scope = Scope.around(
        ["https://e.org/"], hosts={"e.org", "b.e.org:81"}, without={"https://e.org/cut"}
    )

    assert refusal("https://e.org/x", scope) == ""
    assert refusal("https://b.e.org:81/x", scope) == ""
    assert refusal("https://b.e.org/x", scope) == "host not recorded"
    assert refusal("https://other.org/x", scope) == "other site"
    assert refusal("https://e.org/cut", scope) == "not recorded"
    assert refusal("https://e.org/cut?", scope) == ""


def test_an_empty_scope_takes_every_host() -> None:
    """Without sites and hosts only the block list and the trap guards are left."""
    assert refusal("https://any.where/x", Scope()) == ""
    assert refusal("https://e.org/" + "x" * 2034, Scope()) == ""
    assert refusal("https://e.org/" + "x" * 2035, Scope()) == "trap: too long"
    assert refusal("https://any.where/x.png", Scope()) == "blocked extension"


@pytest.mark.parametrize(
    ("path", "blocked"),
    [
        ("photo.jpg", True),
        ("PHOTO.JPG?size=2", True),
        ("photo%2Ejpg", True),
        ("movie.mp4", True),
        ("jpg", False),
        ("a.jpg/", False),
        ("page?image=x.jpg", False),
        ("table.csv", False),
    ],
)
def test_multimedia_is_blocked_by_its_name(path: str, blocked: bool) -> None:
    """Appendix B.3: the extension of the path decides, not that of the query."""
    assert refusal(f"https://example.org/{path}") == ("blocked extension" if blocked else "")
    assert (
        refusal(f"https://example.org/{path}", Scope.around(["https://example.org"], block=False))
        == ""
    )


def test_no_data_file_is_blocked_by_its_name() -> None:
    """The block list holds no extension of a target."""
    data = {
        ".csv",
        ".json",
        ".pdf",
        ".xls",
        ".xlsx",
        ".ods",
        ".zip",
        ".xml",
        ".txt",
        ".yaml",
        ".gz",
    }

    assert not BLOCKED_EXTENSIONS & data
    assert {".jpg", ".png", ".mp3", ".mp4", ".svg", ".3g2", ".xwd"} <= BLOCKED_EXTENSIONS


def test_multimedia_is_blocked_by_its_type() -> None:
    """Bodies of images, sound and video are not read, unless nothing is blocked."""
    assert [SCOPE.blocks(mime) for mime in ("image/png", "audio/x", "video/mp4")] == [True] * 3
    assert [SCOPE.blocks(mime) for mime in ("text/html", "application/image/x", "")] == [False] * 3
    assert not Scope.around(["https://e.org/"], block=False).blocks("image/png")


def test_long_urls_are_traps() -> None:
    """The released crawler's limit: 350 characters more than the start URL."""
    start = "https://e.org/start"
    limit = len(start) + 350
    fits = "https://e.org/" + "x" * (limit - 14)

    assert refusal(fits, Scope.around([start])) == ""
    assert refusal(fits + "x", Scope.around([start])) == "trap: too long"
    assert refusal(fits + "x", Scope.around([start, start + "longer"])) == ""
    assert refusal(fits + "x", Scope.around([start], traps=False)) == ""


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("", 1),
        ("a/b/c", 1),
        ("a/b/a/c/a", 3),
        ("a/%61/%2561/%252561", 4),
        ("a/a/%25252561", 2),
        ("2024/1/1/1", 0),
        ("a//b//c//", 1),
        ("?k=1&k=2&k=3", 3),
        ("?x=longvalue&y=longvalue&z=longvalue", 3),
        ("?x=short&y=short&z=short", 1),
        ("a?b=1&c=a&d=a", 1),
        ("%zz/%zz", 2),
    ],
)
def test_repeated_parts(path: str, count: int) -> None:
    """Segments, keys and long values count apart; numbers and short values do not count."""
    assert repeats("https://e.org/" + path) == count


def test_three_repeats_are_a_trap() -> None:
    """Twice is honest, three times is a calendar or a relative link gone wrong."""
    lax = Scope.around(["https://e.org/"], traps=False)

    assert refusal("https://example.org/a/b/a/") == ""
    assert refusal("https://example.org/a/b/a/b/a/") == "trap: repeated parts"
    assert refusal("https://e.org/a/b/a/b/a/", lax) == ""


@given(st.text(alphabet="ab/?&=%25.", max_size=40))
def test_any_url_gets_an_answer(path: str) -> None:
    """Whatever stands behind the host, the scope has an answer, and it is a known one."""
    known = {"", "blocked extension", "trap: repeated parts"}

    assert refusal("https://example.org/" + path) in known
    assert repeats("https://example.org/" + path) >= 0


# --- what the user says ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("https://e.org/data/x", True),
        ("https://e.org/data", False),
        ("*", True),
        ("*/data/*", True),
        ("*data", False),
        ("https://e.org/*x", True),
        ("*.csv", False),
        ("*?*", False),
        ("*/dat./*", False),
        ("*a*a*x", True),
        ("*a*a*a*x", False),
        ("**x", True),
        ("*x*", True),
        ("", False),
    ],
)
def test_patterns(pattern: str, fits: bool) -> None:
    """A star is any text, everything else itself, and the whole address must fit."""
    address = "https://e.org/data/x"

    assert refusal(address, Scope(include=("no", pattern))) == ("" if fits else "not included")
    assert refusal(address, Scope(exclude=("no", pattern))) == ("excluded" if fits else "")


@given(st.text("ab*", max_size=8), st.text("ab", max_size=12))
def test_patterns_are_those_of_file_names(pattern: str, text: str) -> None:
    """As fnmatch reads them, where there are stars only."""
    expected = "excluded" if fnmatchcase(text, pattern) else ""

    assert Scope(exclude=(pattern,))._unwanted(Link(text)) == expected


def test_no_pattern_takes_long() -> None:
    """Twenty stars and two thousand signs that nearly fit: to try all ways would never end."""
    scope = Scope(exclude=("*" + "a*" * 20 + "b",), max_length=9999)

    assert refusal("https://e.org/" + "a" * 2000, scope) == ""


def test_a_question_mark_is_itself() -> None:
    """It begins the query of most addresses, so it cannot stand for any sign."""
    scope = Scope(exclude=("*?print=*",))

    assert refusal("https://e.org/a?print=1", scope) == "excluded"
    assert refusal("https://e.org/a/print=1", scope) == ""


@pytest.mark.parametrize(
    ("path", "inside"), [("data/x", True), ("data/", True), ("data", False), ("x?y=/data/", False)]
)
def test_under_a_path(path: str, inside: bool) -> None:
    """The path begins like this; the query does not count."""
    scope = Scope(under="/data/")

    assert refusal(f"https://e.org/{path}", scope) == ("" if inside else "not under the path")


@pytest.mark.parametrize(("depth", "inside"), [(0, True), (2, True), (3, False)])
def test_no_deeper_than(depth: int, inside: bool) -> None:
    """As deep as that is still inside."""
    scope = Scope(max_depth=2)

    assert scope.refusal(Link("https://e.org/", depth=depth)) == ("" if inside else "too deep")


def test_the_hosts_of_a_divided_crawl_are_shared_out() -> None:
    """Each host belongs to one part; undivided, to the only one."""
    hosts = [f"h{number}.example" for number in range(40)]
    first, second = (Scope(part=(number, 2)) for number in (0, 1))
    assert {first.is_mine(host) + second.is_mine(host) for host in hosts} == {1}
    assert 5 < sum(map(first.is_mine, hosts)) < 35
    assert all(map(Scope().is_mine, hosts))
    assert {first.outside(host) for host in hosts} == {"", "other part"}
