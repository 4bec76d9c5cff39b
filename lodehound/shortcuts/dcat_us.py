"""DCAT-US: ``/data.json`` lists all datasets of an agency of the United States, and of others."""

from __future__ import annotations

import re
from typing import ClassVar

from lodehound.core.urls import origin_of, path_of, resolve
from lodehound.shortcuts.contract import Expansion, Shortcut
from lodehound.shortcuts.datasets import catalogue_of
from lodehound.shortcuts.documents import Fetched, pick, records, text

SCHEMAS = ("project-open-data.cio.gov", "resources.data.gov/schemas/dcat-us")
# OMB memorandum M-13-13: every agency publishes its inventory at agency.gov/data.json.
AGENCY = re.compile(r"https?://(?:www\.)?[a-z0-9-]+\.gov/\Z")
LINK = re.compile(rb"""href\s*=\s*["']?([^"'\s>]{0,300}?/data\.json)["'\s>]""", re.IGNORECASE)


class DcatUs(Shortcut):
    """Catalogues in DCAT-US (Project Open Data): all datasets in one file, /data.json."""

    title = "data.json (DCAT-US)"
    marks: ClassVar[tuple[bytes, ...]] = (b"/data.json", b".gov/")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the file itself, a link to it, or the start page of an agency."""
        if page.is_html:
            named = page.first_url(b"/data.json", LINK)
            return (named,) if named else self.probes(page.url) if AGENCY.match(page.url) else ()
        return (page.url,) if any(schema in page.head for schema in SCHEMAS) else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if path_of(root).endswith(".json"):
            return (root,)
        return (resolve(origin_of(root) + "/", "data.json"),)

    def expand(self, answer: Fetched) -> Expansion | None:
        catalogue = answer.json
        said = text(catalogue, "conformsTo") + text(catalogue, "describedBy")
        is_dcat = any(schema in said for schema in SCHEMAS) or text(catalogue, "@type").endswith(
            "Catalog"
        )
        if not is_dcat or not isinstance(pick(catalogue, "dataset"), list):
            return None
        return catalogue_of(records(catalogue, "dataset"), answer)
