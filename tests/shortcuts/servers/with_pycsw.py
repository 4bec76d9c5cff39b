"""Serves records with pycsw: CSW at /csw and OAI-PMH at /oai. Arguments: folder, number of records.

Needs pycsw 2.6 and SQLAlchemy 1.4. Prints its address when it is ready.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

PAGE = 50  # records of one answer
METADATA = """identification_title identification_abstract identification_keywords
identification_keywords_type identification_fees identification_accessconstraints provider_name
provider_url contact_name contact_position contact_address contact_city contact_stateorprovince
contact_postalcode contact_country contact_phone contact_fax contact_email contact_url contact_hours
contact_instructions contact_role""".split()
RECORD = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/">
  <dc:identifier>urn:x:{n}</dc:identifier><dc:type>dataset</dc:type><dc:title>Levels {n}</dc:title>
  <dct:modified>2024-01-01</dct:modified>
  <dct:references scheme="WWW:DOWNLOAD-1.0-http--download">{url}files/{n}.csv</dct:references>
</csw:Record>"""
START = b'<title>Records</title><p><a href="/oai?verb=Identify">OAI-PMH</a>'


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def configured(folder: Path, url: str, number: int) -> Path:
    """Write a configuration and load the records; return the path of the configuration."""
    records = folder / "records"
    records.mkdir()
    for n in range(number):
        (records / f"{n}.xml").write_text(RECORD.format(n=n, url=url))
    about = "".join(f"{name}=a\n" for name in METADATA)
    config = folder / "pycsw.cfg"
    config.write_text(
        f"[server]\nhome={folder}\nurl={url}csw\nmimetype=application/xml\nencoding=UTF-8\n"
        f"language=en-US\nmaxrecords={PAGE}\n[manager]\ntransactions=false\n"
        f"[metadata:main]\n{about}"
        f"[repository]\ndatabase=sqlite:///{folder}/records.db\ntable=records\n"
    )
    admin = [sys.executable, str(Path(sys.executable).with_name("pycsw-admin.py"))]
    for command in (["setup_db"], ["load_records", "-p", str(records)]):
        subprocess.run(
            [*admin, "-c", command[0], "-f", str(config), *command[1:]],
            check=True, capture_output=True,
        )  # fmt: skip
    return config


def answered(config: Path, environ: dict[str, Any]) -> tuple[str, bytes]:
    """Return the type and the content of an answer."""
    from pycsw.server import Csw  # noqa: PLC0415

    path = environ["PATH_INFO"]
    if path.startswith("/files/"):
        return "text/csv", b"a,b\n1,2\n"
    if path not in {"/csw", "/oai"}:
        return "text/html", START
    if path == "/oai":
        environ["QUERY_STRING"] += "&mode=oaipmh"
    environ["REQUEST_URI"] = f"{path}?{environ['QUERY_STRING']}"
    _, content = Csw(str(config), environ).dispatch_wsgi()
    return "application/xml", content


def main(folder: Path, number: int) -> None:
    warnings.simplefilter("ignore")
    config = folder / "pycsw.cfg"

    def app(environ: dict[str, Any], start: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/robots.txt":
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b""]
        kind, content = answered(config, environ)
        start("200 OK", [("Content-Type", kind), ("Content-Length", str(len(content)))])
        return [content]

    with make_server("127.0.0.1", 0, app, handler_class=Quiet) as server:
        url = f"http://127.0.0.1:{server.server_port}/"
        configured(folder, url, number)
        print(url, flush=True)  # noqa: T201
        server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
