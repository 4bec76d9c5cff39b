"""Databases and files in an object store, by snapshots and segments.

::

    URL/epochs/00000007                      claimed by its creation: one holder at a time
    URL/journal/00000007-00000000.snapshot   a whole database, compressed
    URL/journal/00000007-00000001.pages      the pages that later commits have written
    URL/files/...                            finds, under the names that the catalogue gives them

Names sort by epoch and number. Whoever takes over creates the next epoch and begins it with a
snapshot: what a former holder still writes is older than that, so nobody reads it.
"""
