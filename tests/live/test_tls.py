"""Certificates are checked, unless the user says otherwise."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.live import crawl

x509 = pytest.importorskip("cryptography.x509")
from cryptography.hazmat.primitives import hashes, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402


class Answering(BaseHTTPRequestHandler):
    """Answers everything with a table, but has no robots.txt."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/csv")
        self.end_headers()
        self.wfile.write(b"a,b\n1,2\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
        """Print nothing."""


def certificate(folder: Path) -> Path:
    """Write a certificate that nobody has signed but its owner, and the key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "nobody")])
    now = datetime.datetime.now(datetime.UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form = serialization.PrivateFormat.PKCS8
    path = folder / "server.pem"
    secret = key.private_bytes(pem, form, serialization.NoEncryption())
    path.write_bytes(secret + made.public_bytes(pem))
    return path


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path_factory.mktemp("tls")))
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"https://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_certificate_of_nobody_is_three(url: str, tmp_path: Path) -> None:
    """Nothing is asked of a server that is not who it says it is, and the last line tells."""
    done = crawl(url, "--quiet", out=tmp_path / "crawl")
    assert done.code == 3
    assert "nothing reachable: robots.txt unreachable: TLS: " in done.err
    assert "certificate verify failed" in done.rows[url].error


def test_any_certificate_will_do_if_the_user_says_so(url: str, tmp_path: Path) -> None:
    """With --insecure the same site is crawled."""
    done = crawl(url, "--insecure", "--quiet", out=tmp_path / "crawl")
    assert (done.code, done.said, list(done.finds)) == (0, "", [url])
