"""Directory listings, buckets, WordPress, feeds and sitemaps."""

from __future__ import annotations

import pytest

from lodehound.shortcuts.bucket import Bucket
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile
from lodehound.shortcuts.directory import Directory
from lodehound.shortcuts.feed import Feed
from lodehound.shortcuts.sitemap import SitemapFiles
from lodehound.shortcuts.wordpress import Wordpress
from tests.shortcuts import answer, page, recorded

EPA = "https://edg.epa.gov/WAFer_harvest/ISO/"
NOAA = "https://data.noaa.gov/waf/NOAA/nmfs/garfo/iso/xml/"
BLOBS = "https://a.example/1container-with-dash156150799480401154?restype=container&comp=list"
MEDIA = "https://stats.example/wp-json/wp/v2/media?media_type=application&per_page=100&page=1"
TEXTS = MEDIA.replace("media_type=application", "media_type=text")


def test_a_listing_of_iis_is_read() -> None:
    found = recorded("directory/iis.html", EPA)

    names = ("ACS_Demographics_by_Tract_2008_2012_EA.xml", "Ag_On_Slopes.xml")
    first, second = (f"{EPA}enviroatlas-metadata-waf_{name}" for name in names)
    assert Directory().signs(found) == (EPA,)
    assert Directory().expand(found) == Expansion(
        files=(
            ListedFile(first, size=39985, modified="6/17/2021 12:20 PM"),
            ListedFile(second, size=47077, modified="7/23/2025 5:33 PM"),
        ),
        complete=True,
    )


def test_a_listing_of_apache_is_read_without_its_orders_and_rounded_sizes() -> None:
    found = recorded("directory/apache.html", NOAA)

    assert Directory().expand(found) == Expansion(
        files=(
            ListedFile(f"{NOAA}1463.xml", modified="2026-07-12 02:23"),
            ListedFile(f"{NOAA}1503.xml", modified="2026-07-12 02:23"),
        ),
        complete=True,
    )


def test_a_listing_of_nginx_leads_to_folders_below_it() -> None:
    found = recorded("directory/nginx.html", "http://localhost/data/")

    assert Directory().expand(found) == Expansion(
        files=(
            ListedFile("http://localhost/data/big.zip", size=30000, modified="02-Jan-2025 03:04"),
            ListedFile(
                "http://localhost/data/m%C3%BCll%202024.csv", size=12, modified="02-Jan-2025 03:04"
            ),
        ),
        more=(ApiPage("http://localhost/data/sub/", deeper=True),),
        complete=True,
    )


@pytest.mark.parametrize(
    "html",
    [
        "<title>Index of prices</title><p><a href=a.csv>a</a>",
        "<title>Home</title><h1>Index of /</h1><a href=a.csv>a</a>",
    ],
)
def test_other_pages_are_no_listings(html: str) -> None:
    assert Directory().signs(page(html)) == ()
    assert Directory().expand(page(html)) is None


def test_hostile_names_lead_nowhere() -> None:
    names = "javascript:alert(1)", "//evil.example/a.csv", "../../etc/passwd", "a/b/c.csv", "?C=N"
    links = "".join(f'<a href="{name}">x</a>' for name in names)
    listing = page(f"<title>Index of /</title><h1>Index of /</h1><pre>{links}", "https://e.org/d/")

    assert Directory().expand(listing) == Expansion(complete=True)


def test_a_listing_of_azure_is_read() -> None:
    found = recorded("bucket/azure.xml", BLOBS)

    assert Bucket().signs(found) == (BLOBS,)
    assert Bucket().expand(found) == Expansion(
        files=(
            ListedFile(
                "https://a.example/1container-with-dash156150799480401154/////Upper/blob/empty%20/"
                "another%20%E6%B1%89%E5%AD%97156150800079405826",
                title="another 汉字156150800079405826",
                format="application/octet-stream",
                size=1,
                modified="Wed, 26 Jun 2019 00:13:21 GMT",
            ),
        )
    )


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://bucket.s3.amazonaws.com/?list-type=2", "https://bucket.s3.amazonaws.com/"),
        ("https://s3.example/bucket?list-type=2", "https://s3.example/bucket/"),
    ],
)
def test_a_listing_of_s3_is_read(url: str, place: str) -> None:
    got = Bucket().expand(recorded("bucket/s3.xml", url))

    when = "2009-10-12T17:50:30.000Z"
    assert got == Expansion(
        files=(ListedFile(f"{place}my-image.jpg", "my-image.jpg", size=434234, modified=when),)
    )


@pytest.mark.parametrize(
    ("end", "following"),
    [
        ("<NextContinuationToken>t+1=</NextContinuationToken>", "continuation-token=t%2B1%3D"),
        ("<NextMarker>b/c</NextMarker>", "marker=b%2Fc"),
        ("", "marker=my-image.jpg"),
    ],
)
def test_pages_of_a_bucket_follow_by_token_marker_or_last_name(end: str, following: str) -> None:
    first = recorded("bucket/s3.xml", "https://b.example/?max-keys=1").body.decode()
    cut = first.replace("<IsTruncated>false</IsTruncated>", f"<IsTruncated>true</IsTruncated>{end}")
    got = Bucket().expand(answer(cut, "https://b.example/?max-keys=1"))

    assert got is not None
    assert got.more == (ApiPage(f"https://b.example/?max-keys=1&{following}", 1),)


