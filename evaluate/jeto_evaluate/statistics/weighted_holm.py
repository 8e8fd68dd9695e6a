"""Holm's step-down correction when some hypotheses were given more weight beforehand.

Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6 (1979), section 4. The family-wise error is kept for every dependence between the
p-values and every choice of weights that does not look at the data behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["weighted_holm"]


def weighted_holm(
    p_values: Sequence[Fraction], weights: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Return the adjusted p-values, exact, in the order given; equal weights make it Holm's.

    Args:
        p_values: One per hypothesis of the family, shape (m,).
        weights: Positive; only their proportions count, shape (m,).

    Raises:
        ValueError: Unequal lengths, or a weight that is not positive.
    """
    if len(p_values) != len(weights):
        raise ValueError(f"{len(p_values)} p-values cannot have {len(weights)} weights")
    if any(weight <= 0 for weight in weights):
        raise ValueError("a weight is not positive")
    adjusted = [Fraction(1)] * len(p_values)
    left = sum(weights, Fraction(0))
    reached = Fraction(0)
    for place in sorted(range(len(p_values)), key=lambda item: p_values[item] / weights[item]):
        reached = max(reached, min(Fraction(1), p_values[place] * left / weights[place]))
        adjusted[place] = reached
        left -= weights[place]
    return tuple(adjusted)
