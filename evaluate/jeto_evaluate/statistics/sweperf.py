"""SWE-Perf's minimum improvement of a test: delta.

Source: the SWE-Perf paper (He et al., 2025), its filter of outliers and its maximum significant
improvement, and the released code (SWE-Perf/SWE-Perf at 9e8fed2, ``evaluation/utils.py``). Where
they differ (S1 to S5), ``SWEPERF`` does what the code does:

- direction (S1): ``base * (1 - x)`` is tested to be greater than ``head``, which finds how much
  faster the head is. The paper's letters, read literally, test ``head * (1 - x)`` against the
  base and find regressions: ``SWEPERF_PAPER_LITERAL``.
- step (S2): 0.001, the default that the released scoring uses; the paper says 0.01:
  ``SWEPERF_PAPER_STEP``.
- filter (S3): quartiles -+ 1 IQR. The paper calls this about 2.7 standard deviations, which is
  true of 1.5 IQR; 1 IQR is about 2.02 and drops 4.3 % of clean normal data.
- keeping a test (S4): delta above 0.05, strictly.
- an empty sample (S5) has no result: the code breaks, or not, by the version of scipy.

x is a running sum of floats, as in the code, so 1.0 is never reached: the largest delta is 0.999
(or 0.99). For the same reason 50 steps of 0.001 come to 0.05000000000000004, above 0.05.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from jeto_evaluate.statistics.mann_whitney import mann_whitney_greater

__all__ = [
    "SWEPERF",
    "SWEPERF_PAPER_LITERAL",
    "SWEPERF_PAPER_STEP",
    "Delta",
    "DeltaRule",
    "filter_outliers",
    "find_delta",
    "keeps_test",
]

_MIN_DELTA = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class DeltaRule:
    """How delta is searched for.

    Attributes:
        name: Name under which the reading is reported.
        step: What x grows by, in (0, 1].
        alpha: A p-value strictly below it is significant.
        max_delta: Last x that may be tried, in [0, 1].
        filtered: Whether outliers of either side are dropped first.
        swapped: Whether base and head change roles, which finds slowdowns.
    """

    name: str
    step: float
    alpha: float = 0.1
    max_delta: float = 1.0
    filtered: bool = True
    swapped: bool = False

    def __post_init__(self) -> None:
        """Refuse values under which the search has no meaning.

        Raises:
            ValueError: A value is out of range; the message names it.
        """
        if not 0 < self.step <= 1:
            raise ValueError(f"step must be in (0, 1], not {self.step}")
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha must be in (0, 1), not {self.alpha}")
        if not 0 <= self.max_delta <= 1:
            raise ValueError(f"max_delta must be in [0, 1], not {self.max_delta}")


SWEPERF = DeltaRule(name="sweperf", step=0.001)
SWEPERF_PAPER_STEP = DeltaRule(name="sweperf-paper-step", step=0.01)
SWEPERF_PAPER_LITERAL = DeltaRule(name="sweperf-paper-literal", step=0.01, swapped=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Delta:
    """The largest x by which the slower side can shrink and still be significantly slower.

    Attributes:
        delta: That x, a share of the base's time in [0, 1); 0 also if nothing is significant.
        steps: Steps to it.
        p_at_zero: p-value of the unscaled samples.
        p_at_delta: p-value at delta; ``None`` if not even the unscaled samples are significant.
        p_at_stop: First p-value that is not below alpha; ``None`` if x ran out before.
        exact_at_zero: Whether ``p_at_zero`` is exact rather than a normal approximation.
        base: The base's times that were compared, in their order.
        head: The head's times that were compared, in their order.
    """

    delta: float
    steps: int
    p_at_zero: float
    p_at_delta: float | None
    p_at_stop: float | None
    exact_at_zero: bool
    base: tuple[float, ...]
    head: tuple[float, ...]


def filter_outliers(times: Sequence[float]) -> tuple[float, ...]:
    """Return the times within one IQR of the quartiles, bounds included, order kept.

    Quartiles interpolate linearly between order statistics (numpy's default).

    Args:
        times: Shape (n,), any unit.

    Raises:
        ValueError: No times, or one that is not finite.
    """
    if not times:
        raise ValueError("no times to filter")
    if not all(map(isfinite, times)):
        raise ValueError("a time is not finite")
    ordered = sorted(times)
    lower, upper = _quantile(ordered, 0.25), _quantile(ordered, 0.75)
    spread = upper - lower
    return tuple(time for time in times if lower - spread <= time <= upper + spread)


def find_delta(
    base_times: Sequence[float], head_times: Sequence[float], *, rule: DeltaRule = SWEPERF
) -> Delta:
    """Return by how much the head is significantly faster than the base.

    The p-value is that of ``mann_whitney_greater``.

    Args:
        base_times: Times before the patch, shape (n,), any unit (whole milliseconds will do).
        head_times: Times after it in the same unit, shape (m,); rounds are not paired.
        rule: The reading.

    Raises:
        ValueError: A side has no times, or a time is negative or not finite.
    """
    if any(time < 0 for time in (*base_times, *head_times)):
        raise ValueError("a time is negative")
    keep = filter_outliers if rule.filtered else tuple[float, ...]
    base, head = keep(base_times), keep(head_times)
    slow, fast = (head, base) if rule.swapped else (base, head)
    first = test = mann_whitney_greater(slow, fast)
    x = delta = 0.0
    passed = 0
    p_at_delta = p_at_stop = None
    while x <= rule.max_delta:
        test = mann_whitney_greater([time * (1 - x) for time in slow], fast)
        if not test.p_value < rule.alpha:
            p_at_stop = test.p_value
            break
        passed, delta, p_at_delta = passed + 1, x, test.p_value
        x += rule.step
    return Delta(
        delta=delta,
        steps=max(passed - 1, 0),
        p_at_zero=first.p_value,
        p_at_delta=p_at_delta,
        p_at_stop=p_at_stop,
        exact_at_zero=first.exact,
        base=base,
        head=head,
    )


def keeps_test(found: Delta) -> bool:
    """Whether SWE-Perf would keep the test as one that shows the improvement."""
    return found.delta > _MIN_DELTA


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = (len(ordered) - 1) * share
    below = int(place)
    if below == place:
        return ordered[below]
    left, right = ordered[below], ordered[below + 1]
    part = place - below
    # From the nearer end, as numpy does: the last bit decides whether a time is on the bound.
    return left + (right - left) * part if part < 1 / 2 else right - (right - left) * (1 - part)
