"""The one-sided Mann-Whitney U test, without a numerical library.

Source: H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is
stochastically larger than the other", Annals of Mathematical Statistics 18 (1947). Which of the
two distributions is used follows ``scipy.stats.mannwhitneyu`` with ``method="auto"``, which
SWE-Perf's code calls; scipy is the oracle of the tests.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, isfinite, sqrt

__all__ = ["MannWhitney", "mann_whitney_greater"]

_EXACT_UP_TO = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class MannWhitney:
    """The test that the first sample tends to be larger.

    Attributes:
        statistic: U, pairs in which the first is larger plus half of those that tie.
        p_value: P(U or more) if both samples come from one distribution.
        exact: Whether every arrangement was counted; otherwise the normal approximation.
    """

    statistic: Fraction
    p_value: float
    exact: bool


def mann_whitney_greater(first: Sequence[float], second: Sequence[float]) -> MannWhitney:
    """Test whether ``first`` tends to be larger than ``second``.

    Exact if the smaller sample has at most 8 values and no two of all values are equal; else the
    normal approximation, corrected for ties and for continuity. All values equal gives p = 1.

    Args:
        first: Shape (n,), any unit.
        second: Shape (m,), the same unit; not paired with ``first``.

    Raises:
        ValueError: A sample is empty or has a value that is not finite.
    """
    if not first or not second:
        raise ValueError(f"an empty sample: {len(first)} against {len(second)} values")
    if not all(map(isfinite, (*first, *second))):
        raise ValueError("a value is not finite")
    ordered = sorted(second)
    doubled = sum(bisect_left(ordered, x) + bisect_right(ordered, x) for x in first)
    shared = [count for count in Counter((*first, *second)).values() if count > 1]
    exact = not shared and min(len(first), len(second)) <= _EXACT_UP_TO
    if exact:
        fewer, more = sorted((len(first), len(second)))
        p_value = _arrangements(fewer, more)[doubled // 2] / comb(fewer + more, fewer)
    else:
        p_value = _normal_tail(doubled, len(first), len(second), shared)
    return MannWhitney(statistic=Fraction(doubled, 2), p_value=p_value, exact=exact)


@lru_cache(maxsize=64)
def _arrangements(fewer: int, more: int) -> tuple[int, ...]:
    """Return, for every u, how many of the orders of both samples have U >= u.

    The number with U = u is the coefficient of q^u in the Gaussian binomial coefficient
    (fewer + more choose fewer), the product of (1 - q^(more + i)) / (1 - q^i), i = 1..fewer.
    """
    top = fewer * more
    counts = [1] + [0] * top
    for step in range(1, fewer + 1):
        for u in range(top, more + step - 1, -1):
            counts[u] -= counts[u - more - step]
        for u in range(step, top + 1):
            counts[u] += counts[u - step]
    for u in range(top, 0, -1):
        counts[u - 1] += counts[u]
    return tuple(counts)


def _normal_tail(doubled: int, first: int, second: int, shared: Sequence[int]) -> float:
    total = first + second
    # 12 var(U) = n m (N + 1 - sum(t^3 - t) / (N (N - 1))), kept in integers until the root.
    ties = sum(count**3 - count for count in shared)
    variance = Fraction(first * second * ((total + 1) * total * (total - 1) - ties))
    variance /= 12 * total * (total - 1)
    if not variance:
        return 1.0
    return erfc((doubled - first * second - 1) / 2 / sqrt(2 * variance)) / 2
