"""DKAN: a Drupal portal, whose ``/data.json`` or metastore lists all datasets."""

from __future__ import annotations

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import Expansion
from lodehound.shortcuts.datasets import catalogue_of
from lodehound.shortcuts.dcat_us import DcatUs
from lodehound.shortcuts.documents import Fetched, pick, records

ASSETS = (b"/profiles/dkan", b"/profiles/contrib/dkan", b"/modules/contrib/dkan", b"dkan-")
PROBES = ("data.json", "api/1/metastore/schemas/dataset/items")


class Dkan(DcatUs):
    """DKAN portals: all datasets in DCAT-US."""

    title = "DKAN"
    marks = ASSETS

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See Drupal with the modules of DKAN."""
        found = "drupal" in page.generator and page.names(*ASSETS)
        return (origin_of(page.url) + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return tuple(resolve(origin_of(root) + "/", probe) for probe in PROBES)

    def expand(self, answer: Fetched) -> Expansion | None:
        """Read a catalogue, or the list of datasets that the metastore returns."""
        items = records(answer.json) if isinstance(answer.json, list) else []
        if items and all(pick(one, "accessLevel") and pick(one, "title") for one in items):
            return catalogue_of(items, answer)
        return super().expand(answer)
