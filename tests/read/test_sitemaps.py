"""Sitemaps and feeds are read whatever their kind, and whatever is wrong with them."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.urls import MAX_URL, canonical
from lodehound.read import sitemaps
from lodehound.read.sitemaps import Sitemap, SitemapPage, read_sitemap

HERE = "https://e.org/maps/all.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def read(body: str | bytes, limit: int = 50_000) -> Sitemap:
    octets = body.encode() if isinstance(body, str) else body
    return read_sitemap(octets, url=HERE, limit=limit)


def urls(body: str | bytes) -> list[str]:
    return [page.url for page in read(body).pages]


def urlset(*locations: str) -> str:
    entries = "".join(f"<url><loc>{place}</loc></url>" for place in locations)
    return f"<urlset>{entries}</urlset>"


@pytest.mark.parametrize(
    "text",
    [
        "<urlset NS><url><loc>https://e.org/a</loc><lastmod>DAY</lastmod></url></urlset>",
        "<?xml version='1.0' encoding='UTF-8'?>\n<urlset NS><url><loc>/a</loc>WHEN</url></urlset>",
        "<urlset><url>WHEN<priority>1</priority><loc>\n  https://e.org/a\n</loc></url></urlset>",
        "<m:urlset xmlns:m='x'><m:url><m:loc>/a</m:loc>WHEN</m:url></m:urlset>",
        "<m:urlset><m:url><m:loc>../a</m:loc><m:lastmod> DAY </m:lastmod></m:url></m:urlset>",
        "<urlset><url><loc><![CDATA[https://e.org/a]]></loc>WHEN</url></urlset>",
        "\n\n <?xml version='1.0'?><!-- a --><urlset><url><loc>/a</loc>WHEN</url></urlset>",
        "<urlset><url>WHEN<loc>/a</loc><i:image><i:loc>/b</i:loc></i:image></url></urlset>",
        "<URLSET><URL><LOC>//e.org/a</LOC><LastMod>DAY</LastMod></URL></URLSET>",
        "<sitemapindex><url><loc>/a</loc>WHEN</url></sitemapindex>",
    ],
)
def test_sitemaps_in_many_hands(text: str) -> None:
    """Namespaces, prefixes, case, white space and CDATA do not matter; images are no pages."""
    text = text.replace("WHEN", "<lastmod>DAY</lastmod>").replace("DAY", "2024-05-01")

    assert read(text.replace("NS", NAMESPACE)) == Sitemap(
        (SitemapPage("https://e.org/a", "2024-05-01"),)
    )


@pytest.mark.parametrize("root", ["sitemapindex", "s:sitemapindex", "urlset"])
def test_an_index_names_further_sitemaps(root: str) -> None:
    """Nested sitemaps are addresses of their own kind, and the index is not within itself."""
    places = ["/1.xml", "2.xml.gz", "all.xml", "/1.xml", "ftp://e.org/3.xml", ""]
    text = "".join(f"<sitemap><loc>{p}</loc><lastmod>2024</lastmod></sitemap><x/>" for p in places)

    assert read(f"<{root}>{text}</{root}>") == Sitemap(
        nested=("https://e.org/1.xml", "https://e.org/maps/2.xml.gz")
    )


def test_addresses_are_resolved_and_kept_once() -> None:
    """Only web addresses come out, in the file's order, each once and in canonical form."""
    places = [
        "https://E.org:443/b#top", "a?x=1&amp;y=2", "mailto:a@e.org", "javascript:void(0)", "file:///x",
        "", "  ", "https://e.org/b", "https://", "https://e.org/" + "a" * MAX_URL, "http://é.org/é",
    ]  # fmt: skip

    assert urls(urlset(*places)) == [
        "https://e.org/b", "https://e.org/maps/a?x=1&y=2", "http://xn--9ca.org/%C3%A9",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "https://e.org/a\nhttps://e.org/b",
        "\ufeffhttps://e.org/a\r\nhttps://e.org/b\r\n",
        "\n\n  https://e.org/a \t\r\r\tHTTPS://e.org/b\n\nsee https://e.org/c\n/d\nhttps://e.org/a\n",
    ],
)
def test_plain_text(text: str) -> None:
    """One whole address a line; other lines are none."""
    assert read(text) == Sitemap((SitemapPage("https://e.org/a"), SitemapPage("https://e.org/b")))


