"""The cases that do not hold, with the reasons."""

from __future__ import annotations

LENIENT = "IRIs are not validated: one that is bad would hide all statements of a document"
PRESCAN = "w3lib searches for the declaration instead of scanning tags as the standard does"
LATE = "the declaration comes late, from a script, or after a bogus one"
DRAFT = "h-org, h-rating and h-as-note are drafts that are not counted"
INNER = "h-item and h-news are counted with the review or entry that they are in"
NEWER = "it is read as JSON-LD 1.1, which changed this rule"
TWICE = "a statement that stands twice counts twice"
BLANK = "blank nodes as properties are counted; the suite leaves them out"
XHTML = "the XHTML vocabulary and link elements are left out: nearly every page has them by chance"
NEWER_RDFA = "it is read as RDFa 1.1, which changed this rule of RDFa 1.0"
PLAIN = "values are texts without markup"
SPACE = "white space in texts is collapsed"
EMPTY = "oxigraph refuses empty XML literals"
# The cases that do not hold, with the reason.
NOT_HELD: dict[str, dict[str, str]] = {
    "urls": {},
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
    "rdfa": {
        name: reason
        for reason, names in {
            XHTML: "0009 0010 0015 0061 0062 0063 0069 0070 0075 0076 0077 0087 0091 0110 0111 "
            "0114 0120",
            NEWER_RDFA: "0040 0042 0046 0047 0058 0078 0081 0082 0090",
            PLAIN: "0011 0092 0094 0100 0101 0102 0103",
            SPACE: "0099 0108 0112",
            "HTML ends a paragraph where another one begins": "0121",
        }.items()
        for name in names.split()
    },
    "microdata": dict.fromkeys(
        [
            "contextual names: alone",
            "contextual names: inside",
            "expansion: equivalentProperty",
            "expansion: subPropertyOf",
        ],
        "no registry of vocabularies is used",
    ),
    "robots": dict.fromkeys(
        [
            "Nutch: agent three",
            "a name of two words",
            "names with commas: Three",
            "names with commas: Two",
            "two names in a line",
        ],
        "RFC 9309, 2.2.1: a line has one name, and a name has no spaces",
    )
    | dict.fromkeys(
        [
            "Krugle: a delay does not add the rules of all",
            "delay of an agent",
            "delay of another agent",
        ],
        "RFC 9309, 2.2.4: a delay does not end a group of agents (nor does it in newer editions)",
    )
    | dict.fromkeys(
        ["HTML in robots.txt: anybot", "HTML in robots.txt: others"],
        "tags belong to the lines of the file",
    )
    | {
        "a very long delay": "a long delay is not a refusal",
        "status 301": "redirects are followed; RFC 9309, 2.3.1.2: after five, all is allowed",
    },
    "sitemaps": {"cut off": "an address that is cut off may be another one"},
    "warc": dict.fromkeys(
        [
            "JWAT: names of fields in lower case",
            "JWAT: names of fields in upper case",
            "JWAT: the version in lower case",
            "jwarc: HTTP with many spaces",
        ],
        "fastwarc does not read it; it is reported as damaged or as no recording",
    ),
    "messy": dict.fromkeys(
        """chunk2.headless.csv chunk3.csv without-headers-extra.csv without-headers.csv
        numeric-labels.csv transpose.csv""".split(),
        "a first row of data or numbers is not taken for the header",
    )
    | dict.fromkeys(
        "country-2.csv skip-rows-before-headers.csv skip-rows.csv".split(),
        "comments before the header are left out; frictionless takes them for the header",
    )
    | {"dialect.csv": "a bar is a separator"},
}
