"""The tables of a crawl directory."""

from __future__ import annotations

# The format of the database. A new format gets a new number here and, in migrations.py, a function
# under the old number that converts it.
FORMAT = 5

# What a file contains: one of these classes, from the row of its find and from `seen`, the row of
# its inspection. Tables that were read before an error count. A header alone has columns, no rows.
CONTENTS = ("tables", "no-rows", "no-tables", "empty", "unreadable", "truncated", "not-inspected")
CONTENT = """CASE WHEN truncated THEN 'truncated' WHEN seen.file IS NULL THEN 'not-inspected'
        WHEN seen.tables > 0 AND seen.rows > 0 THEN 'tables' WHEN seen.error <> '' THEN 'unreadable'
        WHEN seen.kind = 'empty' THEN 'empty'
        WHEN seen.columns > 0 OR seen.kind = 'sdmx' THEN 'no-rows'
        ELSE 'no-tables' END"""


def _fields(of: str, **paths: str) -> str:
    """Return columns from the objects that a json_each lists; NULL for what is no object."""
    found = f"iif({of}.type = 'object', {of}.value, '{{}}')"
    return ", ".join(
        f"json_extract({found}, '$.{path or name}') AS \"{name}\"" for name, path in paths.items()
    )


# What is known of the tables of a file, and of their columns. The JSON may be damaged.
_LISTED = "json_each(iif(json_valid(inspection), inspection, '{}'), '$.tables') AS one"
_TABLE = _fields(
    "one", name="", rows="", columns="", statistics="", titles="", first_year="years[0]",
    last_year="years[1]", series="", header="",
)  # fmt: skip
_COLUMN = _fields("fact", name="", label="", kind="", unit="", least="", most="", values="")
FILE_TABLES = f"SELECT file, one.key + 1 AS number, {_TABLE} FROM inspections, {_LISTED}"  # noqa: S608 - our own names
FILE_COLUMNS = f"""SELECT file, one.key + 1 AS number, fact.key + 1 AS place, {_COLUMN}
    FROM inspections, {_LISTED},
        json_each(iif(one.type = 'object', one.value, '{{}}'), '$.facts') AS fact"""  # noqa: S608 - our own names

# For people who open the file with Datasette or any other tool.
VIEWS = {
    "file_tables": f"CREATE VIEW file_tables AS {FILE_TABLES}",
    "file_columns": f"CREATE VIEW file_columns AS {FILE_COLUMNS}",
    "catalogue": f"""CREATE VIEW catalogue AS
    SELECT finds.*, answers.details, {CONTENT} AS content, kind, tables, rows, columns, header,
        pages, statistics, coalesce(seen.error, '') AS inspection_error, api.shortcut AS api,
        set_.title AS dataset, set_.publisher,
        coalesce(nullif(api.licence, ''), set_.licence) AS licence
    FROM finds LEFT JOIN inspections AS seen USING (file) LEFT JOIN answers USING (number)
    LEFT JOIN listed AS api ON api.id = (SELECT min(id) FROM listed WHERE listed.url = finds.url)
    LEFT JOIN datasets AS set_ ON set_.id = api.dataset""",  # noqa: S608 - our own names
    "types": """CREATE VIEW types AS
    SELECT mime, count(*) AS finds, count(DISTINCT file) AS files, sum(bytes) AS bytes,
        count(DISTINCT CASE WHEN statistics > 0 THEN file END) AS with_statistics
    FROM catalogue GROUP BY mime ORDER BY finds DESC""",
    "sources": """CREATE VIEW sources AS
    SELECT found_on AS page, page_title AS title, count(*) AS finds, sum(bytes) AS bytes
    FROM finds GROUP BY found_on ORDER BY finds DESC""",
    "requests": """CREATE VIEW requests AS
    SELECT asks.number, asks.url, method, status, mime, size, error, found, new_links, title,
        source, depth, why, at, fetched_at
    FROM asks LEFT JOIN answers USING (number)""",
}

