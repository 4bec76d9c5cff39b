"""Where recorded sites and lists of start URLs are."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.locate import locate, read_lines, read_starts


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LODEHOUND_CORPORA", raising=False)


def made(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()


def test_a_file_a_folder_and_files_joined() -> None:
    made("b.warc.gz", "d/2.warc.zst", "d/1.warc", "d/notes.txt", "e/notes.txt", "p+q.warc")
    assert locate("b.warc.gz") == (Path("b.warc.gz"),)
    assert locate("d") == (Path("d/1.warc"), Path("d/2.warc.zst"))
    assert locate("d+b.warc.gz") == (*locate("d"), Path("b.warc.gz"))
    assert locate("p+q.warc") == (Path("p+q.warc"),)
    with pytest.raises(SiteError, match="The folder 'e' has no file ending in"):
        locate("e")
    with pytest.raises(SiteError, match="There is no recorded site 'x'"):
        locate("d+x")


def test_a_name_is_looked_up_in_the_folder_of_corpora(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is named here, or that of the environment."""
    made("here/sites/a.warc.gz", "there/a.warc.zst", "there/timelines/t.warc")
    assert locate("a", Path("here")) == (Path("here/sites/a.warc.gz"),)
    monkeypatch.setenv("LODEHOUND_CORPORA", "there")
    assert locate("a") == (Path("there/a.warc.zst"),)
    assert locate("t+a") == (Path("there/timelines/t.warc"), Path("there/a.warc.zst"))
    assert locate("a", Path("here")) == (Path("here/sites/a.warc.gz"),)
    monkeypatch.delenv("LODEHOUND_CORPORA")
    with pytest.raises(SiteError, match="or a name in the folder LODEHOUND_CORPORA"):
        locate("a")


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(SiteError, match="cannot be read"):
        locate("x" * 5000)


def test_start_urls_are_typed_or_in_files() -> None:
    Path("list").write_text("# all\n\n https://b.example/ \nhttps://c.example/\n")
    stdin = io.BytesIO(b"https://d.example/\n")
    urls = read_starts(["HTTPS://a.example/", "list", "-"], stdin)
    assert urls == (
        "HTTPS://a.example/", "https://b.example/", "https://c.example/", "https://d.example/",
    )  # fmt: skip
    assert read_starts([]) == ()


def test_what_is_no_start_is_named() -> None:
    made("empty")
    with pytest.raises(ConfigError, match="--from 'empty' contains no URL"):
        read_starts(["empty"])
    with pytest.raises(ConfigError, match=r"did you mean https://www\.example\.org"):
        read_starts(["www.example.org"])
    with pytest.raises(ConfigError, match="--start 'none' is neither a URL nor a readable file"):
        read_starts(["none"], option="--start")
    with pytest.raises(ConfigError, match="--allow-hosts 'none' is not a readable file"):
        read_lines("none", "--allow-hosts")
