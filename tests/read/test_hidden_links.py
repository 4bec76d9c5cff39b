"""Links that a page names without showing them, kind by kind."""

from __future__ import annotations

import json

import pytest

from lodehound.core.link import ORIGINS, Link
from lodehound.policies.lodehound.features import CLUSTER, LinkFeatures
from lodehound.read import element_text, hidden_links
from lodehound.read.links import read_links

PAGE = "https://e.org/dir/page"
SHOWN = ("a", "area", "iframe", "frame")


def read(text: str, *, speculative: bool = True, url: str = PAGE) -> tuple[Link, ...]:
    links = read_links(text.encode(), url=url, speculative=speculative).links
    return tuple(link for link in links if link.kind not in SHOWN)


def told(text: str, *, speculative: bool = True) -> list[tuple[str, ...]]:
    """Return address, kind, tag path and words of the hidden links."""
    return [
        (link.url.removeprefix("https://e.org/"), link.kind, link.tag_path, link.anchor)
        for link in read(text, speculative=speculative)
    ]


def ld(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


DATASET = {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    "name": "Prices",
    "url": PAGE,
    "distribution": [
        {"@type": "DataDownload", "contentUrl": "/prices.csv", "name": "Prices as CSV"},
        {"@type": "DataDownload", "contentUrl": "https://e.org/get/7"},
    ],
}

DECLARED = [
    (
        "<link rel=alternate type=text/csv title='As a table' href=/a.csv>",
        ("a.csv", "link", "html/head/link[alternate]", "As a table"),
    ),
    (
        "<link rel='Item nofollow' href=b>",
        ("dir/b", "link", "html/head/link[item]", ""),
    ),
    (
        "<link rel=enclosure type='application/zip; x=y' href=/c>",
        ("c", "link", "html/head/link[enclosure]", "application/zip"),
    ),
    (
        "<link rel=describedby type=application/ld+json href=/d>",
        ("d", "link", "html/head/link[describedby]", "application/ld+json"),
    ),
    (
        "<div itemscope><link itemprop=contentUrl href=/e.xlsx></div>",
        ("e.xlsx", "microdata", "microdata/contentUrl", ""),
    ),
    (
        "<div itemscope><meta itemprop='http://schema.org/downloadUrl' content=/f></div>",
        ("f", "microdata", "microdata/downloadUrl", ""),
    ),
    (
        "<div class=viewer><embed src=g.pdf title=Report></div>",
        ("dir/g.pdf", "embed", "embed/div.viewer/embed", "Report"),
    ),
    (
        "<p id=x><object class=big data=/h>Report</object>",
        ("h", "object", "object/p#x/object.big", "Report"),
    ),
]
GUESSED = [
    (
        "<form id=get action=/i.csv><button>Download</button></form>",
        ("i.csv", "form", "form/body/form#get", "Download"),
    ),
    (
        "<select class=years><option value=/j-2024.xls>2024</select>",
        ("j-2024.xls", "option", "option/select.years/option", "2024"),
    ),
    (
        "<p><button data-href='/k.ods'>ODS</button>",
        ("k.ods", "data", "data-href/p/button", "ODS"),
    ),
    (
        "<a href=# data-url=/l.json>JSON</a>",
        ("l.json", "data", "data-url/body/a", "JSON"),
    ),
    (
        "<i data-file=m.parquet aria-label=Parquet></i>",
        ("dir/m.parquet", "data", "data-file/body/i", "Parquet"),
    ),
    (
        """<a href="javascript:void(0)" onclick="window.open('n.pdf')">PDF</a>""",
        ("dir/n.pdf", "onclick", "onclick/body/a", "PDF"),
    ),
    (
        """<b onclick="go(1, &quot;/o.zip&quot;)">ZIP</b>""",
        ("o.zip", "onclick", "onclick/body/b", "ZIP"),
    ),
    (
        r'<script>window.__STATE__ = {"file": "https:\/\/e.org\/p.csv?a=1\u0026b=2"}</script>',
        ("p.csv?a=1&b=2", "script", "script/javascript", ""),
    ),
    (
        "<script type=application/json>[{'x': '/q.geojson'}]</script>",
        ("q.geojson", "script", "script/json", ""),
    ),
]


@pytest.mark.parametrize(("text", "link"), DECLARED)
def test_what_a_page_declares(text: str, link: tuple[str, ...]) -> None:
    """With or without guesses."""
    assert told(text, speculative=True) == told(text, speculative=False) == [link]


@pytest.mark.parametrize(("text", "link"), GUESSED)
def test_what_may_be_an_address(text: str, link: tuple[str, ...]) -> None:
    """Only if it ends like a file, and only if guesses are wanted."""
    assert told(text) == [link]
    assert told(text, speculative=False) == []


def test_json_ld() -> None:
    """The page's own address is no news; a distribution has its name, or its dataset's."""
    assert told(ld(DATASET), speculative=False) == [
        ("prices.csv", "jsonld", "jsonld/distribution/contentUrl", "Prices as CSV"),
        ("get/7", "jsonld", "jsonld/distribution/contentUrl", "Prices"),
    ]
    assert told(ld({"dcat:distribution": {"@id": "/x"}})) == [
        ("x", "jsonld", "jsonld/dcat:distribution/@id", "")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<link rel=stylesheet href=/x.csv>",
        "<link rel='alternate stylesheet' type=text/css href=/x>",
        "<link rel=alternate hreflang=fr href=/fr/>",
        "<link rel=alternate type=text/html media=handheld href=/m/>",
        "<link rel=alternate type=application/json+oembed href=/oembed?url=x>",
        "<link rel=alternate type=application/json href=/wp-json/wp/v2/pages/7>",
        "<link rel=alternate type=application/rss+xml href=/dir/feed/>",
        "<link rel=alternate type=application/rss+xml href=/comments/feed/>",
        "<meta itemprop=name content=/x.csv>",
        "<object data=film.swf></object>",
        "<object data='data:text/csv,1'></object>",
        "<form method=post action=/x.csv></form>",
        "<form action=/search></form>",
        "<select><option value=csv><option value=.csv><option value=/page.html></select>",
        "<p data-url=/page>",
        """<p onclick="count('report.pdf')">""",
        "<script src=/x.json></script>",
        "<script>'/page.html' + \"x.csv\" + `/${name}.csv` + '/a b.csv'</script>",
        "<script type=text/template>'/x.csv'</script>",
        ld({"image": "/x", "target": "https://e.org/?q={term}.csv", "name": "/x y.csv"}),
        ld({"url": "/style.css"}),
        "<script type=application/ld+json>{'broken': '/x.csv'</script>",
    ],
)
def test_what_names_no_file(text: str) -> None:
    """Styles, translations, the page once more, other forms of words."""
    assert told(text) == []


