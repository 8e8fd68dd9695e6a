"""One test class under the robust rule: its two tests, its estimate, and whether it is measurable.

What cannot be measured is said, by rules that do not look at who was faster:

- *below the floor*: the typical time is under ``least_steps`` steps of the clock;
- *too few rounds*: not even pairs that all agree could be significant in this family;
- *too noisy*: the smallest change detected with probability ``power`` is above ``max_detectable``.
  A change large enough to be significant all the same counts.

Noise is read off the length of the 95 % interval of the Hodges-Lehmann estimate, which estimates
the precision of the test itself (E. L. Lehmann, "Nonparametric confidence intervals for a shift
parameter", Annals of Mathematical Statistics 34 (1963)), heavy tails or not; it does not depend
on where the centre is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import exp, log, pi, sqrt
from statistics import NormalDist

from jeto_evaluate.statistics.looks import LookPlan, sequential_p
from jeto_evaluate.statistics.paired_metric import Metric, PairedMetric
from jeto_evaluate.statistics.robust_criteria import RobustCriteria
from jeto_evaluate.statistics.signed_rank import (
    SpeedupEstimate,
    signed_excess,
    signed_rank_p,
    speedup_estimate,
)

__all__ = [
    "RobustClass",
    "RobustDirection",
    "RobustStatus",
    "Side",
    "is_above_floor",
    "noise_of",
    "one_sided_p",
    "robust_class",
]

EFFICIENCY = 3 / pi
"""Of the signed-rank test against Student's for normal noise (Lehmann 1963)."""

_CONFIDENCE = Fraction(19, 20)
_NORMAL = NormalDist()


class Side(StrEnum):
    """Which way a class changed."""

    IMPROVED = "improved"
    REGRESSED = "regressed"


class RobustStatus(StrEnum):
    """Whether a class could be measured."""

    TESTED = "tested"
    BELOW_FLOOR = "below_floor"
    TOO_FEW_ROUNDS = "too_few_rounds"
    TOO_NOISY = "too_noisy"


@dataclass(frozen=True, kw_only=True, slots=True)
class RobustDirection:
    """One direction of the test of one class.

    Attributes:
        p_value: One-sided and uncorrected; exact before it was rounded to a float.
        adjusted_p: Corrected over the family; ``None`` if the direction is in no family.
        significant: Whether the adjusted p is below alpha.
    """

    p_value: float
    adjusted_p: float | None
    significant: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RobustClass:
    """What one class, or the sum over classes, says.

    Attributes:
        test_class: Fully qualified name; empty for the sum over all classes.
        metric: What was measured.
        status: ``tested``, or why a result that is not significant says nothing.
        pairs: Number of pairs, n.
        improved: The test that the other arm is faster by more than ``min_improvement``.
        regressed: The test that base is.
        speedup: Hodges-Lehmann estimate of base / other, > 1 means faster.
        speedup_low: Lower end of its 95 % interval (of this class alone, not of all together);
            ``None`` with fewer than 6 pairs.
        speedup_high: Upper end, likewise.
        noise: Standard deviation of normal log ratios of the precision seen; ``None`` likewise.
        smallest_detectable: Share of the slower arm's time that must be saved to be significant
            in this family with probability ``power`` after all rounds agreed on, with the noise
            seen; ``None`` likewise, or if nothing could be.
    """

    test_class: str
    metric: Metric
    status: RobustStatus
    pairs: int
    improved: RobustDirection
    regressed: RobustDirection
    speedup: float
    speedup_low: float | None
    speedup_high: float | None
    noise: float | None
    smallest_detectable: float | None

    @property
    def significant_sides(self) -> tuple[Side, ...]:
        """The directions that are claimed."""
        both = ((Side.IMPROVED, self.improved), (Side.REGRESSED, self.regressed))
        return tuple(side for side, test in both if test.significant)


def is_above_floor(values: PairedMetric, criteria: RobustCriteria) -> bool:
    """Whether the typical value is at least ``least_steps`` steps of the clock.

    It is the same if the arms of any pair are swapped, so under the null it is independent of the
    signs that the test counts, and leaving classes out by it costs no error.
    """
    return values.typical >= criteria.least_steps * values.resolution


def one_sided_p(
    values: PairedMetric, side: Side, *, share: Fraction, plan: LookPlan | None = None
) -> Fraction:
    """Return the uncorrected p-value of one direction, exact.

    Args:
        values: One class, all its pairs.
        side: ``improved`` if the other arm should be the faster one.
        share: By more than this share, in [0, 1).
        plan: The looks that the p-value must pay for, if any.
    """
    base, other = values.resolved
    slow, fast = (base, other) if side is Side.IMPROVED else (other, base)
    excess = [signed_excess(s, f, share=share) for s, f in zip(slow, fast, strict=True)]
    if plan is None:
        return signed_rank_p(excess)
    return sequential_p([signed_rank_p(excess[:n]) for n in plan.reached(len(excess))], plan)


def noise_of(values: PairedMetric) -> float | None:
    """Return the standard deviation of normal log ratios that the interval's length stands for.

    At least that of the clock's rounding; ``None`` with fewer than 6 pairs.
    """
    return _noise(speedup_estimate(*values.resolved, confidence=_CONFIDENCE), values)


def robust_class(
    name: str,
    values: PairedMetric,
    *,
    improved: RobustDirection,
    regressed: RobustDirection,
    level: Fraction,
    rounds: int,
    criteria: RobustCriteria,
) -> RobustClass:
    """Return everything that is said about one class, its tests being done.

    Args:
        name: Fully qualified, or empty for the sum.
        values: Its pairs.
        improved: The test that the other arm is faster.
        regressed: The test that base is.
        level: Level at which a p-value is significant, after all rounds, if no other of its family
            is.
        rounds: Number of pairs that were agreed on, whether or not measuring stopped earlier.
        criteria: The rule.
    """
    estimate = speedup_estimate(*values.resolved, confidence=_CONFIDENCE)
    noise = _noise(estimate, values)
    detectable = None
    if noise is not None and Fraction(1, 2**rounds) < level:
        quantiles = _NORMAL.inv_cdf(float(1 - level)) + _NORMAL.inv_cdf(float(criteria.power))
        shift = quantiles * noise / sqrt(EFFICIENCY * rounds)
        detectable = 1 - float(1 - criteria.min_improvement) * exp(-shift)
    if not is_above_floor(values, criteria):
        status = RobustStatus.BELOW_FLOOR
    elif improved.significant or regressed.significant:
        status = RobustStatus.TESTED
    elif detectable is None:
        status = RobustStatus.TOO_FEW_ROUNDS
    elif detectable > criteria.max_detectable:
        status = RobustStatus.TOO_NOISY
    else:
        status = RobustStatus.TESTED
    return RobustClass(
        test_class=name,
        metric=values.metric,
        status=status,
        pairs=values.pairs,
        improved=improved,
        regressed=regressed,
        speedup=estimate.factor,
        speedup_low=estimate.low,
        speedup_high=estimate.high,
        noise=noise,
        smallest_detectable=detectable,
    )


def _noise(estimate: SpeedupEstimate, values: PairedMetric) -> float | None:
    if estimate.low is None or estimate.high is None:
        return None
    length = log(estimate.high) - log(estimate.low)
    error = length / (2 * _NORMAL.inv_cdf(float((1 + _CONFIDENCE) / 2)))
    rounding = values.resolution / values.typical / sqrt(6)  # two uniform errors of one step
    return max(error * sqrt(values.pairs * EFFICIENCY), rounding)
