"""What an export is told, and what it has to tell."""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.read.rdf.contexts import Loader, known_context


@dataclass(slots=True)
class Notes:
    """What the user calls the export, and what came of it.

    Attributes:
        title: Of the whole; made of the host when it is not given.
        publisher: Who stands for it; the program when it is not given.
        contexts: Gives the contexts of JSON-LD by their address.
        written: Finds that are in the export.
        missing: Finds that are not, because their file is no longer there.
    """

    title: str = ""
    publisher: str = ""
    contexts: Loader = known_context
    written: int = 0
    missing: int = 0
