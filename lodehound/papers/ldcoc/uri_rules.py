"""URIs whose relevance is plain to see (LDCOC paper, Definition 2): by extension or type."""

from __future__ import annotations

from lodehound.core.link import Link
from lodehound.core.scope import BLOCKED_EXTENSIONS
from lodehound.core.urls import extension_of
from lodehound.read.extensions import BINARY, COMPRESSED, SCRIPTS
from lodehound.read.rdf.syntaxes import by_ending, declared

# Neither RDF nor pages: put off, as far as they are in scope.
OTHER_FILES = BINARY | COMPRESSED | SCRIPTS | BLOCKED_EXTENSIONS
OTHER_TYPES = (
    "image/", "audio/", "video/", "font/", "application/pdf", "application/zip",
    "application/gzip", "application/x-gzip", "application/msword", "application/vnd.", "text/css",
    "text/csv", "text/javascript", "application/javascript",
)  # fmt: skip
PAGES = {".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp"}


def rule_of(link: Link) -> bool | None:
    """Return whether a link leads to RDF, as its name and its page say; None when they do not.

    >>> rule_of(Link("http://e.org/a.ttl")), rule_of(Link("http://e.org/a.pdf"))
    (True, False)
    """
    if link.context is not None and (rule := rule_of_type(link.context.declared)) is not None:
        return rule
    if by_ending(link.url) is not None:
        return True
    return False if extension_of(link.url) in OTHER_FILES else None


def rule_of_type(mime: str) -> bool | None:
    """Return whether a type is RDF, or surely not; None when it may hold RDF."""
    if not mime:
        return None
    if declared(mime) is not None:
        return True
    return False if mime.startswith(OTHER_TYPES) else None
