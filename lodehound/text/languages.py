"""Stems and frequent words of languages, by their ISO 639-1 codes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

# Scripts without spaces: pairs of characters are used as words, as in Lucene.
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+")
# The languages of Snowball's stemmers.
STEMMERS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "da": "danish",
    "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish",
    "fr": "french", "de": "german", "el": "greek", "hi": "hindi", "hu": "hungarian",
    "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@lru_cache(maxsize=64)
def stemmer(lang: str) -> Callable[[str], str]:
    """Return what gives the stem of a word; words of a language without one stay as they are."""
    import Stemmer  # noqa: PLC0415 - most commands need none

    name = STEMMERS.get(lang)
    if name is None or name not in Stemmer.algorithms():
        return str
    made: Callable[[str], str] = Stemmer.Stemmer(name).stemWord
    return made


@lru_cache(maxsize=64)
def stop_words(lang: str) -> frozenset[str]:
    """Return the frequent words of a language that say nothing about a subject."""
    import stopwordsiso  # noqa: PLC0415 - most commands need none

    return frozenset(stopwordsiso.stopwords(lang)) if stopwordsiso.has_lang(lang) else frozenset()
