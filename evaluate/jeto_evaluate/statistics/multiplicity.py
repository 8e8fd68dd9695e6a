"""p-values adjusted for how many tests were made.

Sources: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
of Statistics 6 (1979); Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", JRSS B
57 (1995); Y. Benjamini, D. Yekutieli, "The control of the false discovery rate in multiple testing
under dependency", Annals of Statistics 29 (2001).

Test classes of one project share a machine, a JVM and code, so their times are dependent. Holm
bounds the chance of any false rejection, and BY the expected share of false ones among the
rejected, under every dependence; BH needs independence or positive dependence. The test classes of
one instance are adjusted together: one p-value at a time adjusts nothing.

Adjusted p-values are computed in fractions: exact for fractions, rounded once for floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

__all__ = ["Correction", "adjust", "benjamini_hochberg", "benjamini_yekutieli", "holm", "rejected"]

P = TypeVar("P", Fraction, float)


class Correction(StrEnum):
    """Name of a correction, as criteria and reports give it."""

    NONE = "none"
    HOLM = "holm"
    BY = "by"
    BH = "bh"


def holm(p_values: Sequence[P]) -> tuple[P, ...]:
    """Return Holm's step-down adjusted p-values: control of the family-wise error rate.

    The i-th smallest of T is the largest of (T - j + 1) p_(j), j <= i, at most 1.

    Args:
        p_values: One per test class, shape (T,).

    Returns:
        Adjusted p-values in the same order, shape (T,).

    Raises:
        ValueError: A p-value outside [0, 1].
    """
    total = len(p_values)
    order, values = _ascending(p_values)
    scaled = (value * (total - place) for place, value in enumerate(values))
    return _restore(p_values, order, list(accumulate(scaled, max)))


def benjamini_hochberg(p_values: Sequence[P]) -> tuple[P, ...]:
    """Return BH's step-up adjusted p-values: control of the false discovery rate.

    Only for independent or positively dependent tests. The i-th smallest of T is the smallest of
    T / j p_(j), j >= i, at most 1.

    Args and errors as for ``holm``.
    """
    return _step_up(p_values, Fraction(1))


def benjamini_yekutieli(p_values: Sequence[P]) -> tuple[P, ...]:
    """Return BY's step-up adjusted p-values: control of the false discovery rate.

    For tests of any dependence: BH times 1 + 1/2 + ... + 1/T, at most 1.

    Args and errors as for ``holm``.
    """
    return _step_up(
        p_values, sum((Fraction(1, place) for place in range(1, len(p_values) + 1)), Fraction())
    )


def adjust(p_values: Sequence[P], correction: Correction) -> tuple[P, ...]:
    """Return p-values adjusted by the named correction; unchanged for ``none``.

    Args and errors as for ``holm``.
    """
    match correction:
        case Correction.NONE:
            _ascending(p_values)
            return tuple(p_values)
        case Correction.HOLM:
            return holm(p_values)
        case Correction.BY:
            return benjamini_yekutieli(p_values)
        case Correction.BH:
            return benjamini_hochberg(p_values)


def rejected(adjusted: Sequence[P], alpha: Fraction) -> tuple[bool, ...]:
    """Whether each adjusted p-value is strictly below alpha.

    Raises:
        ValueError: alpha outside (0, 1).
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be in (0, 1), not {alpha}")
    return tuple(value < alpha for value in adjusted)


def _step_up(p_values: Sequence[P], penalty: Fraction) -> tuple[P, ...]:
    total = len(p_values)
    order, values = _ascending(p_values)
    scaled = [value * penalty * total / place for place, value in enumerate(values, start=1)]
    return _restore(p_values, order, list(accumulate(reversed(scaled), min))[::-1])


def _ascending(p_values: Sequence[P]) -> tuple[list[int], list[Fraction]]:
    for value in p_values:
        if not 0 <= value <= 1:
            raise ValueError(f"a p-value must be in [0, 1], not {value}")
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    return order, [Fraction(p_values[index]) for index in order]


def _restore(
    p_values: Sequence[P], order: Sequence[int], adjusted: Sequence[Fraction]
) -> tuple[P, ...]:
    placed = dict(zip(order, adjusted, strict=True))
    capped = [min(placed[index], Fraction(1)) for index in range(len(p_values))]
    return tuple(
        exact if isinstance(value, Fraction) else float(exact)
        for value, exact in zip(p_values, capped, strict=True)
    )
