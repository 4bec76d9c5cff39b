"""Reads the topic options from files: descriptions, examples, idf, weights."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lodehound.core.errors import ConfigError, reason_of
from lodehound.core.target import Target
from lodehound.core.urls import canonical
from lodehound.read.mime import is_html, split_content_type
from lodehound.read.text import PageText, Stems, language, page_text, tokens
from lodehound.stores.errors import output_error
from lodehound.stores.files.replacing import replaced
from lodehound.stores.records import Damage, read_records
from lodehound.stores.text_files import lines_of, read_bounded, read_json

MAX_ABOUT = 200_000  # characters of a description


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """The options of a topic besides its words.

    Args:
        categories: Broader subjects.
        about: A text on the topic.
        vectors: The source of word vectors: see lodehound.stores.word_vectors.
        idf: A file of document frequencies, or a corpus to count them in.
        weights: The weights that a policy learned before.
    """

    categories: tuple[str, ...] = ()
    about: str = ""
    vectors: str = "auto"
    idf: str = ""
    weights: tuple[float, ...] = ()

    @property
    def written(self) -> str:
        """Return a text with everything that verdicts depend on; "" if no option is set."""
        said = [*self.categories, self.about, self.vectors.removeprefix("auto")]
        return json.dumps(said) if any(said) else ""

    def of_target(self) -> dict[str, Any]:
        return {"categories": self.categories, "about": self.about, "vectors": self.vectors}

    def of_policy(self, target: Target) -> dict[str, Any]:
        return {
            "subject": target.subject,
            "weights": self.weights or None,
            "idf": read_idf(self.idf) if self.idf else None,
        }


def split_names(text: str) -> tuple[str, ...]:
    """Split a list at commas.

    >>> split_names("disease, public health,")
    ('disease', 'public health')
    """
    return tuple(name for part in text.split(",") if (name := part.strip()))


def read_about(descriptions: Sequence[str], likes: Sequence[str], site: Sequence[Path] = ()) -> str:
    """Return the text of files and pages about a topic.

    Args:
        descriptions: Text files.
        likes: Example pages: HTML or text files, or URLs of a recorded site.
        site: The files of that site.
    """
    urls = {url for name in likes if (url := canonical(name))}
    texts = [_file(name).text for name in (*descriptions, *likes) if not canonical(name)]
    texts += _recorded(urls, site) if urls else []
    return "\n".join(texts)[:MAX_ABOUT]


def _file(name: str) -> PageText:
    try:
        body = read_bounded(Path(name))
    except (OSError, ValueError) as error:
        raise ConfigError(f"The text {name!r} cannot be read: {reason_of(error)}.") from error
    if b"<html" in body[:2000].lower() or name.lower().endswith((".html", ".htm")):
        return page_text(body)
    return PageText(body.decode("utf-8", "replace"))


def _recorded(urls: set[str], site: Sequence[Path]) -> list[str]:
    found: dict[str, str] = {}
    for path in site:
        for record in read_records(path, Damage()):
            url = canonical(record.url)
            if url in urls and url not in found and 200 <= record.status < 300:
                found[url] = page_text(record.body, split_content_type(record.content_type)[1]).text
    missing = sorted(urls - found.keys())
    if missing:
        raise ConfigError(
            f"The example {missing[0]!r} is not recorded: save the page and name the file."
        )
    return [found[url] for url in sorted(found)]


@lru_cache(maxsize=2)
def read_idf(name: str) -> Mapping[str, int]:
    """Return document frequencies by stem, and the number of documents under "".

    A ``.json`` file contains just that. In a WARC file every page is a document, in any other
    file every line.
    """
    path = Path(name)
    try:
        if path.suffix == ".json":
            return _frequencies(read_json(path))
        if ".warc" in path.name:
            return _count(_pages(path))
        return _count(PageText(line, lang=language(line)) for line in lines_of(path))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The document frequencies {name!r} cannot be read: {reason_of(error)}."
        ) from error


def _frequencies(said: Any) -> dict[str, int]:
    if not isinstance(said, dict) or not all(isinstance(n, int) and n >= 0 for n in said.values()):
        raise ValueError("it must contain one number for each stem")
    if said.get("", 0) < max(said.values(), default=0):
        raise ValueError('the number of documents, under "", is smaller than that of a stem')
    return said


def _pages(path: Path) -> Iterator[PageText]:
    for record in read_records(path, Damage()):
        mime, charset = split_content_type(record.content_type)
        if 200 <= record.status < 300 and is_html(mime):
            yield page_text(record.body, charset)


def _count(texts: Iterable[PageText]) -> dict[str, int]:
    stems: dict[str, Stems] = {}
    counts: Counter[str] = Counter()
    documents = 0
    for text in texts:
        lang = text.lang or "en"
        known = stems.setdefault(lang, Stems(lang))
        counts.update(set(known.of(tokens(text.text))))
        documents += 1
    return dict(counts) | {"": documents}


def read_weights(path: Path) -> tuple[float, ...]:
    """Return the weights of an earlier crawl, or () if there is no such file yet."""
    if not path.exists():
        return ()
    try:
        said = read_json(path)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The weights {str(path)!r} cannot be read: {reason_of(error)}."
        ) from error
    listed = said.get("weights") if isinstance(said, dict) else None
    if not isinstance(listed, list):
        raise ConfigError(
            f"The weights {str(path)!r} cannot be read: the file was not written by --weights "
            f'({{"weights": [...]}}); name another, or remove it.'
        )
    if not all(isinstance(weight, int | float) and abs(weight) < math.inf for weight in listed):
        raise ConfigError(
            f"The weights {str(path)!r} cannot be read: they are not all numbers; remove the file."
        )
    try:
        return tuple(map(float, listed))
    except OverflowError as error:
        raise ConfigError(
            f"The weights {str(path)!r} cannot be read: {reason_of(error)}."
        ) from error


def write_weights(path: Path, weights: Sequence[float]) -> None:
    """Write weights atomically."""
    try:
        with replaced(path) as temporary:
            temporary.write_text(json.dumps({"weights": list(weights)}) + "\n", encoding="utf-8")
    except OSError as error:
        raise output_error(path, error) from error
