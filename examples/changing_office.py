"""A statistics office on this machine that publishes new figures each time you press Enter.

    python examples/changing_office.py

The tutorial docs/watch-a-site.md watches it.
"""

from __future__ import annotations

from lodehound.sites import ChangingSite
from lodehound.sites.server import SiteServer


def main() -> None:
    """Serve the office, one month after the other."""
    with SiteServer(port=8765) as server:
        office = ChangingSite(host=server.url, months=12, archive=500, tables=5)
        for month in range(office.months):
            server.serve(office.at(month))
            news = f"{len(office.news(month))} files are new or changed" if month else "open"
            print(f"{server.url} in {office.date(month)[:7]}: {news}", flush=True)  # noqa: T201
            input("Enter for the next month, Ctrl-C to end. ")


if __name__ == "__main__":
    main()
