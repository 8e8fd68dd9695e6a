"""The card's figures, as SVG: the same bytes for the same data. Imported where one is drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from statistics import median
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from jeto_bench.card.facts import Figures

__all__ = ["draw_figures"]

_STYLE: Final[Any] = {
    "svg.hashsalt": "jeto-bench",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.0,
}
_BLUE, _GREEN, _RED, _GREY = "#4c78a8", "#2a7f3f", "#b3261e", "#666666"
_WIDTH: Final = 7.0
_HEIGHT: Final = 3.0
_MOST_REPOSITORIES: Final = 15
_MOST_BARS: Final = 12
_FEWEST_PLACES: Final = 8
_MOST_LABELLED: Final = 16
_BINS_A_DECADE: Final = 4


def draw_figures(data: Figures) -> dict[str, bytes]:
    """Return the figures by file name; what has no data has none."""
    made: dict[str, bytes] = {}
    with mpl.rc_context(_STYLE):
        if data.repositories:
            made["repositories.svg"] = _repositories(data.repositories)
        if data.years:
            first, last = min(data.years), max(data.years)
            years = {str(year): data.years.get(year, 0) for year in range(first, last + 1)}
            made["years.svg"] = _bars(years, "ETIPs by year of the fix", "year", "ETIPs")
        if data.stars:
            made["stars.svg"] = _decades(
                data.stars, "Stars of the repositories", "stars", "repositories"
            )
        for name, values, title, unit in (
            ("files", data.files, "Files per patch", "files"),
            ("modules", data.modules, "Modules per patch", "modules"),
        ):
            if values:
                made[f"{name}.svg"] = _bars(_counted(values), title, unit, "ETIPs")
        if data.minutes:
            made["build_time.svg"] = _decades(
                data.minutes, "From clone to verdict: image, proof, measurement", "minutes", "ETIPs"
            )
        if data.gigabytes:
            made["image_size.svg"] = _linear(
                data.gigabytes, "Size of the images, base included", "GB", "ETIPs"
            )
        if data.faster:
            made["detectors.svg"] = _detectors(data.faster, data.slower)
    return made


def _counted(values: Sequence[float]) -> dict[str, int]:
    """Counts of 1, 2, 3, ...; from the last bar on in one, so that a giant patch hides nothing."""
    low, high = int(min(values)), int(max(values))
    shown = list(range(low, min(high, low + _MOST_BARS - 1) + 1))
    counts = {str(number): sum(value == number for value in values) for number in shown}
    if high > shown[-1]:
        counts[f"> {shown[-1]}"] = sum(value > shown[-1] for value in values)
    return counts


def _bars(counts: Mapping[str, int], title: str, unit: str, of: str) -> bytes:
    figure, axes = _axes(title)
    places = range(len(counts))
    bars = axes.bar(places, list(counts.values()), color=_BLUE, width=0.8)
    step = ceil(len(counts) / _MOST_LABELLED)
    axes.set_xticks(places[::step], list(counts)[::step])
    if len(counts) <= _MOST_LABELLED:
        axes.bar_label(bars, [str(value) if value else "" for value in counts.values()])
    axes.set_xlabel(unit)
    axes.set_ylabel(of)
    axes.yaxis.set_major_locator(_whole())
    axes.margins(y=0.12)
    _room(axes, len(counts))
    return _svg(figure)


def _repositories(counts: Mapping[str, int]) -> bytes:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ordered[:_MOST_REPOSITORIES]
    left = len(ordered) - len(shown)
    title = f"ETIPs by repository ({len(ordered)})"
    if left:
        title = f"ETIPs by repository: the first {len(shown)} of {len(ordered)}"
    figure, axes = _axes(title, height=1.1 + 0.27 * len(shown))
    bars = axes.barh(range(len(shown)), [count for _, count in shown], color=_BLUE)
    axes.set_yticks(range(len(shown)), [name for name, _ in shown])
    axes.invert_yaxis()
    axes.bar_label(bars, padding=3)
    axes.set_xlabel("ETIPs")
    axes.xaxis.set_major_locator(_whole())
    axes.margins(x=0.08)
    return _svg(figure)


def _decades(values: Sequence[float], title: str, unit: str, of: str) -> bytes:
    """A histogram over a logarithmic axis; values below 1 are counted in the first bin of it."""
    above = [max(value, 1.0) for value in values]
    low, high = floor(log10(min(above))), max(ceil(log10(max(above))), floor(log10(min(above))) + 1)
    edges = [10 ** (low + n / _BINS_A_DECADE) for n in range((high - low) * _BINS_A_DECADE + 1)]
    figure, axes = _axes(title)
    axes.hist(above, bins=edges, color=_BLUE, edgecolor="white")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    _finish_histogram(axes, values, unit, of)
    return _svg(figure)


def _linear(values: Sequence[float], title: str, unit: str, of: str) -> bytes:
    figure, axes = _axes(title)
    axes.hist(
        values, bins=_MOST_BARS, range=(0, max(values) * 1.05), color=_BLUE, edgecolor="white"
    )
    _finish_histogram(axes, values, unit, of)
    return _svg(figure)


def _finish_histogram(axes: Axes, values: Sequence[float], unit: str, of: str) -> None:
    middle = median(values)
    axes.axvline(max(middle, 1.0) if axes.get_xscale() == "log" else middle, color=_GREY, ls="--")
    axes.set_xlabel(f"{unit} (n = {len(values)}; dashed: median {middle:,.3g})")
    axes.set_ylabel(of)
    axes.yaxis.set_major_locator(_whole())


def _detectors(faster: Sequence[float], slower: Sequence[float]) -> bytes:
    figure, axes = _axes("Test classes per executable ETIP that tell the versions apart")
    both = _counted([*faster, *slower])
    for values, colour, place, label in (
        (faster, _GREEN, -0.2, "faster after the fix"),
        (slower, _RED, 0.2, "slower after the fix"),
    ):
        own = [
            sum(value > int(name[2:]) if name.startswith(">") else value == int(name)
                for value in values)
            for name in both
        ]  # fmt: skip
        at = [place + number for number in range(len(both))]
        bars = axes.bar(at, own, width=0.4, color=colour, label=label)
        axes.bar_label(bars, [str(value) if value else "" for value in own], fontsize=8)
    axes.set_xticks(range(len(both)), list(both))
    axes.set_xlabel("detectors")
    axes.set_ylabel("ETIPs")
    axes.yaxis.set_major_locator(_whole())
    axes.margins(y=0.12)
    _room(axes, len(both))
    axes.legend(frameon=False, loc="upper right")
    return _svg(figure)


def _whole() -> MaxNLocator:
    """Ticks at round whole numbers."""
    return MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True)


def _room(axes: Axes, bars: int) -> None:
    """Keep a few bars from filling the whole width."""
    axes.set_xlim(-0.7, max(bars, _FEWEST_PLACES) - 0.3)


def _axes(title: str, height: float = _HEIGHT) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, height), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "jeto-bench"})
    return buffer.getvalue()
