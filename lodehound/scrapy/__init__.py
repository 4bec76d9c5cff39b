"""The add-on for Scrapy projects: gives an existing spider a learned order, without changes.

Two settings: ``ADDONS = {"lodehound.scrapy.Lodehound": 100}`` and, for another policy than
the default, ``LODEHOUND_POLICY = "bfs"``. See docs/scrapy.md.
"""

from lodehound.extras import extra

with extra("scrapy"):
    from lodehound.scrapy.addon import Lodehound

__all__ = ["Lodehound"]
