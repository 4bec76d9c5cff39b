"""Texts become words, and questions terms."""

from __future__ import annotations

import pytest

from lodehound.search.question import terms_of
from lodehound.search.words import fold, languages_of, stems_of, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Chişinău", ["chisinau"]),
        ("Łódź, Ærø", ["lodz", "aero"]),
        ("GDPGrowth", ["gdpgrowth", "gdp", "growth"]),
        ("co2_2019", ["co2", "co", "2", "2019"]),
        ("失業率", ["失業", "業率"]),
        ("GDP 日本", ["gdp", "日本"]),
        ("البطالة", ["البطالة"]),
        ("x" * 500, []),
        ('a"b*c(NEAR)-', ["a", "b", "c", "near"]),
    ],
)
def test_words_are_folded_and_split(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_forms_of_a_word_share_a_stem() -> None:
    assert stems_of("unemployed", ["en"]) & stems_of("unemployment", ["en"])
    assert stems_of("regionen", ["de"]) == {fold("region")}
    assert stems_of("region", ["en"]) == set()


def test_languages_are_told_by_their_frequent_words() -> None:
    assert languages_of(words_of("die Zahl der Geburten nach dem Ort und der Zeit"))[0] == "de"
    assert languages_of(words_of("tasa de paro de las mujeres por comunidad y sexo"))[0] == "es"
    assert languages_of(["xyzzy"]) == []


def test_a_question_keeps_what_says_something() -> None:
    words = [term.word for term in terms_of("Which of these has the wages of women by region?")]
    assert words == ["wages", "women", "region"]
    assert [term.word for term in terms_of("who is who")] == ["who", "is"]
    assert terms_of("?! *") == []
    assert len(terms_of(" ".join(f"word{n}" for n in range(1000)))) == 20


def test_long_words_also_match_as_beginnings() -> None:
    (term,) = terms_of("germany")
    assert term.beginning == "german"
    assert term.matches("germanunemployment")
    (short,) = terms_of("wage")
    assert short.beginning == ""
    assert not short.matches("wagering")
