"""Signs in a plain page that a browser would show more of it.

Most pages have none, and looking must cost next to nothing: a few searches for literal bytes.
"""

from __future__ import annotations

import re

from lodehound.core.messages import Page

# The signs. The first two are of pages that show nothing by themselves.
EMPTY = "no links and hardly any text"
ROOT = "the element that a framework fills is empty"
FRAMEWORK = "a framework takes over the page"
NOSCRIPT = "it asks for JavaScript"
TABLE = "a table without rows"
MORE = "a button that loads more"
STRONG = frozenset({EMPTY, ROOT})

NEAR = 4_000  # bytes after <body> and at the end in which frameworks are looked for
MAX_BODY = 4_000_000  # bytes; nobody writes the frame of an application that long

# Possessive quantifiers, and texts that end where the next one begins: the time is linear.
_ROOT = re.compile(
    rb"""(?:<(div|main|section)\b[^<>]*?\sid=["']?
    (?:root|app|__next|__nuxt|___gatsby|__docusaurus|main-app|q-app|svelte)(?=["'\s>])[^<>]*>
    |<app-root[^<>]*>)\s*+(?:<!--(?:[^-]++|-(?!->))*+-->\s*+)*+
    (?:(?i:loading|please\ wait)[^<]{0,40})?</(?:div|main|section|app-root)>""",
    re.VERBOSE,
)
# These begin with literals that few pages contain, which makes them fast.
_ROOT_ID = re.compile(
    rb"""id=["']?(?:root|app|__next|__nuxt|___gatsby|__docusaurus|main-app|q-app|svelte)["'\s>]"""
)
_STATE = re.compile(
    rb"__(?:NEXT_DATA__|NUXT__|VP_HASH_MAP__|INITIAL_STATE__|APOLLO_STATE__|_gatsby|docusaurus"
    rb"|remixContext|sveltekit)"
)
_MARK = re.compile(rb"data-(?:reactroot|v-app)\b")
_ASKS = re.compile(
    rb"(?:enable|activate|requires?|needs?|turn on|without|aktivier|activ|habilit|abilit)"
    rb"[^<j]{0,60}javascript"
    rb"|javascript[^<j]{0,60}(?:enabled?|required?|disabled|aktiv|deaktiv|activ|desactiv|habilit)",
    re.IGNORECASE,
)
# A table with a head, no rows, and maybe a foot.
_NO_ROWS = re.compile(
    rb"</thead>\s*+(?:<tbody[^>]*+>\s*+</tbody>\s*+)?+"
    rb"(?:<tfoot(?:[^<]++|<(?!/?t(?:foot|head)))*+</tfoot>\s*+)?+</table>"
)
_BUTTON = re.compile(
    rb"<button\b[^>]{0,400}>(?:\s|<[^>]{1,200}>){0,4}"
    rb"(?i:load|show|view|see|mehr|weitere|afficher|voir|charger|cargar|ver|mostrar)"
    rb"\s(?i:more|all|laden|anzeigen|plus|m\xc3\xa1s)"
)
# Literals only: nothing is computed.
_GOES = re.compile(
    rb"""\blocation(?:\.href)?\s*=\s*["']([^"'<>\s]{1,2000})["'](?!\s*\+)"""
    rb"""|\blocation\.(?:replace|assign)\(\s*["']([^"'<>\s]{1,2000})["']\s*\)"""
)


def script_redirect(page: Page) -> str:
    """Return where a page that shows nothing sends the browser, if its own script says so.

    >>> stub = b'<script>window.location.replace("data.html");</script>'
    >>> script_redirect(Page("https://e.org/", "GET", 200, "text/html", stub, needs_script=True))
    'data.html'
    """
    if not page.needs_script or len(page.body) > NEAR or re.search(rb"<script[^>]+src", page.body):
        return ""
    places = {one or other for one, other in _GOES.findall(page.body)}
    return places.pop().decode("utf-8", "replace") if len(places) == 1 else ""


def script_signs(page: Page) -> tuple[str, ...]:
    """Return the signs that a browser would show more of an HTML page than is in it.

    >>> shell = b'<div id="app"></div><script src="/app.js"></script>'
    >>> script_signs(Page("https://e.org/", "GET", 200, "text/html", shell, needs_script=True))
    ('no links and hardly any text', 'the element that a framework fills is empty')
    >>> script_signs(Page("https://e.org/", "GET", 200, "text/html", b"<p>An old page."))
    ()
    """
    body = page.body
    if b"<script" not in body or len(body) > MAX_BODY:
        return ()
    signs = []
    if page.needs_script:
        signs.append(EMPTY)
        if b"noscript" in body and _ASKS.search(body):
            signs.append(NOSCRIPT)
    begin = max(body.find(b"<body"), 0)
    near = body[begin : begin + NEAR] + body[max(begin + NEAR, len(body) - NEAR) :]
    if (_ROOT_ID.search(near) or b"<app-root" in near) and _ROOT.search(near):
        signs.append(ROOT)
    if _STATE.search(near) or _MARK.search(near) or b"$docsify" in near or b" ng-version=" in near:
        signs.append(FRAMEWORK)
    if _NO_ROWS.search(body):
        signs.append(TABLE)
    if _BUTTON.search(body):
        signs.append(MORE)
    return tuple(signs)
