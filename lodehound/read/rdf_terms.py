"""Terms of RDF in the syntax of N-Quads and Turtle, as strict readers accept them."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Characters of an IRI beyond ASCII (RFC 3987, 2.2); private ones only in a query.
FAR = "".join(
    f"{chr(plane + 0)}-{chr(plane + 0xFFFD)}" for plane in range(0x10000, 0xE0000, 0x10000)
)
FAR += "\U000e1000-\U000efffd"
LETTERS = f"A-Za-z0-9._~\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{FAR}-"
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
SUB = "!$&'()*+,;="
# Spaces beyond ASCII are letters by the RFC, and readers such as rdflib refuse them.
OTHER_THAN = {
    part: re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^%{SUB}{more}{LETTERS}]|\s")
    for part, more in {
        "host": "",
        "user": ":",
        "path": ":@/",
        "query": f":@/?{PRIVATE}",
        "fragment": ":@/?",
    }.items()
}
PARTS = re.compile(r"(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?\Z", re.DOTALL)
AUTHORITY = re.compile(r"(?:([^@\[\]]*)@)?(\[[^\[\]]*\]|[^@:\[\]]*)(:\d*)?\Z")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
ESCAPED = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]')
# A language tag that is well-formed (RFC 5646, 2.1).
LANGUAGE = re.compile(
    r"(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+)\Z",
    re.IGNORECASE | re.ASCII,
)
LABEL = re.compile(r"[^A-Za-z0-9]")


@lru_cache(maxsize=10_000)
def valid_iri(text: str) -> str:
    """Return an absolute IRI, its invalid characters percent-encoded; "" if it is none.

    >>> valid_iri("http://e.org/a b|100%.csv?x=[1]"), valid_iri("http://e.org/core##Parada")
    ('http://e.org/a%20b%7C100%25.csv?x=%5B1%5D', 'http://e.org/core#%23Parada')
    >>> valid_iri("a/b"), valid_iri("http://[1]/")
    ('', '')
    """
    scheme = SCHEME.match(text)
    parts = PARTS.match(text, scheme.end()) if scheme is not None else None
    if scheme is None or parts is None:
        return ""
    authority, path, query, fragment = parts.groups()
    made = scheme[0]
    if authority is not None:
        if (place := _authority(authority)) is None:
            return ""
        made += f"//{place}"
    made += _encoded("path", path)
    made += "" if query is None else f"?{_encoded('query', query)}"
    return made + ("" if fragment is None else f"#{_encoded('fragment', fragment)}")


def _authority(text: str) -> str | None:
    parts = AUTHORITY.match(text)
    if parts is None:
        return None
    user, host, port = parts.groups()
    if host.startswith("["):
        try:
            if "%" in host or not IPv6Address(host[1:-1]):
                return None
        except AddressValueError:
            return None
    else:
        host = _encoded("host", host)
    before = "" if user is None else f"{_encoded('user', user)}@"
    return f"{before}{host}{port or ''}"


def _encoded(part: str, text: str) -> str:
    return OTHER_THAN[part].sub(_percent, text)


def _percent(sign: re.Match[str]) -> str:
    return "".join(f"%{octet:02X}" for octet in sign[0].encode("utf-8", "replace"))


def iri_term(text: str) -> str:
    """Return an IRI in angle brackets; "" if it is none."""
    return f"<{iri}>" if (iri := valid_iri(text)) else ""


def literal_term(text: str, language: str = "", datatype: str = "") -> str:
    """Return a literal; a language tag that is not well-formed, or a type, is left out."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    quoted = f'"{ESCAPED.sub(_escape, clean)}"'
    if language:
        return f"{quoted}@{language}" if LANGUAGE.match(language) else quoted
    kind = iri_term(datatype) if datatype else ""
    return f"{quoted}^^{kind}" if kind else quoted


def _escape(sign: re.Match[str]) -> str:
    return ESCAPES.get(sign[0]) or f"\\u{ord(sign[0]):04X}"


def blank_term(label: str, own: str) -> str:
    """Return a blank node whose label no other document uses.

    Args:
        label: Its label in its document.
        own: Letters and digits that only this document has.
    """
    return f"_:{own}x{LABEL.sub(lambda sign: f'z{ord(sign[0]):x}', label)}"
