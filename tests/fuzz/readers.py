"""The readers that are fuzzed, each with a few sound inputs to start from."""

from __future__ import annotations

import bz2
import contextlib
import functools
import gzip
import lzma
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow

from lodehound.core.errors import LodehoundError
from lodehound.inspect import FileLimits, Options, Reader
from lodehound.inspect.files import inspect_source
from lodehound.inspect.records import TOO_LONG
from lodehound.inspect.source import Source
from lodehound.read.links import read_links
from lodehound.read.markup import read_markup
from lodehound.read.mime import judge_mime
from lodehound.read.rdf import read_rdf
from lodehound.read.robots import parse_robots
from lodehound.read.sitemaps import read_sitemap
from lodehound.shortcuts.contract import Shortcut
from lodehound.stores.records import Damage, Record
from lodehound.stores.warc import read_warc, write_warc
from tests.inspect import make, make_data

URL = "https://s.example/dir/page"
# Small limits: a mutation that costs much does so by its structure, not by its size.
SMALL = Options(limits=FileLimits(unpacked_bytes=1 << 24, member_bytes=1 << 22, members=50))

PAGE = b"""<!doctype html><title>T</title><base href="/x/"><meta http-equiv=refresh
content="0;url=a"><a href="data.csv" rel=nofollow>CSV</a><area href=b><img srcset="a 1x, b 2x">
<form action=f><select><option value="/c.xlsx"></select></form><script>fetch("/api/list.json")
</script><iframe src=d></iframe><a href="javascript:open('e.pdf')" onclick="go('/f.ods')"
data-url=g>x</a>"""
MARKUP = b"""<html prefix="s: https://schema.org/" vocab="https://schema.org/"><head>
<meta property="og:title" content="t"><script type="application/ld+json">{"@context":
{"n":"http://x/n","@vocab":"http://s/"},"@type":"Dataset","n":[{"@value":"1"},{"@id":"_:b"}]}
</script></head><body><div itemscope itemtype="https://schema.org/Dataset" itemid="#a" itemref="r">
<span itemprop="name">N</span></div><p id=r itemprop=x>y</p><div typeof="Dataset" about="#d"
rel="s:x"><a property="url" href="u" datatype="s:D">z</a></div><div class="h-card vcard hreview">
<a class="p-name u-url fn" href=u>n</a><time class="dt-start" datetime=2020></time></div></body>"""
ROBOTS = b"\xef\xbb\xbfUser-agent: *\nDisallow: /a*b$\nAllow: /%61\nCrawl-delay: 2\nSitemap: /s\n"
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>https://s.example/a?b&amp;c</loc><lastmod>2020
</lastmod><x:link rel="alternate" href="b"/></url><sitemap><loc><![CDATA[c]]></loc></sitemap>
</urlset>"""
FEED = b"""<rss version="2.0"><channel><link>a</link><item><link>b</link><enclosure url="c.csv"/>
<guid isPermaLink="true">d</guid></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="enclosure" href="a"/>
</entry></feed>"""
TURTLE = b"""@prefix : <http://e/> . @base <http://b/> . :a a :B ; :c "x"@en, 1.5, """
TURTLE += b"""'''l'''^^:d ; :e [ :f ( 1 2 true ) ] . _:g :h <i> ."""
TRIG = b"@prefix : <http://e/> . :g { :a :b :c } GRAPH :h { [] :b 'x' }"
TRIPLES = b'<http://e/a> <http://e/b> "c\\u00e9"@de .\n_:x <http://e/b> _:y <http://e/g> .\n'
RDF_XML = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
<rdf:Description rdf:about="a" e:p="v"><e:q rdf:parseType="Collection"><e:R/></e:q>
<e:s rdf:parseType="Literal"><b>x</b></e:s><rdf:li rdf:resource="z"/></rdf:Description></rdf:RDF>"""
JSON = b'{"a":[{"b":1,"c":"http://e/x.csv"},{"b":2.5e3,"c":null}],"d":{"e":[[1,2],[3,4]]}}'
GEO = b'{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1}}]}'
SDMX = b"""<message:GenericData xmlns:message="m" xmlns:g="g"><message:DataSet><g:Series><g:Obs>
<g:ObsValue value="1"/></g:Obs></g:Series></message:DataSet></message:GenericData>"""


@dataclass(frozen=True)
class FuzzedReader:
    """Something that reads bytes and must neither raise, hang nor crash.

    Attributes:
        read: Reads bytes.
        seeds: Sound inputs.
    """

    read: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]


def _links(body: bytes) -> None:
    for mime in ("text/html", "application/json"):
        read_links(body, url=URL, mime=mime, headers={"link": body[:200].decode("latin-1")})
    judge_mime("", body)


def _robots(body: bytes) -> None:
    robots = parse_robots(body)
    robots.allows("lodehound", URL)
    robots.allows("x", "https://s.example/" + body[:300].decode("latin-1"))


def _sitemap(body: bytes) -> None:
    read_sitemap(body, url=URL)


def _rdf(body: bytes) -> None:
    for mime in ("", "text/turtle", "application/rdf+xml", "application/ld+json"):
        read_rdf(body, url=URL, mime=mime)


def _markup(body: bytes) -> None:
    read_markup(body, url=URL)


def _warc(body: bytes) -> None:
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder, "a.warc.gz")
        path.write_bytes(body)
        with contextlib.suppress(LodehoundError):
            list(read_warc(path, Damage()))


def _warc_seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.warc.gz")
        record = Record(URL, 200, "text/html", PAGE, location="/x")
        write_warc(path, [record, Record(URL + "2", 301, "", b"", location="/y")])
        packed = path.read_bytes()
    return [packed, gzip.decompress(packed)]


def _journal(body: bytes) -> None:
    # Heavy, and not for the others.
    from lodehound.assembly.repair import obstacle, repair  # noqa: PLC0415

    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        Path(folder, "crawl.sqlite").write_bytes(body)
        for look in (_look, _list, repair, obstacle):
            with contextlib.suppress(LodehoundError):
                look(Path(folder))


def _look(folder: Path) -> None:
    from lodehound.stores.crawl_dir import CrawlDir  # noqa: PLC0415

    with CrawlDir.open(folder, write=False) as directory:
        directory.summary()
        for _ in directory.journal.events():
            pass


def _list(folder: Path) -> None:
    from lodehound.stores.catalogue.entries import Catalogue  # noqa: PLC0415

    with Catalogue(folder) as catalogue:
        list(catalogue.entries())


@functools.cache
def _journal_seeds() -> list[bytes]:
    from tests.exports.crawls import CSV, add, begin  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        with begin(Path(folder, "crawl")) as directory:
            add(directory, "births.csv", CSV)
            add(directory, "more.csv", CSV * 2)
        return [Path(folder, "crawl", "crawl.sqlite").read_bytes()]


def _shortcuts(body: bytes) -> None:
    """Show a document to every shortcut, as what it may be."""
    from lodehound.shortcuts.documents import Fetched  # noqa: PLC0415

    for mime in ("application/json", "text/xml", "text/html", "text/turtle"):
        answer = Fetched("https://s.example/api/3/action/x", mime, body)
        for shortcut in _all_shortcuts():
            for root in shortcut.signs(answer):
                shortcut.probes(root)
            shortcut.expand(answer)


@functools.cache
def _all_shortcuts() -> tuple[Shortcut, ...]:
    from lodehound.registry import make_shortcuts  # noqa: PLC0415

    return tuple(make_shortcuts("auto").values())


def _recorded() -> list[bytes]:
    """Return recorded answers that are small enough to be changed often."""
    from tests.shortcuts import FIXTURES  # noqa: PLC0415

    bodies = [path.read_bytes() for path in sorted(FIXTURES.rglob("*")) if path.is_file()]
    return [body for body in bodies if len(body) < 20_000]


def _inspected(name: str) -> Callable[[bytes], object]:
    return lambda body: inspect_source(Source(body, name), SMALL)


def _memory() -> str | None:
    """Return a folder in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - inputs, not secrets


