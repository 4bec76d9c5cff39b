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


def test_the_readme_names_every_policy_and_target() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")

    assert [name for name in (*POLICIES, *TARGETS) if f"| `{name}` |" not in readme] == []


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
    for name in ("nearest", "feeds"):
        code = (TOP / "examples" / f"{name}.py").read_text(encoding="utf-8")
        assert code[code.index("class ") :].strip() in guide


def test_the_page_on_links_names_every_kind() -> None:
    table = (TOP / "docs" / "links.md").read_text(encoding="utf-8")

    assert [kind for kind in ORIGINS if f"`{kind}`" not in table] == []
