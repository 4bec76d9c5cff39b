"""Serves records with pygeoapi: OGC API Records. Arguments: folder, number of records.

Needs pygeoapi. Prints its address when it is ready.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

PAGE = 50  # records of one answer
EXTENT = {
    "spatial": {"bbox": [-180, -90, 180, 90], "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}
}
WORDS = "position address city stateorprovince postalcode country phone fax hours instructions role"


def record(n: int, url: str) -> dict[str, Any]:
    return {
        "id": f"urn:x:{n}",
        "type": "Feature",
        "geometry": None,
        "properties": {"title": f"Levels {n}", "type": "dataset", "externalId": f"urn:x:{n}"},
        "links": [{"rel": "item", "type": "text/csv", "href": f"{url}/files/{n}.csv"}],
    }


def configured(folder: Path, url: str, number: int) -> None:
    """Write the records, the configuration and the description of the API."""
    data = folder / "records.tinydb"
    data.write_text(json.dumps({"_default": {str(n + 1): record(n, url) for n in range(number)}}))
    contact = dict.fromkeys(WORDS.split(), "a")
    config = {
        "server": {
            "bind": {"host": "127.0.0.1", "port": 0}, "url": url, "mimetype": "application/json",
            "encoding": "utf-8", "languages": ["en-US"], "map": {"url": "a", "attribution": "a"},
            "limits": {"default_items": PAGE, "max_items": PAGE},
        },
        "logging": {"level": "ERROR"},
        "metadata": {
            "identification": {"title": "Records", "description": "a", "keywords": ["a"],
                               "keywords_type": "theme", "terms_of_service": "a", "url": url},
            "license": {"name": "CC0", "url": url},
            "provider": {"name": "a", "url": url},
            "contact": contact | {"name": "a", "email": "a@e.org", "url": url},
        },
        "resources": {"levels": {
            "type": "collection", "title": "Levels", "description": "a", "keywords": ["a"],
            "links": [], "extents": EXTENT,
            "providers": [{"type": "record", "name": "TinyDBCatalogue", "data": str(data),
                           "id_field": "externalId", "time_field": "created",
                           "title_field": "title"}],
        }},
    }  # fmt: skip
    (folder / "config.yml").write_text(json.dumps(config))
    (folder / "openapi.yml").write_text("{}")
    os.environ["PYGEOAPI_CONFIG"] = str(folder / "config.yml")
    os.environ["PYGEOAPI_OPENAPI"] = str(folder / "openapi.yml")


def main(folder: Path, number: int) -> None:
    from werkzeug.serving import make_server  # noqa: PLC0415

    server = make_server("127.0.0.1", 0, lambda *_: [])
    url = f"http://127.0.0.1:{server.server_port}"
    configured(folder, url, number)
    from flask import Response  # noqa: PLC0415
    from pygeoapi.flask_app import APP  # noqa: PLC0415

    APP.add_url_rule(
        "/files/<name>", view_func=lambda name: Response("a,b\n1,2\n", mimetype="text/csv"),
        endpoint="files",
    )  # fmt: skip
    server.app = APP
    print(url + "/", flush=True)  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
