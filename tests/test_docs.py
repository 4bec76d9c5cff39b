"""What the documents say is so."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path

from lodehound.core.link import ORIGINS
from lodehound.policies.lodehound.lodehound_policy import LodehoundPolicy
from lodehound.registry import shipped
from lodehound.targets import TARGETS

TOP = Path(__file__).parent.parent
DOCS = TOP / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
NAVIGATION = (TOP / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
LONGEST = {"architecture.md": 310}  # a map of the whole house; others have 150 lines at most


def test_the_reference_is_what_the_classes_say() -> None:
    spec = importlib.util.spec_from_file_location("make", TOP / "docs" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)

    assert make.PAGE.read_text(encoding="utf-8") == make.reference()


def test_the_documents_name_every_policy_and_target() -> None:
    pages = {"policies": shipped("policy"), "targets": TARGETS}
    for page, names in pages.items():
        text = (TOP / "docs" / f"{page}.md").read_text(encoding="utf-8")
        assert [name for name in names if f"| `{name}` |" not in text] == []


def test_the_site_contains_every_page() -> None:
    """A page that is not in the navigation cannot be found."""
    named = re.findall(r"\S+\.md$", NAVIGATION, re.MULTILINE)

    assert sorted(named) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


def test_the_page_on_research_lists_every_page_and_how_it_is_made() -> None:
    research = DOCS / "research"
    index = (research / "index.md").read_text(encoding="utf-8")
    made = dict(re.findall(r"^\| \[[^]]+\]\(([^)]+)\) \|[^|]+\| (.+) \|$", index, re.MULTILINE))
    modules = re.findall(r"python -m ([\w.]+)", " ".join(made.values()))

    assert sorted(made) == sorted(p.name for p in research.glob("*.md") if p.name != "index.md")
    assert [name for name in modules if not (TOP / f"{name.replace('.', '/')}.py").exists()] == []


def test_explanations_are_short_and_contain_no_measurements() -> None:
    """Measurements are in docs/research, and name their seeds there."""
    explanation = NAVIGATION.partition("- Explanation:\n")[2].partition("\n  - ")[0]
    names = re.findall(r"\S+\.md$", explanation, re.MULTILINE)
    texts = {name: (DOCS / name).read_text(encoding="utf-8") for name in names}
    lines = {name: text.count("\n") for name, text in texts.items()}

    assert "lodehound-policy.md" in texts
    assert {name: count for name, count in lines.items() if count > LONGEST.get(name, 150)} == {}
    assert [name for name, text in texts.items() if "seeds" in text] == []


def test_the_page_on_the_policy_names_its_parameters_and_defaults() -> None:
    text = (DOCS / "lodehound-policy.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", text, re.MULTILINE))
    parameters = inspect.signature(LodehoundPolicy).parameters.values()
    plain = [one for one in parameters if isinstance(one.default, (int, float))]

    assert table == {one.name: f"{one.default:g}" for one in plain}


def test_the_picture_of_the_demo_asks_no_other_host() -> None:
    picture = (TOP / "docs" / "images" / "demo.svg").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://[^/:<\s]+", picture))

    assert hosts <= {"http://www.w3.org", "https://www.textualize.io", "http://127.0.0.1"}


def test_every_link_between_documents_leads_somewhere() -> None:
    pages = [*TOP.glob("*.md"), *PAGES]
    broken = [
        f"{page.relative_to(TOP)}: {link}"
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
