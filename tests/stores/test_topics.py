"""What users say of topics, from files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from lodehound.assembly.topic_files import with_topic
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.errors import DiskFullError
from lodehound.stores.records import Record
from lodehound.stores.topics import TopicOptions, read_about, read_idf, read_weights, write_weights
from lodehound.stores.warc import write_warc
from lodehound.stores.word_vectors import open_vectors
from tests.helpers import ROOT


def test_descriptions_and_examples(tmp_path: Path) -> None:
    """Text as it is, pages by their text, recorded pages by their address."""
    (tmp_path / "a.txt").write_text("Birds.", encoding="utf-8")
    (tmp_path / "b.html").write_text("<nav>menu</nav><p>Nests.", encoding="utf-8")
    site = tmp_path / "s.warc.gz"
    write_warc(site, [Record(ROOT, 200, "text/html", b"<p>Eggs.")])

    text = read_about([str(tmp_path / "a.txt")], [str(tmp_path / "b.html"), ROOT], [site])

    assert text == "Birds.\nNests.\nEggs."
    with pytest.raises(ConfigError, match="is not recorded"):
        read_about([], [ROOT + "other"], [site])
    with pytest.raises(ConfigError, match="cannot be read"):
        read_about([str(tmp_path / "none")], [])


def test_document_frequencies(tmp_path: Path) -> None:
    """As JSON, counted in a recording, or counted line by line."""
    (tmp_path / "a.json").write_text(json.dumps({"": 3, "bird": 2}), encoding="utf-8")
    (tmp_path / "b.txt").write_text("birds and a bird\nnests\n", encoding="utf-8")
    write_warc(tmp_path / "c.warc.gz", [Record(ROOT, 200, "text/html", b"<p>A bird")])

    assert read_idf(str(tmp_path / "a.json")) == {"": 3, "bird": 2}
    assert read_idf(str(tmp_path / "b.txt")) == {"": 2, "bird": 1, "nest": 1}
    assert read_idf(str(tmp_path / "c.warc.gz")) == {"": 1, "bird": 1}
    for bad in ('["x"]', '{"": 1, "bird": 2}', "{"):
        (tmp_path / "d.json").write_text(bad, encoding="utf-8")
        with pytest.raises(ConfigError, match="cannot be read"):
            read_idf(str(tmp_path / "d.json"))


def test_weights_come_back(tmp_path: Path) -> None:
    """None before the first crawl; a broken file is not passed over."""
    path = tmp_path / "w.json"
    assert read_weights(path) == ()

    write_weights(path, [1.5, -2])

    assert read_weights(path) == (1.5, -2.0)
    unfit = ('{"weights": ["x"]}', '{"weights": [NaN]}', '{"weights": [1' + "0" * 400 + "]}")
    for bad in ("{", "{}", '{"a": 1}', "[1]", '{"weights": 7}', *unfit):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(ConfigError):
            read_weights(path)


def test_no_room_for_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said as of any full disk; nothing is left behind."""

    def full(path: Path, *_: object, **__: object) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(DiskFullError, match="try again, or choose another place"):
        write_weights(tmp_path / "w.json", [1.5])
    assert list(tmp_path.iterdir()) == []


def test_verdicts_are_kept_under_what_was_said() -> None:
    """Weights and idf do not change a verdict."""
    assert TopicOptions(idf="x", weights=(1.0,)).written == ""
    assert TopicOptions(categories=("a",)).written != TopicOptions(about="a").written


def test_vectors_from_a_file(tmp_path: Path) -> None:
    """GloVe's text format, and word2vec's with its two numbers at the top."""
    for name, head in (("glove.txt", ""), ("w2v.txt", "2 3\n")):
        (tmp_path / name).write_text(head + "Bird 1 0 0\nwar 0 1 0.5\n", encoding="utf-8")
        vectors = open_vectors(str(tmp_path / name))
        assert vectors is not None
        assert vectors.size == 3
        bird = vectors.vector("bird")
        assert bird is not None
        assert bird.tolist() == [1, 0, 0]
        assert vectors.vector("eagle") is None
        assert (vectors.frequent(1), vectors.frequent(9)) == (["bird"], ["bird", "war"])
    for bad in ("", "bird 1 2\nwar 1\n", "bird x\nwar y"):
        (tmp_path / "bad.txt").write_text(bad, encoding="utf-8")
        with pytest.raises(ConfigError, match="cannot be read"):
            open_vectors(str(tmp_path / "bad.txt"))


def test_no_vectors() -> None:
    assert open_vectors("none") is None


def test_vectors_that_are_installed() -> None:
    """They load without a network, and know that birds fly."""
    vectors = open_vectors("wordllama")
    assert vectors is not None
    assert vectors.frequent(3) == ["the", "and", "for"]
    bird, eagle, tax = (vectors.vector(word) for word in ("bird", "eagle", "tax"))
    assert bird is not None
    assert eagle is not None
    assert tax is not None
    assert float(bird @ eagle) > float(bird @ tax)


def test_vectors_leave_logging_alone() -> None:
    """The package turns everybody's log on when it is imported; in a fresh process it shows."""
    code = "import logging; from lodehound.stores.word_vectors import open_vectors as o; "
    code += "o('wordllama'); r = logging.getLogger(); print(len(r.handlers), r.level)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["0", "30"]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e39", "1e30"])
def test_vectors_that_no_cosine_can_be_made_of(number: str, tmp_path: Path) -> None:
    """They would end the crawl at its first find."""
    (tmp_path / "v.txt").write_text(f"bird 1 0\nnest 0 {number}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"v\.txt' .*line 2 has a number that is not finite"):
        open_vectors(str(tmp_path / "v.txt"))


def fetch_nothing(_: CrawlConfig, urls: Sequence[str]) -> list[str]:
    raise AssertionError(urls)


def test_vectors_mean_the_same_in_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = with_topic(CrawlConfig(vectors="v.txt"), fetch_nothing)
    assert told.vectors == str(tmp_path / "v.txt")
    for name in ("none", "auto", "wordllama"):
        assert with_topic(CrawlConfig(vectors=name), fetch_nothing).vectors == name
