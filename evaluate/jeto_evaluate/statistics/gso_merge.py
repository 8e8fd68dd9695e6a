"""GSO's Opt@K of several attempts at the whole data set, and what became of each task.

Source: the GSO paper (Shetty et al., 2025), Opt@K: the share of tasks with a success among K
attempts; and its released code (gso-bench/gso at c89aecd, ``src/gso/harness/opt_at_k.py``). Read
here as the code does (G7): a success in any of the first K reports counts, out of all tasks of the
data set, attempted or not. For an estimate from more attempts than K see ``opt_at_k``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

__all__ = ["AttemptReport", "AttemptStatus", "MergedAttempts", "merge_attempts"]


class AttemptStatus(StrEnum):
    """What became of one attempt, best first: the order in which attempts are merged."""

    PASSED = "passed"
    TEST_FAILED = "test_failed"
    PATCH_FAILED = "patch_failed"
    EMPTY_PATCH = "empty_patch"
    BASE_FAILED = "base_failed"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True, slots=True)
class AttemptReport:
    """One attempt at every task.

    Attributes:
        statuses: The status of every task that was completed.
        opt_base: Tasks faster than the base, by identifier.
        opt_commit: Tasks that match the expert's commit.
        opt_main: Tasks that match the main branch.
    """

    statuses: Mapping[str, AttemptStatus]
    opt_base: frozenset[str]
    opt_commit: frozenset[str]
    opt_main: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedAttempts:
    """The first K attempts as one.

    Attributes:
        attempts: Reports merged: K, or fewer if there were not so many.
        total_tasks: Tasks of the data set.
        statuses: The best status of every task that any attempt completed.
        opt_base: Tasks faster than the base in any attempt.
        opt_commit: Tasks that match the expert's commit in any attempt.
        opt_main: Tasks that match the main branch in any attempt.
    """

    attempts: int
    total_tasks: int
    statuses: Mapping[str, AttemptStatus]
    opt_base: frozenset[str]
    opt_commit: frozenset[str]
    opt_main: frozenset[str]

    @property
    def opt_at_k(self) -> Fraction:
        """Share of all tasks that match the expert's commit, exact."""
        return Fraction(len(self.opt_commit), self.total_tasks)

    @property
    def score_percent(self) -> float:
        """``opt_at_k`` as the code prints it: percent with two decimals."""
        return round(len(self.opt_commit) / self.total_tasks * 100, 2)

    def count(self, status: AttemptStatus) -> int:
        """Return how many tasks have this as their best status."""
        return sum(found is status for found in self.statuses.values())


def merge_attempts(reports: Sequence[AttemptReport], *, total_tasks: int, k: int) -> MergedAttempts:
    """Merge the first ``k`` reports: any success counts, the best status stays.

    Args:
        reports: One per attempt, in the order in which they are to be used.
        total_tasks: Tasks of the data set, the denominator.
        k: Attempts to use; if there are fewer, all of them, as the code does.

    Raises:
        ValueError: No reports, ``k`` or ``total_tasks`` below 1, or more tasks than there are.
    """
    if k < 1 or total_tasks < 1 or not reports:
        raise ValueError(
            f"need a report, k >= 1 and total_tasks >= 1, not {len(reports)}, {k}, {total_tasks}"
        )
    used = reports[:k]
    rank = {status: place for place, status in enumerate(AttemptStatus)}
    best: dict[str, AttemptStatus] = {}
    for report in used:
        for task, status in report.statuses.items():
            if task not in best or rank[status] < rank[best[task]]:
                best[task] = status
    merged = MergedAttempts(
        attempts=len(used),
        total_tasks=total_tasks,
        statuses=best,
        opt_base=frozenset().union(*(report.opt_base for report in used)),
        opt_commit=frozenset().union(*(report.opt_commit for report in used)),
        opt_main=frozenset().union(*(report.opt_main for report in used)),
    )
    most = max(map(len, (best, merged.opt_base, merged.opt_commit, merged.opt_main)))
    if most > total_tasks:
        raise ValueError(f"the reports have {most} tasks, the data set only {total_tasks}")
    return merged
