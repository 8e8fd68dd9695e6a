"""Results of many records as a terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from textwrap import shorten
from typing import Final

from rich.table import Table

from jeto_evaluate.reports.phrases import safe_text, short_name
from jeto_mine.executable.results import EXECUTABLE, EtipResult, yields

__all__ = ["medians", "result_table", "yield_table"]

_DETAIL: Final = 200


def yield_table(results: Sequence[EtipResult]) -> Table:
    """Return how many records became executable, and why the others did not."""
    table = Table(box=None, pad_edge=False)
    table.add_column("outcome")
    table.add_column("records", justify="right")
    for outcome, count in yields(results):
        table.add_row(outcome, str(count))
    table.add_row("all", str(len(results)))
    return table


def result_table(results: Sequence[EtipResult]) -> Table:
    """Return one line for each record; ``+MB`` is what an image adds to its base."""
    table = Table(box=None, pad_edge=False)
    table.add_column("instance", overflow="fold")
    table.add_column("outcome", overflow="fold")
    for name in ("JDK", "tests", "left out", "s/round", "min", "+MB"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("detectors, or what happened", overflow="fold")
    for item in results:
        made = item.outcome == EXECUTABLE
        table.add_row(
            safe_text(item.instance_id),
            safe_text(item.outcome),
            str(item.java_version) if made else "",
            str(item.test_classes) if made else "",
            str(len(item.quarantined)) if made else "",
            f"{item.round_seconds:.1f}" if made else "",
            f"{item.seconds / 60:.1f}",
            f"{item.added_bytes / 1e6:.0f}" if item.added_bytes is not None else "",
            safe_text(_said(item) if made else f"{_shortened(item.detail)} (log: {item.log})"),
        )
    return table


def medians(results: Sequence[EtipResult]) -> str:
    """Return what an executable record typically took and takes, in words; empty without one."""
    made = [item for item in results if item.outcome == EXECUTABLE]
    if not made:
        return ""
    added = [item.added_bytes for item in made if item.added_bytes is not None]
    said = f"median of {len(made)} executable: {median(item.seconds for item in made) / 60:.1f} min"
    return f"{said}, {median(added) / 1e6:.0f} MB over the base" if added else said


def _shortened(detail: str) -> str:
    """The whole of it is in the result's file."""
    return shorten(detail, _DETAIL, placeholder=" ...")


def _said(item: EtipResult) -> str:
    parts = {
        "robust +": item.improved,
        "robust -": item.regressed,
        "paper +": item.paper_improved,
        "paper -": item.paper_regressed,
    }
    said = [f"{name}{', '.join(map(short_name, names))}" for name, names in parts.items() if names]
    return "; ".join(said) or "none"
