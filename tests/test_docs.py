"""What the documents say is so."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from lodehound.core.link import ORIGINS
from lodehound.policies import POLICIES
from lodehound.targets import TARGETS

TOP = Path(__file__).parent.parent


def test_the_reference_is_what_the_classes_say() -> None:
    spec = importlib.util.spec_from_file_location("make", TOP / "docs" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)

    assert make.PAGE.read_text(encoding="utf-8") == make.reference()


def test_the_documents_name_every_policy_and_target() -> None:
    pages = {"policies": POLICIES, "targets": TARGETS}
    for page, names in pages.items():
        text = (TOP / "docs" / f"{page}.md").read_text(encoding="utf-8")
        assert [name for name in names if f"| `{name}` |" not in text] == []


def test_the_site_contains_every_page() -> None:
    """A page that is not in the navigation cannot be found."""
    navigation = (TOP / "mkdocs.yml").read_text(encoding="utf-8")

    assert [p.name for p in (TOP / "docs").glob("*.md") if f" {p.name}\n" not in navigation] == []


def test_the_picture_of_the_demo_asks_no_other_host() -> None:
    picture = (TOP / "docs" / "images" / "demo.svg").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://[^/:<\s]+", picture))

    assert hosts <= {"http://www.w3.org", "https://www.textualize.io", "http://127.0.0.1"}


def test_every_link_between_documents_leads_somewhere() -> None:
    pages = [*TOP.glob("*.md"), *(TOP / "docs").glob("*.md")]
    broken = [
        f"{page.name}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        if not link.startswith("http") and not (page.parent / link).exists()
    ]

    assert broken == []


def test_the_examples_in_contributing_are_the_files() -> None:
    """The newcomer's code is the code that the tests check."""
    guide = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tutorial = (TOP / "docs" / "own-policy.md").read_text(encoding="utf-8")
    for name, page in (("nearest", guide), ("feeds", guide), ("nearest", tutorial)):
        code = (TOP / "examples" / f"{name}.py").read_text(encoding="utf-8")
        assert code[code.index("class ") :].strip() in page


def test_the_page_on_links_names_every_kind() -> None:
    table = (TOP / "docs" / "links.md").read_text(encoding="utf-8")

    assert [kind for kind in ORIGINS if f"`{kind}`" not in table] == []
