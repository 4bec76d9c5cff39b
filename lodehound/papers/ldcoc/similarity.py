"""Similarity of two texts by edit distance."""

from __future__ import annotations

MAX_LENGTH = 500  # characters that are compared


def distance(one: str, other: str) -> int:
    """Return the Levenshtein distance: insertions, deletions and replacements.

    Columns of the distance table are integers with one bit per row (Myers 1999, in the
    form of Hyyro 2003), so that a text takes one step per character.

    >>> distance("kitten", "sitting"), distance("", "abc"), distance("same", "same")
    (3, 3, 0)
    """
    one, other = _different(one[:MAX_LENGTH], other[:MAX_LENGTH])
    if not one or not other:
        return len(one) + len(other)
    places: dict[str, int] = {}
    for row, sign in enumerate(one):
        places[sign] = places.get(sign, 0) | 1 << row
    last, whole = 1 << (len(one) - 1), (1 << len(one)) - 1
    up, down, score = whole, 0, len(one)
    for sign in other:
        same = places.get(sign, 0)
        across = (((same & up) + up) ^ up) | same | down
        rises, falls = down | ~(across | up) & whole, up & across
        score += bool(rises & last) - bool(falls & last)
        rises, falls = (rises << 1 | 1) & whole, falls << 1 & whole
        vertical = same | down
        up = falls | ~(vertical | rises) & whole
        down = rises & vertical
    return score


def similarity(one: str, other: str) -> float:
    """Return 1 for equal texts, 0 for texts with nothing in common.

    >>> similarity("abcd", "abce"), similarity("", "")
    (0.75, 1.0)
    """
    longest = min(max(len(one), len(other)), MAX_LENGTH)
    return 1 - distance(one, other) / longest if longest else 1.0


def _different(one: str, other: str) -> tuple[str, str]:
    """Remove the common prefix and suffix: they cost no edits."""
    start, most = 0, min(len(one), len(other))
    while start < most and one[start] == other[start]:
        start += 1
    end = 0
    while end < most - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
