"""What holds of a case of a suite, and which cases do not hold, with the reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lodehound.core.urls import canonical, resolve
from lodehound.inspect.files import inspect_source
from lodehound.inspect.limits import Options
from lodehound.inspect.source import Source
from lodehound.read.charsets import decode
from lodehound.read.links import read_links
from lodehound.read.markup import read_markup
from lodehound.read.rdf import read_rdf

ANCHOR = re.compile(r"<a(?=[\s/>])", re.IGNORECASE)
PROBE = b"\n\xb1\xe6\xb1\xe6"
ROOT = "https://s.example/"
MIMES = {
    "turtle": "text/turtle",
    "nt": "application/n-triples",
    "nquads": "application/n-quads",
    "trig": "application/trig",
}
# The suite has the new names of classic formats.
CLASSIC = {
    "vcard": "h-card", "adr": "h-adr", "geo": "h-geo", "vevent": "h-event", "hentry": "h-entry",
    "hfeed": "h-feed", "hnews": "h-news", "hproduct": "h-product", "hresume": "h-resume",
    "hreview": "h-review", "hreview-aggregate": "h-review-aggregate", "hrecipe": "h-recipe",
}  # fmt: skip
Case = dict[str, Any]


def urls(case: Case) -> bool:
    """A web address is what the standard says, without fragment, user name and password."""
    base, made = case.get("base") or "", case.get("href", "")
    found = (
        resolve(base, case.get("input", ""))
        if base and base != "about:blank"
        else canonical(case.get("input", ""))
    )
    if case.get("failure") or not made.startswith(("http:", "https:")):
        return found == ""
    expected = made[: -len(case["hash"])] if case.get("hash") else made.removesuffix("#")
    user, password = case.get("username", ""), case.get("password", "")
    if user or password:
        signed = f"{user}:{password}@" if password else f"{user}@"
        expected = expected.replace(signed, "", 1)
    return bool(found == expected)


def html(case: Case) -> bool:
    """The links are those of the tree that the standard builds, in its order.

    Most cases have elements without an address: then each of them gets one.
    """
    expected = [resolve(ROOT, href) for href in case["links"]]
    if _links(case["data"]) != [url for url in expected if url]:
        return False
    return bool(len(_links(ANCHOR.sub("<a href=x ", case["data"]))) == case["anchors"])


def _links(page: str) -> list[str]:
    found = read_links(page.encode("utf-8", "surrogatepass"), url=ROOT, charset="utf-8")
    return [link.url for link in found.links if link.kind == "a"]


def charsets(case: Case) -> bool:
    """Bytes that are no UTF-8 become the letters of the character set that the suite names."""
    label = str({"iso-8859-1": "cp1252"}.get(case["charset"], case["charset"]))
    body = case["data"].encode("utf-8", "surrogateescape") + PROBE
    return decode(body).endswith(PROBE.decode(label, "replace"))


def rdf(case: Case) -> bool:
    """Sound documents give all statements; what is wrong is reported."""
    mime = MIMES[case["syntax"]]
    return _rdf(read_rdf(case["body"].encode("latin-1"), url=ROOT, mime=mime), case)


def rdfxml(case: Case) -> bool:
    body = case["body"].encode("latin-1")
    return _rdf(read_rdf(body, url=ROOT, mime="application/rdf+xml"), case)


def _rdf(found: Any, case: Case) -> bool:
    if not case["good"]:
        return bool(found.error) or not found
    if found.error:
        return False
    return bool(case["count"] is None or found.triples == case["count"])


def jsonld(case: Case) -> bool:
    found = read_rdf(case["body"].encode(), url=ROOT, mime="application/ld+json")
    return bool(found.triples == case["count"])


def microformats(case: Case) -> bool:
    """The root classes of all items are found."""
    found = read_markup(case["data"].encode(), url=ROOT)
    names = {name.rpartition("/")[2] for name in found.types}
    return set(case["types"]) <= {CLASSIC.get(name, name) for name in names}


def csv(case: Case) -> bool:
    found = inspect_source(Source(case["body"].encode(), "a.csv"), Options())
    if found.error or len(found.tables) != 1:
        return False
    return (found.rows, list(found.tables[0].header)) == (case["rows"], case["header"])


CHECKS: dict[str, Callable[[Case], bool]] = {
    "urls": urls, "html": html, "charsets": charsets, "rdf": rdf, "rdfxml": rdfxml,
    "jsonld": jsonld, "microformats": microformats, "csv": csv,
}  # fmt: skip

PUNYCODE = "the host name has invalid Punycode; ada accepts it, the name service refuses it"
LENIENT = "IRIs are not validated: one that is bad would hide all statements of a document"
PRESCAN = "w3lib searches for the declaration instead of scanning tags as the standard does"
LATE = "the declaration comes late, from a script, or after a bogus one"
DRAFT = "h-org, h-rating and h-as-note are drafts that are not counted"
INNER = "h-item and h-news are counted with the review or entry that they are in"
NEWER = "it is read as JSON-LD 1.1, which changed this rule"
TWICE = "a statement that stands twice counts twice"
BLANK = "blank nodes as properties are counted; the suite leaves them out"
EMPTY = "oxigraph refuses empty XML literals"
# The cases that do not hold, with the reason.
NOT_HELD: dict[str, dict[str, str]] = {
    "urls": dict.fromkeys("276 277 278 279 280 281 779".split(), PUNYCODE)
    | {"369": "a text with lone surrogates cannot come from a page"},
    "html": {},
    "charsets": dict.fromkeys(
        """tests1-10 tests1-11 tests1-12 tests1-13 tests1-14 tests1-24 tests1-25 tests1-33
        tests1-34 tests1-35 tests2-4 tests2-8 tests2-11""".split(),
        PRESCAN,
    )
    | dict.fromkeys("tests1-51 tests1-52 tests1-53 tests1-54 tests1-59".split(), LATE),
    "rdf": {
        f"{syntax} {case}": LENIENT
        for syntax, cases in {
            "nquads": "nq-syntax-bad-uri-01 nt-syntax-bad-uri-01 nt-syntax-bad-uri-06 "
            "nt-syntax-bad-uri-07 nt-syntax-bad-uri-08 nt-syntax-bad-uri-09",
            "nt": "nt-syntax-bad-uri-01 nt-syntax-bad-uri-06 nt-syntax-bad-uri-07 "
            "nt-syntax-bad-uri-08 nt-syntax-bad-uri-09",
            "trig": "trig-eval-bad-01 trig-eval-bad-02 trig-eval-bad-03 trig-eval-bad-04 "
            "trig-syntax-bad-pname-03 trig-syntax-bad-uri-01",
            "turtle": "turtle-eval-bad-01 turtle-eval-bad-02 turtle-eval-bad-03 "
            "turtle-eval-bad-04 turtle-syntax-bad-pname-03 turtle-syntax-bad-uri-01",
        }.items()
        for case in cases.split()
    },
    "rdfxml": {
        "rdfms-difference-between-ID-and-about/error1.rdf": "an ID that stands twice does no harm",
        "rdfms-empty-property-elements/test003.rdf": EMPTY,
        "rdfms-empty-property-elements/test009.rdf": EMPTY,
        "rdfms-xml-literal-namespaces/test001.rdf": "a document of XHTML is read as a page",
    },
    "jsonld": dict.fromkeys("toRdf-0065 toRdf-0066 toRdf-0108 toRdf-0111".split(), NEWER)
    | dict.fromkeys("toRdf-0067 toRdf-0076 toRdf-0100 toRdf-0105".split(), TWICE)
    | dict.fromkeys("toRdf-0078 toRdf-0118".split(), BLANK),
    "microformats": dict.fromkeys(
        [
            "microformats-v1/hnews/all",
            "microformats-v1/hnews/minimum",
            "microformats-v1/hreview-aggregate/hcard",
            "microformats-v1/hreview-aggregate/justahyperlink",
            "microformats-v1/hreview-aggregate/vevent",
            "microformats-v1/hreview/item",
            "microformats-v1/hreview/vcard",
        ],
        INNER,
    )
    | dict.fromkeys(
        [
            "microformats-v2/h-as-note/note",
            "microformats-v2/h-card/horghcard",
            "microformats-v2/h-card/nested",
            "microformats-v2/h-org/hyperlink",
            "microformats-v2/h-org/simple",
            "microformats-v2/h-org/simpleproperties",
            "microformats-v2/h-product/aggregate",
        ],
        DRAFT,
    ),
    "csv": {},
}


def not_held(name: str, cases: dict[str, Case]) -> set[str]:
    """Return the names of the cases that do not hold."""
    return {key for key, case in cases.items() if not CHECKS[name](case)}
