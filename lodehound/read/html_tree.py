"""Parses HTML in a time and a memory that grow with its length only.

The standard's algorithm searches the open elements at many tags, and repeats open formatting
elements in every paragraph: a page of 300 KB that nests 20,000 of them takes hours, or all memory.
Browsers limit the depth of a page to 512 elements. So do we, before the page is parsed: start tags
that would go deeper are left out, their contents stay. The parser's work is at most the number of
tags times the depth, so very long pages may be less deep.

The parser compares every attribute of an element with all others, and every new name with many
others: 200,000 attributes (2 MB) take minutes. The first 500 of a tag and 5,000 names are kept.

For every option the parser would look through all options of the list again, to select one: 20,000
options take seconds, 500,000 an hour. That is one of its mutation events, which are off: we read
what a page contains, not what a form shows.

A page takes up to fifty times its length in memory: 150,000 start tags and 60 million characters
are read of one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

MOST_CHARACTERS = 60_000_000  # of a page
MOST_ELEMENTS = 150_000  # of a page; the longest honest list we know has 7,300 links
MOST_DEPTH = 512
MOST_FORMATTING = 64  # formatting elements that are open at the same time
MOST_STEPS = 10_000_000  # start tags of a page times its depth
MOST_COPIES = 1_000_000  # start tags times formatting elements: each tag may repeat them all
MOST_ATTRIBUTES = 500  # of a tag
MOST_IN_ALL = 1_000_000  # attributes of a page with many
MOST_ROOTS = 8  # tags of html, or of body, that have attributes: one element gets them all
MOST_NAMES = 5000  # different names of tags and attributes
FEW = 1000  # start tags that can do no harm
SHORT = 100_000  # characters whose attributes take the parser a second at most
LONG = 500_000  # characters whose names take the parser a second at most
FEW_WORDS = 10_000  # different names that take little time

MOST_PASSES = 12
# Attributes up to the end of a tag, written so that nobody can mistake where the tag ends.
PLAIN = r"""(?:\s++[^\s/<>"'=]++(?:\s*+=\s*+(?:"[^<>"]*+"|'[^<>']*+'|[^\s<>"'=]++))?+)*+\s*+/?+>"""
CLOSED = re.compile(
    rf"<([a-z][\w:-]*){PLAIN}[^<>]*</\1\s*>"
    rf"|<(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr){PLAIN}",
    re.IGNORECASE,
)
ATTRIBUTE = re.compile(
    r"[\s/]*+([^\s/>][^\s/>=]*+)"
    r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
)
ATTRIBUTES = re.compile(f"(?:{ATTRIBUTE.pattern})*+")
# A text up to a tag with many attributes, or to a script with what looks like one.
MODEST = re.compile(
    r"(?:[^<]++|<(?!/?[a-zA-Z!])|<!--(?:[^-]++|-(?!-!?>))*+|<!"
    rf"|</?[a-zA-Z][^\s/>]*+(?:{ATTRIBUTE.pattern}){{0,{MOST_ATTRIBUTES}}}+[\s/]*+(?:>|\Z))*+"
)
SEPARATED = bytes.maketrans(b"/<>=\"'", b"      ")
TAG_BEGINS = re.compile("<")
START = re.compile("<(?!/)")
ROOTS = frozenset({"html", "body"})
ROOT = re.compile(r"<(?:html|body)(?=[\s/>])", re.IGNORECASE)
TAG = re.compile(rf"<(?:(!--)|(/?)([a-zA-Z][^\s/>\x00]*)({ATTRIBUTES.pattern}))")
COMMENT_END = re.compile(r"--!?>")
WITHOUT_EVENTS = LexborDocumentOptions.WO_EVENTS
VOID = frozenset(
    """area base basefont bgsound br col embed frame hr image img input keygen link meta param
    source track wbr""".split()
)
FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
RAW = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
}
# Elements that no end tag of another element closes, and those that only end tags of a table do.
SPECIAL = frozenset(
    """address applet article aside blockquote body button caption center colgroup dd details dir
    div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup
    html li listing main marquee menu nav noscript object ol p plaintext pre search section select
    summary table tbody td template tfoot th thead tr ul
    annotation-xml desc foreignobject mi mn mo ms mtext""".split()
)
NO_BLOCKS = frozenset(
    """annotation-xml body button colgroup desc foreignobject head mi mn mo ms mtext noscript
    select""".split()
)
BARRIERS = frozenset("applet caption html marquee object table td template th".split())
OF_TABLES = BARRIERS | {"tbody", "tfoot", "thead", "tr"}
ENDS_PARAGRAPH = SPECIAL - OF_TABLES - NO_BLOCKS | {"dialog", "table"}
# Names of tags and attributes that are kept on every page: links and data are there.
USEFUL = frozenset(
    """about action archive audio background charset cite class codebase content data datatype
    datetime formaction frame href hreflang http-equiv id itemid itemprop itemref itemscope itemtype
    lang longdesc name onclick option poster prefix property rel resource rev span src srcset svg
    time title type typeof url value video vocab""".split()
)
# The elements that a start tag ends if they are the innermost ones.
CELLS = frozenset("p td th".split())
ENDS = {
    "p": frozenset({"p"}),
    "li": frozenset({"li", "p"}),
    "dt": frozenset({"dt", "dd", "p"}),
    "dd": frozenset({"dt", "dd", "p"}),
    "option": frozenset({"option"}),
    "td": CELLS,
    "th": CELLS,
    "tr": CELLS | {"tr"},
    "tbody": CELLS | {"tr", "thead", "tbody", "tfoot"},
    "thead": CELLS | {"tr", "thead", "tbody", "tfoot"},
    "tfoot": CELLS | {"tr", "thead", "tbody", "tfoot"},
}


def parse_html(text: str) -> LexborHTMLParser:
    """Return the tree of a page; what is nested too deeply is flattened, and its end left out."""
    return parse_beginning(text)[0]


def parse_beginning(text: str, most_elements: int | None = None) -> tuple[LexborHTMLParser, bool]:
    """Do what ``parse_html`` does, and return whether the page was read up to its end."""
    read = _beginning(text, most_elements or MOST_ELEMENTS)
    is_hostile = _may_be_deep(read) or _may_have_many_attributes(read)
    tree = LexborHTMLParser(_tamed(read) if is_hostile else read, options=WITHOUT_EVENTS)
    return tree, len(read) == len(text)


def _start_tags(text: str) -> int:
    return text.count("<") - text.count("</")


def _beginning(text: str, most: int) -> str:
    """Return as much of a page as is read."""
    if len(text) <= most:
        return text
    text = _up_to(TAG_BEGINS, text[:MOST_CHARACTERS], 2 * most)  # end tags take time, too
    return _up_to(START, text, most) if _start_tags(text) > most else text


def _up_to(pattern: re.Pattern[str], text: str, most: int) -> str:
    """Return a text without what follows so many matches."""
    end = next(islice(pattern.finditer(text), most, None), None)
    return text if end is None else text[: end.start()]


def _may_have_many_attributes(text: str) -> bool:
    """Return whether a page may have more attributes, or names, than are parsed quickly."""
    if len(text) < SHORT:
        return False
    modest = MODEST.match(text)
    if modest is None or modest.end() < len(text) or len(ROOT.findall(text)) > MOST_ROOTS:
        return True
    if len(text) < LONG:
        return False
    words: set[bytes] = set()
    count = 0
    for at in range(0, len(text), SHORT):  # all at once would take fifty times the memory
        piece = text[at : at + SHORT].encode("utf-8", "surrogatepass")
        found = piece.translate(SEPARATED).split()
        words.update(found)
        count += len(found)
        if len(words) > FEW_WORDS or count > MOST_IN_ALL:
            return True
    return False


def _may_be_deep(text: str) -> bool:
    """Return whether many elements may be open at once, in a fraction of the time of a parser.

    Elements that are closed properly are removed from the inside out until few are left.
    """
    for _ in range(MOST_PASSES):
        if _start_tags(text) <= FEW:
            return False
        before = len(text)
        text = CLOSED.sub("", text)
        if len(text) > 0.98 * before:
            break
    return _start_tags(text) > FEW


def _tamed(text: str) -> str:
    """Leave out start tags that nest more deeply than any browser shows, and most attributes."""
    open_tags, names, parts, kept = _OpenTags(_start_tags(text)), _Names(), list[str](), 0
    at = 0
    while (match := TAG.search(text, at)) is not None:
        at = match.end()
        comment, closing, name, attributes = match.group(1, 2, 3, 4)
        if comment:
            at = _end(COMMENT_END, text, match.start() + 2)  # "<!-->" is a whole comment
            continue
        name = name.lower()
        is_raw = name in RAW and not open_tags.is_foreign and not closing
        if closing:
            open_tags.close(name)
        is_open = closing or is_raw or name in VOID or open_tags.open(name)
        if not is_open or not names.is_known(name):
            parts += [text[kept : match.start()], "<!"]  # a comment, up to the end of the tag
            kept = match.start() + 1
        if attributes:
            few = "" if closing else names.attributes(name, attributes)
            if len(few) < len(attributes):
                parts += [text[kept : at - len(attributes)], few]
                kept = at
        if is_raw:
            at = _end(RAW[name], text, at)
    return "".join([*parts, text[kept:]]) if parts else text


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the place where something ends; the end of the text if it does not."""
    found = pattern.search(text, at)
    return found.end() if found is not None else len(text)


