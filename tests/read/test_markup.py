"""Statements of every syntax, each counted by hand; hostile markup is bounded."""

from __future__ import annotations

import json

import pytest

from lodehound.read.markup import Markup, read_markup
from lodehound.read.markup.jsonld import load_jsonld
from lodehound.read.markup.page_statements import MAX_COUNTED, MAX_KEPT, RDF_TYPE
from lodehound.read.markup.quad_lines import DATE_TIME, PROV, nquads

URL = "https://a.example/page"
SCHEMA = "http://schema.org/"


def markup(html: str) -> Markup:
    return read_markup(html.encode("utf-8", "surrogatepass"), url=URL, charset="utf-8")


def script(data: object) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f"<script type='application/ld+json'>{text}</script>"


def triples(html: str) -> list[tuple[str, str, str]]:
    return [(s.subject, s.predicate, s.value) for s in markup(html).statements]


# --- JSON-LD -----------------------------------------------------------------------------------


def test_jsonld() -> None:
    """A type, two properties, one of them a node with a type and a name: 5 statements."""
    html = script(
        {
            "@context": "https://schema.org",
            "@type": "Dataset",
            "@id": "https://a.example/#d",
            "name": "Rain",
            "creator": {"@type": "Person", "name": "Ada"},
        }
    )
    found = markup(html)
    assert found.counts == {"jsonld": 5}
    assert found.types == (SCHEMA + "Dataset", SCHEMA + "Person")
    assert triples(html) == [
        ("https://a.example/#d", RDF_TYPE, SCHEMA + "Dataset"),
        ("https://a.example/#d", SCHEMA + "name", "Rain"),
        ("_:b1", RDF_TYPE, SCHEMA + "Person"),
        ("_:b1", SCHEMA + "name", "Ada"),
        ("https://a.example/#d", SCHEMA + "creator", "_:b1"),
    ]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ({"@graph": [{"@type": "A"}, {"@type": ["B", "C"]}]}, 3),
        ([{"a": [1, 2, {"@value": "x"}]}, {"b": {"@list": [1, 2]}}], 5),
        ('<!-- {"@type": "A", "a": 1,} -->', 2),
        ('{"@type": "A", /* why */ "url": "http://x.example//y" // so\n}', 2),
        ('{"@type": "A"', 0),
        ("[1, 2, null, true]", 0),
        ('{"@type": {"@id": 3}, "@context": 7, "@id": 4, "a": null}', 0),
        ("[" * 100_000, 0),
        ('{"a":' * 3_000 + "1" + "}" * 3_000, 0),
    ],
)
def test_jsonld_of_all_kinds(data: object, count: int) -> None:
    """Graphs, lists and comments are read; what is no JSON or no node says nothing."""
    assert markup(script(data)).counts.get("jsonld", 0) >= count
    assert bool(markup(script(data)).counts.get("jsonld")) == bool(count) or count == 0


def test_a_broken_script_does_not_hide_the_others() -> None:
    assert markup(script("{") + script({"@type": "A"})).counts == {"jsonld": 1}


def test_terms_of_the_context() -> None:
    context = {"@vocab": "http://v.example/", "dct": "http://purl.org/dc/terms/", "t": "dct:title"}
    html = script(
        {"@context": context, "@id": "http://x.example/", "t": "T", "dct:date": 1, "z": 2}
    )
    assert [predicate for _, predicate, _ in triples(html)] == [
        "http://purl.org/dc/terms/title",
        "http://purl.org/dc/terms/date",
        "http://v.example/z",
    ]


# --- microdata ---------------------------------------------------------------------------------


def test_microdata() -> None:
    """Two items, one the value of the other's property: 2 types and 4 properties."""
    html = """
        <div itemscope itemtype="http://schema.org/Event"><p itemprop="name">Fair</p>
        <a itemprop="url sameAs" href="/fair">x</a>
        <div itemprop="location" itemscope itemtype="http://schema.org/Place">
        <meta itemprop="name" content="Town"></div></div>"""
    assert markup(html).counts == {"microdata": 7}
    assert sorted(triples(html)[2:]) == [
        ("_:b1", SCHEMA + "location", "_:b2"),
        ("_:b1", SCHEMA + "name", "Fair"),
        ("_:b1", SCHEMA + "sameAs", "https://a.example/fair"),
        ("_:b1", SCHEMA + "url", "https://a.example/fair"),
        ("_:b2", SCHEMA + "name", "Town"),
    ]


