"""Recorded sites are read once and kept."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.core.link import Link
from lodehound.drivers.replay import scope_of
from lodehound.stores import cache
from lodehound.stores.cache import cache_folder, content_key, open_site
from lodehound.stores.site import RecordedSite
from tests.helpers import ROOT, http, url, warc


def home(*places: str) -> bytes:
    shown = "".join(f"<p>see <a href=/{to}>{to}</a>" for to in places)
    return warc(ROOT, http(shown.encode(), Content_Type="text/html"))


DATA = warc(url("x"), http(b"a,b", Content_Type="text/csv"))


def write(path: Path, *parts: bytes) -> Path:
    path.write_bytes(b"".join(map(gzip.compress, parts)))
    return path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write(tmp_path / "site.warc.gz", home("x", "gone"), DATA)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def facts(site: RecordedSite) -> list[object]:
    """Everything a site holds."""
    columns = [getattr(site, name).tolist() for name in cache.ARRAYS]
    texts = [getattr(site, name) for name in cache.TEXTS]
    links = [site.links(number, 1) for number in range(len(site.status))]
    return [site.name, site.cut, site.damage, site.root, site.hosts, *columns, *texts, links]


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_records(path: Path, damage: object) -> None:
        raise AssertionError("it was read again")

    monkeypatch.setattr(cache, "read_records", read_records)


def test_the_second_time_nothing_is_read(
    site: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is the whole site, link by link."""
    first = open_site([site], cache=kept)
    forbid_reading(monkeypatch)

    assert facts(open_site([site], cache=kept)) == facts(first)
    assert [path.name for path in kept.iterdir()] == [f"{content_key([site])}.site"]


@pytest.mark.parametrize(
    "parts",
    [
        [warc(ROOT, http(b"<a href=x></a>", Content_Type="text/html"))],
        [warc(ROOT, http(b"no links", Content_Type="text/html"))],
        [warc(ROOT, http(b"untyped"))],
        [
            warc(
                ROOT,
                http(
                    "<a class='\u2028 é' href=x>日本\n語 \x85</a>".encode(),
                    Content_Type="text/html",
                ),
            )
        ],
        [home("x"), DATA[:-30]],
    ],
    ids=["no words", "no links", "no type", "odd words", "damaged"],
)
def test_what_is_kept_comes_back(tmp_path: Path, kept: Path, parts: list[bytes]) -> None:
    """Empty texts, odd texts and notes of damage included."""
    path = write(tmp_path / "odd.warc.gz", *parts)

    assert facts(open_site([path], cache=kept)) == facts(open_site([path], cache=kept))


def test_changed_content_is_read_anew(site: Path, kept: Path) -> None:
    """The content decides, not the name or the date."""
    before = open_site([site], cache=kept)
    write(site, home("y"), DATA)

    after = open_site([site], cache=kept)

    assert [len(one.links(0, 1)) for one in (before, after)] == [2, 1]
    assert len(list(kept.iterdir())) == 2


