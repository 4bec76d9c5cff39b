"""Which rows of a table are looked at: the first ones, and some from all over it.

Tables are often sorted by year or by region: their first rows do not say what they cover.
"""

from __future__ import annotations

STEPS = 5  # places of a table


def places(rows: int, wanted: int) -> list[tuple[int, int]]:
    """Return where to read, and how many rows there, to get a number of rows from all over.

    >>> places(1000, 10)
    [(0, 2), (249, 2), (499, 2), (748, 2), (998, 2)]
    >>> places(8, 10)
    [(0, 10)]
    """
    if rows <= wanted:
        return [(0, wanted)]
    most = max(1, wanted // STEPS)
    return [((rows - most) * step // (STEPS - 1), most) for step in range(STEPS)]
