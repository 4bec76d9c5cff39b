"""ArcGIS Hub: its DCAT-US feed lists all datasets of a site, each with its download formats."""

from __future__ import annotations

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.dcat_us import DcatUs
from lodehound.shortcuts.documents import Fetched

ASSETS = (b"hubcdn.arcgis.com", b"opendata-ui/assets")
FEEDS = ("api/feed/dcat-us/1.1.json", "api/feed/dcat-us/1.1")


class ArcgisHub(DcatUs):
    """ArcGIS Hub sites, whose pages are made by scripts: datasets from their DCAT-US feed."""

    title = "ArcGIS Hub"
    marks = ASSETS

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the scripts of ArcGIS Hub."""
        return (origin_of(page.url) + "/",) if page.names(*ASSETS) else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return tuple(resolve(origin_of(root) + "/", feed) for feed in FEEDS)
