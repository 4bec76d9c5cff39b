"""What pages say."""

from __future__ import annotations

import pytest

from lodehound.read.text import Stems, page_text, tokens, url_text

GERMAN = (
    "<p>Der Hund läuft durch den Wald und die Katze schläft auf dem Dach. Die Vögel singen am "
    "Morgen, und die Kinder gehen in die Schule. Am Abend kommen alle nach Hause, und es gibt "
    "etwas Warmes zu essen, weil es draußen kalt ist und der Wind weht."
)
LONG = "word " * 60


def test_what_stands_around_the_text_is_left_out() -> None:
    """Menus, scripts, forms and hidden elements are no text of the page."""
    html = b"""<title>The title</title><nav>menu</nav><div role=navigation>menu</div>
        <h1>Heading</h1><p>One <a href=x>link</a>.</p><script>var x</script><style>p {}</style>
        <form>search</form><footer>imprint</footer><p hidden>secret</p>"""

    read = page_text(html)

    assert (read.title, read.text) == ("The title", "Heading One link .")


def test_the_main_element_is_the_text() -> None:
    """One main element of some length is believed; a short one, or several, are not."""
    main, article = f"<main>{LONG}</main>", f"<article>{LONG}</article>"

    assert page_text(f"<p>other</p>{main}".encode()).text == LONG.strip()
    assert page_text(b"<p>other</p><main>little</main>").text == "other little"
    assert page_text(f"<p>other</p>{article}{article}".encode()).text.startswith("other word")


@pytest.mark.parametrize(
    ("html", "lang"),
    [
        ("<html lang=fr>x", "fr"),
        ("<html class=a lang='en-GB'>x", "en"),
        (GERMAN, "de"),
        ("<p>too little to tell", ""),
    ],
)
def test_the_language(html: str, lang: str) -> None:
    """As declared, else as guessed from enough text."""
    assert page_text(html.encode()).lang == lang


def test_words_of_any_script() -> None:
    """Letters make words, digits none; without spaces, pairs of characters do."""
    assert tokens("Ein Ärger, 2 x 3 Dinge_hier") == ["ein", "ärger", "dinge", "hier"]
    assert tokens("鉄道の歴史") == ["鉄道", "道の", "の歴", "歴史"]
    assert tokens("поэзия") == ["поэзия"]
    assert tokens("1 2 3 _") == []


@pytest.mark.parametrize(
    ("lang", "words", "stems"),
    [
        ("en", "the railways and a railway", ["railway", "railway"]),
        ("de", "die Züge und der Zug", ["zug", "zug"]),
        ("fr", "les maladies de la maladie", ["malad", "malad"]),
        ("xx", "Railways stay", ["railways", "stay"]),
    ],
)
def test_stems(lang: str, words: str, stems: list[str]) -> None:
    """By the language; words that say nothing are left out where the language is known."""
    assert Stems(lang).of(tokens(words)) == stems


def test_a_word_that_is_wanted_says_something() -> None:
    """A topic may be on the list of words that say nothing."""
    assert Stems("en").of(["the", "who"]) == []
    assert Stems("en", ["who"]).of(["the", "who"]) == ["who"]


def test_the_words_of_an_address() -> None:
    """The path without its host, parted where words end."""
    assert tokens(url_text("https://war.example/wp/b/BirdsOf_Prey%20x.htm?q=war")) == [
        "wp", "birds", "of", "prey", "htm"
    ]  # fmt: skip


def test_hostile_pages_are_read() -> None:
    """Whatever it is, it is text."""
    for body in (b"", bytes(range(256)), b"<nav>" * 500, b"<html lang='" * 5000, b"<p>" * 3000):
        assert len(page_text(body).text) <= 400_000


def test_a_page_that_is_hidden_as_a_whole() -> None:
    """The root of a page cannot be removed."""
    page = b"<html hidden><title>T</title><nav hidden><form>m</form></nav><p>A bird.</html>"
    assert page_text(page).text == "A bird."
