"""Packages that come with an extra: what needs one says which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lodehound.core.errors import ConfigError

NEEDED_BY = {
    "browser": "Rendering pages",
    "cloud": "An object store",
    "export": "Parquet",
    "lab": "Plotting and training in batches",
    "live": "Live crawling",
    "ray": "A fleet on a cluster",
    "rdf": "Reading RDF",
    "report": "A report",
    "scrapy": "The Scrapy add-on",
    "sql": "SQL",
    "topics": "A topic",
    "ui": "The workbench",
}


@contextmanager
def extra(name: str, otherwise: str = "") -> Iterator[None]:
    """Import the packages of an extra, or say in one line which extra to install.

    Args:
        name: The extra; no other package is imported in the body of the with-statement.
        otherwise: What the user may do instead.

    >>> with extra("report"):
    ...     import no_such_template_engine
    Traceback (most recent call last):
    lodehound.core.errors.ConfigError: A report needs an extra: pip install 'lodehound[report]'.
    """
    try:
        yield
    except ImportError as error:
        raise ConfigError(
            f"{NEEDED_BY[name]} needs an extra: pip install 'lodehound[{name}]'{otherwise}."
        ) from error
