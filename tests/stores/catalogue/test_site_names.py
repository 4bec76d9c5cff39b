"""The site's own name in the titles of its pages."""

from __future__ import annotations

import pytest

from lodehound.stores.catalogue.site_names import SiteNames

PAGES = ["Births", "Deaths", "Rents: by year", "Prices - Consumers"]


@pytest.mark.parametrize(
    "form", ["{} | Office", "{} - Office", "Office: {}", "Office \u2013 {}", "{} » Data » Office"]
)
def test_what_all_titles_share_is_cut_off(form: str) -> None:
    names = SiteNames(("e.org", form.format(page)) for page in PAGES)

    cut = [names.cut("e.org", form.format(page)) for page in PAGES]
    assert cut in (PAGES, [f"{page} » Data" for page in PAGES])
    assert names.cut("other.org", form.format("x")) == form.format("x")


def test_a_title_that_is_the_name_of_the_site_is_none() -> None:
    names = SiteNames([("e.org", "Office"), *(("e.org", f"{page} | Office") for page in PAGES)])
    assert names.cut("e.org", "Office") == ""


def test_parts_of_few_titles_stay() -> None:
    titles = ["Births | 2019", "Births | 2020", "Rents | 2020", "Prices"]
    names = SiteNames(("e.org", title) for title in titles)
    assert [names.cut("e.org", title) for title in titles] == titles


def test_an_ordinary_hyphen_parts_nothing() -> None:
    titles = [f"Self-made {page}" for page in PAGES]
    names = SiteNames(("e.org", title) for title in titles)
    assert [names.cut("e.org", title) for title in titles] == titles
