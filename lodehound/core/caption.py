"""What a page says about a link, for the title and the description of what it leads to."""

from __future__ import annotations

from typing import NamedTuple

WHOLE_CAPTION = 7  # rank of a caption with a text of its own and the name of its row or item


class Caption(NamedTuple):
    """The words that a page has for a link."""

    anchor: str = ""  # the text of the link
    names: tuple[
        str, ...
    ] = ()  # of its row, item, figure ..., then the headings above: nearest first
    about: str = ""  # its row, item or line as a whole
    rank: int = 0  # how much it says: of several captions of a URL the highest counts

    @property
    def length(self) -> int:
        """The characters of all texts."""
        return len(self.anchor) + sum(map(len, self.names)) + len(self.about)
