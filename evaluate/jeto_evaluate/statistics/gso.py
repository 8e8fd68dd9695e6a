"""GSO's speedup over several tests, and when it matches the expert's.

Source: the GSO paper (Shetty et al., 2025) and its released code (gso-bench/gso at c89aecd,
``src/gso/harness/grading/metrics.py``). Where they differ (G1, G4 to G6), both are offered under
their own names. The code's reading is in floats, as the code is; the paper's is exact.

- The paper: S(before, after) = n / sum(after_i / before_i), the harmonic mean of the tests'
  speedups, undefined if a time before is 0; Opt_p if S >= p.
- The code: a test whose time before is 0 is left out of the sum but counted in n, so that
  [0, 2] -> [1, 1] is a speedup of 4, and Infinity if all are 0; a time after of 0 is a speedup of
  Infinity. Opt if S > 0.95. Where tests were lost, the shorter list decides and partners shift;
  here that is refused unless ``as_published`` asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import exp, fsum, inf, isfinite, log, sqrt

__all__ = [
    "OPT_THRESHOLD",
    "OptReading",
    "Speedup",
    "compare_means",
    "exact_speedup",
    "geometric_mean",
    "geometric_stdev",
    "harmonic_mean",
    "meets_reference",
    "per_test_speedups",
]

OPT_THRESHOLD = Fraction(19, 20)


class OptReading(StrEnum):
    """Whose rule decides that a speedup matches the expert's."""

    CODE = "gso-code"
    PAPER = "gso-paper"


@dataclass(frozen=True, kw_only=True, slots=True)
class Speedup:
    """How much faster the tests became, by the code's figures.

    Attributes:
        per_test: Time before over time after of each test.
        harmonic: The figure that Opt is decided on.
        geometric: ``None`` if both 0 and Infinity are among the speedups.
        geometric_stdev: ``None`` for one test, or with a speedup of 0 or Infinity.
        of_means: Mean time before over mean time after.
        percent_slowdowns: Tests that became slower, of 100.
    """

    per_test: tuple[float, ...]
    harmonic: float
    geometric: float | None
    geometric_stdev: float | None
    of_means: float
    percent_slowdowns: float


def per_test_speedups(
    before: Sequence[float], after: Sequence[float], *, as_published: bool = False
) -> tuple[float, ...]:
    """Return the speedup of each test; Infinity where the time after is 0.

    Args:
        before: One time per test, shape (n,), any unit.
        after: The same tests in the same order and unit, shape (n,).
        as_published: Pair what there is if the lengths differ.

    Raises:
        ValueError: Unequal lengths (unless ``as_published``), or a time that is negative or not
            finite.
    """
    if not as_published:
        _check_lengths(before, after)
    if not all(isfinite(time) and time >= 0 for time in (*before, *after)):
        raise ValueError("a time is negative or not finite")
    return tuple(old / new if new else inf for old, new in zip(before, after, strict=False))


def harmonic_mean(speedups: Sequence[float]) -> float | None:
    """Return n / sum(1 / speedup) by the code's rule for zeros; ``None`` without tests.

    Raises:
        ValueError: Every speedup that is not 0 is Infinity, so that there is nothing to sum.
    """
    if not speedups:
        return None
    if not any(speedups):
        return inf
    total = fsum(1 / speedup for speedup in speedups if speedup)
    if not total:
        raise ValueError("no harmonic mean: no test took time both before and after")
    return len(speedups) / total


def geometric_mean(speedups: Sequence[float]) -> float | None:
    """Return the geometric mean; ``None`` without tests or if both 0 and Infinity occur."""
    if not speedups or (0 in speedups and inf in speedups):
        return None
    if 0 in speedups:
        return 0.0
    return exp(fsum(map(log, speedups)) / len(speedups))


def geometric_stdev(speedups: Sequence[float]) -> float | None:
    """Return exp of the sample standard deviation (n - 1) of the logarithms.

    ``None`` for fewer than two tests, or if a speedup is 0 or Infinity.
    """
    if len(speedups) <= 1 or 0 in speedups or inf in speedups:
        return None
    logs = [log(speedup) for speedup in speedups]
    centre = fsum(logs) / len(logs)
    return exp(sqrt(fsum((value - centre) ** 2 for value in logs) / (len(logs) - 1)))


def compare_means(
    before: Sequence[float], after: Sequence[float], *, as_published: bool = False
) -> Speedup | None:
    """Return all figures of the code for one pair of versions; ``None`` without tests.

    Args:
        before: Mean time of each test, shape (n,), any unit.
        after: The same tests in the same order and unit, shape (n,).
        as_published: As for ``per_test_speedups``; ``of_means`` then uses all there is.

    Raises:
        ValueError: As for ``per_test_speedups`` and ``harmonic_mean``.
    """
    speedups = per_test_speedups(before, after, as_published=as_published)
    harmonic = harmonic_mean(speedups)
    if harmonic is None:
        return None
    return Speedup(
        per_test=speedups,
        harmonic=harmonic,
        geometric=geometric_mean(speedups),
        geometric_stdev=geometric_stdev(speedups),
        of_means=(fsum(before) / len(before)) / (fsum(after) / len(after)),
        percent_slowdowns=sum(speedup < 1 for speedup in speedups) / len(speedups) * 100,
    )


def exact_speedup(
    before: Sequence[int | Fraction], after: Sequence[int | Fraction]
) -> Fraction | None:
    """Return the paper's S(before, after), exact.

    ``None`` where it is not a number: no tests, a time before of 0, or only 0 after.

    Args:
        before: Time of each test, shape (n,), whole milliseconds or fractions of any unit.
        after: The same tests in the same order and unit, shape (n,).

    Raises:
        ValueError: Unequal lengths, or a negative time.
    """
    _check_lengths(before, after)
    if any(time < 0 for time in (*before, *after)):
        raise ValueError("a time is negative")
    if 0 in before or not any(after):
        return None
    inverse = (Fraction(new) / old for old, new in zip(before, after, strict=True))
    return len(before) / sum(inverse, Fraction())


def meets_reference(speedup: Fraction | float, reading: OptReading = OptReading.CODE) -> bool:
    """Whether a speedup against the expert's version is an Opt_0.95.

    0.95 itself is one by the paper and none by the code. A fraction is compared with 19/20, a
    float with the double nearest to it.
    """
    limit = OPT_THRESHOLD if isinstance(speedup, Fraction) else float(OPT_THRESHOLD)
    return speedup > limit or (reading is OptReading.PAPER and speedup == limit)


def _check_lengths(before: Sequence[object], after: Sequence[object]) -> None:
    if len(before) != len(after):
        raise ValueError(f"{len(before)} tests before cannot pair with {len(after)} after")
