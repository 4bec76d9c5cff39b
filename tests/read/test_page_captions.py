"""What a page says about its links: rows, items, definitions, figures, cards, headings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.caption import Caption
from lodehound.read import element_text, page_captions
from lodehound.read.links import read_links

PAGE = "https://e.org/"
ROWS = """
    <table><tr><th>Author<th>Title<th>Paper</tr>
    <tr><td>Beecher, A.<td>On Bees<td>(1-15)<br><a href=1.pdf>[PDF]</a></tr>
    <tr><td>Cole, C., Dee, D.<td>Wasps and their nests<td><a href=2.pdf>[PDF]</a></tr></table>"""


def captions(html: str) -> dict[str, Caption]:
    found = read_links(html.encode(), url=PAGE, captioned=lambda link: True).captions
    return {url.removeprefix(PAGE): caption for url, caption in found.items()}


def names(html: str, url: str = "a.csv") -> tuple[str, ...]:
    return captions(html)[url].names


def test_the_row_of_a_table_names_its_link_and_describes_it() -> None:
    said = captions(ROWS)

    assert [one.names[0] for one in said.values()] == ["On Bees", "Wasps and their nests"]
    assert said["2.pdf"].about == (
        "Author: Cole, C., Dee, D.; Title: Wasps and their nests; Paper: [PDF]"
    )


def test_a_first_row_without_links_has_the_names_of_columns() -> None:
    html = ROWS.replace("<th>", "<td>")
    assert captions(html)["1.pdf"].names[0] == "On Bees"


def test_a_table_without_names_of_columns_is_named_by_words_rather_than_people() -> None:
    html = """<table><tr><td>12<td>A. Bee, B. Cee<td>Honey in winter<td><a href=a.csv>CSV</a></tr>
        <tr><td>13<td>C. Dee<td>Honey in summer<td><a href=b.csv>CSV</a></tr></table>"""
    assert (names(html)[0], names(html, "b.csv")[0]) == ("Honey in winter", "Honey in summer")


def test_lines_of_a_cell_may_say_which_is_the_title() -> None:
    html = """<table><tr><td><b>Title:</b> On Bees <br><b>Authors:</b> A. Beecher
        <td><a href=a.pdf>Abstract</a><br><a href=p.pdf>Full Paper</a></table>"""
    said = captions(html)

    assert said["a.pdf"].names == said["p.pdf"].names == ("On Bees",)
    assert said["p.pdf"].anchor == "Full Paper"


def test_a_cell_of_a_grid_is_named_by_its_row_and_its_column() -> None:
    html = """<table><tr><th><th>2019<th>2020</tr>
        <tr><th>Births<td><a href=a.csv>CSV</a><td><a href=b.csv>CSV</a></tr></table>"""
    assert (names(html), names(html, "b.csv")) == (("Births", "2019"), ("Births", "2020"))


def test_a_layout_table_says_nothing_but_the_headings_in_it_do() -> None:
    long = "<p>Words of a long text. " * 100
    html = f"<table><tr><td>{long}<h2>Rents</h2><a href=a.csv>CSV</a><td>News</table>"
    assert names(html) == ("Rents",)


def test_a_table_in_a_table_is_read_for_itself() -> None:
    outer = "<table><tr><td>Menu<td>{}</table>"
    assert captions(outer.format(ROWS))["1.pdf"].names[0] == "On Bees"


def test_the_text_of_a_list_item_is_a_name_without_its_links() -> None:
    html = """<h2>Office</h2><ul><li>Births in 2024 (<a href=a.csv>CSV</a>, <a href=b.xls>XLS</a>)
        <li><a href=p>Deaths in 2024</a> <a href=c.csv>download</a></ul>"""

    assert names(html) == names(html, "b.xls") == ("Births in 2024", "Office")
    assert names(html, "c.csv") == ("Deaths in 2024", "Office")


def test_an_item_of_a_list_in_a_list_has_both_names() -> None:
    html = "<ul><li>Births<ul><li>2024: <a href=a.csv>CSV</a></ul></ul>"
    assert names(html) == ("2024", "Births")


def test_a_definition_is_named_by_its_term_and_a_term_described_by_its_definition() -> None:
    html = (
        "<dl><dt>Births<dd>By region, <a href=a.csv>CSV</a><dt><a href=b.csv>Rents</a><dd>By year"
    )

    assert names(html)[0] == "Births"
    assert captions(html)["b.csv"].about == "By year"


def test_a_figure_is_named_by_its_caption() -> None:
    html = "<figure><a href=a.csv><img src=i></a><figcaption>Births by year</figcaption></figure>"
    assert names(html) == ("Births by year",)


def test_a_card_is_named_by_its_own_heading_even_if_that_comes_later() -> None:
    html = """<div><div><a href=a.csv><img></a><h3>Births</h3></div>
        <div><a href=b.csv><img></a><h3>Deaths</h3></div></div>"""
    assert (names(html)[0], names(html, "b.csv")[0]) == ("Births", "Deaths")


def test_headings_above_a_link_are_names_the_nearest_first() -> None:
    html = """<h1>Office</h1><h2>Rents</h2><h3>2019</h3><h2>Births</h2><h4> </h4>
        <p><a href=a.csv>CSV</a>"""
    assert names(html) == ("Births", "Office")


def test_a_heading_that_is_a_card_of_its_own_is_above_nothing_else() -> None:
    html = "<h1>Office</h1><a href=p><h2>News</h2></a><p><a href=a.csv>CSV</a>"
    assert names(html) == ("Office",)


def test_a_paragraph_that_is_marked_as_a_heading_is_no_name() -> None:
    html = f"<h1>Office</h1><h2>{'Many words. ' * 15}</h2><p><a href=a.csv>CSV</a>"
    assert names(html) == ("Office",)


def test_a_label_before_a_link_is_a_name_and_a_sentence_a_description() -> None:
    html = """<h1>Office</h1><p>Births in 2024 (<a href=a.csv>CSV</a>)
        <p>See births <a href=b.csv>here</a>."""
    said = captions(html)

    assert said["a.csv"].names == ("Births in 2024", "Office")
    assert said["b.csv"] == Caption("here", ("Office",), "See births here.", 2)


def test_the_best_of_several_links_to_a_url_counts() -> None:
    html = "<p><a href=a.csv>CSV</a><p><a href=a.csv>Births in 2024</a><p><a href=a.csv>here</a>"
    assert captions(html)["a.csv"].anchor == "Births in 2024"


@pytest.mark.parametrize("tag", ["nav", "header", "footer", "aside"])
def test_a_menu_says_nothing(tag: str) -> None:
    assert captions(f"<{tag}><ul><li>Births <a href=a.csv>CSV</a></ul></{tag}>") == {}


def test_right_to_left_texts_stay_as_they_are_written() -> None:
    arabic = "\u0639\u062f\u062f \u0627\u0644\u0633\u0643\u0627\u0646"
    html = f"<ul dir=rtl><li>{arabic}: <a href=a.csv>CSV</a></ul>"
    assert names(html) == (arabic,)


def test_texts_are_bounded() -> None:
    html = f"<ul><li>{'long ' * 200}<a href=a.csv>CSV</a></ul><h1>{'h' * 999}</h1>"
    said = captions(html)["a.csv"]
    assert (max(map(len, said.names)), len(said.about)) == (200, 500 - 300)


def test_only_wanted_links_have_captions() -> None:
    html = "<h1>Office</h1><p><a href=a.csv>CSV</a><a href=p>more</a>"
    found = read_links(html.encode(), url=PAGE, captioned=lambda link: link.url.endswith("csv"))
    assert list(found.captions) == [PAGE + "a.csv"]
    assert read_links(html.encode(), url=PAGE).captions == {}


def test_captions_of_a_page_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_captions, "MOST_TEXT", 1000)
    rows = "".join(f"<li>Births in {year} <a href={year}>CSV</a>" for year in range(1000))
    assert 0 < len(captions(f"<ul>{rows}</ul>")) < 60


@pytest.mark.parametrize(
    "html",
    [
        f"<table><tr><td>{'<a href=x>CSV</a>' * 3000}<td>b</table>",
        "<div>" * 300 + "<a href=x>CSV</a>" * 3000,
        "<ul><li>" * 400 + "<a href=x>CSV</a>" * 100,
        "<table><tr><td>" * 200 + "<a href=x>CSV</a>" * 100,
        "<table><tr>" + "<td><a href=x>CSV</a>" * 3000,
        "<h1>t</h1><p><a href=x>CSV</a>" * 2000,
        "<b>" * 400 + "( " * 500 + "<a href=x>CSV</a>" * 500,
    ],
)
def test_the_work_for_a_hostile_page_grows_with_its_size(
    html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nodes that are visited, not seconds: no element is read anew for each link in it."""
    html = html.replace("href=x", "href={}.csv")
    html = html.format(*range(html.count("{}")))
    visited = 0
    plain = element_text.ElementTexts.beginning

    def counting(self: element_text.ElementTexts, node: object, length: int) -> str:
        nonlocal visited
        visited += 1
        return plain(self, node, length)  # type: ignore[arg-type]

    monkeypatch.setattr(element_text.ElementTexts, "beginning", counting)
    assert captions(html)
    assert visited < 40 * html.count("<")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "<table> <tr> <td> <th> </table> <ul> <li> </ul> <dl> <dt> <dd> <figure> <figcaption> "
            "<h1> <h2> <p> <div> </div> <br> <nav> <a~href=a.csv>CSV</a> <a~href=b.csv>x "
            "text ( : \u0639 \ud83d\ude00 <td~colspan=99999> <b> <script> <!--".split()
        ),
        max_size=40,
    )
)
def test_any_markup_is_read(parts: list[str]) -> None:
    html = "".join(parts).replace("~", " ").encode("utf-8", "replace")
    for caption in read_links(html, url=PAGE, captioned=lambda link: True).captions.values():
        assert all(0 < len(name) <= 200 for name in caption.names)
        assert len(caption.about) <= 500
