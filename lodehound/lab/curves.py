"""Figure 4 of the SB paper: targets against requests, target volume against other volume."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.extras import extra
from lodehound.lab.floor import SHARE
from lodehound.lab.race import Measure, Run
from lodehound.lab.round_curves import round_curve
from lodehound.lab.timeline_race import TimelineRun
from lodehound.stores.files.replacing import refuse_crawl

FORMATS = (".html", ".png", ".svg")
COLOURS = [
    "#1f6feb", "#d1495b", "#2a9d8f", "#8a5a9e", "#e09f3e", "#5f6b7a", "#4d908e", "#b5651d",
    "#6d597a", "#264653",
]  # fmt: skip
# x, y, their labels and a title.
PANELS = [
    ("requests", "found", "requests", "targets", "requests"),
    ("other_bytes", "target_bytes", "other bytes (MB)", "target bytes (MB)", "volume"),
]
# Figures 4 to 8 of the Anthelion paper.
HARVEST = [
    ("requests", "share", "pages fetched", "relevant among them (%)", "harvest"),
    ("requests", "found", "pages fetched", "relevant pages", "relevant pages"),
]
# Further rounds: how far a round has come, and what each found.
ROUNDS = [
    ("percent", "share", "requests, % of a recrawl", "new and changed files found (%)", "rounds"),
    ("round", "found_share", "round", "new and changed files found (%)", "by round"),
]
Panel = tuple[str, str, str, str, str]
Floats = NDArray[np.float64]


class CurvedRun(Protocol):
    """What a plot needs of a run."""

    @property
    def site(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def curve(self) -> dict[str, list[float]]: ...


class PlottedRun(NamedTuple):
    """A run of rounds, as it is plotted."""

    site: str
    label: str
    curve: dict[str, list[float]]


def check_format(path: Path) -> None:
    """Fail now, not after an hour of runs, if the plot cannot be written."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"--curves {str(path)!r}: the name must end in {', '.join(FORMATS)}.")
    if path.is_dir() or not path.parent.is_dir():
        raise ConfigError(f"--curves {str(path)!r} cannot be written: the folder does not exist.")
    refuse_crawl(path)
    library = "plotly" if path.suffix.lower() == ".html" else "matplotlib"
    with extra("lab"):
        __import__(library)


def write_curves(path: Path, runs: Sequence[Run], *, measure: Measure = "targets") -> None:
    """Plot every site of a race: mean over the seeds, with a band of one standard deviation."""
    _write(path, runs, HARVEST if measure == "harvest" else PANELS)


def write_round_curves(path: Path, runs: Sequence[TimelineRun]) -> None:
    """Plot every timeline: mean over the seeds; each budget has lines of its own."""
    curved = [
        PlottedRun(
            run.site,
            f"{run.label}, {run.budget}" if run.budget else run.label,
            round_curve(run.rows, run.found_at),
        )
        for run in runs
    ]
    _write(path, curved, ROUNDS)


def _write(path: Path, runs: Sequence[CurvedRun], panels: Sequence[Panel]) -> None:
    if path.suffix.lower() == ".html":
        _write_html(path, runs, panels)
    else:
        _write_image(path, runs, panels)


def mean_curve(runs: Sequence[CurvedRun], x: str, y: str) -> tuple[Floats, Floats, Floats]:
    """Return x, mean and standard deviation of y over the seeds, on a common grid."""
    ends = [run.curve[x][-1] for run in runs]
    grid = np.linspace(0, max(ends), 300)
    lines = np.array([np.interp(grid, run.curve[x], run.curve[y]) for run in runs])
    return grid, lines.mean(axis=0), lines.std(axis=0)


def _bounds(run: CurvedRun) -> list[tuple[str, list[float], list[float]]]:
    """Return the lines of the omniscient crawler and of the floor."""
    if not isinstance(run, Run):
        return []
    row = run.row
    total = float(row.targets_total)
    return [
        ("omniscient", [0, total], [0, total]),
        ("floor", [0, row.floor_requests], [0, SHARE * total]),
    ]


