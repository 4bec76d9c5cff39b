"""Generated sites, for tests, demonstrations and measurements.

>>> from lodehound.sites import StatsOffice
>>> types = [record.content_type for record in StatsOffice(pages=60, files=12).records()]
>>> sum("html" in kind for kind in types)
60
"""

from lodehound.sites.changing import ChangingSite
from lodehound.sites.endless import EndlessPortal
from lodehound.sites.graph import graph
from lodehound.sites.lookalike import Lookalike
from lodehound.sites.portals import CkanPortal, DataJsonSite, FolderSite, WordPressSite
from lodehound.sites.stats_office import StatsOffice

__all__ = [
    "ChangingSite",
    "CkanPortal",
    "DataJsonSite",
    "EndlessPortal",
    "FolderSite",
    "Lookalike",
    "StatsOffice",
    "WordPressSite",
    "graph",
]
