"""URLs in the markup of a page that are not shown as links.

Some are declared: typed links, structured data, embedded files. Others are guesses, from
attributes and scripts, and are accepted only if they end like data files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lodehound.core.file_endings import FILE_ENDINGS
from lodehound.read.html import ATTRIBUTES, SHOWN, Element
from lodehound.read.json_links import add_urls
from lodehound.read.markup.jsonld import JSON_LD, load_jsonld, script_type
from lodehound.read.mentions import Mentions
from lodehound.read.relations import RELATIONS, add_related

_RELATED = ", ".join(f"[rel~={relation} i]" for relation in RELATIONS)
DECLARED = (
    f"link:is({_RELATED}), [itemprop*=url i]:not({', '.join(SHOWN)}), "
    "link[itemprop=distribution i], embed[src], object[data], script:not([src])"
)
GUESSED = ", ".join(("form[action]", "option[value]", *(f"[{name}]" for name in ATTRIBUTES)))

# Properties of schema.org and DCAT, in lower case.
PROPERTIES = {"contenturl", "downloadurl", "accessurl", "distribution", "url"}
MAX_PROPERTIES = 10  # per element
MAX_PROPERTY = 9000  # characters of a text that may be a URL
# The attribute that is the value of a property; of any other element it is its text.
VALUES = {
    "meta": "content", "link": "href", "data": "value", "object": "data", "audio": "src",
    "embed": "src", "img": "src", "source": "src", "track": "src", "video": "src",
    "time": "datetime", "meter": "value",
}  # fmt: skip
MAX_SCRIPTS = 2_000_000  # characters of all scripts of a page
MAX_HANDLER = 2_000  # characters of an onclick
SCRIPTS = {"", "module", "text/javascript", "application/javascript"}

# Both stop at the next quotation mark, so the time is linear. There may be a backslash before
# the slashes of a URL, and before the closing mark.
_QUOTED = re.compile(r"""["'`]([^"'`\s<>{}|^]{1,2000}+)["'`]""")
_ABSOLUTE = re.compile(r"""["'`]((?:https?:\\?/)?\\?/[^"'`\s<>{}|^]{1,2000}+)["'`]""")
_PARTS = re.compile(r"[^a-z0-9]+")


def add_hidden_links(elements: Sequence[Element], mentions: Mentions, *, guess: bool) -> None:
    """Add the URLs of elements: first the declared ones, then the guesses.

    Args:
        elements: The matches of DECLARED and GUESSED.
        mentions: The collection to add them to.
        guess: Include guesses.
    """
    scripts: list[tuple[str, str]] = []
    left = MAX_SCRIPTS
    for element in elements:
        if element.tag != "script":
            _add_declared(element, mentions)
            continue
        kind = script_type(element.attributes)
        if left > 0 and (kind == JSON_LD or (guess and ("json" in kind or kind in SCRIPTS))):
            text = element.node.text(deep=True)[:left]
            left -= len(text)
            if kind == JSON_LD:
                add_urls(load_jsonld(text), mentions, kind="jsonld")
            else:
                scripts.append((kind, text))
    if guess:
        for element in elements:
            _add_guessed(element, mentions)
        for kind, text in scripts:
            _add_script(kind, text, mentions)


def _add_declared(element: Element, mentions: Mentions) -> None:
    tag, attributes = element.tag, element.attributes
    if tag == "link":
        reference = attributes.get("href") or ""
        if "rel" in attributes:
            add_related(
                mentions,
                reference,
                attributes["rel"] or "",
                kind="link",
                where="html/head",
                declared=attributes.get("type") or "",
                title=attributes.get("title") or "",
            )
    elif tag == "embed":
        mentions.add_element(attributes.get("src") or "", element, "embed")
    elif tag == "object":
        mentions.add_element(attributes.get("data") or "", element, "object")
    if names := attributes.get("itemprop"):
        _add_property(element, names, mentions)


def _add_property(element: Element, names: str, mentions: Mentions) -> None:
    """Add a URL in microdata."""
    for name in names.split()[:MAX_PROPERTIES]:
        word = name.rpartition("/")[2]
        if word.lower() in PROPERTIES and (place := mentions.place(_value(element, mentions))):
            mentions.add(place, "microdata", f"microdata/{word}")


def _value(element: Element, mentions: Mentions) -> str:
    """Return the value of a property (HTML standard, 5.2.4); a text only if it looks like a URL."""
    if (name := VALUES.get(element.tag)) is not None:
        return element.attributes.get(name) or ""
    text = mentions.texts.beginning(element.node, MAX_PROPERTY).strip()
    return text if text.startswith(("http://", "https://", "/")) and " " not in text else ""


def _add_guessed(element: Element, mentions: Mentions) -> None:
    tag, attributes = element.tag, element.attributes
    if tag == "option":
        mentions.add_element(attributes.get("value") or "", element, "option")
    elif tag == "form" and (attributes.get("method") or "get").strip().lower() == "get":
        mentions.add_element(attributes.get("action") or "", element, "form")
    for name in ATTRIBUTES:
        if value := attributes.get(name):
            for reference in _handled(value) if name == "onclick" else (value,):
                kind = "onclick" if name == "onclick" else "data"
                mentions.add_element(reference, element, kind, name)


def _handled(handler: str) -> list[str]:
    """Return the URLs in an onclick.

    A file name without a slash is one only if the handler opens something: analytics calls
    contain file names, too.
    """
    goes = "location" in handler or "open(" in handler
    found = _QUOTED.findall(handler[:MAX_HANDLER])
    return [_plain(text) for text in found if goes or "/" in text]


def _add_script(kind: str, text: str, mentions: Mentions) -> None:
    """Add the absolute URLs of files among the strings of a script."""
    path = "script/json" if "json" in kind else "script/javascript"
    for reference in _ABSOLUTE.findall(text):
        # Most strings are no data files, and to resolve them takes longer.
        if "%" not in reference and FILE_ENDINGS.isdisjoint(_PARTS.split(reference.lower())):
            continue
        if place := mentions.place(_plain(reference), file_only=True):
            mentions.add(place, "script", path)


def _plain(text: str) -> str:
    r"""Remove the escapes of a URL in a string.

    >>> _plain(r"https:\/\/e.org\/a?b=1\u0026c=2\\")
    'https://e.org/a?b=1&c=2'
    """
    if "\\" not in text:
        return text
    return text.replace("\\u0026", "&").replace("\\u002F", "/").replace("\\", "")
