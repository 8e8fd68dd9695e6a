"""Confidence intervals of a rate.

Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
JASA 22 (1927), the score interval without continuity correction. Recommended over the Wald and the
Clopper-Pearson interval for reporting a proportion by Brown, Cai, DasGupta, "Interval estimation
for a binomial proportion", Statistical Science 16 (2001): its mean coverage is near the nominal
level for every n, and it stays inside [0, 1] where a benchmark's rates live, near 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

__all__ = ["CONFIDENCE", "Interval", "Rate", "wilson_interval"]

CONFIDENCE = 0.95
_Z = 1.959963984540054  # 0.975 quantile of the standard normal


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A two-sided 95 % interval, both ends in [0, 1]."""

    low: float
    high: float


def wilson_interval(successes: int, trials: int) -> Interval | None:
    """Return Wilson's 95 % score interval of ``successes / trials``; ``None`` without trials.

    Raises:
        ValueError: Not 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"need 0 <= successes <= trials, not {successes} of {trials}")
    if trials == 0:
        return None
    share = successes / trials
    weight = _Z * _Z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = _Z * sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    # The ends are exactly 0 and 1 here; rounding must not put them outside.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return Interval(low=low, high=high)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """A share with its Wilson interval.

    Attributes:
        right: Numerator.
        of: Denominator.
    """

    right: int
    of: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.right / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """95 %; None of nothing."""
        return wilson_interval(self.right, self.of)