def _tables() -> list[bytes]:
    quoted = b'"a ""b""";"c\nd"\r\n1,5;2\r\n'
    return [make.csv(make.POPULATION).encode(), make.csv(make.PEOPLE, ";").encode("utf-16"), quoted]


def _archives() -> list[bytes]:
    inner = make.zipped({"b.csv": make.csv(make.PEOPLE)})
    return [make.zipped({"a.csv": make.csv(make.POPULATION), "b.zip": inner}), gzip.compress(inner)]


@functools.cache
def _apart() -> Reader:
    return Reader(SMALL)


def _microdata(body: bytes) -> None:
    """Read a file as a crawl does, in another process: ReadStat crashes on some (found/)."""
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder, "a.sav")
        path.write_bytes(body)
        found = _apart().inspect(path)
    if found.error == TOO_LONG:
        raise RuntimeError(found.error)


def _packed() -> list[bytes]:
    body = make.csv(make.POPULATION).encode()
    zstandard: bytes = pyarrow.compress(body, "zstd", asbytes=True)
    return [bz2.compress(body), lzma.compress(body), zstandard]


READERS = {
    "html": FuzzedReader(_links, lambda: [PAGE, MARKUP]),
    "markup": FuzzedReader(_markup, lambda: [MARKUP]),
    "robots": FuzzedReader(_robots, lambda: [ROBOTS]),
    "sitemap": FuzzedReader(_sitemap, lambda: [SITEMAP, gzip.compress(SITEMAP), b"a\nb\n"]),
    "feed": FuzzedReader(_sitemap, lambda: [FEED, ATOM]),
    "shortcuts": FuzzedReader(_shortcuts, _recorded),
    "warc": FuzzedReader(_warc, _warc_seeds),
    "rdf": FuzzedReader(_rdf, lambda: [TURTLE, TRIG, TRIPLES, RDF_XML, JSON]),
    "csv": FuzzedReader(_inspected("a.csv"), _tables),
    "xlsx": FuzzedReader(
        _inspected("a.xlsx"), lambda: [make.xlsx({"S": make.POPULATION}), make.ods(make.PEOPLE)]
    ),
    "pdf": FuzzedReader(_inspected("a.pdf"), lambda: [make.pdf([["Town 1 2", "Oslo 3 4"]])]),
    "json": FuzzedReader(_inspected("a.json"), lambda: [JSON, GEO]),
    "xml": FuzzedReader(_inspected("a.xml"), lambda: [SDMX, RDF_XML, SITEMAP]),
    "parquet": FuzzedReader(_inspected("a.parquet"), lambda: [make_data.parquet()]),
    "arrow": FuzzedReader(
        _inspected("a.arrow"), lambda: [make_data.feather(), make_data.arrow(stream=True)]
    ),
    "sqlite": FuzzedReader(
        _inspected("a.db"), lambda: [make_data.geopackage(), make_data.sqlite(*make_data.TOWNS)]
    ),
    "dbf": FuzzedReader(_inspected("a.dbf"), lambda: [make_data.dbf()]),
    "microdata": FuzzedReader(
        _microdata, lambda: list(map(make_data.microdata, ("sav", "dta", "xpt", "por")))
    ),
    "packed": FuzzedReader(_inspected("a.csv.xz"), _packed),
    "archive": FuzzedReader(_inspected("a.zip"), _archives),
    "journal": FuzzedReader(_journal, _journal_seeds),
}
