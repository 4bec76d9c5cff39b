"""The add-on for Scrapy projects: an existing spider gets a learned order, unchanged.

Two settings: ``ADDONS = {"lodehound.scrapy.Lodehound": 100}`` and, if another than the
default is wanted, ``LODEHOUND_POLICY = "bfs"``. See docs/scrapy.md.
"""

from lodehound.scrapy.addon import Lodehound

__all__ = ["Lodehound"]
