"""URLs are what the WHATWG standard says, without fragment, user name and password."""

from __future__ import annotations

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.urls import MAX_URL, canonical, extension_of, host_of, path_of, resolve

# From the web platform's urltestdata.json, restated.
CANONICAL = {
    "http://example.com": "http://example.com/",
    "HTTP://EXAMPLE.com/": "http://example.com/",
    "http://example.com/ABC": "http://example.com/ABC",
    "http://example.com:80/": "http://example.com/",
    "https://example.com:443/": "https://example.com/",
    "https://example.com:80/": "https://example.com:80/",
    "http://example.com:8080/": "http://example.com:8080/",
    "http://example.com:/": "http://example.com/",
    "http://example.com:00080/": "http://example.com/",
    "http://user:secret@example.com/x": "http://example.com/x",
    "http://user@example.com/@x": "http://example.com/@x",
    "http://example.com/a#b?c": "http://example.com/a",
    "http://example.com/a?b#c": "http://example.com/a?b",
    "http://example.com/?#": "http://example.com/?",
    "http://example.com/a/./b/../c": "http://example.com/a/c",
    "http://example.com/../../a": "http://example.com/a",
    "http://example.com/a/%2e%2E/b": "http://example.com/b",
    "http://example.com/a//b": "http://example.com/a//b",
    "http://example.com\\a\\b": "http://example.com/a/b",
    "  http://example.com/a b  ": "http://example.com/a%20b",
    "http://exa\tmple.com/a\nb": "http://example.com/ab",
    "http://example.com/%7ea%2fb": "http://example.com/%7ea%2fb",
    "http://example.com/é?ü": "http://example.com/%C3%A9?%C3%BC",
    'http://example.com/"<>`{}': "http://example.com/%22%3C%3E%60%7B%7D",
    "http://example.com/100%": "http://example.com/100%",
    "http://BÜCHER.example/": "http://xn--bcher-kva.example/",
    "http://日本語.jp/": "http://xn--wgv71a119e.jp/",
    "http://xn--bcher-kva.example/": "http://xn--bcher-kva.example/",
    "http://GO.com/": "http://go.com/",
    "http://192.0x00A80001/": "http://192.168.0.1/",
    "http://[2001:DB8:0:0::1]/": "http://[2001:db8::1]/",
    "http:/example.com/": "http://example.com/",
    "https:example.com": "https://example.com/",
}

NO_ADDRESS = [
    "", " ", "example.com", "/a", "//example.com/", "mailto:a@example.com", "javascript:void(0)",
    "data:text/html,x", "ftp://example.com/", "file:///etc/passwd", "tel:+1", "http://", "http:///",
    "http://exa mple.com/", "http://[::1/", "http://a:99999/", "http://a:b/", "http://%zz/",
    "http://1.2.3.4.5/", "blob:https://e.org/x", "http://\ud800/",
]  # fmt: skip

BASES = [
    "https://e.org/",
    "https://e.org/a/b/c.html?q=/x/y",
    "http://u@e.org:81/d/?",
    "https://e.org/a//",
]
ODD = [
    "", "?x", "#y", "?", "#", "//host/p", "\\\\x\\y", "\\x", "  a", " ?x", "\t#y", "\x00?x", "\x01",
    "data:,x", "http:foo", "https:foo", "https:", "HTTPS:?x", "ht\ttps:?x", "https:#y", "http:?x",
    "..//..", "%2e%2e/", "./", "..", "/", "/.", "a:b", "h", "h?x:y", "http", "https:/x",
    "https:\\x", "\xa0?x", "//", "///x", "a?b#c", "a#b?c", "\n", "x\ty", "../../../../z", ";p",
    "&", "é", "https://", "https://o.org", "HTTP://O.org/%7e?%7E#f", "javascript:x", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize(("written", "expected"), CANONICAL.items())
def test_canonical_form(written: str, expected: str) -> None:
    """One address has one form, whoever writes it."""
    assert canonical(written) == expected


@pytest.mark.parametrize("written", NO_ADDRESS)
def test_what_is_no_web_address(written: str) -> None:
    """Only http and https with a valid host are addresses."""
    assert canonical(written) == ""


def joined(base: str, reference: str) -> str:
    """What the URL library itself says, fragment and user taken away by it."""
    try:
        whole = ada_url.URL(reference, base)
    except ValueError:
        return ""
    if whole.protocol not in {"http:", "https:"}:
        return ""
    whole.hash = whole.username = whole.password = ""
    return whole.href if len(whole.href) <= MAX_URL else ""


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("reference", ODD)
def test_resolving_odd_references(base: str, reference: str) -> None:
    """Resolving by directory gives what resolving by the whole address gives."""
    base = canonical(base)

    assert resolve(base, reference) == joined(base, reference)


PIECES = st.sampled_from(
    [*"?#/\\.:@%&=; \t\n\x00\x1f", "..", "%2e", "http", "https:", "HTTP:", "a", "é", "//h"]
)
REFERENCES = st.lists(PIECES, max_size=6).map("".join) | st.text(max_size=12)
PATHS = st.lists(st.sampled_from([*"ab/?=&;.", "..", "%20"]), max_size=8).map("".join)


@settings(max_examples=300)
@given(PATHS, REFERENCES)
def test_resolving_any_reference(path: str, reference: str) -> None:
    """No reference on no page is resolved otherwise than by the whole address."""
    base = canonical("https://e.org/" + path)

    assert resolve(base, reference) == joined(base, reference)


@given(st.text() | REFERENCES.map("http://e.org/".__add__) | REFERENCES.map("http:".__add__))
def test_canonical_is_idempotent(written: str) -> None:
    """The canonical form of a canonical form is itself; nothing raises."""
    once = canonical(written)

    assert canonical(once) == once
    assert "#" not in once
    assert once == "" or host_of(once)


def test_addresses_have_a_longest_length() -> None:
    """Neither a long reference nor one that grows by encoding fills the memory."""
    fits = "https://e.org/" + "a" * (MAX_URL - 14)

    assert canonical(fits) == fits
    assert canonical(fits + "a") == ""
    assert resolve("https://e.org/", "é" * (MAX_URL // 4)) == ""


@pytest.mark.parametrize(
    ("address", "host", "path", "extension"),
    [
        ("https://e.org/", "e.org", "/", ""),
        ("https://e.org:81/a.b/c?d.e", "e.org:81", "/a.b/c", ""),
        ("http://[::1]:8080/x.CSV", "[::1]:8080", "/x.CSV", ".csv"),
        ("https://e.org/a%2Ecsv", "e.org", "/a%2Ecsv", ".csv"),
        ("https://e.org/x.tar.gz?y=/z.pdf", "e.org", "/x.tar.gz", ".gz"),
        ("https://e.org/.htaccess", "e.org", "/.htaccess", ""),
        ("https://e.org/dot.", "e.org", "/dot.", ""),
        ("", "", "/", ""),
    ],
)
def test_parts_of_an_address(address: str, host: str, path: str, extension: str) -> None:
    """Host, path and extension of a canonical address."""
    assert (host_of(address), path_of(address), extension_of(address)) == (host, path, extension)
