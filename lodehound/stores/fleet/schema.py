"""The tables of a fleet directory."""

from __future__ import annotations

FORMAT = 1

# Fleets of earlier versions get it when they are opened.
EXCHANGE_INDEX = "CREATE INDEX IF NOT EXISTS exchange_open ON exchange (target) WHERE sent > taken"

SCHEMA = (
    """CREATE TABLE meta (
    key TEXT PRIMARY KEY, -- format, version, requests (the shared budget)
    value TEXT NOT NULL
)""",
    """CREATE TABLE sites ( -- the list, and how each site stands
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, -- its crawl directory is sites/NAME
    start TEXT NOT NULL UNIQUE, -- its start URLs
    options TEXT NOT NULL, -- JSON: the config of its crawl, without secrets
    team INTEGER NOT NULL, -- sites that may ask the same hosts are one team
    listed INTEGER NOT NULL, -- 0: no longer in the list
    rounds INTEGER NOT NULL, -- rounds that its crawl should have
    state TEXT NOT NULL, -- waiting, running, ended, failed
    reason TEXT NOT NULL, -- why it ended or failed
    detail TEXT NOT NULL,
    requests INTEGER NOT NULL,
    finds INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    drought INTEGER NOT NULL, -- requests since the last find
    links INTEGER NOT NULL, -- links that wait
    per_minute REAL NOT NULL, -- requests, lately
    obstacle TEXT NOT NULL, -- the host it waits for
    granted INTEGER, -- requests of the shared budget it may make in all; NULL: no shared budget
    strikes INTEGER NOT NULL, -- workers that died while they read one of its pages
    idle INTEGER NOT NULL -- 1: a part of a divided crawl that waits for links of the others
)""",
    """CREATE TABLE exchange ( -- links that parts of a divided crawl send each other
    source INTEGER NOT NULL, -- a part: the number of its site less 1
    target INTEGER NOT NULL,
    sent INTEGER NOT NULL, -- last record of its journal that is for the target
    taken INTEGER NOT NULL, -- last one that the target has taken
    PRIMARY KEY (source, target)
)""",
    EXCHANGE_INDEX,
    "CREATE INDEX sites_team ON sites (team, state)",
    "CREATE INDEX sites_state ON sites (state)",
    """CREATE TABLE teams ( -- who crawls what
    number INTEGER PRIMARY KEY,
    worker TEXT, -- NULL: nobody
    epoch INTEGER NOT NULL, -- grows with every new holder: a former one knows that it is fenced
    open INTEGER NOT NULL -- 1: a site of it waits
)""",
    "CREATE INDEX teams_free ON teams (number) WHERE worker IS NULL AND open",
    "CREATE INDEX teams_worker ON teams (worker)",
    """CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    place TEXT NOT NULL, -- process and machine
    beat INTEGER NOT NULL -- grows while it lives
)""",
)
