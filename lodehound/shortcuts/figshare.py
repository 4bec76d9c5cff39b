"""figshare: its API lists articles, and each article its files."""

from __future__ import annotations

from typing import Any

from lodehound.core.urls import host_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import named
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import next_page

SIZE = 100
LIST = f"v2/articles?item_type=3&page_size={SIZE}&page=1"  # item type 3: datasets


class Figshare(Shortcut):
    """figshare: datasets and their files; start the crawl at https://api.figshare.com/v2/."""

    title = "figshare"
    key_header = "Authorization"
    marks = (b"api.figshare.com",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the host of the API: portals of figshare do not say which institution they are."""
        return (page.url,) if host_of(page.url) == "api.figshare.com" else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if "/v2/" in root and not root.endswith("/v2/"):
            return (root,)
        return (resolve(root, "/" + LIST),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if _is_article(data) and isinstance(pick(data, "files"), list):
            return Expansion(datasets=(_dataset(data, answer),))
        articles = records(data) if isinstance(data, list) else []
        if not articles or not all(_is_article(one) for one in articles):
            return None
        details = (answer.resolve(pick(one, "url_public_api")) for one in articles)
        more = tuple(ApiPage(url, 1, deeper=True) for url in details if url)
        following = next_page(
            answer.url, offset="page", got=len(articles), total=None, first=1, step=SIZE
        )
        return Expansion(more=(*more, *following))


def _is_article(data: Any) -> bool:
    return number(data, "id") is not None and bool(text(data, "url_public_api"))


def _dataset(article: dict[str, Any], answer: Fetched) -> Dataset:
    files = (_file(one, answer) for one in records(article, "files"))
    return Dataset(
        title=text(article, "title"),
        url=answer.resolve(pick(article, "url_public_html")),
        identifier=text(article, "doi") or text(article, "id"),
        description=text(article, "description"),
        publisher=", ".join(text(one, "full_name") for one in records(article, "authors")),
        licence=text(article, "license", "url") or named(article, "license"),
        issued=text(article, "published_date"),
        modified=text(article, "modified_date"),
        keywords=texts(article, "tags"),
        files=tuple(file for file in files if file.url),
    )


def _file(entry: dict[str, Any], answer: Fetched) -> ListedFile:
    return ListedFile(
        url=answer.resolve(pick(entry, "download_url")),
        title=text(entry, "name"),
        format=text(entry, "mimetype"),
        size=number(entry, "size") or None,
    )
