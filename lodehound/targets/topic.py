"""Pages about a topic (Han, Wuillemin, Senellart, ICWE 2018).

A target has no state, so its verdict must not depend on earlier pages. Whether a page is
relevant does not: the paper calls a page relevant if its tf-idf relevance is above zero or
it contains the topic's word, which for a word is the same for every idf. How relevant it is
does depend on idf, so this is left to the policy, which counts the pages it has seen: it
gets the page's most frequent stems in ``Verdict.details``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Self

from lodehound.core.errors import ConfigError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.learn.tfidf import TfIdf
from lodehound.read.extensions import NOT_TEXT
from lodehound.read.mime import is_html
from lodehound.read.subject import Reading, Subject
from lodehound.read.text import need_topics, page_text, tokens
from lodehound.read.vectors import WordVectors

STEMS = 60  # stems of a page that the policy gets; the rest is one number
# English words without a subject: articles, pronouns, prepositions, conjunctions, forms of "be"
# and "have". Stop word lists are longer, and contain "computer" and "research".
EMPTY = frozenset(
    "a an the this that these those i me my you your he him his she her it its we us our they them "
    "their who whom whose which what of in on at by for from to with into onto as than and or nor "
    "but if so not no is am are was were be been being have has had do does did".split()
)
EVEN = TfIdf()  # without idf: all words have the same weight


class Topic(Target):
    """Pages about a topic: they contain one of its words, or are similar to a description.

    Args:
        words: The topic's words or phrases; one of them is enough.
        categories: Broader subjects, whose words help a policy to rank links.
        about: A text on the topic: a description, or example pages.
        vectors: Word vectors; without them, word counts are compared.
        threshold: Minimum cosine between a page and the text on the topic.
    """

    needs_body = True
    subject: Subject
    taught_policy = "sarsa"

    def __init__(
        self,
        *,
        words: Sequence[str] = (),
        categories: Sequence[str] = (),
        about: str = "",
        vectors: WordVectors | None = None,
        threshold: float = 0.25,
    ) -> None:
        if not words and not about:
            raise ConfigError(
                "topic needs a word after a colon, for example topic:cancer; "
                "or a description (--about FILE), or examples (--like PAGE)."
            )
        if empty := [word for word in words if _says_nothing(word)]:
            raise ConfigError(
                f"{empty[0]!r} is not a topic, because every page contains it (case does not "
                f"matter): use a word or a phrase from pages on the topic, and spell out a short "
                f"name, for example topic:world health organization."
            )
        need_topics()
        self.words = tuple(words)
        self.categories = tuple(categories)
        self.about = about
        self.vectors = vectors
        self.threshold = threshold
        self.subject = Subject(
            self.words, categories=self.categories, about=self.about, vectors=vectors
        )

    @classmethod
    def from_argument(
        cls,
        argument: str,
        *,
        categories: Sequence[str] = (),
        about: str = "",
        vectors: WordVectors | None = None,
    ) -> Self:
        """Read ``cancer`` or ``cancer,tumour,malignant growth``."""
        words = [word for part in argument.split(",") if (word := part.strip())]
        return cls(words=words, categories=categories, about=about, vectors=vectors)

    def adapt(self, scope: Scope) -> Scope:
        """Leave out files that are neither pages nor plain text."""
        return scope.blocking(NOT_TEXT)

    def judge(self, page: Page) -> Verdict:
        if not page.ok or not page.body or not (is_html(page.mime) or page.mime == "text/plain"):
            return NOT_FOUND
        said = page_text(page.body, page.charset)
        reading = self.subject.read(f"{said.title} {said.text}", said.lang or self.subject.lang)
        query = self.subject.queries(reading.lang)[0]
        cosine = float(EVEN.cosines([reading.counts], [query])[0, 0])
        found = reading.named or bool(self.about and cosine > self.threshold)
        value = max(reading.nearness[0], 0.0) if self.vectors is not None else cosine
        label = (self.words[0] if self.words else "topic") if found else ""
        return Verdict(found, round(value, 4), label, self._details(reading))

    def _details(self, reading: Reading) -> str:
        """Return the data that a policy needs about a page, about a kilobyte of JSON."""
        counts = reading.counts
        stems = dict(counts.most_common(STEMS))
        for query in self.subject.queries(reading.lang):
            stems |= {stem: counts[stem] for stem in query if stem in counts}
        rest = sum(n * n for n in counts.values()) - sum(n * n for n in stems.values())
        near = [round(value, 4) for value in reading.nearness]
        details = {"lang": reading.lang, "near": near, "stems": stems, "rest": rest}
        return json.dumps(details, ensure_ascii=False, separators=(",", ":"))


def _says_nothing(word: str) -> bool:
    return bool(parts := tokens(word)) and EMPTY.issuperset(parts)
