"""Pages about a topic."""

from __future__ import annotations

import json

import pytest

from lodehound.checks import check_target
from lodehound.core.errors import ConfigError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.registry import make_target, parse
from lodehound.targets.topic import STEMS, Topic
from tests.helpers import ROOT
from tests.read.test_subject import Plane


def judged(text: str, target: Topic, mime: str = "text/html", status: int = 200) -> Verdict:
    body = f"<html lang=en><title>t</title><p>{text}".encode()
    return target.judge(Page(ROOT, "GET", status, mime, body))


BIRDS = Topic(words=["bird"], categories=["war"], vectors=Plane())


def test_the_contract() -> None:
    """With vectors or without, with a word or a description."""
    check_target(lambda: BIRDS)
    check_target(lambda: Topic(words=["bird"]))
    check_target(lambda: Topic(about="birds and nests"))


def test_a_page_with_the_word_is_a_find() -> None:
    """Worth its nearness; a menu does not count."""
    assert judged("Birds of prey", BIRDS).found
    assert judged("Birds of prey", BIRDS).value == 1.0
    assert judged("The war of birds", BIRDS).value == pytest.approx(0.7071, abs=1e-4)
    assert judged("The war of birds", BIRDS).label == "bird"
    assert not judged("An eagle", BIRDS).found
    assert not judged("<nav>bird</nav> x", BIRDS).found


def test_what_a_policy_is_told() -> None:
    """Language, nearness to topic and categories, stems, and the squares of what is left out."""
    told = json.loads(judged("birds birds war " + "other " * 3, BIRDS).details)

    assert told["stems"] == {"bird": 2, "war": 1}  # "other" says nothing
    assert (told["lang"], told["rest"]) == ("en", 0)
    assert told["near"] == pytest.approx([2 / 5**0.5, 1 / 5**0.5], abs=1e-4)


def test_long_pages_are_told_in_short() -> None:
    """The most frequent stems, and the topic's however rare."""
    many = " ".join(f"{chr(97 + i % 26)}{chr(97 + i // 26)}xyq " * 2 for i in range(200))
    told = json.loads(judged(many + " bird", BIRDS).details)

    assert len(told["stems"]) == STEMS + 1
    assert told["stems"]["bird"] == 1
    assert told["rest"] == 4 * (200 - STEMS)


@pytest.mark.parametrize(
    "page",
    [
        Page(ROOT, "GET", 404, "text/html", b"bird"),
        Page(ROOT, "GET", 200, "application/pdf", b"bird"),
        Page(ROOT, "HEAD", 200, "text/html"),
    ],
)
def test_what_is_no_page_is_no_find(page: Page) -> None:
    assert BIRDS.judge(page) == NOT_FOUND


def test_a_description_finds_what_is_like_it() -> None:
    """By the cosine of the counts, above the threshold."""
    nests = Topic(about="nests and eggs of birds in trees", threshold=0.5)

    assert judged("eggs in nests", nests).found
    assert not judged("eggs and bacon and toast and tea and marmalade and milk", nests).found


def test_as_written() -> None:
    """Words behind the colon, the rest by options; a target that takes none says so."""
    made = make_target(
        parse("target", "topic:cancer, lung tumour"), {"categories": ("health",), "vectors": "none"}
    )

    assert isinstance(made, Topic)
    assert (made.words, made.categories) == (("cancer", "lung tumour"), ("health",))
    assert (made.vectors, made.policy) == (None, "lodehound")
    with pytest.raises(ConfigError, match="topic needs a word"):
        make_target(parse("target", "topic"), {"vectors": "none"})
    for words in ("the", "cancer,Who", "to be"):
        with pytest.raises(ConfigError, match=r"every page contains it .* spell out a short name"):
            make_target(parse("target", f"topic:{words}"), {"vectors": "none"})
    with pytest.raises(ConfigError, match="--categories is for topics"):
        make_target(parse("target", "files"), {"categories": ("health",)})
