"""What a terminal shows of the tests that came with a fix."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rich.table import Table

from jeto_evaluate.reports.phrases import safe_text, short_name, small_p
from jeto_evaluate.statistics.censored import CensoredTest, CensoredTime

__all__ = ["own_table"]


def own_table(tests: Sequence[CensoredTest]) -> Table:
    """Return one line for each class: what both versions took, and how clear it is."""
    table = Table(box=None, pad_edge=False)
    table.add_column("class", overflow="fold")
    for name in ("base", "other", "pairs", "at least", "faster p", "slower p"):
        table.add_column(name, justify="right", no_wrap=True)
    for item in tests:
        table.add_row(
            safe_text(short_name(item.test_class)),
            _time([pair.base for pair in item.pairs]),
            _time([pair.other for pair in item.pairs]),
            f"{len(item.pairs)}/{item.planned}",
            f"{item.speedup_at_least:.2f}x",
            small_p(item.improved.p_value),
            small_p(item.regressed.p_value),
        )
    return table


def _time(times: Sequence[CensoredTime]) -> str:
    """The median in seconds; it is only a lower bound if a time up there was cut off."""
    if not times:
        return ""
    middle = median(time.milliseconds for time in times)
    cut = any(time.censored and time.milliseconds <= middle for time in times)
    return f"{'>= ' if cut else ''}{middle / 1000:.1f} s"