def test_a_feed_of_the_whole_site_is_a_link() -> None:
    """Unlike the comments on one page."""
    feed = "<link rel=alternate type=application/rss+xml href=/feed/>"

    assert [link.url for link in read(feed)] == ["https://e.org/feed/"]
    assert [link.url for link in read(feed, url="https://e.org/")] == ["https://e.org/feed/"]


def test_a_shown_link_wins() -> None:
    """Of a URL that the page shows as a link, wherever, there is no other sighting."""
    text = "<link rel=item href=x.csv><embed src=x.csv><script>'/dir/x.csv'</script>"

    both = read_links((text + "<a href=x.csv>X</a>").encode(), url=PAGE).links

    assert [(link.kind, link.anchor) for link in both] == [("a", "X")]


def test_each_url_once_and_declared_before_guessed() -> None:
    text = "<p data-href=x.csv><p data-href=y.csv><object data=x.csv></object><embed src=x.csv>"

    assert [(url, kind) for url, kind, _, _ in told(text)] == [
        ("dir/x.csv", "object"),
        ("dir/y.csv", "data"),
    ]


def test_references_are_relative_to_the_base() -> None:
    assert [url for url, *_ in told("<base href=/b/><embed src=x><p data-url=y.csv>")] == [
        "b/x",
        "b/y.csv",
    ]


def test_a_page_without_shown_links_may_need_a_script_all_the_same() -> None:
    page = read_links(b"<script>app('/x.json')</script>", url=PAGE)

    assert (len(page.links), page.needs_script) == (1, True)


# --- groups ------------------------------------------------------------------------------------


def test_every_kind_is_a_group_of_its_own() -> None:
    """However deep in the page: no hidden link joins the group of ordinary links around it."""
    deep = "<div class=page><main><section id=files><ul class=list><li class=item><div class=row>"
    body = deep + "<a class=row href=/1>x</a>"
    features = LinkFeatures()
    shown = read_links(body.encode(), url=PAGE).links[0]
    first = features.rows([shown])[0, CLUSTER]
    groups = {first: "a"}
    for text, _ in [*DECLARED, *GUESSED]:
        place = text if "<link" in text or "<meta" in text else deep + text
        found = read(place)[0]
        group = features.rows([found])[0, CLUSTER]
        assert groups.setdefault(group, found.tag_path) == found.tag_path


def test_every_kind_has_words() -> None:
    """``explain`` can say of each how a page named it."""
    kinds = {link[1] for _, link in [*DECLARED, *GUESSED]}

    assert kinds | {"jsonld", "json", "header", "refresh"} <= set(ORIGINS)


# --- hostile pages -----------------------------------------------------------------------------


def test_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lodehound.read.mentions.MAX_MENTIONS", 10)

    assert len(read("".join(f"<embed src={i}>" for i in range(100)))) == 10
    assert len(read(f"<script>{[f'/{i}.csv' for i in range(100)]}</script>")) == 10


def test_scripts_are_read_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_links, "MAX_SCRIPTS", 100)
    scripts = "".join(f"<script>'/{i}.csv';{' ' * 50}</script>" for i in range(5))

    assert [link.url for link in read(scripts)] == ["https://e.org/0.csv", "https://e.org/1.csv"]


def test_texts_of_nested_elements_are_copied_only_so_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(element_text, "MOST_WORK", 1000)
    text = "".join(f"<div data-href=/{i}.csv>" for i in range(50)) + "w<br>" * 250

    anchors = [bool(link.anchor) for link in read(text)]

    assert 1 <= sum(anchors) <= 10
    assert anchors == sorted(anchors, reverse=True)


@pytest.mark.parametrize(
    "text",
    [
        "<script>" + '"/' * 500_000 + "</script>",
        "<script>" + '"https:' + "/" * 1_000_000 + "</script>",
        "<p onclick='" + '"/' * 500_000 + "'>",
        ld("[" * 100_000),
        "<script type=application/ld+json>" + "[" * 500_000 + "</script>",
        "<script type=application/ld+json>" + '{"url":' * 200_000 + "</script>",
    ],
    ids=["quotes", "slashes", "handler", "text", "lists", "objects"],
)
def test_long_texts_take_no_long_time(text: str) -> None:
    """Nothing is read twice: these end at once, or the test would not."""
    assert read(text) == ()
