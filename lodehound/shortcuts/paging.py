"""The next page of an API, by offset, page number or token, within limits."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from lodehound.shortcuts.contract import ApiPage

MAX_OFFSET = 10_000_000  # entries of one API; larger offsets are a server's mistake or a trap


def query_of(url: str) -> dict[str, str]:
    """Return the parameters of a URL; of a repeated one, the last."""
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True, max_num_fields=None))


def with_query(url: str, **changes: object) -> str:
    """Return a URL with some parameters changed; None removes one.

    >>> with_query("https://e.org/api?rows=10&start=0", start=10)
    'https://e.org/api?rows=10&start=10'
    """
    parts = urlsplit(url)
    query = query_of(url) | {name: str(value) for name, value in changes.items()}
    kept = {name: value for name, value in query.items() if changes.get(name, value) is not None}
    return urlunsplit(parts._replace(query=urlencode(kept)))


def next_page(
    url: str, *, offset: str, got: int, total: int | None, first: int = 0, step: int = 0
) -> tuple[ApiPage, ...]:
    """Return the page of an API after this one; () after the last.

    The server says how many entries there are, and may be wrong: a page without entries is the
    last one, whatever it says. If the total grows meanwhile, so does the number of pages.

    Args:
        url: Of this page.
        offset: The parameter that counts entries, or pages if ``step`` is given.
        got: Entries on this page.
        total: Entries that the server claims; None if it does not say.
        first: The offset of the first page.
        step: If the parameter counts pages: entries per page.

    >>> next_page("https://e.org/api?rows=2", offset="start", got=2, total=5)
    (ApiPage(url='https://e.org/api?rows=2&start=2', promise=2, deeper=False),)
    >>> next_page("https://e.org/api?page=3", offset="page", got=2, total=5, first=1, step=2)
    ()
    """
    at = _whole(query_of(url).get(offset, ""), first)
    seen = (at - first + 1) * step if step else at - first + got
    left = got if total is None else total - seen
    if got == 0 or left <= 0 or seen > MAX_OFFSET or (step and total is None and got < step):
        return ()
    following = at + 1 if step else at + got
    return (ApiPage(with_query(url, **{offset: following}), min(left, got)),)


def _whole(value: str, default: int) -> int:
    return int(value) if value.isdecimal() and len(value) < 12 else default
