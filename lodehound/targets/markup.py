"""Pages with structured data (Anthelion paper, Sec. 4.2): any, by number or by type."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.read.extensions import NOT_PAGES
from lodehound.read.markup import SYNTAXES, VERSION, Markup, Syntax, read_markup
from lodehound.read.mime import is_html

# Syntaxes that count by default. Nearly any page made by a toolkit has OpenGraph and Dublin Core in
# its head; the paper's data set has neither.
USUAL: tuple[Syntax, ...] = ("jsonld", "microdata", "rdfa", "microformats")
OF_PAPER: tuple[Syntax, ...] = ("microdata", "rdfa", "microformats")  # JSON-LD is younger
PAPER = "paper"
SHORT = {"json-ld": "jsonld", "microformat": "microformats", "og": "opengraph", "dc": "dublincore"}
CONDITION = re.compile(r"([a-z+ -]+?)\s*(?:>=\s*(\d+))?")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A minimum number of statements in these syntaxes together."""

    syntaxes: tuple[Syntax, ...] = USUAL
    least: int = 1

    def count(self, markup: Markup) -> int:
        return sum(markup.counts.get(syntax, 0) for syntax in self.syntaxes)


class MarkupPages(Target):
    """Pages that embed structured data: JSON-LD, microdata, RDFa or microformats.

    Written ``markup``, ``markup:paper`` (without JSON-LD), ``markup:microdata>=5``,
    ``markup:microdata+jsonld>=5``, ``markup:type=schema.org/Dataset``, or several of these
    separated by commas, which must all hold. The value of a find is the number of its statements.

    Args:
        enough: The minimum numbers of statements.
        types: If given, the page must describe an item of one of these types.
    """

    needs_body = True
    version = VERSION
    scope = "web"

    def __init__(
        self, *, enough: Sequence[Threshold] = (Threshold(),), types: Sequence[str] = ()
    ) -> None:
        self.enough = tuple(enough)
        self.types = frozenset(map(_bare, types))

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        enough: list[Threshold] = []
        types: list[str] = []
        for part in filter(None, (part.strip() for part in argument.split(","))):
            name, equals, value = part.partition("=")
            if equals and name.strip() == "type":
                types.extend(filter(None, (kind.strip() for kind in value.split("|"))))
                if not types:
                    raise ConfigError("type= needs a type: markup:type=schema.org/Dataset.")
            else:
                enough.append(Threshold(OF_PAPER) if part == PAPER else _condition(part))
        if not enough and not types:
            raise ConfigError(f"{argument!r} after 'markup:' is empty: write markup alone.")
        return cls(enough=enough or (Threshold(),), types=types)

    def adapt(self, scope: Scope) -> Scope:
        """Leave out files that are no pages (Anthelion paper, footnote 9)."""
        return scope.blocking(NOT_PAGES)

    def judge(self, page: Page) -> Verdict:
        if page.method != "GET" or not page.ok or not is_html(page.mime):
            return NOT_FOUND
        return self.weigh(read_markup(page.body, url=page.url, charset=page.charset))

    def weigh(self, markup: Markup) -> Verdict:
        """Return the verdict on the statements of a page."""
        if any(one.count(markup) < one.least for one in self.enough):
            return NOT_FOUND
        kinds = [kind for kind in markup.types if self.types & _names(kind)]
        if self.types and not kinds:
            return NOT_FOUND
        wanted = {syntax for one in self.enough for syntax in one.syntaxes}
        value = sum(markup.counts.get(syntax, 0) for syntax in wanted)
        held = "+".join(s for s in SYNTAXES if s in wanted and markup.counts.get(s))
        return Verdict(
            found=True,
            value=float(value),
            label=" ".join(kinds[:3]) or held,
            details=details_of(markup),
        )


def details_of(markup: Markup) -> str:
    """Return the statements of a page as JSON, for the catalogue."""
    known = {"counts": markup.counts, "types": markup.types, "statements": markup.statements}
    # Broken pages contain lone surrogates, which are not text: replace them by question marks.
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


def _condition(text: str) -> Threshold:
    written = CONDITION.fullmatch(text.lower())
    if written is None:
        raise ConfigError(
            f"{text!r} after 'markup:' is not understood: write for example markup:microdata>=5, "
            f"markup:microdata+jsonld>=5 or markup:type=schema.org/Dataset."
        )
    if written[2] and not int(written[2]):
        raise ConfigError(f"{text!r} after 'markup:' matches any page: ask for 1 or more.")
    names = [SHORT.get(name.strip(), name.strip()) for name in written[1].split("+")]
    syntaxes: list[Syntax] = []
    for name in names:
        if name == "any":
            syntaxes.extend(USUAL)
        elif name in SYNTAXES:
            syntaxes.append(name)
        else:
            raise UnknownNameError("markup syntax", name, [*SYNTAXES, "any", "type"])
    return Threshold(tuple(dict.fromkeys(syntaxes)), int(written[2] or 1))


def _bare(kind: str) -> str:
    """Return a type without the parts that vary between authors.

    >>> _bare("https://www.schema.org/Dataset/"), _bare("Dataset")
    ('schema.org/Dataset', 'Dataset')
    """
    return re.sub(r"^(?:https?:)?(?://)?(?:www\.)?", "", kind.strip()).rstrip("/")


def _names(kind: str) -> set[str]:
    """Return the names of a type in a query: complete, or only its last word."""
    bare = _bare(kind)
    return {bare, re.split(r"[/#:]", bare)[-1]}