def _sites(runs: Sequence[CurvedRun]) -> dict[str, list[CurvedRun]]:
    sites: dict[str, list[CurvedRun]] = {}
    for run in runs:
        sites.setdefault(run.site, []).append(run)
    return sites


def _by_label(runs: Sequence[CurvedRun]) -> dict[str, list[CurvedRun]]:
    labels: dict[str, list[CurvedRun]] = {}
    for run in runs:
        labels.setdefault(run.label, []).append(run)
    return labels


def _scale(axis: str) -> float:
    return 1e6 if axis.endswith("bytes") else 1.0


def _write_image(path: Path, runs: Sequence[CurvedRun], panels: Sequence[Panel]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sites = _sites(runs)
    figure, axes = pyplot.subplots(
        len(sites), 2, figsize=(11, 3.6 * len(sites)), squeeze=False, layout="constrained"
    )
    for row, (site, mine) in enumerate(sites.items()):
        for column, panel in enumerate(panels):
            _draw(axes[row][column], site, mine, panel)
    axes[0][0].legend(fontsize=8, frameon=False)
    figure.savefig(path, dpi=110, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _draw(axes: Any, site: str, runs: list[CurvedRun], panel: Panel) -> None:
    x, y, x_label, y_label, _ = panel
    for colour, (label, mine) in zip(_colours(), _by_label(runs).items(), strict=False):
        grid, mean, spread = mean_curve(mine, x, y)
        grid, mean, spread = grid / _scale(x), mean / _scale(y), spread / _scale(y)
        axes.plot(grid, mean, label=label, color=colour, linewidth=1.6)
        axes.fill_between(grid, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)
    if (x, y) == ("requests", "found"):
        for style, (name, xs, ys) in zip(("--", ":"), _bounds(runs[0]), strict=False):
            axes.plot(xs, ys, style, color="#888", linewidth=1, label=name)
    axes.set(xlabel=x_label, ylabel=y_label, title=site)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.2)


def _colours() -> list[str]:
    return COLOURS * 10


def _write_html(path: Path, runs: Sequence[CurvedRun], panels: Sequence[Panel]) -> None:
    from plotly import graph_objects, subplots

    sites = _sites(runs)
    titles = [html.escape(f"{site}: {panel[4]}") for site in sites for panel in panels]
    figure = subplots.make_subplots(rows=len(sites), cols=2, subplot_titles=titles)
    for row, mine in enumerate(sites.values(), start=1):
        for column, (x, y, x_label, y_label, _) in enumerate(panels, start=1):
            for trace in _traces(graph_objects, mine, x, y, legend=row == 1 and column == 1):
                figure.add_trace(trace, row=row, col=column)
            figure.update_xaxes(title_text=x_label, row=row, col=column)
            figure.update_yaxes(title_text=y_label, row=row, col=column)
    figure.update_layout(template="plotly_white", height=380 * len(sites), font_family="sans-serif")
    figure.write_html(path, include_plotlyjs=True, full_html=True)


def _traces(plotly: Any, runs: list[CurvedRun], x: str, y: str, *, legend: bool) -> list[Any]:
    traces = []
    for colour, (label, mine) in zip(_colours(), _by_label(runs).items(), strict=False):
        grid, mean, spread = mean_curve(mine, x, y)
        traces.append(
            plotly.Scatter(
                x=grid / _scale(x),
                y=mean / _scale(y),
                customdata=spread / _scale(y),
                hovertemplate="%{x:,.0f}: %{y:,.1f} ±%{customdata:,.1f}",
                name=html.escape(label),
                legendgroup=label,
                showlegend=legend,
                line={"color": colour},
            )
        )
    if (x, y) == ("requests", "found"):
        for dash, (name, xs, ys) in zip(("dash", "dot"), _bounds(runs[0]), strict=False):
            line = {"color": "#888", "dash": dash, "width": 1}
            traces.append(plotly.Scatter(x=xs, y=ys, name=name, line=line, showlegend=legend))
    return traces