def test_folders_of_a_bucket_are_listed_from_their_start() -> None:
    listing = (
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a/</Key></Contents>"
        "<CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes></ListBucketResult>"
    )
    got = Bucket().expand(answer(listing, "https://b.example/?delimiter=/&marker=x&prefix=a/"))

    folder = ApiPage("https://b.example/?delimiter=%2F&prefix=a%2Fb%2F", deeper=True)
    assert got == Expansion(more=(folder,))


def test_signs_of_wordpress_are_its_header_its_link_and_its_generator() -> None:
    api = "https://stats.example/blog/wp-json/"
    header = page("<p>", "https://stats.example/", link=f'<{api}>; rel="https://api.w.org/"')
    element = page(f'<link rel="https://api.w.org/" href="{api}">')
    generator = page('<meta name="generator" content="WordPress 6.5">')

    assert [Wordpress().signs(one) for one in (header, element, generator)] == [
        (api,),
        (api,),
        ("https://e.org/wp-json/",),
    ]


@pytest.mark.parametrize(
    ("root", "probe"),
    [
        ("https://stats.example/wp-json/", MEDIA),
        ("https://stats.example/", MEDIA),
        (
            "https://e.org/?rest_route=/",
            "https://e.org/?rest_route=%2Fwp%2Fv2%2Fmedia&media_type=application&per_page=100&page=1",
        ),
    ],
)
def test_one_request_lists_documents_of_wordpress(root: str, probe: str) -> None:
    assert Wordpress().probes(root) == (probe,)


def test_uploads_of_wordpress_are_read_and_texts_come_next() -> None:
    got = Wordpress().expand(recorded("wordpress/media.json", MEDIA))

    assert got == Expansion(
        files=(
            ListedFile(
                "https://stats.example/wp-content/uploads/2024/03/report.pdf",
                title="Annual report 2023 \u2013 tables",
                format="application/pdf",
                size=482113,
                modified="2024-03-06T07:00:01",
            ),
        ),
        more=(ApiPage(TEXTS),),
    )


def test_pages_of_uploads_follow_the_total_of_the_header() -> None:
    got = Wordpress().expand(recorded("wordpress/media.json", TEXTS, headers={"x-wp-total": "101"}))
    last = Wordpress().expand(recorded("wordpress/media.json", TEXTS, headers={"x-wp-total": "1"}))

    assert got is not None
    assert last is not None
    assert got.more == (ApiPage(TEXTS.replace("&page=1", "&page=2"), 1),)
    assert last.more == ()


@pytest.mark.parametrize("data", [[{"id": 1}], {"code": "rest_forbidden"}, [1, 2]])
def test_other_answers_are_not_uploads(data: object) -> None:
    assert Wordpress().expand(answer(data, MEDIA)) is None


def test_a_feed_lists_attached_files_and_pages() -> None:
    found = recorded("feed/rss.xml", "https://stats.example/feed/")
    when = "Tue, 05 Mar 2024 09:12:44 +0000"
    file = ListedFile(
        "https://stats.example/files/prices.csv", "Prices in March", "text/csv", 2048, when
    )

    assert Feed().signs(found) == ("https://stats.example/feed/",)
    assert Feed().expand(found) == Expansion(
        files=(file,),
        pages=("https://stats.example/prices-march", "https://stats.example/wages"),
        modified=dict.fromkeys(("https://stats.example/prices-march", file.url), when),
    )


def test_a_paged_atom_feed_is_followed() -> None:
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="?page=2"/>'
        '<entry><title>A</title><link href="/a"/>'
        '<link rel="enclosure" href="/a.csv" type="text/csv"/></entry></feed>'
    )
    assert Feed().expand(answer(atom, "https://e.org/feed")) == Expansion(
        files=(ListedFile("https://e.org/a.csv", "A", "text/csv"),),
        pages=("https://e.org/a",),
        more=(ApiPage("https://e.org/feed?page=2"),),
    )


def test_a_json_feed_is_read() -> None:
    data = {
        "version": "https://jsonfeed.org/version/1.1",
        "next_url": "https://e.org/feed.json?page=2",
        "items": [
            {
                "url": "https://e.org/a",
                "title": "A",
                "attachments": [{"url": "a.csv", "mime_type": "text/csv", "size_in_bytes": 8}],
            },
            {"url": "javascript:alert(1)"},
        ],
    }
    assert Feed().expand(answer(data, "https://e.org/feed.json")) == Expansion(
        files=(ListedFile("https://e.org/a.csv", "A", "text/csv", 8),),
        pages=("https://e.org/a",),
        more=(ApiPage("https://e.org/feed.json?page=2"),),
    )


def test_sitemaps_lead_to_pages_and_to_further_sitemaps() -> None:
    pages = "<urlset><url><loc>/a</loc></url><url><loc>https://e.org/b.csv</loc></url></urlset>"
    index = "<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>"
    url = "https://e.org/sitemap.xml"

    assert SitemapFiles().probes("https://e.org/somewhere") == (url,)
    assert SitemapFiles().signs(answer(index, url)) == (url,)
    assert SitemapFiles().expand(answer(pages, url)) == Expansion(
        pages=("https://e.org/a", "https://e.org/b.csv")
    )
    assert SitemapFiles().expand(answer(index, url)) == Expansion(
        more=(ApiPage("https://e.org/pages.xml"),)
    )
