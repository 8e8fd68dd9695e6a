"""Looking at the signed-rank test more than once, at a price paid beforehand.

The error budget of each hypothesis is divided over the looks (its *spending*), and the p-value of
a look is divided by the look's share: the smallest of these quotients is itself a p-value, valid
at every look and at whatever look one stops, whatever the dependence between looks (Bonferroni's
inequality; the "sequential p-value" of W. Liu and K. L. Anderson, "Sequential p-values for
group-sequential trials", Statistics in Medicine 27 (2008), for a spending that is linear in
alpha). Holm's procedure on such p-values keeps the family-wise error (W. Maurer, F. Bretz,
"Multiple testing in group sequential trials using graphical approaches", Statistics in
Biopharmaceutical Research 5 (2013)).

Why not Lan and DeMets's spending with the correlation of the looks: their boundaries rest on
Brownian motion, far out in the tails that 100 hypotheses need, where the exact p of n pairs cannot
fall below 2^-n. With four fifths of the budget kept for the last look the price is small: about
0.01 of power (``tests/benchmarks/trust``), and a change that deserves an early stop has a p-value
far below any look's share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["LOOKS", "LookPlan", "sequential_p"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LookPlan:
    """When to look, and what each look may spend.

    Attributes:
        pairs: Numbers of pairs after which the verdict is looked at, rising; the last is all.
        spending: Share of the error budget of each look, in order; they add up to 1 at most.
        hopeless: A hypothesis is given up once its chance of becoming significant is below this.
    """

    pairs: tuple[int, ...]
    spending: tuple[Fraction, ...]
    hopeless: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        """Refuse plans that would spend more than the budget.

        Raises:
            ValueError: Looks do not rise, shares do not match them, or shares add up to over 1.
        """
        if not self.pairs or list(self.pairs) != sorted({max(1, item) for item in self.pairs}):
            raise ValueError(f"looks must be positive and rise, not {self.pairs}")
        if len(self.spending) != len(self.pairs) or any(share <= 0 for share in self.spending):
            raise ValueError(f"{len(self.pairs)} looks need as many positive shares")
        if sum(self.spending) > 1:
            raise ValueError(f"the shares add up to {sum(self.spending)}, more than the budget")

    def reached(self, pairs: int) -> tuple[int, ...]:
        """Return the looks that ``pairs`` pairs have reached."""
        return tuple(look for look in self.pairs if look <= pairs)


LOOKS = LookPlan(
    pairs=(10, 15, 20, 25, 30),
    spending=(
        Fraction(2, 100),
        Fraction(3, 100),
        Fraction(5, 100),
        Fraction(1, 10),
        Fraction(4, 5),
    ),
)


def sequential_p(p_values: Sequence[Fraction], plan: LookPlan) -> Fraction:
    """Return the p-value of a hypothesis that was looked at several times.

    Args:
        p_values: Its p-values at the looks reached, in order, shape (looks,).
        plan: The plan that was fixed before the first look.

    Returns:
        The smallest of p / share, at most 1; 1 before the first look.
    """
    quotients = [p / share for p, share in zip(p_values, plan.spending, strict=False)]
    return min([*quotients, Fraction(1)])
