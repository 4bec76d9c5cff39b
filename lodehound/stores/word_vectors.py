"""Word vectors from an installed package or from a text file."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lodehound.core.errors import ConfigError, reason_of
from lodehound.extras import extra
from lodehound.stores.text_files import lines_of

if TYPE_CHECKING:  # most commands need no vectors, and numpy is slow to import
    import numpy as np
    from numpy.typing import NDArray

    from lodehound.read.vectors import WordVectors

    Floats = NDArray[np.float32]

NONE, AUTO, WORDLLAMA = "none", "auto", "wordllama"
MAX_WORDS = 3_000_000  # lines of a file that are read
WORD_BEGINS = "\u2581"  # stands before the tokens that begin a word
LARGEST = 1e6  # number in a vector: sums of squares must stay finite


def named_for_good(name: str) -> str:
    """Return a name that means the same vectors in every folder."""
    return name if name in {NONE, AUTO, WORDLLAMA, ""} else str(Path(name).absolute())


def open_vectors(name: str = AUTO) -> WordVectors | None:
    """Return word vectors.

    Args:
        name: ``wordllama``; a file in the text format of GloVe or word2vec; ``none``; or ``auto``:
            wordllama if it is installed, otherwise none.
    """
    if name == NONE or (name == AUTO and find_spec(WORDLLAMA) is None):
        return None
    if name in {AUTO, WORDLLAMA}:
        return _wordllama()
    return _from_file(Path(name))


def _words(texts: Iterable[str]) -> list[str]:
    """Return those of at least three letters, each once, in lower case."""
    return list(dict.fromkeys(t.casefold() for t in texts if len(t) > 2 and t.isalpha()))


@contextmanager
def _logging_as_it_was() -> Iterator[None]:
    """Restore the logging configuration, which importing wordllama changes."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


class _Llama:
    """Vectors of wordllama's tokens; the vector of a word is the mean of its tokens."""

    size = 256
    name = WORDLLAMA

    def __init__(self) -> None:
        with _logging_as_it_was():
            with extra("topics", "; or name a file of --vectors, or none"):
                import wordllama  # noqa: PLC0415 - a second to import
            # Its own package holds everything: it must not ask the network.
            folder = Path(wordllama.__file__).parent
            loaded = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        self._tokenizer = loaded.tokenizer
        self._vectors: Floats = loaded.embedding

    def frequent(self, count: int) -> list[str]:
        """Return tokens that are whole words: they were merged in the order of frequency."""
        numbers = self._tokenizer.get_vocab()
        tokens = sorted(numbers, key=numbers.__getitem__)
        return _words(token[1:] for token in tokens if token[0] == WORD_BEGINS)[:count]

    def vector(self, word: str) -> Floats | None:
        ids = self._tokenizer.encode(word, add_special_tokens=False).ids
        mean: Floats | None = self._vectors[ids].mean(axis=0) if ids else None
        return mean


@lru_cache(maxsize=1)
def _wordllama() -> WordVectors:
    return _Llama()


class _File:
    """Vectors from a file with a word and its numbers on each line."""

    def __init__(self, name: str, words: dict[str, int], matrix: Floats) -> None:
        self.name = name
        self.size = matrix.shape[1]
        self._words = words
        self._matrix = matrix

    def frequent(self, count: int) -> list[str]:
        """Return words in the file's order, which is that of frequency."""
        return _words(self._words)[:count]

    def vector(self, word: str) -> Floats | None:
        row = self._words.get(word)
        return None if row is None else self._matrix[row]


@lru_cache(maxsize=2)
def _from_file(path: Path) -> WordVectors:
    """Read the text format of GloVe, or that of word2vec, which begins with two numbers."""
    import numpy as np  # noqa: PLC0415 - see above

    words: dict[str, int] = {}
    rows: list[Floats] = []
    try:
        with np.errstate(over="ignore"):
            for number, line in zip(range(MAX_WORDS), lines_of(path), strict=False):
                word, *numbers = line.rstrip().split(" ")
                if (number == 0 and len(numbers) == 1) or word.casefold() in words:
                    continue
                row = np.array(numbers, dtype=np.float32)
                if not len(row) or (rows and len(row) != len(rows[0])):
                    raise ValueError(f"line {number + 1} has {len(row)} numbers")  # noqa: TRY301
                if not (np.abs(row) <= LARGEST).all():  # nor nan
                    raise ValueError(  # noqa: TRY301
                        f"line {number + 1} has a number that is not finite, or above a million"
                    )
                words[word.casefold()] = len(rows)
                rows.append(row)
        if not rows:
            raise ValueError("it is empty")  # noqa: TRY301
        size = path.stat().st_size
        return _File(f"{path.absolute()} {size}", words, np.array(rows))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"The word vectors {str(path)!r} cannot be read ({reason_of(error)}): give a text "
            f"file with a word and its numbers on each line, wordllama, or none."
        ) from error
