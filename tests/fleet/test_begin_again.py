"""A site of which nothing sound is left begins again, by the commands that are printed."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.fleet import HASTE, finds_of, listed, status
from tests.fleet.web import small_web
from tests.live import Crawled, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")
NOISE = b"no database, however long it may be"


def typed(advice: str) -> Crawled:
    """Type the command that a message advises."""
    words = shlex.split(advice)
    assert words[0] == "lodehound"
    return run(*words[1:])


@pytest.mark.parametrize("damage", ["noise", "no database"])
def test_a_site_without_anything_sound_begins_again(damage: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with small_web(sites=2, pages=4) as web:
        urls = listed(tmp_path, web.urls)
        words = ["fleet", urls, "--out", out, "--jobs", 1, *HASTE]
        assert run(*words).code == 0
        name = f"{web.host(0)}-{web.port}"
        site = out / "sites" / name
        if damage == "noise":
            (site / "crawl.sqlite").write_bytes(NOISE)
            done = run("repair", site)
            assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
            [advice] = re.findall(r"with '(lodehound repair .*)'\.", done.err)
        else:
            (site / "crawl.sqlite").unlink()
            advice = f"lodehound repair {site} --begin-again"
        before = {path.name for path in site.rglob("*") if path.is_file()} - {"lock"}
        done = typed(advice)
        assert (done.code, done.err) == (0, "")
        told = dict(line.split(maxsplit=1) for line in done.out.splitlines()[1:])
        kept = Path(told["original"])
        assert kept.parent == out
        assert {path.name for path in kept.rglob("*") if path.is_file()} - {"lock"} == before
        web.log.clear()
        assert typed(f"{told['next']} --jobs 1 --quiet").code == 0
        assert finds_of(out) == web.everything()
        assert web.asked(web.host(1)) == []  # the other one has ended
    assert {one["state"] for one in status(out).values()} == {"ended"}


def test_what_can_be_repaired_is_not_set_aside(tmp_path: Path) -> None:
    """A crawl that is not in a fleet, and a site that is sound."""
    out = tmp_path / "out"
    with small_web(sites=1, pages=4) as web:
        assert run("fleet", listed(tmp_path, web.urls), "--out", out, "--jobs", 1, *HASTE).code == 0
        [site] = (out / "sites").iterdir()
        done = run("repair", site, "--begin-again")
        assert (done.code, done.out) == (0, f"{site}: nothing is damaged\n")
        alone = tmp_path / "alone"
        shutil.copytree(site, alone)
        (alone / "crawl.sqlite").write_bytes(NOISE)
        done = run("repair", alone, "--begin-again")
        assert (done.code, alone.exists()) == (0, False)
        advice = done.out.splitlines()[-1].split(maxsplit=1)[1].replace("URL", web.url(0))
        assert typed(f"{advice} --delay 0 --quiet").code == 0
