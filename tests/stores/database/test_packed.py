"""What goes into a column packed comes out of it in full."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.link import Context, Link
from lodehound.stores.database.packed import pack_links, unpack_links
from tests.stores.log.test_journal import ROOT, STRANGE

texts = st.text(st.characters(exclude_categories=()), max_size=20)
context_values = st.builds(
    Context,
    position=st.sampled_from(["", "s", "so#"]),
    properties=st.lists(texts, max_size=2).map(tuple),
    siblings=st.lists(texts, max_size=2).map(tuple),
    declared=texts,
)
link_values = st.builds(
    Link,
    url=texts,
    source=st.sampled_from([ROOT, ""]) | texts,
    tag_path=texts,
    anchor=texts,
    around=texts,
    kind=st.sampled_from(["a", "area", "sitemap", ""]),
    depth=st.integers(0, 5),
    context=st.none() | context_values,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(link_values, max_size=8).map(tuple), st.integers(0, 5))
def test_links_survive_packing(links: tuple[Link, ...], depth: int) -> None:
    """Every field, whatever it holds, whether it is its page's or not."""
    assert unpack_links(pack_links(links, ROOT, depth), ROOT, depth) == links


def test_links_are_links_again() -> None:
    """Equal is not enough: a tuple equals a Link."""
    links = (Link(STRANGE, ROOT, depth=1),)
    unpacked = unpack_links(pack_links(links, ROOT, 1), ROOT, 1)
    assert unpacked == links
    assert isinstance(unpacked[0], Link)
