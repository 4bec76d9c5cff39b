"""What holds of a case of a suite."""

from __future__ import annotations

import base64
import gzip
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from lodehound.core.errors import SiteError
from lodehound.core.urls import canonical, resolve
from lodehound.inspect.files import inspect_source
from lodehound.inspect.limits import Options
from lodehound.inspect.source import Source
from lodehound.read.charsets import decode
from lodehound.read.links import read_links
from lodehound.read.markup import Statement, read_markup
from lodehound.read.rdf import read_rdf
from lodehound.read.robots import parse_robots, reading_of
from lodehound.read.sitemaps import read_sitemap
from lodehound.stores.records import Damage
from lodehound.stores.warc import read_warc

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
CHARSETS = {"utf-16-le-bom": "utf-16-le", "utf-16-be-bom": "utf-16-be"}
MARKS = {"utf-16-le-bom": b"\xff\xfe", "utf-16-be-bom": b"\xfe\xff"}
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


def messy(case: Case) -> bool:
    """The header and the number of rows are those that frictionless finds."""
    found = inspect_source(Source(base64.b64decode(case["body"]), "a.csv"), Options())
    header = [name for name in case["header"][: Options().limits.names] if name]
    named = [name for name in found.tables[0].header if name] if len(found.tables) == 1 else None
    return bool((found.rows, named) == (case["rows"], header))


def rdfa(case: Case) -> bool:
    """The question of a case is answered as it should be."""
    found = read_markup(case["html"].encode(), url=case["url"]).statements
    store = ox.Store()
    for statement in found:
        if statement.syntax == "rdfa" and (triple := _triple(statement)):
            store.add(ox.Quad(*triple))
    return bool(bool(store.query(case["question"])) == case["yes"])


def microdata(case: Case) -> bool:
    """The statements are those of the suite, but for types of texts and lists of items."""
    url = "https://s.example/page"
    found = read_markup(case["html"].encode(), url=url).statements
    made = [_triple(statement) for statement in found if statement.syntax == "microdata"]
    prefix = "@prefix s: <http://schema.org/> . "
    turtle = ox.parse(prefix + case["statements"], ox.RdfFormat.TURTLE, base_iri=url)
    return _canonical(ox.Quad(*triple) for triple in made if triple) == _canonical(turtle)


def _canonical(quads: Iterable[ox.Quad]) -> set[str]:
    data = ox.Dataset(quads)
    data.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, data))


def _triple(statement: Statement) -> Any:
    """Return a statement as RDF; None if it is none."""
    kinds = (statement.subject, statement.predicate)
    try:
        subject, predicate = map(_node, kinds)
        value = statement.value
        return (
            subject,
            predicate,
            ox.Literal(value) if statement.kind == "literal" else _node(value),
        )
    except ValueError:
        return None


def _node(name: str) -> ox.NamedNode | ox.BlankNode:
    return ox.BlankNode(re.sub(r"\W", "", name)) if name.startswith("_:") else ox.NamedNode(name)


def robots(case: Case) -> bool:
    if "status" in case:
        return bool((reading_of(case["status"]) == "allow") == case["open"])
    body = case["robots"].encode(CHARSETS.get(case.get("charset", ""), "utf-8"))
    found, agent = parse_robots(MARKS.get(case.get("charset", ""), b"") + body), case["agent"]
    if "delay" in case and found.crawl_delay(agent) != case["delay"]:
        return False
    if "sitemaps" in case and list(found.sitemaps) != case["sitemaps"]:
        return False
    allowed = all(found.allows(agent, url) for url in case.get("allowed", []))
    return allowed and not any(found.allows(agent, url) for url in case.get("refused", []))


def sitemaps(case: Case) -> bool:
    body = case["body"].encode()
    found = read_sitemap(
        gzip.compress(body) if case.get("packed") else body,
        url=case["url"],
        limit=case.get("limit", 50_000),
    )
    pages = [page.url for page in found.pages]
    if case.get("only_first"):
        pages = pages[: len(case["pages"])]
    if (pages, list(found.nested)) != (case["pages"], case.get("nested", [])):
        return False
    if "dates" in case and [page.lastmod for page in found.pages] != case["dates"]:
        return False
    return bool(found.note) or not case.get("damaged")


def warc(case: Case) -> bool:
    """All responses are read, and what is damaged is said."""
    records = [record.encode() for record in case["records"]]
    if case.get("packed") == "each":
        records = list(map(gzip.compress, records))
    body = b"".join(records)[case.get("skip", 0) :]
    damage = Damage()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.warc.gz")
        path.write_bytes(gzip.compress(body) if case.get("packed") == "whole" else body)
        try:
            found = [[one.url, one.status, one.body.decode()] for one in read_warc(path, damage)]
        except SiteError:
            return bool(case["responses"] == [] and case["damaged"])
    return bool(found == case["responses"] and case["damaged"] in {None, bool(damage.lost)})


CHECKS: dict[str, Callable[[Case], bool]] = {
    "urls": urls, "html": html, "charsets": charsets, "rdf": rdf, "rdfxml": rdfxml,
    "jsonld": jsonld, "microformats": microformats, "rdfa": rdfa, "microdata": microdata,
    "robots": robots, "sitemaps": sitemaps, "warc": warc, "csv": csv, "messy": messy,
}  # fmt: skip


def not_held(name: str, cases: dict[str, Case]) -> set[str]:
    """Return the names of the cases that do not hold."""
    return {key for key, case in cases.items() if not CHECKS[name](case)}
