"""Lists of sites: what they may say, and what is said of those that are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.fleet_setup import SiteList, make_list, open_fleet, site_config, teams_of
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.fleet import NoFleetError


def listed(folder: Path, name: str, text: str, **options: Any) -> SiteList:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    given = options.pop("given", {})
    return make_list(path, given, names=options.pop("names", {}), **options)


def test_lines_are_urls_and_comments(tmp_path: Path) -> None:
    made = listed(tmp_path, "sites.txt", "# offices\nhttps://a.example/\n\n http://b.example/x \n")
    assert [(site.name, site.start) for site in made.sites] == [
        ("a.example", "https://a.example/"),
        ("b.example", "http://b.example/x"),
    ]


def test_columns_are_options_of_a_site(tmp_path: Path) -> None:
    text = "url,delay,want,name\nhttps://a.example/,2.5,,first\nhttps://b.example/,,files:csv,\n"
    made = listed(tmp_path, "sites.csv", text, given={"delay": 1.5, "want": "files:pdf"})
    assert [site.name for site in made.sites] == ["first", "b.example"]
    assert [(config.delay, config.want) for config in made.configs] == [
        (2.5, "files:pdf"),
        (1.5, "files:csv"),
    ]


def test_a_toml_list_has_options_for_all_and_for_one(tmp_path: Path) -> None:
    text = 'delay = 3.0\n[[site]]\nurl = "https://a.example/"\n[[site]]\n'
    text += 'urls = ["https://b.example/", "https://b.example/en/"]\nmax-depth = 2\n'
    made = listed(tmp_path, "sites.toml", text)
    assert [(c.urls, c.delay, c.max_depth) for c in made.configs] == [
        (("https://a.example/",), 3.0, None),
        (("https://b.example/", "https://b.example/en/"), 3.0, 2),
    ]


def test_what_is_listed_twice_is_crawled_once(tmp_path: Path) -> None:
    made = listed(tmp_path, "sites.txt", "https://a.example\nhttps://A.example/\n")
    assert ([site.name for site in made.sites], made.duplicates) == (["a.example"], 1)


def test_two_sites_of_a_host_have_two_names_that_stay(tmp_path: Path) -> None:
    text = "https://a.example/x\nhttps://a.example/y\n"
    first = listed(tmp_path, "sites.txt", text)
    names = {site.start: site.name for site in first.sites}
    assert len(set(names.values())) == 2
    turned = listed(tmp_path, "sites.txt", "\n".join(reversed(text.split())), names=names)
    assert {site.start: site.name for site in turned.sites} == names


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.txt", "https://a.example/\nnonsense\n", "1 of 2 sites in .* (line 2: 'nonsense' is no"),
        ("s.txt", "# nothing\n", "names no site"),
        ("s.csv", "address\nhttps://a.example/\n", "no column 'url'"),
        ("s.csv", "url,delai\nhttps://a.example/,1\n", "Did you mean 'delay'"),
        ("s.csv", "url,delay\nhttps://a.example/,soon\n", "line 2: delay = 'soon'"),
        ("s.csv", "url,auth\nhttps://a.example/,me:secret\n", "give it as --auth"),
        ("s.csv", "url\nhttps://a.example/,1\n", "line 2, has more cells"),
        ("s.csv", "url,policy\nhttps://a.example/,bsf\n", "line 2: There is no policy 'bsf'"),
        ("s.csv", "url,policy\nhttps://a.example/,bfs:x=1\n", "line 2: There is no parameter"),
        ("s.csv", "url,want\nhttps://a.example/,cvs\n", "line 2: There is no target 'cvs'"),
        ("s.csv", "url,delay,url\nhttps://a.example/,1,\n", "has two columns 'url': remove one"),
        ("s.txt", "\nhttps://a.example/ https://b.example/\n", "line 2: .* write one URL per line"),
        ("s.txt", "https://a.example:99999/\n", "line 1: .* the port must be a number up to 65535"),
        ("s.csv", "url,name\nhttps://a.example/,../x\n", "the name '../x'"),
        ("s.toml", "[[site]\n", "is no TOML"),
        ("s.toml", "[[site]]\ndelay = 1\n", "site 1: there is no URL"),
    ],
)
def test_a_wrong_list_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(ConfigError, match=said.replace("(", r"\(").replace("../", r"\.\./")):
        listed(tmp_path, name, text)


def test_a_secret_is_not_repeated_in_a_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        listed(tmp_path, "s.csv", "url,auth\nhttps://a.example/,me:secret\n")
    assert "me:secret" not in str(caught.value)


def test_bad_sites_are_left_out_when_asked(tmp_path: Path) -> None:
    made = listed(tmp_path, "s.txt", "nonsense\nhttps://a.example/\n", skip_bad=True)
    assert ([site.name for site in made.sites], len(made.bad)) == (["a.example"], 1)


@pytest.mark.soak
def test_a_list_may_be_long(tmp_path: Path) -> None:
    """100,000 lines with some of everything: read in seconds."""
    lines = [f"https://s{number}.example/" for number in range(99_000)]
    lines += lines[:900] + ["nonsense"] * 100
    made = listed(tmp_path, "s.txt", "\n".join(lines), skip_bad=True)
    assert (len(made.sites), made.duplicates, len(made.bad)) == (99_000, 900, 100)
    assert len({site.team for site in made.sites}) == 99_000


def test_secrets_are_not_stored(tmp_path: Path) -> None:
    made = listed(tmp_path, "s.txt", "https://a.example/\n", given={"auth": "me:secret"})
    assert json.loads(made.sites[0].options)["had_secrets"] == ["auth"]
    assert "me:secret" not in made.sites[0].options


def teams(*urls: str, **options: Any) -> list[int]:
    return teams_of([CrawlConfig(urls=(url,), **options) for url in urls])


def test_sites_that_may_ask_the_same_host_are_a_team() -> None:
    together = ("https://www.example.org/", "https://data.example.org/", "http://example.org/b")
    assert teams(*together, "https://example.net/", "https://x.data.example.org/") == [
        1,
        1,
        1,
        2,
        1,
    ]


def test_siblings_are_no_team_without_their_parent() -> None:
    assert teams("https://a.example.org/", "https://b.example.org/") == [1, 2]


def test_addresses_are_in_no_domain() -> None:
    assert teams("http://127.0.0.1/", "http://10.0.0.1/", "http://127.0.0.1:81/") == [1, 2, 1]


def test_who_may_go_anywhere_makes_one_team_of_all() -> None:
    anywhere = CrawlConfig(urls=("https://b.example/",), scope="web")
    assert teams_of([CrawlConfig(urls=("https://a.example/",)), anywhere]) == [1, 1]


@pytest.mark.parametrize("shortcuts", ["auto", "off", "ckan"])
def test_a_site_has_the_shortcuts_of_an_ordinary_crawl(tmp_path: Path, shortcuts: str) -> None:
    """They are stored: a config without them is one of version 0.1.0, which had none."""
    made = listed(tmp_path, "s.txt", "https://a.example/\n", given={"shortcuts": shortcuts})
    assert site_config(made.sites[0].options, {}).shortcuts == shortcuts


def test_a_fleet_is_opened_where_there_is_one(tmp_path: Path) -> None:
    with pytest.raises(NoFleetError), open_fleet(tmp_path / "none", exists=True):
        pass
    assert not (tmp_path / "none").exists()
    with open_fleet(tmp_path / "new"), pytest.raises(LodehoundError), open_fleet(tmp_path / "new"):
        pass  # only one process may
    with open_fleet(tmp_path / "new", exists=True) as store:
        assert store.sites() == []
    (tmp_path / "crawl.sqlite").touch()
    with pytest.raises(ConfigError, match="is a crawl, not a fleet"), open_fleet(tmp_path):
        pass
    (tmp_path / "file").touch()
    with (
        pytest.raises(LodehoundError, match="cannot be written"),
        open_fleet(tmp_path / "file" / "x"),
    ):
        pass
