"""The yield of a scan as a terminal shows it, and its progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.table import Table

from jeto_evaluate.reports.phrases import safe_text
from jeto_mine.identified.reasons import KEPT
from jeto_mine.identified.scan_folder import Yield
from jeto_mine.identified.work import Done

__all__ = ["ScanProgress", "reasons_table", "repositories_table"]

_SHOWN = 6


def reasons_table(found: Yield) -> Table:
    """Return how many commits became records, and why the others did not."""
    table = Table(box=None, pad_edge=False)
    table.add_column("outcome")
    table.add_column("commits", justify="right")
    table.add_column("%", justify="right")
    for name, count in found.outcomes.items():
        table.add_row(name, str(count), _share(count, found.commits))
    table.add_row("all", str(found.commits), "")
    for name, count in found.marks.items():
        table.add_row(f"  of the identified: {name}", str(count), "")
    return table


def repositories_table(found: Yield) -> Table:
    """Return one line for each repository: its records and its most frequent reasons."""
    table = Table(box=None, pad_edge=False)
    table.add_column("repository", overflow="fold")
    table.add_column("commits", justify="right")
    table.add_column(KEPT, justify="right")
    table.add_column("most of the others", overflow="fold")
    for repo, outcomes in found.repositories.items():
        others = {name: count for name, count in outcomes.items() if name != KEPT}
        most = sorted(others.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
        table.add_row(
            safe_text(repo),
            str(sum(outcomes.values())),
            str(outcomes.get(KEPT, 0)),
            ", ".join(f"{name} {count}" for name, count in most),
        )
    for repo, error in found.failed.items():
        table.add_row(safe_text(repo), "", "", safe_text(f"failed: {error}"))
    return table


@dataclass(kw_only=True, slots=True)
class ScanProgress:
    """Says what is done, how fast, and how long the rest may take.

    Attributes:
        total: Repositories.
        say: Prints a line.
        clock: Seconds, from any start.
    """

    total: int
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    _started: float = field(init=False)
    _done: int = 0
    _commits: int = 0

    def __post_init__(self) -> None:
        self._started = self.clock()

    def done(self, result: Done) -> None:
        """Say what came of a repository, with rate and forecast."""
        self._done += 1
        self._commits += result.commits if result.fresh else 0
        passed = max(self.clock() - self._started, 1e-9)
        left = passed / self._done * (self.total - self._done)
        if result.error:
            what = f"failed: {result.error}"
        elif result.fresh:
            what = f"{result.commits} commits, {result.records} identified, {result.seconds:.1f} s"
        else:
            what = "nothing new"
        rate = f"{self._commits / passed:.0f} commits/s" if self._commits else ""
        forecast = f"about {left / 60:.1f} min left" if self._done < self.total else ""
        tail = ", ".join(part for part in (rate, forecast) if part)
        self.say(
            f"{self._done}/{self.total} {result.repo}: {what}" + (f" ({tail})" if tail else "")
        )


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.2f}" if total else ""