RSS = """<?xml version="1.0"?><!DOCTYPE rss PUBLIC "x" "http://evil.example/rss.dtd">
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>News</title><link>https://e.org/</link><atom:link rel="self" href="/feed"/>
<image><url>/logo.png</url><link>https://e.org/</link></image>
<item><title>A&nbsp;B &copy;</title><link>/a</link><image><url>/a.png</url></image>
<atom:link rel="replies" href="/talk"/><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item>
<item><link>/b?x=1&amp;y=2</link><enclosure url="/b.csv" type="text/csv"/><dc:date>2024</dc:date>
<description><p>&lt;a href="/no"&gt;</p></description><guid>17</guid></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><link rel="self" href="/feed"/>
<entry><link href="/a"/><link rel="edit" href="/edit"/><updated>2024-05-01T10:00:00Z</updated>
<content type="xhtml"><div><a href="/no">x</a><link href="/no"/></div></content></entry>
<a:entry><a:link rel="Alternate" href="/b"/><a:link rel="enclosure" href="b.zip"/></a:entry>
</feed>"""
RDF = """<rdf:RDF xmlns:rdf="x"><channel><link>/</link></channel>
<item rdf:about="/a"><link>/a</link></item></rdf:RDF>"""


def test_rss() -> None:
    """Links and attached files of the items; not those of the channel; HTML entities do no harm."""
    assert read(RSS) == Sitemap((
        SitemapPage("https://e.org/a", "Wed, 01 May 2024 10:00:00 GMT"),
        SitemapPage("https://e.org/b?x=1&y=2", "2024"), SitemapPage("https://e.org/b.csv", "2024"),
    ))  # fmt: skip


def test_atom_and_rss_1() -> None:
    """Alternate links and enclosures of the entries (RFC 4287, 4.2.7)."""
    assert read(ATOM) == Sitemap((
        SitemapPage("https://e.org/a", "2024-05-01T10:00:00Z"), SitemapPage("https://e.org/b"),
        SitemapPage("https://e.org/maps/b.zip"),
    ))  # fmt: skip
    assert read(RDF) == Sitemap((SitemapPage("https://e.org/a"),))