# The comments are stored in the file, for people who open it with Datasette and the like.
SCHEMA = (
    """CREATE TABLE meta (
    key TEXT PRIMARY KEY, -- format, version, config, ended, first addresses of HOST ...
    value TEXT NOT NULL
)""",
    """CREATE TABLE runs ( -- which version and policy made which requests
    first INTEGER PRIMARY KEY, -- number of its first request
    version TEXT NOT NULL, -- of lodehound
    policy TEXT NOT NULL, -- with its parameters
    seed INTEGER NOT NULL,
    began_at TEXT NOT NULL -- UTC
)""",
    """CREATE TABLE ignored_encodings ( -- answers whose Content-Encoding was not that of the body
    number INTEGER PRIMARY KEY, -- number of the request
    declared TEXT NOT NULL -- by the server; the body was read as it came
)""",
    """CREATE TABLE estimates ( -- what the policy expected still to find, now and then
    requests INTEGER PRIMARY KEY, -- requests made so far
    finds INTEGER NOT NULL, -- finds so far
    expected REAL NOT NULL, -- finds still to come
    low REAL NOT NULL, -- lower end of the 90 % interval
    high REAL NOT NULL -- upper end
)""",
    """CREATE TABLE rounds ( -- passes over the site: the first crawl, and its updates
    number INTEGER PRIMARY KEY, -- 1 is the first crawl
    first INTEGER NOT NULL, -- number of its first request
    seq INTEGER NOT NULL, -- number of the event before its first
    at REAL NOT NULL, -- seconds of crawling before it
    began_at TEXT NOT NULL, -- UTC
    ended TEXT NOT NULL -- why it last ended; '' while it runs, or if it was killed
)""",
    """CREATE TABLE asks ( -- requests the crawl decided to make
    seq INTEGER PRIMARY KEY, -- one order for asks, waits, offers and answers
    number INTEGER NOT NULL UNIQUE, -- counts the asks
    url TEXT NOT NULL,
    method TEXT NOT NULL,
    source TEXT NOT NULL, -- the page that contains the link
    depth INTEGER NOT NULL, -- links followed from the start
    why TEXT NOT NULL, -- the policy's reason
    probability REAL, -- the odds the policy gave this choice
    asleep TEXT, -- JSON: hosts that fell asleep and that woke since the event before; NULL: none
    asked_at TEXT NOT NULL, -- UTC
    crawl_group TEXT NOT NULL -- the policy's group of links that it was chosen from; '' without
)""",
    """CREATE TABLE answers ( -- the answers to the requests
    seq INTEGER PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE, -- number of the ask
    url TEXT NOT NULL, -- the URL that was requested
    status INTEGER NOT NULL, -- HTTP status; 0 if there was no answer
    mime TEXT NOT NULL, -- MIME type detected from the content
    declared_mime TEXT NOT NULL, -- MIME type sent by the server
    size INTEGER NOT NULL, -- bytes
    location TEXT NOT NULL, -- of a redirect, as sent
    moved TEXT NOT NULL, -- the target of a redirect in the page itself
    charset TEXT NOT NULL,
    error TEXT NOT NULL,
    cut INTEGER NOT NULL, -- 1: it was longer than the limit, or had more links than were read
    tries INTEGER NOT NULL, -- number of requests it took
    sent INTEGER NOT NULL, -- 0: it was not requested (robots.txt)
    found INTEGER NOT NULL, -- 1: a find
    value REAL,
    label TEXT NOT NULL,
    new_links INTEGER NOT NULL, -- links never seen before
    title TEXT NOT NULL, -- title of the page
    at REAL NOT NULL, -- seconds since the crawl started
    fetched_at TEXT NOT NULL, -- UTC
    links BLOB, -- zlib-compressed JSON: [url, tag path, anchor, text around, kind]; NULL: unread
    details TEXT -- JSON: further details from the target
)""",
    # Covers everything a summary needs, so that it does not read the links.
    "CREATE INDEX answers_summary ON answers (status, error, sent, tries, size, found, at)",
    "CREATE INDEX answers_url ON answers (url)",
    """CREATE TABLE contents ( -- what identifies the content of an answer, for later rounds
    number INTEGER PRIMARY KEY, -- number of the ask
    change TEXT NOT NULL, -- new, changed, same, gone or failed; in the first round, always new
    digest TEXT NOT NULL, -- of a page, hash of its links and text; of other content, its SHA-256
    etag TEXT, -- as sent by the server
    modified TEXT -- Last-Modified, as sent by the server
)""",
    """CREATE TABLE waits ( -- moments when the policy had nothing to choose
    seq INTEGER PRIMARY KEY,
    asleep TEXT -- as in asks
)""",
    """CREATE TABLE offers ( -- links that are not from a page, but from sitemaps and feeds
    seq INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    links BLOB NOT NULL
)""",
    """CREATE TABLE finds ( -- the catalogue
    number INTEGER PRIMARY KEY, -- number of the request that returned it
    url TEXT NOT NULL, -- the URL of the link
    final_url TEXT NOT NULL, -- the URL after redirects
    file TEXT NOT NULL, -- path in this folder
    mime TEXT NOT NULL,
    declared_mime TEXT NOT NULL,
    bytes INTEGER NOT NULL, -- length of the file
    size INTEGER NOT NULL, -- length of the complete file, even if it is truncated
    truncated INTEGER NOT NULL, -- 1: only the beginning was stored; neither hashed nor inspected
    sha256 TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    etag TEXT NOT NULL,
    content_disposition TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    found_on TEXT NOT NULL, -- the page that contains the link
    page_title TEXT NOT NULL, -- title of that page
    anchor TEXT NOT NULL, -- text of the link
    tag_path TEXT NOT NULL, -- HTML elements around the link
    depth INTEGER NOT NULL,
    why TEXT NOT NULL, -- the policy's reason
    value REAL NOT NULL, -- the target's value for it
    label TEXT NOT NULL -- the target's label for it
)""",
    # Both cover what a summary needs of the files.
    "CREATE INDEX finds_file ON finds (file, number, mime, truncated, sha256)",
    "CREATE INDEX finds_content ON finds (sha256, file)",
    """CREATE TABLE captions ( -- what pages say about finds, and about URLs not asked for yet
    url TEXT PRIMARY KEY, -- of the link
    page TEXT NOT NULL, -- URL of the page that says most about it
    rank INTEGER NOT NULL, -- how much it says
    anchor TEXT NOT NULL, -- text of the link on that page
    names TEXT NOT NULL, -- JSON list: of its row or item, then the headings above it
    about TEXT NOT NULL -- its row, list item or line as a whole
)""",
    """CREATE TABLE versions ( -- older versions of finds, as they were in the catalogue
    number INTEGER PRIMARY KEY, -- number of the request that returned it
    replaced_by INTEGER NOT NULL, -- number of the request that returned the next version
    kept TEXT NOT NULL, -- path in this folder; '' if the file was not kept
    url TEXT NOT NULL, final_url TEXT NOT NULL, file TEXT NOT NULL, mime TEXT NOT NULL,
    declared_mime TEXT NOT NULL, bytes INTEGER NOT NULL, size INTEGER NOT NULL,
    truncated INTEGER NOT NULL, sha256 TEXT NOT NULL, last_modified TEXT NOT NULL,
    etag TEXT NOT NULL, content_disposition TEXT NOT NULL, fetched_at TEXT NOT NULL,
    found_on TEXT NOT NULL, page_title TEXT NOT NULL, anchor TEXT NOT NULL,
    tag_path TEXT NOT NULL, depth INTEGER NOT NULL, why TEXT NOT NULL, value REAL NOT NULL,
    label TEXT NOT NULL
)""",
    "CREATE INDEX finds_final_url ON finds (final_url)",
    "CREATE INDEX versions_final_url ON versions (final_url)",
    """CREATE TABLE inspections ( -- the contents of the files
    file TEXT PRIMARY KEY, -- path in this folder; several finds may share one
    kind TEXT NOT NULL, -- csv, xlsx, json, pdf, zip ...
    tables INTEGER NOT NULL, -- number of tables
    rows INTEGER NOT NULL, -- rows of the largest table
    columns INTEGER NOT NULL, -- columns of the largest table
    header TEXT NOT NULL, -- JSON list: column names of the largest table
    pages INTEGER NOT NULL, -- pages of a PDF
    statistics INTEGER NOT NULL, -- number of tables that look like statistics
    error TEXT NOT NULL, -- why it could not be read
    inspection TEXT NOT NULL -- JSON: everything
)""",
    """CREATE TABLE datasets ( -- datasets that APIs list
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL, -- number of the request that returned it
    shortcut TEXT NOT NULL, -- what read the answer: ckan, dcat-us ...
    title TEXT NOT NULL,
    url TEXT NOT NULL, -- its page for readers
    identifier TEXT NOT NULL,
    description TEXT NOT NULL,
    publisher TEXT NOT NULL,
    licence TEXT NOT NULL, -- a name or a URL
    issued TEXT NOT NULL, -- as written
    modified TEXT NOT NULL, -- as written
    keywords TEXT NOT NULL -- JSON list
)""",
    """CREATE TABLE listed ( -- files that APIs list, fetched or not
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    dataset INTEGER, -- id of its dataset; NULL: none
    number INTEGER NOT NULL, -- number of the request that returned it
    shortcut TEXT NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL, -- as written: CSV, text/csv
    size INTEGER, -- bytes; NULL: unknown
    modified TEXT NOT NULL, -- as written
    licence TEXT NOT NULL, -- a name or a URL
    description TEXT NOT NULL
)""",
    """CREATE TABLE catalogued ( -- of a crawl that only catalogues: its datasets, by their names
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, -- what read it, and its identifier or an address
    number INTEGER NOT NULL, -- number of the request that listed it last
    digest TEXT NOT NULL, -- of what was listed
    gone INTEGER NOT NULL -- 1: an answer that listed it does not any more
)""",
    """CREATE TABLE dataset_changes ( -- what became of them, round by round
    id INTEGER PRIMARY KEY,
    number INTEGER NOT NULL, -- number of the request
    name TEXT NOT NULL, -- of the dataset
    shortcut TEXT NOT NULL, -- what read the answer
    change TEXT NOT NULL, -- new, changed or gone
    dataset TEXT NOT NULL -- JSON: the dataset, if it is gone
)""",
    "CREATE INDEX dataset_changes_number ON dataset_changes (number)",
    "CREATE INDEX dataset_changes_name ON dataset_changes (name)",
    """CREATE TABLE entries ( -- finds as they are searched and sorted; made of other tables
    number INTEGER PRIMARY KEY, -- of the find
    title TEXT NOT NULL,
    name TEXT NOT NULL, -- of its file
    host TEXT NOT NULL,
    section TEXT NOT NULL, -- of the site: host and first folders
    type TEXT NOT NULL, -- csv, xlsx ...
    formats TEXT NOT NULL, -- all that its type may be called, a line each
    content TEXT NOT NULL, -- what the file contains, as in the view catalogue
    size INTEGER NOT NULL, -- bytes
    tables INTEGER, -- NULL: not inspected, or not readable
    rows INTEGER, -- of the largest table
    statistics INTEGER -- tables that look like statistics
)""",
    "CREATE INDEX entries_title ON entries (title COLLATE NOCASE)",
    "CREATE INDEX entries_host ON entries (host)",
    "CREATE INDEX entries_section ON entries (section)",
    "CREATE INDEX entries_type ON entries (type)",
    "CREATE INDEX entries_content ON entries (content)",
    "CREATE INDEX entries_size ON entries (size)",
    "CREATE INDEX entries_rows ON entries (rows)",
    "CREATE INDEX listed_url ON listed (url)",
    "CREATE INDEX listed_dataset ON listed (dataset)",
    "CREATE INDEX listed_number ON listed (number)",
    """CREATE TABLE renders ( -- pages that a browser may show more of, and what was done about it
    number INTEGER PRIMARY KEY, -- number of the request for the page
    url TEXT NOT NULL,
    pattern TEXT NOT NULL, -- the group of similar pages that shares what is learned
    signs TEXT NOT NULL, -- why a browser may show more
    outcome TEXT NOT NULL, -- rendered, api, fruitless, missing, off or failed
    seconds REAL NOT NULL, -- in the browser, without waiting for politeness
    requests INTEGER NOT NULL, -- that the page made
    bytes INTEGER NOT NULL, -- that they brought
    links INTEGER NOT NULL, -- new links that the plain page does not show
    clicks INTEGER NOT NULL, -- clicks and scrolls
    clicked_links INTEGER NOT NULL, -- links that only they brought
    api TEXT NOT NULL, -- JSON: templates of the URLs whose answers contain the links
    error TEXT NOT NULL
)""",
    "CREATE INDEX renders_url ON renders (url)",
    """CREATE TABLE page_requests ( -- requests that rendered pages made
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL, -- number of the request for the page
    url TEXT NOT NULL,
    type TEXT NOT NULL, -- script, fetch or xhr; document: the page again, in a later run
    status INTEGER NOT NULL, -- HTTP status; 0 if there was no answer
    mime TEXT NOT NULL, -- as declared
    size INTEGER NOT NULL, -- bytes
    sent INTEGER NOT NULL, -- 0: it was refused (scope, robots.txt, a limit)
    error TEXT NOT NULL,
    at REAL NOT NULL -- seconds since the crawl started
)""",
    "CREATE INDEX page_requests_page ON page_requests (page)",
    """CREATE TABLE sent_links ( -- of a divided crawl: links on hosts of its other parts
    id INTEGER PRIMARY KEY,
    part INTEGER NOT NULL, -- that asks these hosts
    links BLOB NOT NULL -- as in answers, each with its page and depth
)""",
    "CREATE INDEX sent_links_part ON sent_links (part, id)",
    """CREATE TABLE taken_links ( -- of a divided crawl: how much of what others sent is in offers
    part INTEGER PRIMARY KEY, -- that sent them
    last INTEGER NOT NULL -- id in its table sent_links
)""",
    *VIEWS.values(),
)
