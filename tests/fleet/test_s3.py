"""A fleet in a real object store: S3 as moto serves it on this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.stores.remote.fleet import local_copy
from lodehound.stores.remote.objects import ObjectFolder
from tests.fleet import HASTE, finds_of, listed, workers_of
from tests.fleet.web import SmallWeb, small_web
from tests.live import ENDLESS, run, start, wait_for

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses"),
]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve S3; the environment says where. Give a URL in an empty bucket."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    s3fs = pytest.importorskip("s3fs")
    server.start()
    host, port = server.get_host_and_port()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "anything")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    s3fs.S3FileSystem.clear_instance_cache()
    bucket = f"bucket-{port}"
    s3fs.S3FileSystem().mkdir(bucket)
    try:
        yield f"s3://{bucket}/offices"
    finally:
        server.stop()


def repeats(web: SmallWeb) -> int:
    asked = [(host, path) for host, path, _ in web.log if path != "/robots.txt"]
    return len(asked) - len(set(asked))


@pytest.mark.parametrize("who", ["worker", "all"])
def test_a_killed_process_loses_nothing(url: str, tmp_path: Path, who: str) -> None:
    """A worker, or all processes and the folder of the machine with them."""
    with small_web(sites=4, pages=40) as web:
        words = ["fleet", listed(tmp_path, web.urls), "--out", url, "--jobs", 2, *HASTE]
        words[words.index("--delay") + 1] = 0.2
        with start(*words, start_new_session=True) as child:
            wait_for(lambda: len(web.asked()) > 60)
            if who == "worker":
                [scratch] = tmp_path.glob("lodehound-*/fleet.sqlite")
                os.kill(workers_of(scratch.parent)[-1], signal.SIGKILL)
            else:
                os.killpg(child.pid, signal.SIGKILL)
            said, complained = child.communicate(timeout=ENDLESS)
        if who == "all":
            done = run("fleet", "resume", url, "--quiet")
            assert (done.code, done.said) == (0, "")
        else:
            assert (child.returncode, said + complained) == (0, "")
        with local_copy(url, crawls=True) as copy:
            assert finds_of(copy) == web.everything()
        for site, urls in web.everything().items():
            files = ObjectFolder(f"{url}/sites/{site}").names(f"files/{site.replace('-', '_')}")
            assert len(files) == len(urls)
        assert repeats(web) <= 2 * web.sites  # a request in flight, or its answer on the way
