"""The subject of a crawl: a topic, its categories, and the similarity of texts and links to it.

The target judges pages by it and the policy judges links by it, so both use the same topic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.read.text import Stems, tokens, url_text
from lodehound.read.vectors import Means, WordVectors

Floats = NDArray[np.float64]
Counts = Mapping[str, float]
PROFILE = 40  # words that represent a description
ROOM = 300_000  # links in the cache

# Appendix B.2 of the SB paper: the keywords of TRES for data files.
DATA_WORDS = (
    "pdf", "xls", "csv", "tar", "zip", "rar", "rdf", "json", "doc", "xml", "yaml", "txt", "tsv",
    "ppt", "ods", "dta", "7z", "ttl", "file", "document", "report", "publication", "dataset",
    "data", "download", "archive", "spreadsheet", "table", "list", "resource", "annex",
    "supplement", "attachment", "proceedings", "survey", "material", "output", "content",
    "statistics", "article", "paper", "metadata", "fact", "download file", "download document",
    "available for download", "access data", "view report", "get dataset", "data file",
    "read more", "resource list", "get document", "download publication", "document archive",
    "supporting materials", "export data", "download CSV", "download PDF", "download XLS",
    "dataset download", "attached document", "official documents", "browse files",
    "download statistics", "download article", "annual report", "white paper",
    "technical documentation", "technical report", "raw data", "metadata file", "open data",
    "fact sheet",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """The stems of a text and its similarity to the subject."""

    lang: str
    counts: Counter[str]  # stems
    named: bool  # whether it contains one of the topic's words or phrases
    nearness: tuple[float, ...] = ()  # cosines of word vectors: to the topic, to each category


@dataclass
class Subject:
    """A topic and its categories.

    Args:
        words: The topic's words or phrases.
        categories: Broader subjects that the topic belongs to.
        about: A text on the topic: a description, or example pages.
        vectors: Word vectors, if available.
        lang: The language of links on pages without a known language.
    """

    words: tuple[str, ...]
    categories: tuple[str, ...] = ()
    about: str = ""
    vectors: WordVectors | None = None
    lang: str = "en"
    _stems: dict[str, Stems] = field(default_factory=dict, repr=False)
    _queries: dict[str, list[dict[str, float]]] = field(default_factory=dict, repr=False)
    _phrases: dict[str, list[str]] = field(default_factory=dict, repr=False)
    _links: dict[tuple[str, str, str], tuple[float, ...]] = field(default_factory=dict, repr=False)
    _said: dict[tuple[str, str, str, str], Counter[str]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.about and not any(tokens(word) for word in self.words):
            raise ConfigError("A topic needs a word: write topic:WORD, or describe it.")
        self._means = Means(self.vectors) if self.vectors is not None else None
        if self._means is not None:
            parts = [tokens(" ".join(self.words)) + self._profile_words(), *self._category_words()]
            self._targets = self._means.of(parts)

    def _category_words(self) -> list[list[str]]:
        return [tokens(category) for category in self.categories]

    def _profile_words(self) -> list[str]:
        stems = self.stems_of(self.lang)
        words = [word for word in tokens(self.about) if stems.stem(word)]
        return [word for word, _ in Counter(words).most_common(PROFILE)]

    def stems_of(self, lang: str) -> Stems:
        """Return the stemmer of a language; it never drops the subject's own words."""
        known = self._stems.get(lang)
        if known is None:
            own = {word for text in (*self.words, *self.categories) for word in tokens(text)}
            known = self._stems[lang] = Stems(lang, own)
        return known

    def queries(self, lang: str) -> list[dict[str, float]]:
        """Return the topic and each category as weighted stems of a language."""
        known = self._queries.get(lang)
        if known is None:
            stems = self.stems_of(lang)
            topic: dict[str, float] = dict.fromkeys(stems.of(tokens(" ".join(self.words))), 1.0)
            counts = Counter(stems.of(tokens(self.about))).most_common(PROFILE)
            for stem, count in counts:
                topic[stem] = max(topic.get(stem, 0.0), count / counts[0][1])
            others = [dict.fromkeys(stems.of(words), 1.0) for words in self._category_words()]
            known = self._queries[lang] = [topic, *others]
        return known

    def phrases(self, lang: str) -> list[str]:
        """Return each name of the topic as consecutive stems."""
        known = self._phrases.get(lang)
        if known is None:
            stems = self.stems_of(lang)
            made = (" ".join(stems.of(tokens(word))) for word in self.words)
            known = self._phrases[lang] = [phrase for phrase in made if phrase]
        return known

    def read(self, text: str, lang: str) -> Reading:
        """Read the text of a page."""
        words = tokens(text)
        stems = self.stems_of(lang)
        often: dict[str, int] = {}  # words that are not stop words
        counts: Counter[str] = Counter()
        for word, count in Counter(words).items():
            if stem := stems.stem(word):
                often[word] = count
                counts[stem] += count
        near = (0.0,) * (1 + len(self.categories))
        if self._means is not None and often:
            near = tuple((self._targets @ self._means.of_counts(often)).astype(float).tolist())
        return Reading(lang, counts, self.names(counts, words, lang), near)

    def names(self, stems: Container[str], words: Sequence[str], lang: str) -> bool:
        """Return whether a text contains one of the topic's names, word by word."""
        phrases = self.phrases(lang)
        if any(phrase in stems for phrase in phrases):
            return True
        if not any(" " in phrase for phrase in phrases):
            return False
        joined = f" {' '.join(self.stems_of(lang).of(words))} "
        return any(f" {phrase} " in joined for phrase in phrases)

    def nearness(self, links: Sequence[Link]) -> Floats:
        """Return the cosines of the links' words to the topic and to each category.

        A link is described by its URL, its text and the surrounding text (Han et al., 3.1).
        Without word vectors all cosines are zero.
        """
        known = self._links
        keys = [(link.url, link.anchor, link.around) for link in links]
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        found = dict(zip(missing, self._near([_words(key) for key in missing]), strict=True))
        result = np.array([found.get(key) or known[key] for key in keys], dtype=np.float64)
        if len(known) < ROOM:
            known.update(found)
        return result.reshape(len(links), 1 + len(self.categories))

    def said(self, link: Link, lang: str) -> Counter[str]:
        """Return the stems of a link's words and their counts."""
        key = (link.url, link.anchor, link.around, lang or self.lang)
        counts = self._said.get(key)
        if counts is None:
            counts = Counter(self.stems_of(key[3]).of(_words(key[:3])))
            if len(self._said) < ROOM:
                self._said[key] = counts
        return counts

    def _near(self, texts: Sequence[Sequence[str]]) -> list[tuple[float, ...]]:
        if self._means is None:
            return [(0.0,) * (1 + len(self.categories))] * len(texts)
        cosines = self._means.of(texts) @ self._targets.T
        return [tuple(row) for row in cosines.astype(np.float64).round(6).tolist()]


def _words(key: tuple[str, str, str]) -> list[str]:
    url, anchor, around = key
    return tokens(f"{url_text(url)} {anchor} {around}")


@lru_cache(maxsize=1)
def data_files() -> Subject:
    """Return the subject for file targets: the words of links to data files."""
    return Subject(words=DATA_WORDS)
