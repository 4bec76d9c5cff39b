"""A shortcut recognises an API, a listing or a feed, and reads what it lists.

Shortcuts make no requests and keep no state: the crawl makes their requests like all others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from lodehound.core.listing import Dataset, ListedFile
from lodehound.shortcuts.documents import Fetched

MAX_PROBES = 2


@dataclass(frozen=True, slots=True)
class ApiPage:
    """A further request to the same API: the next page, or one level deeper."""

    url: str
    promise: int = 0  # how many files or datasets it should list; 0: unknown
    deeper: bool = False  # a folder, which counts as a link deeper; a next page does not


@dataclass(frozen=True, slots=True)
class Expansion:
    """What an answer of an API contains."""

    datasets: tuple[Dataset, ...] = ()
    files: tuple[ListedFile, ...] = ()  # that belong to no dataset
    pages: tuple[str, ...] = ()  # ordinary pages, to be crawled
    spare: tuple[str, ...] = ()  # pages of a list of the whole site: they wait for all other links
    modified: Mapping[str, str] = field(default_factory=dict)  # of the pages, as written
    more: tuple[ApiPage, ...] = ()
    cut: bool = False  # the answer may list more than was read
    complete: bool = False  # of an HTML page: its other links lead nowhere (orders of a listing)

    @property
    def all_files(self) -> tuple[ListedFile, ...]:
        return (*self.files, *(file for dataset in self.datasets for file in dataset.files))

    @property
    def is_empty(self) -> bool:
        return not (self.datasets or self.files or self.pages or self.spare or self.more)


class Shortcut(ABC):
    """Reads one kind of API, listing or feed. Makes no requests and keeps no state.

    The contract, checked by ``lodehound check``:

    - ``signs`` and ``expand`` never raise, whatever the document is.
    - ``probes`` returns at most two URLs for a root.
    - ``expand`` returns None for a document that is not an answer of this API, such as an HTML
      page with status 200. An answer without entries is an empty Expansion.
    - All URLs are absolute web URLs (``Fetched.resolve``).
    """

    title: ClassVar[str] = ""
    """Its name in messages: "CKAN". Without it, the name of the class."""

    key_header: ClassVar[str] = ""
    """The header in which the API expects a key, if it may need one: "X-App-Token"."""

    eager: ClassVar[bool] = True
    """Its answers list files, so it is tried as soon as there is a sign. Otherwise its requests
    wait until the policy chooses them, unless the user names the shortcut."""

    patient: ClassVar[bool] = False
    """Most of what it lists are pages that links show, too. After three requests, it is asked again
    only if these brought files, or if nothing else is left to ask for."""

    distinct: ClassVar[bool] = True
    """No other document looks like its answers: ``expand`` may be asked about every JSON or XML
    document that is fetched as a page, and there is then no need for a sign."""

    marks: ClassVar[tuple[bytes, ...]] = ()
    """``signs`` is asked about an HTML page only if one of these is in its first 200,000 octets,
    its URL, its headers ("x-powered-by: express") or its generator ("generator: wordpress"); all
    but the page itself in lower case. (): it is asked about every page."""

    @abstractmethod
    def signs(self, page: Fetched) -> tuple[str, ...]:
        """Return the roots of this API that a fetched page suggests; () if it suggests none.

        A root is the URL that ``probes`` starts from, for example that of the portal's start
        page. If the page itself is an answer of the API (a listing), return its own URL: then
        it is passed to ``expand`` at once, and no request is spent.

        Only documents with a status of 2xx come here. Looking must be cheap: without ``marks``,
        this is called for every page of a crawl.
        """

    def probes(self, root: str) -> tuple[str, ...]:
        """Return the requests that prove this API: at most two, most likely first.

        The second is made only if the first is not an answer of this API. The crawl also
        calls this with its start URLs if the user names this shortcut.
        """
        return (root,)

    @abstractmethod
    def expand(self, answer: Fetched) -> Expansion | None:
        """Return what an answer lists, or None if it is not an answer of this API."""


__all__ = ["ApiPage", "Dataset", "Expansion", "ListedFile", "Shortcut"]
