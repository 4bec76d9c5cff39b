"""Signs that a browser would show more of a page."""

from __future__ import annotations

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask
from lodehound.read.page import read_page
from lodehound.read.scripts import (
    EMPTY,
    FRAMEWORK,
    MORE,
    NOSCRIPT,
    ROOT,
    TABLE,
    script_redirect,
    script_signs,
)

URL = "https://e.org/"
SCRIPT = "<script src=/app.js></script>"
TEXT = "<p>" + "A page with words. " * 20
LINKS = "".join(f"<a href=/{i}>page {i}</a>" for i in range(20))


def signs(html: str) -> tuple[str, ...]:
    answer = Answer(Ask(1, URL), 200, "text/html", html.encode())
    return script_signs(read_page(answer, Link(URL)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f'<body><div id="root"></div>{SCRIPT}', (EMPTY, ROOT)),
        (f"<body><div id=app>Loading ...</div>{SCRIPT}", (EMPTY, ROOT)),
        (f"<body><app-root></app-root>{SCRIPT}", (EMPTY, ROOT)),
        (f"<noscript>Please enable JavaScript.</noscript>{SCRIPT}", (EMPTY, NOSCRIPT)),
        (f'<body>{LINKS}<div id="__next"></div>{SCRIPT}', (ROOT,)),
        (f"<body>{LINKS}<script>window.__VP_HASH_MAP__={{}}</script>", (FRAMEWORK,)),
        (f"{LINKS}<table><thead><tr><th>a</thead></table>{SCRIPT}", (TABLE,)),
        (f"{LINKS}<table><thead></thead><tbody> </tbody></table>{SCRIPT}", (TABLE,)),
        (f"{LINKS}<button class=more>Load more</button>{SCRIPT}", (MORE,)),
    ],
)
def test_a_page_that_a_script_fills_shows_it(html: str, expected: tuple[str, ...]) -> None:
    assert signs(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<body><div id=root></div>",  # nothing will fill it
        f"{TEXT}{SCRIPT}",
        f"{LINKS}{SCRIPT}",
        f"{LINKS}<noscript>Enable JavaScript for comments.</noscript>{SCRIPT}",
        f"{LINKS}<div id=app>{TEXT}</div>{SCRIPT}",
        f"{LINKS}<table><thead><tr><th>a</thead><tbody><tr><td>1</tbody></table>{SCRIPT}",
        f"{LINKS}<button>Search</button>{SCRIPT}",
    ],
)
def test_a_plain_page_shows_none(html: str) -> None:
    assert signs(html) == ()


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<script>location = 'a.html'</script>", "a.html"),
        ('<script>if (x) { window.location.href="/a?b=1"; }</script>', "/a?b=1"),
        ("<script>top.location.replace( 'a.html' );</script>", "a.html"),
        ("<script>if (location == 'a.html') show()</script>", ""),
        ("<script>location = 'a.html'; location = 'b.html'</script>", ""),  # which one?
        ("<script>location = 'a' + name</script>", ""),
        (f"{SCRIPT}<script>location = 'a.html'</script>", ""),  # an application
        (f"{LINKS}<script>location = 'a.html'</script>", ""),
    ],
)
def test_where_a_page_that_shows_nothing_sends_the_browser(html: str, place: str) -> None:
    answer = Answer(Ask(1, URL), 200, "text/html", html.encode())
    assert script_redirect(read_page(answer, Link(URL))) == place