def test_itemref_and_cycles() -> None:
    """Properties elsewhere belong to who refers to them; items that hold each other are no trap."""
    html = """
        <div itemscope itemref="b" id="a"><i itemprop="own">1</i></div>
        <div itemscope itemref="a c" id="b" itemprop="other"></div>
        <p id="c"><i itemprop="far">2</i></p><i itemprop="nobodys">3</i>"""
    found = sorted((s, p.rpartition("#")[2], v) for s, p, v in triples(html))
    assert found == [("_:b1", "other", "_:b2"), ("_:b1", "own", "1"), ("_:b2", "far", "2")]


# --- RDFa --------------------------------------------------------------------------------------


def test_rdfa() -> None:
    """A typed thing, a text, a link, a thing inside a thing."""
    html = """
        <div vocab="http://schema.org/" typeof="Person" about="#me"><b property="name">Ada</b>
        <a property="url" href="/ada">home</a>
        <div property="worksFor" typeof="Organization"><i property="name">Mill</i></div></div>"""
    me = "https://a.example/page#me"
    assert markup(html).counts == {"rdfa": 6}
    assert triples(html) == [
        (me, RDF_TYPE, SCHEMA + "Person"),
        (me, SCHEMA + "name", "Ada"),
        (me, SCHEMA + "url", "https://a.example/ada"),
        ("_:b1", RDF_TYPE, SCHEMA + "Organization"),
        (me, SCHEMA + "worksFor", "_:b1"),
        ("_:b1", SCHEMA + "name", "Mill"),
    ]


def test_rdfa_rel_waits_for_its_object() -> None:
    """A rel without an address is about what stands inside; prefixes may be declared."""
    html = """
        <div xmlns:ex="http://ex.example/" about="http://a.example/a" rel="ex:knows foaf:made">
        <p about="http://b.example/b"><b property="ex:name" content="B">x</b></p></div>"""
    assert sorted(triples(html)) == [
        ("http://a.example/a", "http://ex.example/knows", "http://b.example/b"),
        ("http://a.example/a", "http://xmlns.com/foaf/0.1/made", "http://b.example/b"),
        ("http://b.example/b", "http://ex.example/name", "B"),
    ]


def test_rdfa_rel_is_completed_by_addresses_and_properties_inside() -> None:
    html = """
        <div prefix="ex: http://ex.example/"><p about="#a" rel="ex:img"><img src="/i.png"></p>
        <p about="#b" rel="ex:size"><i property="ex:unit">m</i><i property="ex:value">2</i></p>"""
    page, ex = "https://a.example/page", "http://ex.example/"
    assert sorted(triples(html)) == [
        ("_:b2", ex + "unit", "m"),
        ("_:b2", ex + "value", "2"),
        (page + "#a", ex + "img", "https://a.example/i.png"),
        (page + "#b", ex + "size", "_:b2"),
    ]


def test_an_item_without_a_type_has_the_vocabulary_around_it() -> None:
    html = """<div itemscope itemtype="http://schema.org/Event"><p itemprop="place" itemscope>
        <i itemprop="name">Town</i></p></div>"""
    assert ("_:b2", SCHEMA + "name", "Town") in triples(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div role=main about=''><a rel='nofollow next' href=x>x</a></div>",
        "<link rel='https://api.w.org/' href='/wp-json/'><p typeof>",
        "<meta property='og:title' content=x><meta property='twitter:card' content=y>",
        "<p property='title'>no vocabulary</p>",
    ],
)
def test_what_is_no_rdfa(html: str) -> None:
    assert not markup(html).counts.get("rdfa")


# --- microformats, OpenGraph, Dublin Core ------------------------------------------------------


def test_microformats() -> None:
    """An entry with a title and an author, who is a card: 2 types, 3 properties."""
    html = """
        <div class="h-entry h-full"><h1 class="p-name big">T</h1>
        <a class="p-author h-card" href="/ada"><b class="p-note">x</b></a></div>"""
    assert markup(html).counts == {"microformats": 5}
    assert [s.predicate.partition("profile/")[2] for s in markup(html).statements[1:]] == [
        "h-entry#name", "", "h-entry#author", "h-card#note",
    ]  # fmt: skip


