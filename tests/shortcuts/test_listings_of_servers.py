"""Directory listings, buckets, WordPress, feeds and sitemaps."""

from __future__ import annotations

from urllib.parse import quote

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
ORDERED = "media_type=application&orderby=id&order=asc&per_page=100&page=1"
MEDIA = f"http://muzoma.co.uk/wp-json/wp/v2/media?{ORDERED}"
GRAP = "GRAP_v100_GFS/2025/0130/"
NEXRAD = "https://unidata-nexrad-level3.s3.amazonaws.com/?list-type=2&"
OMNI = "https://theomnishow.omnigroup.com/"
AUDIO = "https://d2vstsfo8knv0p.cloudfront.net/audio/the-omni-show-00"
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


def test_a_listing_of_lighttpd_is_read() -> None:
    """Its heading is smaller, its dates have seconds and all its sizes are rounded."""
    found = recorded("directory/lighttpd.html", "https://e.org/data/")
    when = "2025-Jan-02 03:04:05"

    assert Directory().signs(found) == (found.url,)
    assert Directory().expand(found) == Expansion(
        files=(
            ListedFile("https://e.org/data/big.zip", modified=when),
            ListedFile("https://e.org/data/m%C3%BCll%202024.csv", modified=when),
        ),
        more=(ApiPage("https://e.org/data/sub/", deeper=True),),
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
        (
            "https://noaa-oar-mlwp-data.s3.amazonaws.com/?prefix=GRAP_v100_GFS",
            "https://noaa-oar-mlwp-data.s3.amazonaws.com/",
        ),
        (
            "https://s3.example/noaa-oar-mlwp-data?list-type=2",
            "https://s3.example/noaa-oar-mlwp-data/",
        ),
    ],
)
def test_a_listing_of_s3_is_read(url: str, place: str) -> None:
    found = recorded("bucket/s3.xml", url)
    names = [f"GRAP_v100_GFS_20250130{hour}_f000_f240_06.nc" for hour in ("00", "12")]
    sizes = [9282914098, 9285544320]
    dates = ["2025-02-28T05:54:40.000Z", "2025-02-28T06:03:16.000Z"]

    assert Bucket().signs(found) == (url,)
    assert Bucket().expand(found) == Expansion(
        files=tuple(
            ListedFile(f"{place}{GRAP}{name}", name, size=size, modified=date)
            for name, size, date in zip(names, sizes, dates, strict=True)
        )
    )


def test_encoded_names_in_a_bucket_are_decoded() -> None:
    listing = recorded("bucket/s3.xml", "https://b.example/").body.decode()
    names = listing.replace(f"{GRAP}GRAP_v100_GFS_2025013000", "m%C3%BCll+2024%2B")
    got = Bucket().expand(answer(names, "https://b.example/"))

    assert got is not None
    assert got.files[0].url == "https://b.example/m%C3%BCll%202024%2B_f000_f240_06.nc"


def test_a_listing_of_s3_leads_to_its_folders() -> None:
    found = recorded("bucket/s3_folders.xml", f"{NEXRAD}prefix=FTG_N0B_&delimiter=_")

    assert Bucket().expand(found) == Expansion(
        more=tuple(
            ApiPage(f"{NEXRAD}delimiter=_&prefix=FTG_N0B_{year}_", deeper=True)
            for year in (2022, 2023)
        )
    )


@pytest.mark.parametrize(
    ("end", "following"),
    [
        ("<NextContinuationToken>t+1=</NextContinuationToken>", "continuation-token=t%2B1%3D"),
        ("<NextMarker>b/c</NextMarker>", "marker=b%2Fc"),
        ("", f"marker={quote(GRAP, safe='')}GRAP_v100_GFS_2025013012_f000_f240_06.nc"),
    ],
)
def test_pages_of_a_bucket_follow_by_token_marker_or_last_name(end: str, following: str) -> None:
    first = recorded("bucket/s3.xml", "https://b.example/?max-keys=2").body.decode()
    cut = first.replace("<IsTruncated>false</IsTruncated>", f"<IsTruncated>true</IsTruncated>{end}")
    got = Bucket().expand(answer(cut, "https://b.example/?max-keys=2"))

    assert got is not None
    assert got.more == (ApiPage(f"https://b.example/?max-keys=2&{following}", 2),)


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
        ("http://muzoma.co.uk/wp-json/", MEDIA),
        ("http://muzoma.co.uk/", MEDIA),
        (
            "https://e.org/?rest_route=/",
            f"https://e.org/?rest_route=%2Fwp%2Fv2%2Fmedia&{ORDERED}",
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
                "http://muzoma.co.uk/wp-content/uploads/2016/10/Muzoma-The-Impossible-Dream.muz",
                title="muzoma-the-impossible-dream",
                format="application/muz",
                modified="2016-10-11T16:32:22",
            ),
        ),
        more=(ApiPage(TEXTS),),
    )


