"""The text of a page: its main text, its language, and the stems of its words.

Pages may be hostile: everything here is limited, so that the time for a page is at
most proportional to its size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from lodehound.core.urls import host_of, path_of
from lodehound.extras import extra
from lodehound.read.charsets import decode
from lodehound.read.html_tree import parse_html
from lodehound.text.languages import UNSPACED, stemmer, stop_words

MAX_BODY = 2_000_000  # bytes of a page that are read; the longest real articles have fewer
MAX_TEXT = 400_000  # characters of the text that are read
LITTLE = 200  # characters: a main element with less text is ignored

# Elements around the text of a page (HTML standard, 4.3 and the roles of ARIA 1.2, 5.3.4).
AROUND = (
    "script, style, noscript, template, nav, header, footer, aside, form, button, select, "
    "[role=navigation], [role=banner], [role=contentinfo], [role=search], [hidden]"
)
MAIN = "main, [role=main], article"

WORD = re.compile(r"[^\W\d_]{2,}")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LANG = re.compile(r"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?([A-Za-z]{2,3})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page without menus and the like."""

    text: str = ""
    title: str = ""
    lang: str = ""  # ISO 639-1; "" if it is not known


def page_text(body: bytes, charset: str = "") -> PageText:
    """Return the text of an HTML page.

    >>> page_text(b"<html lang=en><title>T</title><nav>menu</nav><p>A bird.<script>x</script>")
    PageText(text='A bird.', title='T', lang='en')
    """
    html = decode(body[:MAX_BODY], charset)
    tree = parse_html(html)
    heading = tree.css_first("title")
    title = _clean(heading.text(deep=True)) if heading is not None else ""
    for node in reversed(tree.css(AROUND)):  # what is in another one comes first
        if node.tag != "html":  # a page may be hidden as a whole
            node.decompose()
    text = _main(tree)
    declared = LANG.search(html[:5000])
    return PageText(text, title[:500], declared[1].lower()[:2] if declared else language(text))


def _main(tree: LexborHTMLParser) -> str:
    """Return the text of the main element, if there is exactly one, or else of the body."""
    mains = tree.css(MAIN)[:2]
    if len(mains) == 1:
        text = _clean(mains[0].text(deep=True, separator=" "))
        if len(text) >= LITTLE:
            return text
    return _clean(tree.body.text(deep=True, separator=" ")) if tree.body is not None else ""


def _clean(text: str) -> str:
    return " ".join(text[: 2 * MAX_TEXT].split())[:MAX_TEXT]


def language(text: str) -> str:
    """Guess the language of a text; "" if the text is too short."""
    if len(text) < LITTLE:
        return ""
    found, _ = _detector()(text[:5000])
    return "" if found == "unknown" else str(found)[:2]


def url_text(url: str) -> str:
    """Return the words in a URL, except those of its host.

    >>> url_text("https://e.org/wp/r/RailTransport_in%20India.htm?id=7")
    'wp r Rail Transport_in India htm'
    """
    path = unquote(path_of(url)) if host_of(url) else url
    return CAMEL.sub(" ", re.sub(r"[\W\d]+", " ", path)).strip()


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> tokens("Der Zug, 2 Züge; 鉄道史")
    ['der', 'zug', 'züge', '鉄道', '道史']
    """
    found: list[str] = WORD.findall(text.casefold())
    if not UNSPACED.search(text):
        return found
    words: list[str] = []
    for word in found:
        if UNSPACED.fullmatch(word):
            words.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            words.append(word)
    return words


class Stems:
    """Stems words, each word once, and drops stop words.

    Args:
        lang: ISO 639-1. Without a stemmer for the language, words are not changed.
        kept: Words that are never dropped.
    """

    def __init__(self, lang: str, kept: Collection[str] = ()) -> None:
        self.lang = lang
        self._stem = stemmer(lang)
        self._known: dict[str, str] = {}
        self._stopped = stop_words(lang) - frozenset(kept)

    def of(self, words: Iterable[str]) -> list[str]:
        """Return the stems of words, in order."""
        return [stem for word in words if (stem := self.stem(word))]

    def stem(self, word: str) -> str:
        """Return the stem of a word; "" if it is a stop word."""
        stem = self._known.get(word)
        return self._learn(word) if stem is None else stem

    def _learn(self, word: str) -> str:
        stem = "" if word in self._stopped else self._stem(word[:60])
        if len(self._known) < 1_000_000:  # a page of random words must not fill the memory
            self._known[word] = stem
        return stem


def need_topics() -> None:
    """Raise ConfigError if the packages that compare texts are missing."""
    _detector()


@lru_cache(maxsize=1)
def _detector() -> Callable[[str], Any]:
    with extra("topics"):
        from resiliparse.parse.lang import detect_fast  # noqa: PLC0415
    found: Callable[[str], Any] = detect_fast
    return found