def test_older_microformats() -> None:
    html = '<div class="vcard"><a class="fn url" href="/x">A</a><i class="entry-title">n</i></div>'
    assert markup(html).counts == {"microformats": 3}


@pytest.mark.parametrize("classes", ["h-full", "h-title p-4", "p-name", "hentries", "x-geo"])
def test_style_sheets_are_no_microformats(classes: str) -> None:
    assert markup(f"<div class='{classes}'>vcard adr</div>").counts == {}


def test_opengraph_and_dublin_core() -> None:
    html = """
        <meta property="og:title" content="T"><meta property="fb:admins" content="1">
        <meta name="DC.creator" content="C"><meta name="dc.created" content="2020">
        <meta name="description" content="D">"""
    assert markup(html).counts == {"opengraph": 1, "dublincore": 2}
    assert triples(html)[0] == (URL, "http://ogp.me/ns#title", "T")


# --- bounds ------------------------------------------------------------------------------------


def test_plain_pages_say_nothing() -> None:
    assert markup("<p>about=the property of dc</p>") == Markup()
    assert markup("") == Markup()


@pytest.mark.parametrize(
    "html",
    [
        "<div itemscope>" + "<i itemprop=a>x</i>" * 100_000,
        "<div itemscope itemprop=a>" * 5_000,
        "".join(f"<div itemscope id=i{i} itemref='i{i - 1} i{i + 1}'>" for i in range(5_000)),
        "<div typeof='a:b c:d' property='a:x' rel='a:y'>" * 10_000,
        "<div class='h-entry p-name'>" * 5_000,
        script([{"@type": "A", "b": "c"}] * 60_000),
        "<div vocab='http://v.example/' property='a'>" * 5_000 + "text " * 100_000,
    ],
)
def test_hostile_pages_are_bounded(html: str) -> None:
    """However much a page repeats itself, what is counted and kept of it has an end."""
    found = markup(html)
    assert max(found.counts.values(), default=0) <= MAX_COUNTED
    assert len(found.statements) <= MAX_KEPT


# --- N-Quads -----------------------------------------------------------------------------------


def test_nquads() -> None:
    """The page is the graph; what RDF cannot say is left out; texts are escaped."""
    rows = [
        ("jsonld", "_:b1", "http://schema.org/name", 'A "B"\n\\', "literal", "en"),
        ("jsonld", "_:b1", "http://schema.org/url", "https://x.example/a b", "iri", ""),
        ("jsonld", "_:b1", "name", "no vocabulary", "literal", ""),
        ("rdfa", URL, "http://p.example/q", "_:b1", "blank", ""),
        ("rdfa", URL, "http://p.example/q", "relative", "iri", ""),
    ]
    lines = list(nquads(rows, page=URL, fetched_at="2026-01-01T00:00:00+00:00"))
    node = lines[0].partition(" ")[0]
    assert lines == [
        f'{node} <http://schema.org/name> "A \\"B\\"\\n\\\\"@en <{URL}> .',
        f"{node} <http://schema.org/url> <https://x.example/a%20b> <{URL}> .",
        "",
        f"<{URL}> <http://p.example/q> {node} <{URL}> .",
        "",
        f'<{URL}> <{PROV}> "2026-01-01T00:00:00+00:00"^^<{DATE_TIME}> <{URL}> .',
    ]
    assert not node.endswith(next(nquads(rows, page=URL + "2")).partition(" ")[0])


@pytest.mark.parametrize(
    "script", ['{"a": "' + '\\"' * 500_000, '{"a": "' + '\\"' * 500_000 + "\\", "/*" * 900_000]
)
def test_json_without_an_end_is_refused_at_once(script: str) -> None:
    """It took hours when the rest was searched again from each quote."""
    assert load_jsonld(script) is None


def test_common_additions_to_json_are_left_out() -> None:
    script = '<!-- {"a": [1, 2,], /* no */ "b": "c // d, ]" // no\n}; -->'
    assert load_jsonld(script) == {"a": [1, 2], "b": "c // d, ]"}
