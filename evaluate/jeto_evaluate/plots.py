"""Pictures of one instance, as SVG: what the pairs say of each class, and how the rounds went.

For readers without this program: plain SVG with text as text, the same bytes for the same samples.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from jeto_evaluate.metrics import chosen_metrics, measured_apart
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.phrases import clean, short_name
from jeto_evaluate.samples import Arm, Samples
from jeto_evaluate.statistics.paired_metric import PairedMetric
from jeto_evaluate.statistics.robust_class import RobustClass

__all__ = ["PICTURES", "plot_instance"]

SCREEN, CONFIRMATION, ROUNDS = "screen.svg", "confirmation.svg", "rounds.svg"
PICTURES: Final = (SCREEN, CONFIRMATION, ROUNDS)
"""Names of all files that an instance can have."""

_STYLE: Final[Any] = {
    "svg.hashsalt": "jeto-bench",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
}
_BASE, _OTHER = "#4c78a8", "#f58518"
_FASTER, _SLOWER, _NEITHER = "#2a7f3f", "#b3261e", "#555555"
_ROW_INCHES: Final = 0.34
_FACTORS: Final = (1.0, 2.0, 10.0, 5.0, 100.0, 20.0, 50.0, 1.25, 1.1, 1.05, 1.02, 1.01)
_MOST_TICKS: Final = 12


def plot_instance(
    report: InstanceReport, samples: Samples, confirmation: Samples | None
) -> Mapping[str, bytes]:
    """Return the pictures of a judged instance by file name; none if nothing was judged.

    Args:
        report: The judged report.
        samples: The first stage.
        confirmation: The second one, if it was run.
    """
    if report.robust is None:
        return {}
    screen = chosen_metrics(samples, rounds=report.rounds_done, other=report.arm)
    pictures = {
        SCREEN: _ratios(
            report.robust.screen.classes, screen, f"{report.instance_id}: all classes, first stage"
        ),
        ROUNDS: _rounds(report, samples),
    }
    confirmed = report.robust.confirmation
    if confirmation is not None and confirmed is not None and confirmed.classes:
        fresh = measured_apart(confirmation, other=report.arm)
        pictures[CONFIRMATION] = _ratios(
            confirmed.classes, fresh, f"{report.instance_id}: what was named, alone in its JVM"
        )
    return pictures


def _ratios(
    classes: Sequence[RobustClass], values: Mapping[str, PairedMetric], title: str
) -> bytes:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.0, 1.3 + _ROW_INCHES * len(classes)), layout="constrained")
        axes = figure.add_subplot()
        for row, item in enumerate(reversed(classes)):
            _row(axes, row, item, values[item.test_class])
        axes.axvline(1.0, color="black", linewidth=0.8)
        axes.set_yticks(range(len(classes)), [_label(item) for item in reversed(classes)])
        axes.set_ylim(-0.7, len(classes) - 0.3)
        axes.set_xscale("log")
        ticks = _ticks(*axes.get_xlim())
        axes.set_xticks(ticks, [f"{value:g}x" for value in ticks])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(
            "base / patch: above 1 the patch is faster. Dots: pairs; bar: 95 % interval"
        )
        axes.set_title(clean(title), loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        return _svg(figure)


def _ticks(low: float, high: float) -> list[float]:
    """Round factors between the ends of a logarithmic axis, 1 first, none too near another."""
    near = log(high / low) / _MOST_TICKS
    chosen: list[float] = []
    for value in _FACTORS:
        for factor in (value, 1 / value):
            far = all(abs(log(factor / other)) >= near for other in chosen)
            if low <= factor <= high and far:
                chosen.append(factor if factor >= 1 else round(factor, 3))
    return sorted(chosen)


def _row(axes: Axes, row: int, item: RobustClass, values: PairedMetric) -> None:
    base, other = values.resolved
    ratios = [exp(log(b) - log(o)) for b, o in zip(base, other, strict=True)]
    colour = _NEITHER
    if item.improved.significant:
        colour = _FASTER
    elif item.regressed.significant:
        colour = _SLOWER
    # Spread without chance, so that the picture is the same each time.
    heights = [row + 0.22 * ((number % 5) / 2 - 1) for number in range(len(ratios))]
    axes.plot(ratios, heights, ".", color=colour, alpha=0.35, markersize=4)
    if item.speedup_low is not None and item.speedup_high is not None:
        axes.plot([item.speedup_low, item.speedup_high], [row, row], color=colour, linewidth=2.5)
    axes.plot([item.speedup], [row], "D", color=colour, markersize=5)


def _label(item: RobustClass) -> str:
    word = "faster" if item.improved.significant else ""
    word = "slower" if item.regressed.significant else word
    name = clean(short_name(item.test_class))
    return f"{name} ({word} {item.speedup:.2f}x)" if word else name


def _rounds(report: InstanceReport, samples: Samples) -> bytes:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.0, 4.2), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True)
        measured = [item for item in samples.rounds if item.round > 0]
        began = min(item.started_at for item in measured)
        for arm, colour in ((Arm.BASE, _BASE), (report.arm, _OTHER)):
            own = [item for item in measured if item.arm is arm]
            minutes = [(item.started_at - began) / 60 for item in own]
            tests = [sum(entry.milliseconds for entry in item.classes) for item in own]
            upper.plot(minutes, tests, ".-", color=colour, linewidth=0.8, label=str(arm))
            lower.plot(minutes, [item.wall_ms for item in own], ".-", color=colour, linewidth=0.8)
        for axes, label in ((upper, "test classes, ms"), (lower, "whole round, ms")):
            axes.set_ylim(bottom=0)
            axes.set_ylabel(label)
            axes.spines[["top", "right"]].set_visible(False)
        lower.set_xlabel("minutes since the first measured round")
        upper.set_title(clean(f"{report.instance_id}: rounds over time"), loc="left")
        upper.legend(frameon=False, loc="lower right", ncols=2)
        return _svg(figure)


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "jeto-bench"})
    return buffer.getvalue()
