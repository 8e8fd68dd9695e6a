"""pass@k, and Opt@K averaged over tasks, exact.

Source: M. Chen et al., "Evaluating Large Language Models Trained on Code" (2021), section 2.1:
pass@k = 1 - C(n - c, k) / C(n, k), the share of all choices of k of n attempts that hold one of
the c successes. The GSO paper (Shetty et al., 2025) estimates Opt@K "by established methods for
pass@K" and prints an interval. Its released code (gso-bench/gso at c89aecd,
``calculate_opt_at_k_smooth``) takes mean and standard deviation over 500 random orders of the runs
(G8); the values that this converges to are given here without the randomness.

That deviation tells how much the figure depends on the order of the runs at hand, and is 0 at
k = n. It says nothing about other tasks; ``OptAtK.task_interval`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

from jeto_evaluate.statistics.intervals import Interval

__all__ = ["OptAtK", "opt_at_k", "pass_at_k"]

_Z = 1.959963984540054  # 0.975 quantile of the standard normal


@dataclass(frozen=True, kw_only=True, slots=True)
class OptAtK:
    """Opt@K over tasks. All are shares in [0, 1], not percent.

    Attributes:
        k: Attempts of which one has to succeed.
        tasks: Tasks with at least one run (G10).
        mean: Mean of the tasks' pass@k, exact.
        shuffle_variance: Variance of the mean over random orders of the runs, exact.
        task_interval: 95 % interval for tasks like these, by ``opt_at_k``.
    """

    k: int
    tasks: int
    mean: Fraction
    shuffle_variance: Fraction
    task_interval: Interval

    @property
    def shuffle_sd(self) -> float:
        """GSO's +-: the standard deviation over random orders of the runs."""
        return sqrt(self.shuffle_variance)


def pass_at_k(*, attempts: int, successes: int, k: int) -> Fraction | None:
    """Return the exact chance that k of the attempts, drawn at random, hold a success.

    Args:
        attempts: Attempts made, n.
        successes: Those that succeeded, c.
        k: Attempts drawn.

    Returns:
        A share in [0, 1]; ``None`` if there are fewer than k attempts (G9).

    Raises:
        ValueError: Not 0 <= successes <= attempts, or k < 1.
    """
    if not 0 <= successes <= attempts or k < 1:
        raise ValueError(
            f"need 0 <= successes <= attempts and k >= 1, not {successes} of {attempts} and k = {k}"
        )
    if attempts < k:
        return None
    return 1 - Fraction(comb(attempts - successes, k), comb(attempts, k))


def opt_at_k(outcomes: Sequence[Sequence[bool | None]], k: int) -> OptAtK | None:
    """Return Opt@K of several runs, averaged over tasks.

    A task with fewer than k runs is judged by the runs it has, and one without any is left out, as
    the code does (G9, G10). Missing runs are therefore better counted as failures by the caller.

    The shuffle variance is sum(p_i (1 - p_i)) / N^2 over the tasks' pass@k p_i: orders are drawn
    per task. The task interval is Wilson's score interval of the mean over N tasks. It takes
    m (1 - m) for the variance of a task's p_i, which is what 0 and 1 have and the most that any
    values in [0, 1] with that mean can have, so it is on the long side for anything between; and it
    does not shrink to nothing if every task fails.

    Args:
        outcomes: Per task whether each run succeeded; ``None`` where the run is missing.
        k: Attempts of which one has to succeed.

    Returns:
        The mean and both spreads; ``None`` if no task has a run.

    Raises:
        ValueError: k < 1.
    """
    if k < 1:
        raise ValueError(f"need k >= 1, not {k}")
    shares: list[Fraction] = []
    for task in outcomes:
        runs = [run for run in task if run is not None]
        share = pass_at_k(attempts=len(runs), successes=sum(runs), k=min(k, len(runs) or k))
        if share is not None:
            shares.append(share)
    if not shares:
        return None
    tasks = len(shares)
    mean = sum(shares, Fraction()) / tasks
    return OptAtK(
        k=k,
        tasks=tasks,
        mean=mean,
        shuffle_variance=sum((share * (1 - share) for share in shares), Fraction()) / tasks**2,
        task_interval=_score_interval(mean, tasks),
    )


def _score_interval(mean: Fraction, tasks: int) -> Interval:
    share = float(mean)
    weight = _Z * _Z / tasks
    centre = (share + weight / 2) / (1 + weight)
    half = _Z * sqrt(share * (1 - share) / tasks + weight / (4 * tasks)) / (1 + weight)
    # The ends are exactly 0 and 1 here; rounding must not put them outside.
    low = 0.0 if mean == 0 else max(0.0, centre - half)
    high = 1.0 if mean == 1 else min(1.0, centre + half)
    return Interval(low=low, high=high)
