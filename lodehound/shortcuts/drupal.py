"""Drupal: JSON:API lists the files that were uploaded, if the site shows them."""

from __future__ import annotations

from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text

LIMIT = 50  # the most that JSON:API of Drupal returns
FILES = f"jsonapi/file/file?sort=drupal_internal__fid&page%5Blimit%5D={LIMIT}"


class Drupal(Shortcut):
    """Drupal sites: uploaded files from JSON:API."""

    title = "Drupal (JSON:API)"
    marks = (b"generator: drupal",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See Drupal's header or generator; versions before 8 have no JSON:API."""
        if not page.is_html:
            return ()
        said = page.headers.get("x-generator", "").lower() or page.generator
        old = any(f"drupal {version} " in said + " " for version in (5, 6, 7))
        return (origin_of(page.url) + "/",) if said.startswith("drupal") and not old else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(root, FILES),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if not isinstance(pick(data, "jsonapi"), dict) or not isinstance(pick(data, "data"), list):
            return None
        entries = records(data, "data")
        files = [one for one in entries if text(one, "type").startswith("file--")]
        if len(files) < len(entries):
            return None
        following = answer.resolve(pick(data, "links", "next", "href"))
        return Expansion(
            files=tuple(filter(lambda file: file.url, (_file(one, answer) for one in files))),
            more=(ApiPage(following, LIMIT),) if following and files else (),
        )


def _file(entry: dict[str, Any], answer: Fetched) -> ListedFile:
    about = pick(entry, "attributes")
    return ListedFile(
        url=answer.resolve(pick(about, "uri", "url")),
        title=text(about, "filename"),
        format=text(about, "filemime"),
        size=number(about, "filesize"),
        modified=text(about, "changed"),
    )
