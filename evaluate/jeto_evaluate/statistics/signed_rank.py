"""Wilcoxon's signed-rank test with its exact null distribution, and Hodges and Lehmann's estimate.

Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945);
J. W. Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank procedures", JASA 54 (1959);
J. L. Hodges, E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical
Statistics 34 (1963); M. Hollander, D. A. Wolfe, "Nonparametric Statistical Methods", sections 3.1
to 3.3, for the interval from Walsh averages.

Ties and zeros: equal magnitudes share the mean of their ranks; zeros are ranked with the rest and
then left out, as Pratt has it. Under the null each remaining rank has either sign with probability
1/2, given the magnitudes, so the null distribution is counted for the ranks that are there and p
is exact with ties too (no normal approximation at any n). A larger value is never weaker evidence
as long as no magnitudes are tied; breaking a tie can split an atom of the null distribution, and
then p may rise by a part of that atom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import exp, log

__all__ = [
    "ShiftEstimate",
    "SpeedupEstimate",
    "hodges_lehmann",
    "signed_excess",
    "signed_rank_p",
    "speedup_estimate",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShiftEstimate:
    """Centre of a symmetric distribution with its distribution-free interval.

    Attributes:
        centre: Median of the Walsh averages.
        low: Lower end; ``None`` where so few values cannot give the confidence asked for.
        high: Upper end, likewise.
    """

    centre: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SpeedupEstimate:
    """The same as a factor, base time / other time: > 1 means that the other arm is faster.

    Attributes:
        factor: exp of the centre of the log ratios.
        low: Lower end of the interval; ``None`` with too few pairs for the confidence.
        high: Upper end, likewise.
    """

    factor: float
    low: float | None
    high: float | None


def signed_excess(slower: int, faster: int, *, share: Fraction) -> float:
    """Return a number with the sign and the order of |log(faster / ((1 - share) slower))|, exact.

    Positive if ``faster`` saves more than ``share`` of ``slower``, 0 if exactly that, negative
    otherwise. Its magnitude is the ratio of the larger to the smaller side, one correctly rounded
    division of integers: equal ratios are equal floats whatever the unit, and the order of unlike
    ones is kept. Logarithms keep neither, and would break ties by their rounding.

    Args:
        slower: A positive measurement.
        faster: Another in the same unit.
        share: The share that must be saved, in [0, 1).
    """
    have = faster * share.denominator
    allowed = slower * (share.denominator - share.numerator)
    if have == allowed:
        return 0.0
    return allowed / have if have < allowed else -(have / allowed)


def signed_rank_p(values: Sequence[float]) -> Fraction:
    """Return the one-sided p-value of the null that ``values`` are centred at or below 0, exact.

    Args:
        values: Differences, symmetric about their centre under the null, shape (n,). Only their
            signs and the order of their magnitudes count.

    Returns:
        P(T >= t) where t is the sum of the ranks of positive values; 1 without a non-zero value.
    """
    doubled: list[int] = []
    statistic = 0
    before = 0
    for magnitude, group in groupby(sorted(values, key=abs), key=abs):
        tied = list(group)
        rank = 2 * before + len(tied) + 1  # twice the mean of before + 1 .. before + len(tied)
        before += len(tied)
        if magnitude != 0:
            doubled += [rank] * len(tied)
            statistic += rank * sum(1 for value in tied if value > 0)
    return _tail(tuple(doubled), statistic)


def hodges_lehmann(values: Sequence[float], *, confidence: Fraction) -> ShiftEstimate:
    """Return the Hodges-Lehmann estimate and the interval that inverts the signed-rank test.

    The interval runs from the (k + 1)th smallest to the (k + 1)th largest Walsh average, with the
    largest k for which P(T <= k) is at most half of what the confidence leaves; so its coverage is
    at least the confidence (Hollander and Wolfe, 3.3), and with ties more.

    Args:
        values: Shape (n,), n >= 1.
        confidence: Two-sided, in (0, 1); 95 % needs 6 values.

    Raises:
        ValueError: No values.
    """
    if not values:
        raise ValueError("no values have no centre")
    count = len(values)
    walsh = sorted(
        (values[first] + values[second]) / 2
        for first in range(count)
        for second in range(first, count)
    )
    half, odd = divmod(len(walsh), 2)
    centre = walsh[half] if odd else (walsh[half - 1] + walsh[half]) / 2
    outside = _outside(count, (1 - confidence) / 2)
    if outside is None:
        return ShiftEstimate(centre=centre, low=None, high=None)
    return ShiftEstimate(centre=centre, low=walsh[outside], high=walsh[-1 - outside])


def speedup_estimate(
    base: Sequence[int], other: Sequence[int], *, confidence: Fraction
) -> SpeedupEstimate:
    """Return the Hodges-Lehmann estimate of base / other over pairs, as a factor.

    Args:
        base: One positive measurement per pair, shape (n,).
        other: The other arm's in the same unit, shape (n,).
        confidence: Two-sided.
    """
    ratios = [log(slow) - log(fast) for slow, fast in zip(base, other, strict=True)]
    found = hodges_lehmann(ratios, confidence=confidence)
    return SpeedupEstimate(
        factor=exp(found.centre),
        low=None if found.low is None else exp(found.low),
        high=None if found.high is None else exp(found.high),
    )


@lru_cache(maxsize=256)
def _counts(ranks: tuple[int, ...]) -> int:
    """Return how many of the 2^n sign patterns have each rank sum, packed into one integer.

    Digit s in base 2^(n + 2) is the count of patterns with rank sum s: the product of (1 + x^r).
    """
    width = len(ranks) + 2
    packed = 1
    for rank in ranks:
        packed += packed << (rank * width)
    return packed


def _tail(ranks: tuple[int, ...], at_least: int) -> Fraction:
    """Return P(T >= ``at_least``); a number's digits sum up to its remainder by base - 1."""
    width = len(ranks) + 2
    patterns = (_counts(ranks) >> (at_least * width)) % ((1 << width) - 1)
    return Fraction(patterns, 1 << len(ranks))


@lru_cache(maxsize=256)
def _outside(count: int, tail: Fraction) -> int | None:
    """Return the largest k with P(T <= k) <= ``tail`` for ``count`` untied values, if any."""
    ranks = tuple(range(1, count + 1))
    total = count * (count + 1) // 2
    found = None
    for below in range(total // 2):
        if _tail(ranks, total - below) > tail:  # symmetric: P(T <= k) = P(T >= total - k)
            break
        found = below
    return found