def test_the_same_content_elsewhere_is_known(
    site: Path, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy under another name is not read, and has its own name."""
    open_site([site], cache=kept)
    copy = tmp_path / "copy.warc.gz"
    copy.write_bytes(site.read_bytes())
    forbid_reading(monkeypatch)

    assert open_site([copy], cache=kept).name == "copy.warc.gz"


def test_another_reader_reads_anew(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key names the version of the reader and of the layout."""
    keys = {content_key([site])}
    monkeypatch.setattr(cache, "VERSION", 3000)
    keys.add(content_key([site]))
    monkeypatch.setattr(cache, "FORMAT", cache.FORMAT + 1)
    keys.add(content_key([site]))

    assert len(keys) == 3


@pytest.mark.parametrize(
    "spoiled", [b"", b"x", b"PK\x03\x04 no zip", "first half", "without its end", "one byte"]
)
def test_a_spoiled_cache_is_read_anew(site: Path, kept: Path, spoiled: bytes | str) -> None:
    """Whatever happened to the kept file, the recording is the truth, and is kept again."""
    good = facts(open_site([site], cache=kept))
    file = next(kept.iterdir())
    whole = file.read_bytes()
    middle = len(whole) // 2
    shapes = {
        "first half": whole[:middle],
        "without its end": whole[:-30],
        "one byte": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
    }
    file.write_bytes(spoiled if isinstance(spoiled, bytes) else shapes[spoiled])

    assert facts(open_site([site], cache=kept)) == good
    assert file.stat().st_size == len(whole)


def test_a_cache_that_cannot_be_written(site: Path, tmp_path: Path) -> None:
    """The message names the folder and the way out."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(
        SiteError, match=r"cache '.*file/below' cannot be written .*: choose another with --cache"
    ):
        open_site([site], cache=tmp_path / "file" / "below")


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As chosen, else as the environment says, else where caches belong."""
    monkeypatch.setenv("LODEHOUND_CACHE", str(tmp_path))

    assert cache_folder(tmp_path / "chosen") == tmp_path / "chosen"
    assert cache_folder() == tmp_path
    monkeypatch.delenv("LODEHOUND_CACHE")
    assert cache_folder().name == "lodehound"


# --- several files, cut lists ------------------------------------------------------------------


def test_several_files_are_one_site(site: Path, kept: Path, tmp_path: Path) -> None:
    """The first record of all is the root; of a URL in two files the first counts."""
    second = write(tmp_path / "more.warc.gz", warc(url("gone"), http(status="410 Gone")), home())

    whole = open_site([site, second], cache=kept)

    assert (whole.name, whole.root) == ("site.warc.gz+more.warc.gz", ROOT)
    assert whole.urls == [ROOT, url("x"), url("gone")]
    assert whole.status.tolist() == [200, 200, 410]
    assert content_key([site, second]) != content_key([second, site])


def test_a_missing_part_is_missed(site: Path, kept: Path, tmp_path: Path) -> None:
    """Though the rest has been read before."""
    open_site([site], cache=kept)

    for missing in (tmp_path / "nowhere.warc", tmp_path):
        with pytest.raises(SiteError, match=r"There is no recorded site|is a folder"):
            open_site([site, missing], cache=kept)


def test_junk_beside_a_good_file(site: Path, kept: Path, tmp_path: Path) -> None:
    """The good file is a site, and the damage is told; junk alone is none."""
    junk = tmp_path / "junk.warc"
    junk.write_bytes(b"junk" * 100)

    assert open_site([site, junk], cache=kept).damage.lost == 1
    with pytest.raises(SiteError, match=r"junk.warc has no readable response"):
        open_site([junk], cache=kept)


def test_a_cut_list_puts_urls_out_of_scope(site: Path, kept: Path, tmp_path: Path) -> None:
    """NAME.cut.txt.gz beside NAME.warc.gz: what exists but was not recorded costs nothing."""
    without = open_site([site], cache=kept)
    lines = f"{url('gone')}\n\nHTTPS://S.example/other#x\nno address\n"
    (tmp_path / "site.cut.txt.gz").write_bytes(gzip.compress(lines.encode()))

    cut = open_site([site], cache=kept)

    assert [set(without.cut), set(cut.cut)] == [set(), {url("gone"), url("other")}]
    refusals = [scope_of(one, [ROOT]).refusal(Link(url("gone"))) for one in (without, cut)]
    assert refusals == ["", "not recorded"]
    assert open_site([site], cache=kept).cut == cut.cut


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"x" * 999)[:-9], b"\x1f\x8b"],
    ids=["no gzip", "cut off", "beginning only"],
)
def test_a_damaged_cut_list(site: Path, kept: Path, tmp_path: Path, content: bytes) -> None:
    """Without it the crawl would ask for what was not recorded: it is an error, not a guess."""
    (tmp_path / "site.cut.txt.gz").write_bytes(content)

    with pytest.raises(SiteError, match=r"site.cut.txt.gz' cannot be read .*: repair or remove it"):
        open_site([site], cache=kept)
