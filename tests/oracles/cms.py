"""A generated site like those of content management systems: what simple test sites lack.

Elements have long lists of classes and numbered ids, all pages are there in three languages,
every page has a menu, and there are redirects, dead links, refused requests, files without an
extension, and links that no reader sees.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from urllib.parse import quote

from lodehound.stores.records import Record
from tests.helpers import ROOT, failed, file, moved

LANGUAGES = ("en", "fr", "es")
KINDS = ("article", "dataset", "event", "person")
WORDS = {
    "en": "report census budget water school annual table transport health index".split(),
    "fr": "rapport recensement budget eau école annuel tableau transport santé indice".split(),
    "es": "informe censo presupuesto agua escuela anual tabla transporte salud índice".split(),
}
REFUSED = {"gone": 404, "members": 403, "search": 500}  # in every menu
ENDINGS = {
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "": "application/pdf",
}


def cms(seed: int, *, pages: int = 40) -> Mapping[str, Record]:
    """Return a site: places to records, the root first."""
    return _Site(seed, pages).made()


class _Site:
    def __init__(self, seed: int, pages: int) -> None:
        self._rng = random.Random(seed)
        self._pages = pages
        self._records: dict[str, Record] = {}

    def made(self) -> Mapping[str, Record]:
        self._records[""] = self._page("en", 0, [f"{lang}/" for lang in LANGUAGES], "front")
        for lang in LANGUAGES:
            home = [self._node(lang, number) for number in range(1, self._pages, 7)]
            self._records[f"{lang}/"] = self._page(lang, 1, home, "front")
            for number in range(1, self._pages):
                self._add_node(lang, number)
        return self._records | {place: failed(status) for place, status in REFUSED.items()}

    def _node(self, lang: str, number: int) -> str:
        return f"{lang}/node/{number}"

    def _add_node(self, lang: str, number: int) -> None:
        """Add a page, which some links reach by a redirect; some pages do not exist."""
        place, kind = self._node(lang, number), KINDS[number % len(KINDS)]
        if number % 11 == 10:
            self._records[place] = failed(self._rng.choice((404, 410, 403, 500)))
            return
        if number % 9 == 4:
            word = quote(self._rng.choice(WORDS[lang]))
            moved_to = f"{lang}/{kind}/{word}-{number}"
            self._records[place] = moved(ROOT + moved_to, self._rng.choice((301, 302)))
            place = moved_to
        known = range(1, self._pages)
        links = [self._node(lang, self._rng.choice(known)) for _ in range(self._rng.randint(1, 5))]
        files = self._files(lang, number) if kind == "dataset" or self._rng.random() < 0.1 else []
        self._records[place] = self._page(lang, number, links, kind, files)
        self._records[f"{lang}/hidden-{number}.csv"] = file()

    def _files(self, lang: str, number: int) -> list[str]:
        made = []
        for at in range(self._rng.randint(1, 4)):
            ending = self._rng.choice(list(ENDINGS))
            name = f"{self._rng.choice(WORDS['en']).title()}-{number}-{at}{ending}"
            place = f"sites/default/files/{lang}/{name}" if ending else f"{lang}/media/{number}{at}"
            record = self._rng.choices(
                (file(ENDINGS[ending]), failed(), moved(f"{ROOT}archive/{name}")), (8, 1, 1)
            )[0]
            self._records[place] = record
            if record.location:
                self._records[f"archive/{name}"] = file(ENDINGS[ending])
            made.append(place)
        return made

    def _page(
        self, lang: str, number: int, links: list[str], kind: str, files: list[str] | None = None
    ) -> Record:
        top = [*(f"{one}/" for one in LANGUAGES), f"{lang}/node/1", f"{lang}/node/2", *REFUSED]
        menu = "".join(
            f'<li class="menu-item menu-item--level-1 menu-item--collapsed">'
            f'<a href="/{to}" class="menu-link is-internal" data-drupal-link-system-path="{to}">'
            f"{to}</a></li>"
            for to in top
        )
        rows = "".join(
            f'<div class="views-row {_long("row")} views-row-{at} node--type-{kind}">'
            f'<h2 class="node__title"><a href="{ROOT}{to}#main" rel="bookmark">'
            f"{self._rng.choice(WORDS[lang])} {at}</a></h2></div>"
            for at, to in enumerate(links)
        )
        attached = "".join(
            f'<div class="field__item"><span class="file file--mime-application-pdf">'
            f'<a href="/{to}">{self._rng.choice(WORDS[lang])}</a></span></div>'
            for to in files or []
        )
        body = (
            f'<!DOCTYPE html><html lang="{lang}"><head><title>{kind} {number}</title>'
            f'<link rel="alternate" type="text/csv" href="/{lang}/hidden-{number}.csv"></head>'
            f'<body class="{_long("layout")} page-node-type-{kind} page-node-{number}">'
            f'<div class="dialog-off-canvas-main-canvas {_long("region")}" id="page">'
            f'<nav id="block-main-{lang}"><ul class="menu">{menu}</ul></nav>'
            f'<main id="main-content" class="{_long("content")}"><a href="//other.example/">out</a>'
            f'<div class="view view-{kind}s view-id-{kind}s js-view-dom-id-{number * 7919:x}">'
            f'{rows}</div><div class="field field--name-field-files {_long("field")}">{attached}'
            f'</div><div data-href="/{lang}/hidden-{number}.csv"><img src="/logo.png"></div>'
            f'<a href="/logo.png">logo</a></main></div></body></html>'
        )
        return Record("", 200, "text/html; charset=utf-8", body.encode())


def _long(name: str) -> str:
    """Return a list of classes that is longer than some readers keep."""
    return " ".join(f"{name}--{part}-{name}" for part in ("wrapper", "inner", "block", "group") * 3)
