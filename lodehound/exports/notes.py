"""Options of an export, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from lodehound.read.rdf.jsonld_contexts import Loader, known_context


@dataclass(slots=True)
class Notes:
    """The texts that a user gives for an export, and its counts.

    Attributes:
        title: Title of the export; by default derived from the host.
        publisher: Publisher of the export; by default the program.
        contexts: Returns JSON-LD contexts by URL.
        written: Number of finds in the export.
        missing: Number of finds left out because their file is gone.
        left_out: Number of statements left out because RDF does not allow them.
        tables: Number of tables whose rows were written.
        said: What was left out of tables, in a line each.
    """

    title: str = ""
    publisher: str = ""
    contexts: Loader = known_context
    written: int = 0
    missing: int = 0
    left_out: int = 0
    tables: int = 0
    said: list[str] = field(default_factory=list)
