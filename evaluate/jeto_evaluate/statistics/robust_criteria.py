"""The robust rule's parameters, as one frozen object."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jeto_bench.errors import UsageError

__all__ = ["ROBUST", "RobustCriteria"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RobustCriteria:
    """Parameters of the robust verdict; the defaults were chosen by ``tests/benchmarks/trust``.

    Attributes:
        name: Name under which the set is chosen and reported.
        min_improvement: A class counts as faster (slower) if it is so by more than this share.
            1 %: enough that what differs between two containers of one version for a whole
            session is not called a change, and small enough that 5 % is found in quiet classes.
            (Against "at least 5 %", a change of 5 % is found with probability alpha, no more.)
        alpha: Bound of the family-wise error over classes and directions.
        rounds: Number of measured pairs of a stage.
        warmup_rounds: Rounds per arm that are run and discarded first.
        least_steps: A class needs this many steps of the clock to be measurable: with 20, a
            change of 5 % is a step.
        power: Probability with which the smallest detectable change is detected.
        max_detectable: A class in which no smaller change could be detected, and none was, is
            too noisy to be measurable.
        change_of_interest: Smallest change for whose sake an undecided class is measured on.
        screen_alpha: The screen names a class at this level, uncorrected, for confirmation.
        confirm_at_most: Largest number of classes that it names.
    """

    name: str = "robust"
    min_improvement: Fraction = Fraction(1, 100)
    alpha: Fraction = Fraction(1, 20)
    rounds: int = 30
    warmup_rounds: int = 1
    least_steps: int = 20
    power: Fraction = Fraction(4, 5)
    max_detectable: Fraction = Fraction(1, 5)
    change_of_interest: Fraction = Fraction(1, 20)
    screen_alpha: Fraction = Fraction(1, 10)
    confirm_at_most: int = 12

    def __post_init__(self) -> None:
        """Refuse values under which the test has no meaning.

        Raises:
            UsageError: A value is out of range; the message names it.
        """
        if not 0 <= self.min_improvement < 1:
            raise UsageError(f"min_improvement must be in [0, 1), not {self.min_improvement}")
        for name in ("alpha", "power", "max_detectable", "change_of_interest", "screen_alpha"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} must be in (0, 1), not {getattr(self, name)}")
        for name in ("rounds", "least_steps", "confirm_at_most"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.warmup_rounds < 0:
            raise UsageError(f"warmup_rounds must be at least 0, not {self.warmup_rounds}")


ROBUST = RobustCriteria()
