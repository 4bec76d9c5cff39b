"""RDF in every syntax, right, mislabelled, broken and hostile."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext

import pytest

from lodehound.core.errors import ConfigError
from lodehound.read.rdf import (
    PIECE,
    Document,
    Rdf,
    check_nesting,
    details_of,
    need_rdf,
    read_rdf,
)
from lodehound.read.rdf.entities import TooLargeError, without_entities
from lodehound.read.rdf.jsonld_contexts import with_contexts
from lodehound.read.rdf.syntaxes import sniff

URL = "http://e.org/data/doc"
FOAF = "http://xmlns.com/foaf/0.1/"
TURTLE = f'@prefix f: <{FOAF}> .\n<#me> a f:Person ; f:name "A" ; f:knows <other> .\n'.encode()
NT = b'<http://e.org/a> <http://e.org/p> "x" .\n<http://e.org/a> <http://e.org/p> <b:c> .\n'
NQ = b'<http://e.org/a> <http://e.org/p> "x" <http://e.org/g> .\n'
TRIG = b"@prefix e: <http://e.org/> .\ne:g { e:a e:p e:b , e:c }\n"
XML = (
    b'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/">]>\n'
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">'
    b'<rdf:Description rdf:about="&e;a"><e:p rdf:resource="&e;b"/></rdf:Description></rdf:RDF>'
)
JSONLD = b'{"@context": {"@vocab": "http://e.org/"}, "@id": "http://e.org/a", "p": "x", "q": 1}'
RIGHT = [
    ("text/turtle", TURTLE, "turtle", 3),
    ("application/n-triples", NT, "n-triples", 2),
    ("application/n-quads", NQ, "n-quads", 1),
    ("application/trig", TRIG, "trig", 2),
    ("application/rdf+xml", XML, "rdf-xml", 1),
    ("application/ld+json", JSONLD, "json-ld", 2),
]
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg"><metadata><rdf:RDF xmlns:rdf='
    b'"http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata></svg>'
)
WRONG = ("text/plain", "application/octet-stream", "", "text/html")


def read(body: bytes, mime: str = "") -> Rdf:
    return read_rdf(body, url=URL, mime=mime)


@pytest.mark.parametrize(("mime", "body", "syntax", "triples"), RIGHT)
def test_every_syntax_by_its_type(mime: str, body: bytes, syntax: str, triples: int) -> None:
    rdf = read(body, mime)
    assert (rdf.syntax, rdf.triples, rdf.error) == (syntax, triples, "")


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("mime", "body", "syntax", "triples"), RIGHT)
def test_every_syntax_by_its_look(
    mime: str, body: bytes, syntax: str, triples: int, wrong: str
) -> None:
    """Turtle is read as TriG, which it is a part of; no page is taken for JSON-LD."""
    if not (wrong == "text/html" and syntax == "json-ld"):
        assert read(body, wrong).triples == triples


def test_one_syntax_declared_and_another_sent() -> None:
    assert read(TURTLE, "application/rdf+xml").triples == 3
    assert read(XML, "text/turtle").syntax == "rdf-xml"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body><p>@prefix</p></body></html>",
        SVG,
        b'{"name": "no linked data", "id": 3}',
        b"a,b\n1,2\n",
        bytes(range(256)) * 20,
        b"# A title\n\nSome words about @prefix.\n",
    ],
)
def test_what_is_no_rdf(body: bytes) -> None:
    assert not any(read(body, mime) for mime in (*WRONG, "application/json", "application/xml"))


def test_what_comes_before_an_error_counts() -> None:
    rdf = read(TURTLE + b"<broken\n", "text/turtle")
    assert (rdf.triples, bool(rdf.error), bool(rdf)) == (3, True, True)


def test_relative_names_are_resolved_and_fragments_kept() -> None:
    subjects = {str(quad.subject) for quad in Document(TURTLE, url=URL, mime="text/turtle")}
    assert subjects == {f"<{URL}#me>"}


def test_namespaces_most_used_first() -> None:
    rdf = read(TURTLE, "text/turtle")
    assert rdf.namespaces[0] == FOAF
    assert json.loads(details_of(rdf)) == {
        "triples": 3,
        "syntax": "turtle",
        "namespaces": [FOAF, "http://www.w3.org/1999/02/22-rdf-syntax-ns#"],
    }


def test_byte_order_marks_and_other_character_sets() -> None:
    latin = XML.replace(b'"1.0"', b'"1.0" encoding="iso-8859-1"').replace(b"&e;b", b"&e;\xe9")
    thing = next(iter(Document(latin, url=URL, mime="application/rdf+xml"))).object
    assert str(thing) == "<http://e.org/\u00e9>"
    assert read(b"\xef\xbb\xbf" + TURTLE, "text/turtle").triples == 3
    assert read(JSONLD.decode().encode("utf-16"), "application/ld+json").triples == 2


def bomb(levels: int, times: int) -> bytes:
    entities = ['<!ENTITY e0 "lol">']
    entities += [f'<!ENTITY e{i} "{f"&e{i - 1};" * times}">' for i in range(1, levels)]
    used = f"<e:p>&e{levels - 1};</e:p></rdf:Description>"
    return (
        XML.replace(b'<!ENTITY e "http://e.org/">', "".join(entities).encode())
        .replace(b"&e;", b"http://e.org/")
        .replace(b"</rdf:Description>", used.encode())
    )


@pytest.mark.parametrize(("levels", "times"), [(10, 10), (30, 2), (3, 100)])
def test_entity_bombs_do_not_go_off(levels: int, times: int) -> None:
    with pytest.raises(TooLargeError):
        without_entities(bomb(levels, times))
    assert not read(bomb(levels, times), "application/rdf+xml")


def test_many_uses_of_one_long_entity() -> None:
    body = bomb(3, 40).replace(b"&e2;", b"&e2;" * 20_000)
    with pytest.raises(TooLargeError):
        without_entities(body)


def test_entities_that_are_hidden() -> None:
    twice = XML.replace(b"<rdf:RDF", b'<!DOCTYPE x [<!ENTITY y "z">]><rdf:RDF')
    comment = XML.replace(b"[<!ENTITY", b"[<!-- ]> --><!ENTITY")
    with pytest.raises(TooLargeError):
        without_entities(twice)
    assert b"ENTITY" not in without_entities(comment)


def test_contexts_we_know_need_no_network() -> None:
    body = b'{"@context": "https://schema.org", "@type": "Dataset", "name": "x"}'
    rdf = read(body, "application/ld+json")
    assert (rdf.triples, rdf.namespaces[0], rdf.missing) == (2, "http://schema.org/", ())


def test_contexts_nobody_knows_are_named() -> None:
    address = "https://e.org/context.jsonld"
    body = json.dumps({"@context": [address], "foaf:name": "x", "unknown": 1}).encode()
    rdf = read(body, "application/ld+json")
    assert (rdf.triples, rdf.missing, bool(rdf)) == (1, (address,), True)


def test_contexts_that_are_given_are_loaded_once() -> None:
    loaded: list[str] = []

    def load(address: str) -> dict[str, str]:
        loaded.append(address)
        return {"@vocab": "http://e.org/"}

    body = json.dumps([{"@context": "http://c.example/", "p": n} for n in range(5)]).encode()
    document = Document(body, url=URL, mime="application/ld+json", load=load)
    assert len(list(document)) == 5
    assert loaded == ["http://c.example/"]


def test_json_that_is_nested_too_deep() -> None:
    body = b'{"@context": "https://schema.org", "a": ' + b"[" * 100_000
    assert not read(body, "application/ld+json")
    with pytest.raises(ValueError, match="too many contexts"):
        with_contexts(json.dumps([{"@context": f"http://{n}/"} for n in range(99)]).encode())


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    with pytest.raises(ConfigError, match=r"lodehound\[rdf\]"):
        need_rdf()


def test_sniffing_takes_no_time() -> None:
    """Each of these would cost a pattern that goes back and tries again for ever."""
    for piece in (b"<!--", b"# x\n", b"<?xml ?>", b"<a:b> ", b'<a:b> <c:d> "', b"<!DOCTYPE '"):
        assert sniff(piece * 20_000) in {None, "trig"}


def test_json_nested_too_deep_is_not_parsed() -> None:
    """The parser would run out of stack, and take the process with it."""
    deep = b'{"http://p/p":' * 30_000 + b"1" + b"}" * 30_000
    brackets_in_words = b'{"@id":"http://e/a","http://p/p":"' + b"[" * 5000 + b'\\"{"}'

    assert read_rdf(deep, url=URL, mime="application/ld+json").error == "nested too deep"
    assert read_rdf(brackets_in_words, url=URL, mime="application/ld+json").triples == 1


def test_a_word_without_end_is_an_error() -> None:
    body = b'<http://e.org/a> <http://e.org/b> "' + b"x" * (17 << 20)
    assert read_rdf(body, url=URL, mime="application/n-triples").error


def test_a_page_is_no_rdf_whatever_it_is_called() -> None:
    page = b"<html lang=en><head><title>t</title></head><body>no</body></html>"
    assert not read_rdf(page, url=URL, mime="text/turtle")


@pytest.mark.parametrize(
    ("body", "is_deep"),
    [
        (b"[" * 500 + b"]" * 500, False),
        (b"[" * 501, True),
        (b"[]" * PIECE + b"[" * 501, True),
        (b'["' + b"[" * 2 * PIECE + b'"]', False),
        (rb'["\\", "\"' + b"[" * 600 + b'"]', False),
        (rb'["\\"' + b"[" * 600, True),
        (b'{"a": "' + rb"\"" * 500_000, False),  # each quote was tried as a beginning
    ],
)
def test_the_nesting_of_json_is_that_outside_of_its_texts(body: bytes, is_deep: bool) -> None:
    with pytest.raises(ValueError, match="nested too deep") if is_deep else nullcontext():
        check_nesting(body)


def test_of_many_document_types_one_is_read() -> None:
    """It took hours when the rest was searched again from each."""
    with pytest.raises(TooLargeError, match="a document type that cannot be read"):
        without_entities(b"<rdf:RDF>" + b"<!DOCTYPE " * 300_000)
