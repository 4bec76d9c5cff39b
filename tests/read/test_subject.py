"""How near texts and links are to a topic, with two-dimensional word vectors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.read.subject import Subject, data_files
from tests.helpers import ROOT


class Plane:
    """Birds to the east, wars to the north, eagles in between."""

    name = "plane"
    size = 2
    known: ClassVar = {
        "bird": (1, 0),
        "birds": (1, 0),
        "war": (0, 1),
        "eagle": (1, 1),
        "animal": (2, 0),
    }

    def frequent(self, count: int) -> list[str]:
        return list(self.known)[:count]

    def vector(self, word: str) -> np.ndarray | None:
        found = self.known.get(word)
        return None if found is None else np.array(found, dtype=np.float32)


BIRDS = Subject(("bird",), categories=("war",), vectors=Plane())


def test_a_text_is_near_by_its_words() -> None:
    """Two birds and a war: (2, 1) / sqrt(5); words without a vector do not count."""
    read = BIRDS.read("Birds, a bird; the war unheard", "en")

    assert read.nearness == pytest.approx((2 / 5**0.5, 1 / 5**0.5))
    assert read.counts == {"bird": 2, "war": 1, "unheard": 1}
    assert read.named


def test_a_text_that_says_nothing() -> None:
    """No words, no nearness."""
    read = BIRDS.read("", "en")

    assert (read.nearness, read.named, dict(read.counts)) == ((0.0, 0.0), False, {})


def test_links_are_near_by_address_anchor_and_what_is_beside() -> None:
    """The eagle is between both; each of the three places tells."""
    links = [
        Link(ROOT + "eagle.htm"),
        Link(ROOT + "1", anchor="a bird"),
        Link(ROOT + "2", around="the war"),
        Link(ROOT + "3"),
    ]
    expected = [[0.5**0.5, 0.5**0.5], [1, 0], [0, 1], [0, 0]]

    assert BIRDS.nearness(links) == pytest.approx(np.array(expected), abs=1e-6)
    assert BIRDS.nearness(links) == pytest.approx(np.array(expected), abs=1e-6)  # remembered


def test_without_vectors() -> None:
    """Nearness is zero; words are still counted."""
    plain = Subject(("bird",), categories=("war",))

    assert plain.nearness([Link(ROOT, anchor="bird")]).tolist() == [[0, 0]]
    assert plain.said(Link(ROOT, anchor="birds"), "en") == {"bird": 1}


def test_phrases() -> None:
    """A topic of two words is named by both in a row, whatever their endings."""
    rail = Subject(("rail transport", "train"))

    assert rail.read("Rails transporting goods", "en").named
    assert rail.read("Two trains", "en").named
    assert not rail.read("transport by rail", "en").named


def test_other_languages() -> None:
    """The topic's word is stemmed as the page's words are."""
    assert Subject(("maladie",)).read("les maladies", "fr").named


def test_a_description_is_a_topic() -> None:
    """Its most frequent words that say something stand for it."""
    query = Subject((), about="The birds and the nest of a bird").queries("en")[0]

    assert query == {"bird": 1.0, "nest": 0.5}


def test_nothing_is_no_topic() -> None:
    with pytest.raises(ConfigError, match="needs a word"):
        Subject(("1 2",))


def test_data_files_have_the_papers_words() -> None:
    """Appendix B.2 lists 74 of them."""
    assert len(data_files().words) == 74
    assert data_files().read("Download the annual report", "en").named


def test_many_words_do_not_take_vectors_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a text says must not depend on how many words came before it."""
    monkeypatch.setattr("lodehound.read.vectors.ROOM", 2)
    birds = Subject(("bird",), vectors=Plane())
    for text in ("bird war eagle", "animal"):
        birds.read(text, "en")

    assert birds.read("animal eagle", "en").nearness == pytest.approx((3 / 10**0.5,))