@pytest.mark.parametrize(
    ("declared", "charset"),
    [
        ("utf-8", "utf-8"), ("utf-8", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-16", "utf-8"),
        ("ISO-8859-1", "latin-1"), ("windows-1252", "cp1252"), ("gb2312", "gb18030"),
        ("Shift_JIS", "cp932"), ("nonsense", "utf-8"), ("punycode", "utf-8"), ("rot13", "utf-8"),
    ],
)  # fmt: skip
def test_character_sets(declared: str, charset: str) -> None:
    """A declared character set is believed if it is one, and can be true."""
    place = "/日" if charset in {"gb18030", "cp932"} else "/é"
    text = f"<?xml version='1.0' encoding='{declared}'?>" + urlset(place)

    assert urls(text.encode(charset)) == [canonical("https://e.org" + place)]


def test_octets_of_no_character_set() -> None:
    """A wrong octet spoils its own address only."""
    assert urls(urlset("/\xff", "/b").encode("latin-1")) == [
        "https://e.org/%EF%BF%BD",
        "https://e.org/b",
    ]


@pytest.mark.parametrize("kept", [urlset("/a", "/b"), "https://e.org/a\nhttps://e.org/b"])
def test_gzip(kept: str) -> None:
    """Known by its first octets, in one member or several."""
    whole = kept.encode()
    parts = gzip.compress(whole[:30]) + gzip.compress(b"") + gzip.compress(whole[30:])

    assert read(gzip.compress(whole)) == read(parts) == read(kept)
    assert len(read(kept).pages) == 2


def test_damaged_gzip() -> None:
    """What could be unpacked is read."""
    whole = gzip.compress(
        "\n".join(f"https://e.org/{zlib.crc32(b'%d' % i)}" for i in range(999)).encode()
    )
    cut, wrong, more = read(whole[:2000]), read(whole[:2000] + b"\xff" * 99), read(whole + b"more")

    assert 50 < len(cut.pages) < 999
    assert "ends early" in cut.note
    assert 50 < len(wrong.pages) < 999
    assert "damaged gzip" in wrong.note
    assert len(more.pages) == 999
    assert read(b"\x1f\x8b").note == "damaged gzip: it ends early"


def test_gzip_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpacking ends at the bound, and the note says so."""
    monkeypatch.setattr(sitemaps, "MAX_BYTES", 1_000_000)
    bomb = gzip.compress(b"https://e.org/a\n" + b"\n" * 50_000_000)
    nested = gzip.compress(bomb)

    assert read(bomb) == Sitemap(
        (SitemapPage("https://e.org/a"),), note="truncated at 1000000 octets, unpacked"
    )
    assert read(nested) == Sitemap(note="no URLs")
    assert "members" in read(gzip.compress(b"") * 30_000).note
    assert "truncated at 1000000 octets" in read(b"<urlset>" + b" " * 1_000_000).note


LAUGHS = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY l0 "https://e.org/lol">' + LAUGHS,
        '<!ENTITY l9 "' + "https://e.org/lol" * 1000 + '">',
        '<!ENTITY l9 SYSTEM "file:///etc/passwd">',
        '<!ENTITY l9 PUBLIC "x" "http://evil.example/x">',
        '<!ENTITY % l9 SYSTEM "http://evil.example/x.dtd"> %l9;',
        "<!ENTITY % a \"&#60;!ENTITY l9 'x'>\"> %a;",
    ],
)
def test_entities_are_refused(declaration: str) -> None:
    """No file defines anything: no laughs by the billion, no file and no address fetched."""
    text = f"<!DOCTYPE urlset [{declaration}]>" + urlset("/a", "&l9;" * 100)

    assert read(text) == Sitemap(note="the XML defines entities")


@pytest.mark.parametrize(
    "doctype", ["<!DOCTYPE urlset>", '<!DOCTYPE urlset SYSTEM "http://evil.example/x">']
)
def test_unknown_entities_are_left_out(doctype: str) -> None:
    """What is not defined says nothing, and nobody asks the outside for its definition."""
    assert urls(doctype + urlset("/a&unknown;b")) == ["https://e.org/ab"]


@pytest.mark.parametrize(
    "rest",
    [
        "", "<url>", "<url><loc>https://e.org/half", "</sitemap>", "<url><loc>/b</url>", "<",
        "<!--", "\x00", "<![CDATA[", "<a b=c>", "<a b='1' b='2'/>", "<?xml version='1.0'?>", "&#0;",
        "</url></urlset><urlset/>",
    ],
)  # fmt: skip
def test_damaged_xml_keeps_what_stood_before(rest: str) -> None:
    """A fault ends the reading; the addresses before it count, half ones do not."""
    found = read("<urlset><url><loc>/a</loc></url><url><loc>/open</loc>" + rest)

    assert [page.url for page in found.pages] == ["https://e.org/a", "https://e.org/open"]
    assert found.note.startswith("damaged XML: ")


def test_damaged_index_keeps_what_stood_before() -> None:
    """The same for the sitemaps of an index."""
    found = read("<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml</loc><")

    assert (found.pages, found.nested) == ((), ("https://e.org/1.xml", "https://e.org/2.xml"))


def test_loose_ampersands_are_mended() -> None:
    """The commonest fault costs nothing, where no CDATA could be meant."""
    assert urls(urlset("/?a=1&b=2&amp;c=3&#38;d&e;f&", "/b")) == [
        "https://e.org/?a=1&b=2&c=3&df&", "https://e.org/b",
    ]  # fmt: skip
    assert urls(urlset("<![CDATA[/?a&b]]>", "/c")) == ["https://e.org/?a&b", "https://e.org/c"]


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("", "no URLs"), ("Not found", "no URLs"),
        ('{"url": "https://e.org/a"}', "no URLs"), ("<urlset/>", "no URLs"),
        ("\x89PNG\r\n\x1a\n\x00", "no URLs"),
        ("<!DOCTYPE html><html><url><loc>/a</loc></url></html>", "the root element is 'html'"),
        ("<url><loc>/a</loc></url>", "the root element is 'url'"),
        ("<html lang=en>", "damaged XML"), ("<" + "x" * 500 + "/>", "x'"),
    ],
)  # fmt: skip
def test_what_is_no_sitemap(body: str, note: str) -> None:
    """A page in a sitemap's place announces nothing, and the note says what it was."""
    found = read(body)

    assert (found.pages, found.nested) == ((), ())
    assert note in found.note
    assert len(found.note) < 100


@pytest.mark.parametrize("limit", [0, 1, 5, 6])
def test_limit(limit: int) -> None:
    """At most so many pages and so many sitemaps; repetitions are not counted."""
    places = [f"https://e.org/{i // 2}" for i in range(12)]
    index = urlset(*places).replace("urlset", "sitemapindex").replace("url>", "sitemap>")
    note = "" if limit == 6 else f"more than {limit} URLs"

    for found in (read(urlset(*places), limit), read("\n".join(places), limit)):
        assert [page.url for page in found.pages] == [f"https://e.org/{i}" for i in range(limit)]
        assert found.note == note
    assert len(read(index, limit).nested) == limit


@pytest.mark.parametrize(
    ("rest", "note"),
    [
        ("<a>" * 100_000, "nested deeper"),
        ("<!--" + "x" * 5_000_000 + "-->", "a tag or comment of more"),
        ("<a b='" + "x" * 5_000_000 + "'/>", "a tag or comment of more"),
        ("<a/>" * 5000, "more than 2000 elements"),
        ("<url><loc>" + "x\n" * 1_000_000, "damaged XML: no element found"),
        ("<url><loc>" + "&" * 1_000_000, "damaged XML"),
        ("<b " + " ".join(f"a{i}=''" for i in range(50_000)) + "/>", "no element found"),
    ],
)  # fmt: skip
def test_hostile_xml(rest: str, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Depth, length and number are bounded; what stood before is kept."""
    monkeypatch.setattr(sitemaps, "MAX_ITEMS", 2000)
    found = read("<urlset><url><loc>/a</loc></url>" + rest)

    assert [page.url for page in found.pages] == ["https://e.org/a"]
    assert note in found.note


def test_hostile_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are bounded in number, whether or not they are addresses."""
    monkeypatch.setattr(sitemaps, "MAX_ITEMS", 2000)

    assert read("https://e.org/a\n" + "http://\n" * 5000).note == "more than 2000 lines"
    assert read("\n \t" * 500_000 + "x").note == "no URLs"
    assert read(
        urlset("/a").replace("</loc>", "</loc><lastmod>" + "9" * 5000 + "</lastmod>")
    ) == Sitemap((SitemapPage("https://e.org/a", "9" * sitemaps.MAX_DATE),))


PIECES = st.sampled_from([
    *"<>/&;'\"=! \n\0é\ufeff", "<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>",
    "https://e.org/a", "<sitemapindex>", "<sitemap>", "<rss>", "<channel>", "<item>", "<link>",
    "<link href='x'/>", "</link>", "<feed>", "<entry>", "<![CDATA[", "]]>", "<!--", "-->",
    "<?xml version='1.0' encoding='", "'?>", "<!DOCTYPE a [", "<!ENTITY a 'b'>", "]>", "<lastmod>",
])  # fmt: skip
FILES = st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode())


@settings(max_examples=300)
@given(st.binary() | FILES | FILES.map(gzip.compress) | st.binary().map(b"\x1f\x8b\x08".__add__))
def test_nothing_raises(body: bytes) -> None:
    """Whatever comes is read, and only canonical addresses come out, each once."""
    found = read(body, limit=3)
    every = [page.url for page in found.pages]

    assert all(canonical(url) == url != "" for url in (*every, *found.nested))
    assert len(set(every)) == len(every) <= 3
    assert len(set(found.nested)) == len(found.nested) <= 3


@given(st.lists(st.integers(0, 99)), st.integers(0, 2000))
def test_a_file_cut_anywhere_gives_its_beginning(numbers: list[int], cut: int) -> None:
    """No address comes out of half a file that the whole does not have."""
    text = urlset(*(f"/{number}/x" for number in numbers))
    part = urls(text[:cut])

    assert part == urls(text)[: len(part)]
