"""What else is read of a page: its title, where it has moved, what it asks not to follow."""

from __future__ import annotations

import pytest

from lodehound.read.links import read_links

PAGE = "https://e.org/dir/page"


@pytest.mark.parametrize(
    ("content", "moved"),
    [
        ("0; url=x", "https://e.org/dir/x"),
        ("0;URL='x'y", "https://e.org/dir/x"),
        ("0; url=https://o.org/?a=b", "https://o.org/?a=b"),
        ("0; https://o.org/?a=b", "https://o.org/?a=b"),
        ("0,/x", "https://e.org/x"),
        (" 5   x ", "https://e.org/dir/x"),
        ("010.9 ; Url = x", "https://e.org/dir/x"),
        ("11; url=x", ""),
        ("0; url=page", ""),
        ("0; url=mailto:x", ""),
        ("0; url=", ""),
        ("0", ""),
        ("", ""),
        ("; url=x", ""),
        ("x; url=y", ""),
        ("0x", ""),
        ("9" * 8000 + "; x", ""),
    ],
)
def test_where_a_page_has_moved(content: str, moved: str) -> None:
    """HTML standard 4.2.5.3, if within ten seconds and not to itself."""
    assert (
        read_links(f'<meta http-equiv=Refresh content="{content}">'.encode(), url=PAGE).moved
        == moved
    )


def test_a_page_that_reloads_later_shows_a_link() -> None:
    """After more than ten seconds it is no redirect; a link that the page shows comes first."""
    refresh = b"<meta http-equiv=refresh content='30; url=next.html'>"

    later = read_links(refresh, url=PAGE)
    shown = read_links(refresh + b"<a href=next.html>Next</a>", url=PAGE)

    assert later.moved == ""
    assert [(link.url, link.kind, link.tag_path) for link in later.links] == [
        ("https://e.org/dir/next.html", "refresh", "html/head/meta[refresh]")
    ]
    assert [link.kind for link in shown.links] == ["a"]
    assert read_links(b"<meta http-equiv=refresh content='0; url=x'>", url=PAGE).links == ()


def test_the_first_refresh_that_leads_elsewhere() -> None:
    """References are relative to the base; other declarations are passed over."""
    body = b"<base href=/b/><meta http-equiv=pragma content='0;url=no'>"
    body += b"<meta http-equiv=refresh content=30>"

    assert (
        read_links(body + b"<meta http-equiv=refresh content='0;url=x'>", url=PAGE).moved
        == "https://e.org/b/x"
    )
    assert read_links(body, url=PAGE).moved == ""


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        ("", ["1", "3"]),
        ("<meta name=robots content='index, NOFOLLOW'>", []),
        ("<meta name=Robots content=none>", []),
        ("<meta name=robots content=noindex>", ["1", "3"]),
        ("<meta name=keywords content=nofollow>", ["1", "3"]),
    ],
)
def test_links_a_page_asks_not_to_follow(head: str, kept: list[str]) -> None:
    """By a link's own rel or for the whole page; both count only where they are asked for."""
    links = "<a href=1>x</a><a href=2 rel='external NoFollow'>y</a><a href=3 rel=external>z</a>"
    body = (head + links).encode()

    polite, all_links = (
        read_links(body, url=PAGE, nofollow=choice).links for choice in (True, False)
    )

    assert [link.url[-1] for link in polite] == kept
    assert [link.url[-1] for link in all_links] == ["1", "2", "3"]


def test_a_page_that_asks_not_to_be_followed_has_no_links_at_all() -> None:
    """Neither in its head nor in its headers nor in its scripts."""
    body = b"""<meta name=robots content=nofollow><link rel=item href=/1.csv>
        <script>"/2.csv"</script><meta http-equiv=refresh content='30; url=/3.csv'>"""
    headers = {"link": '</4.csv>; rel="item"'}

    polite, all_links = (
        read_links(body, url=PAGE, headers=headers, nofollow=choice).links
        for choice in (True, False)
    )

    assert polite == ()
    assert [link.url[-5] for link in all_links] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("body", "title", "needs_script"),
    [
        (b"<title> A\n page </title><script></script><a href=x>", "A page", False),
        (b"<script src=app.js></script>", "", True),
        (b"<p>nothing", "", False),
        (b"<title></title>", "", False),
    ],
)
def test_title_and_script(body: bytes, title: str, needs_script: bool) -> None:
    """A page without links but with a script may show more to a browser."""
    page = read_links(body, url=PAGE)

    assert (page.title, page.needs_script) == (title, needs_script)


@pytest.mark.parametrize(
    "limit", ["links.MAX_LINKS", "html_tree.MOST_ELEMENTS", "html_tree.MOST_CHARACTERS"]
)
def test_a_page_whose_last_links_are_not_read_is_cut(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"<a href=/1>" * 20
    assert not read_links(body, url=PAGE).cut
    monkeypatch.setattr("lodehound.read.html_tree.MOST_ELEMENTS", 20)
    monkeypatch.setattr(f"lodehound.read.{limit}", 5)
    assert read_links(body, url=PAGE).cut


def test_a_long_list_to_choose_from_hides_no_link() -> None:
    """Options are guesses: however many there are, links come first."""
    options = "".join(f"<option value=/{number}>" for number in range(30_000))
    found = read_links(
        f"<a href=/before.csv>x</a><select>{options}</select><a href=/after.csv>x</a>".encode(),
        url="https://e.org/",
    )
    assert [link.url for link in found.links] == [
        "https://e.org/before.csv",
        "https://e.org/after.csv",
    ]
    assert not found.cut