def test_uploads_of_wordpress_6_have_a_size_and_a_title_without_entities() -> None:
    place = "http://127.0.0.1:18124/"
    first = f"{place}wp-json/wp/v2/media?{ORDERED}"
    got = Wordpress().expand(
        recorded("wordpress/uploads.json", first, headers={"x-wp-total": "230"})
    )

    assert got == Expansion(
        files=(
            ListedFile(
                f"{place}wp-content/uploads/2025/03/table-0.pdf",
                title="Table 0 \u2013 figures & prices",
                format="application/pdf",
                size=13,
                modified="2025-03-04T05:06:07",
            ),
        ),
        more=(
            ApiPage(first.replace("&page=1", "&page=2"), 1),
            ApiPage(first.replace("application", "text")),
        ),
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
    found = recorded("feed/rss.xml", f"{OMNI}rss/")
    andrea = f"{OMNI}episode/andrea-mcvittie-user-experience-designer/"
    brian = f"{OMNI}episode/brian-covey-support-manager/"
    dates = ("Wed, 06 Dec 2017 14:00:00 +0000", "Wed, 22 Nov 2017 14:00:00 +0000")
    titles = ("Andrea McVittie, User Experience Designer", "Brian Covey, Support Manager")
    files = (
        ListedFile(f"{AUDIO}4.mp3", titles[0], "audio/mpeg", 24388318, dates[0]),
        ListedFile(f"{AUDIO}3.mp3", titles[1], "audio/mpeg", 24985882, dates[1]),
    )

    assert Feed().signs(found) == (f"{OMNI}rss/",)
    assert Feed().expand(found) == Expansion(
        files=files,
        pages=(andrea, brian),
        modified={
            andrea: dates[0], files[0].url: dates[0], brian: dates[1], files[1].url: dates[1]
        },
    )  # fmt: skip


def test_an_atom_feed_with_relative_addresses_is_read() -> None:
    found = recorded("feed/atom.xml", "https://www.qemu.org/feed.xml")
    pages = {
        "https://www.qemu.org/2025/08/26/qemu-10-1-0/": "2025-08-26T23:25:00+00:00",
        "https://www.qemu.org/2025/04/23/qemu-10-0-0/": "2025-04-23T18:14:00+00:00",
    }

    assert Feed().signs(found) == (found.url,)
    assert Feed().expand(found) == Expansion(pages=tuple(pages), modified=pages)


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


def test_a_recorded_json_feed_is_read() -> None:
    """Its slashes are escaped, as PHP does it."""
    found = recorded("feed/feed.json", "https://www.rosemaryorchard.com/blog.json")
    pages = {
        "https://www.rosemaryorchard.com/blog/workflow-add-task-sub-tasks-to-omnifocus":
            "2018-08-24T14:55:45+02:00",
        "https://www.rosemaryorchard.com/elsewhere/fusion-september-is-coming":
            "2018-08-22T09:26:29+02:00",
    }  # fmt: skip

    assert Feed().signs(found) == (found.url,)
    assert Feed().expand(found) == Expansion(pages=tuple(pages), modified=pages)


def test_attached_files_and_the_next_page_of_a_json_feed_are_read() -> None:
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


def test_a_recorded_sitemap_lists_pages_with_their_dates() -> None:
    found = recorded("sitemap/articles.xml", "http://www.hebdenbridgetimes.co.uk/sitemap.xml")
    site = "http://www.hebdenbridgetimes.co.uk/"
    pages = {
        f"{site}sport/local-sport/fax-ensure-donny-never-at-races-1-7242483":
            "2015-05-03T17:05:02+01:00",
        f"{site}news/a-top-walk-or-hike-1-7241026": "2015-05-01T19:53:35+01:00",
    }  # fmt: skip

    assert SitemapFiles().signs(found) == (found.url,)
    assert SitemapFiles().expand(found) == Expansion(spare=tuple(pages), modified=pages)


def test_a_recorded_index_leads_to_its_sitemaps() -> None:
    place = "http://127.0.0.1:18124/wp-sitemap"
    found = recorded("sitemap/index.xml", f"{place}.xml")

    assert SitemapFiles().signs(found) == (found.url,)
    assert SitemapFiles().expand(found) == Expansion(
        more=(ApiPage(f"{place}-posts-post-1.xml"), ApiPage(f"{place}-posts-page-1.xml"))
    )


def test_sitemaps_lead_to_pages_and_to_further_sitemaps() -> None:
    pages = "<urlset><url><loc>/a</loc></url><url><loc>https://e.org/b.csv</loc></url></urlset>"
    index = "<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>"
    url = "https://e.org/sitemap.xml"

    assert SitemapFiles().probes("https://e.org/somewhere") == (url,)
    assert SitemapFiles().signs(answer(index, url)) == (url,)
    assert SitemapFiles().expand(answer(pages, url)) == Expansion(
        files=(ListedFile("https://e.org/b.csv", format="csv"),), spare=("https://e.org/a",)
    )
    assert SitemapFiles().expand(answer(index, url)) == Expansion(
        more=(ApiPage("https://e.org/pages.xml"),)
    )
