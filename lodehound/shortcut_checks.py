"""What every shortcut must keep to, ours and yours.

``lodehound check module:Class --answer FILE`` runs these; so does a test of your own:

    from lodehound.shortcut_checks import check_lists_files, check_shortcut
    check_shortcut(MyShortcut)
    check_lists_files(MyShortcut, Fetched(url, "application/json", body))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lodehound.core.urls import canonical
from lodehound.shortcuts.contract import MAX_PROBES, Shortcut
from lodehound.shortcuts.documents import Fetched

ShortcutMaker = Callable[[], Shortcut]

URL = "https://e.org/data/"
JSON, XML, HTML = "application/json", "application/xml", "text/html"
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><x>&b;&b;&b;</x>'
HOSTILE = {
    "nothing": Fetched(URL),
    "a page that says it is JSON": Fetched(URL, JSON, b"<html><title>Sign in</title></html>"),
    "a page": Fetched(URL, HTML, b"<!doctype html><title>Welcome</title><p>Hello"),
    "no JSON": Fetched(URL, JSON, b'{"result": ['),
    "deep JSON": Fetched(URL, JSON, b"[" * 200_000),
    "a number": Fetched(URL, JSON, b"1"),
    "other JSON": Fetched(URL, JSON, b'{"result": 3, "success": "yes", "results": {"a": []}}'),
    "a list of everything": Fetched(URL, JSON, b'[null, 1, "a", [], {}, {"url": 3}]'),
    "an XML bomb": Fetched(URL, XML, BOMB),
    "other XML": Fetched(URL, XML, b"<note><to>you</to></note>"),
    "half of it": Fetched(URL, JSON, b'{"success": true, "result": {"results": []}}', cut=True),
    "octets": Fetched(URL, "", bytes(range(256)) * 4),
}


def check_shortcut(make: ShortcutMaker) -> None:
    """Raise AssertionError at the first broken promise."""
    for check in shortcut_checks():
        check(make)


def shortcut_checks() -> Iterator[Callable[[ShortcutMaker], None]]:
    yield check_knows_what_is_no_answer
    yield check_sees_no_signs_in_anything
    yield check_needs_two_probes_at_most
    yield check_marks_can_be_looked_for


def check_lists_files(make: ShortcutMaker, answer: Fetched) -> None:
    """A recorded answer of the API lists files."""
    listed = make().expand(answer)
    if listed is None:
        raise AssertionError(f"expand returned None for {answer.url}: it must know its own answers")
    if not listed.all_files:
        more = f"{len(listed.more)} further requests and {len(listed.pages)} pages"
        raise AssertionError(f"expand listed {more}, and no file: give an answer that lists files")
    if wrong := [file.url for file in listed.all_files if not canonical(file.url)]:
        raise AssertionError(f"{wrong[0]!r} is no absolute web URL: use Fetched.resolve")


def check_knows_what_is_no_answer(make: ShortcutMaker) -> None:
    for what, document in HOSTILE.items():
        if make().expand(document) is not None:
            raise AssertionError(f"expand returned something for {what}; it must return None")


def check_sees_no_signs_in_anything(make: ShortcutMaker) -> None:
    for what, document in HOSTILE.items():
        if roots := make().signs(document):
            raise AssertionError(f"signs returned {roots} for {what}; it must return ()")


def check_needs_two_probes_at_most(make: ShortcutMaker) -> None:
    probes = make().probes("https://e.org/portal/")
    if not 1 <= len(probes) <= MAX_PROBES:
        raise AssertionError(f"probes returned {len(probes)} URLs; it must return 1 or 2")
    if any(not url.startswith(("https://", "http://")) for url in probes):
        raise AssertionError(f"probes returned {probes}, which are not all absolute URLs")


def check_marks_can_be_looked_for(make: ShortcutMaker) -> None:
    for mark in make().marks:
        if not isinstance(mark, bytes) or not mark:
            raise AssertionError(f"marks has {mark!r}; each must be bytes, and not empty")
