"""Looking into a journal that somebody else may be writing."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lodehound.core.errors import SiteError
from lodehound.core.link import Context, Link
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.packed import pack_links
from lodehound.stores.log.crawl_reader import CrawlReader, Shown, url_of

PAGE = "https://s.example/page"
TEXTS = st.one_of(st.text(max_size=20), st.text(alphabet='],["\\\n\ud800a', max_size=12))


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.booleans()), max_size=5))
def test_links_are_parted_whatever_their_words_are(
    words: list[tuple[str, str, str, bool]],
) -> None:
    """Brackets, quotes and backslashes in the words of a link do not end it."""
    links = tuple(
        Link(f"https://s.example/{at}", "https://s.example/list" if other else PAGE,
             path, anchor, around, "a", 5 if other else 2)
        for at, (path, anchor, around, other) in enumerate(words)
    )  # fmt: skip
    packed = pack_links(links, PAGE, 2)
    text = zlib.decompress(packed).decode("utf-8", "surrogatepass") if packed else "[]"
    shown = Shown.of(PAGE, 2, text)

    assert [url_of(part) for part in shown.parts] == [link.url for link in links]
    assert tuple(map(shown.link, shown.parts)) == links


def test_only_pages_that_show_a_url(tmp_path: Path) -> None:
    with CrawlDir.create(tmp_path / "c", config="{}", version="1") as directory:
        for name in ("a", "ab"):
            link = Link(
                f"https://s.example/{name}", f"https://s.example/{name}.xml", kind="sitemap"
            )
            directory.journal.offered(f"https://s.example/{name}.xml", [link])
        directory.database.flush()
    with CrawlReader(tmp_path / "c") as look:
        found = [shown.source for shown in look.shown(holding="https://s.example/a")]

    assert found == ["https://s.example/a.xml"]


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "crawl.sqlite").write_bytes(json.dumps([1] * 999).encode())
    with pytest.raises(SiteError, match="damaged"):
        CrawlReader(tmp_path)


def test_links_of_rdf_documents_are_read() -> None:
    context = Context("subject", ("http://p/",), ("http://s/",), "")
    link = Link("https://s.example/a", "https://s.example/", "", "", "", "rdf", 1, context)
    packed = pack_links([link], link.source, 1)
    shown = Shown.of("", 0, zlib.decompress(packed).decode())

    assert [shown.link(part) for part in shown.parts] == [link._replace(context=None)]
    assert [url_of(part) for part in shown.parts] == [link.url]