class _Names:
    """The names of tags and attributes that a page may use: the useful and the first ones."""

    def __init__(self) -> None:
        self._known = {*USEFUL, *SPECIAL, *VOID, *FORMATTING, *RAW}
        self._roots: Counter[str] = Counter()
        self._left = MOST_IN_ALL

    def is_known(self, name: str) -> bool:
        """Return whether a name is known; it becomes so if there is room for it."""
        if name not in self._known and len(self._known) < MOST_NAMES:
            self._known.add(name)
        return name in self._known

    def attributes(self, tag: str, text: str) -> str:
        """Return what is kept of the attributes of a start tag."""
        self._roots[tag] += tag in ROOTS
        if self._roots[tag] > MOST_ROOTS:
            return ""
        found = list(islice(ATTRIBUTE.finditer(text), min(MOST_ATTRIBUTES, self._left)))
        self._left -= len(found)
        return "".join(one[0] for one in found if self.is_known(one[1].lower()))


class _OpenTags:
    """The elements that are open, about as the standard has it."""

    def __init__(self, start_tags: int) -> None:
        self._most = min(MOST_DEPTH, MOST_STEPS // (start_tags + 1))
        self._most_formatting = min(MOST_FORMATTING, MOST_COPIES // (start_tags + 1))
        self._stack: list[str] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._special: list[int] = [-1]  # places of such elements
        self._barriers: list[int] = [-1]
        self._formatting: Counter[str] = Counter()  # in force

    @property
    def is_foreign(self) -> bool:
        """Return whether SVG or MathML is open: in these, all elements are ordinary ones."""
        return bool(self._places["svg"] or self._places["math"])

    def open(self, name: str) -> bool:
        """Open an element; return whether there was room for it."""
        if not self.is_foreign:
            self._end_others(name)
        is_formatting = name in FORMATTING
        is_full = is_formatting and self._formatting.total() >= self._most_formatting
        if is_full or len(self._stack) >= self._most:
            return name == "a" and not self.is_foreign  # no link is lost; none is in another
        place = len(self._stack)
        self._stack.append(name)
        self._places[name].append(place)
        if is_formatting:
            self._formatting[name] += 1
        if name in SPECIAL:
            self._special.append(place)
        if name in BARRIERS:
            self._barriers.append(place)
        return True

    def close(self, name: str) -> None:
        """Close the innermost element of a name and what is in it, if its end tag can do that.

        A formatting element stays in force until its own end tag comes.
        """
        if self._formatting[name]:
            self._formatting[name] -= 1
        if not self._places[name]:
            return
        limits = self._barriers if name in SPECIAL else self._special
        self._pop_to(self._places[name][-1], -1 if name in OF_TABLES else limits[-1])

    def _end_others(self, name: str) -> None:
        """Close what a start tag closes."""
        ended = ENDS.get(name, ())
        while self._stack and self._stack[-1] in ended:
            self._pop()
        if name in ENDS_PARAGRAPH and self._places["p"]:
            around = max(self._barriers[-1], *self._places["button"][-1:], -1)
            self._pop_to(self._places["p"][-1], around)

    def _pop_to(self, place: int, around: int) -> None:
        """Close an element and what is in it, if it is in the scope that is open around it."""
        while len(self._stack) > place > around:
            self._pop()

    def _pop(self) -> None:
        name = self._stack.pop()
        self._places[name].pop()
        for places in (self._special, self._barriers):
            if places[-1] == len(self._stack):
                places.pop()
