"""The tables of the SB paper on recorded sites: docs/research/sb-results.md, written anew.

    python -m bench.sb_tables [--corpora DIR] [--sites NAME,...] [--seeds N] [--rows FILE]

All sites of CORPORA/sites unless named. Runs are kept in the file of ``--rows`` as they
end and are not made again: delete it when a policy was changed.
"""

from __future__ import annotations

from pathlib import Path

from bench import sb_report
from bench.pages import Plan, Site, arguments, made, parsed
from bench.policies import entries
from lodehound.lab.race import RaceOptions, Run, prepared
from lodehound.lab.site_facts import SiteFacts, facts_of

PAPER_STOP = (("nu", 1000), ("epsilon", 0.2), ("gamma", 0.05), ("kappa", 15))


def main() -> None:
    parser = arguments(__doc__ or "", "sb-results.md", seeds=15)
    parser.add_argument("--sites", help="names, with commas between them")
    given = parsed(parser)
    names = given.sites.split(",") if given.sites else None
    paths = sorted((given.corpora / "sites").glob("*.warc*"))
    sites = [(path,) for path in paths if not names or path.name.partition(".")[0] in names]
    runs = [run for site in sites for run in _runs(site, given.seeds, given.rows, given.cache)]
    facts = {site[0].name: _facts(site, given.cache) for site in sites}
    picture = given.out.with_name("sb-early-stop.png")
    given.out.write_text(sb_report.page(runs, facts, picture), encoding="utf-8")


def _runs(site: Site, seeds: int, kept: Path | None, cache: Path | None) -> list[Run]:
    """Make all runs on one site: it is read once for each set of options."""
    whole = RaceOptions(cache=cache, confusion=True, groups=True, curves=True)
    judged = RaceOptions(cache=cache, confusion=True)
    ninety = RaceOptions(cache=cache, enough=True)
    stopped = RaceOptions(cache=cache, early_stop=PAPER_STOP)
    plan: Plan = []
    for options, policies in (
        (whole, [sb_report.SB]),
        (stopped, [sb_report.SB]),
        (ninety, [*sb_report.BASELINES, *sb_report.ORACLES]),
        (judged, sb_report.CLASSIFIERS[1:]),
    ):
        plan += [(entry, options) for entry in entries([site], policies, seeds)]
    return made(plan, kept)


def _facts(site: Site, cache: Path | None) -> SiteFacts:
    return facts_of(prepared(site, RaceOptions(cache=cache))[1])


if __name__ == "__main__":
    main()
