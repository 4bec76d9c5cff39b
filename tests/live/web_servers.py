"""nginx and Apache, started without privileges to list a folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODULES = Path("/usr/lib/apache2/modules")
NGINX = """{user}daemon off; pid {state}/pid; error_log {state}/errors; worker_processes 1;
events {{}}
http {{
  access_log off; types {{ text/csv csv; }}
  client_body_temp_path {state}/a; proxy_temp_path {state}/b; fastcgi_temp_path {state}/c;
  uwsgi_temp_path {state}/d; scgi_temp_path {state}/e;
  server {{ listen 127.0.0.1:{port}; root {root}; autoindex on; }}
}}
"""
APACHE = """ServerRoot {state}
PidFile {state}/pid
ErrorLog {state}/errors
Listen 127.0.0.1:{port}
ServerName localhost
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule mime_module {modules}/mod_mime.so
LoadModule autoindex_module {modules}/mod_autoindex.so
TypesConfig /dev/null
AddType text/csv .csv
DocumentRoot {root}
<Directory {root}>
Options +Indexes
Require all granted
IndexOptions FancyIndexing HTMLTable
</Directory>
"""


def is_installed(name: str) -> bool:
    return shutil.which(name) is not None and (name != "apache2" or MODULES.is_dir())


@contextmanager
def serving(name: str, root: Path, state: Path) -> Iterator[str]:
    """Serve a folder with nginx or apache2; give its URL."""
    state.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = state / "conf"
    text = NGINX if name == "nginx" else APACHE
    # Workers of a server that root starts would be another user, who may not read our folders.
    user = "user root; " if os.geteuid() == 0 else ""
    config.write_text(text.format(state=state, root=root, port=port, modules=MODULES, user=user))
    nginx = ["nginx", "-c", config, "-p", state]
    words = nginx if name == "nginx" else ["apache2", "-f", config, "-DFOREGROUND"]
    with subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE) as server:
        try:
            _wait_until_it_answers(f"http://127.0.0.1:{port}/", server)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait(30)


def _wait_until_it_answers(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"The server ended: {server.communicate()[1]!r}")
        try:
            urllib.request.urlopen(url, timeout=10).close()  # noqa: S310 - our own server
        except urllib.error.URLError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("The server does not answer.")
