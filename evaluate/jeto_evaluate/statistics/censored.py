"""Pairs of times of which some are only known to be at least so long.

A test that came with a fix may run into its time limit on base: then base's time is right-censored
(Kalbfleisch and Prentice, The Statistical Analysis of Failure Time Data, 2nd ed., section 1.3). A
pair is a win only where every time that is possible makes it one, so the exact binomial test of the
paper (``jeto.py``) keeps its level whatever the hidden times are. Both directions of all classes
are corrected together by Holm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from statistics import median

from jeto_evaluate.statistics.jeto import binomial_tail, minimal_wins
from jeto_evaluate.statistics.multiplicity import holm

__all__ = [
    "CensoredPair",
    "CensoredSide",
    "CensoredTest",
    "CensoredTime",
    "censored_tests",
    "is_decided",
    "pairs_needed",
]

_LOSSES = 1  # that a clear class may have by chance


@dataclass(frozen=True, kw_only=True, slots=True)
class CensoredTime:
    """A time.

    Attributes:
        milliseconds: Whole milliseconds.
        censored: It was cut off: the time is this or longer.
    """

    milliseconds: int
    censored: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CensoredPair:
    """Two versions, run back to back."""

    base: CensoredTime
    other: CensoredTime


@dataclass(frozen=True, kw_only=True, slots=True)
class CensoredSide:
    """One direction of the test of one class.

    Attributes:
        wins: Pairs that are surely won.
        p_value: One-sided, corrected over classes and directions.
        significant: Whether it is at most alpha.
    """

    wins: int
    p_value: float
    significant: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class CensoredTest:
    """What the pairs of one class say.

    Attributes:
        test_class: Its name.
        planned: Pairs that would have been run; those that were not count as won by neither.
        pairs: Pairs that were run.
        improved: The test that the other version is faster than base.
        regressed: The test that base is faster.
        speedup_at_least: Median over the pairs of the smallest possible base time / other time.
    """

    test_class: str
    planned: int
    pairs: tuple[CensoredPair, ...]
    improved: CensoredSide
    regressed: CensoredSide
    speedup_at_least: float


def pairs_needed(classes: int, alpha: Fraction) -> int:
    """Return how many pairs make a clear class significant although one pair is lost.

    Args:
        classes: Classes that are tested together.
        alpha: Level of all of them together.
    """
    level = alpha / (2 * classes)
    return next(pairs for pairs in count(2) if binomial_tail(pairs - _LOSSES, pairs) <= level)


def is_decided(
    pairs: Sequence[CensoredPair], *, planned: int, classes: int, share: Fraction, alpha: Fraction
) -> bool:
    """Whether a class is significant already, or cannot become so in the pairs that are left."""
    needed = minimal_wins(planned, alpha / (2 * classes))
    if needed is None:
        return True
    left = planned - len(pairs)
    wins = _wins(pairs, share)
    return left == 0 or max(wins) >= needed or max(wins) + left < needed


def censored_tests(
    pairs: Mapping[str, Sequence[CensoredPair]], *, planned: int, share: Fraction, alpha: Fraction
) -> tuple[CensoredTest, ...]:
    """Test all classes in both directions.

    Args:
        pairs: By class.
        planned: Pairs of each class if none had been decided early.
        share: Of the slower time that must be saved.
        alpha: Level of all classes and directions together.

    Returns:
        By name.

    Raises:
        ValueError: A class has more pairs than planned.
    """
    names = sorted(pairs)
    wins = [count_ for name in names for count_ in _wins(pairs[name], share)]
    adjusted = holm([binomial_tail(item, planned) for item in wins]) if wins else ()
    sides = [
        CensoredSide(wins=won, p_value=float(p_value), significant=p_value <= alpha)
        for won, p_value in zip(wins, adjusted, strict=True)
    ]
    return tuple(
        CensoredTest(
            test_class=name,
            planned=planned,
            pairs=tuple(pairs[name]),
            improved=sides[2 * place],
            regressed=sides[2 * place + 1],
            speedup_at_least=_speedup(pairs[name]),
        )
        for place, name in enumerate(names)
    )


def _wins(pairs: Sequence[CensoredPair], share: Fraction) -> tuple[int, int]:
    improved = sum(_surely_faster(pair.other, pair.base, share) for pair in pairs)
    regressed = sum(_surely_faster(pair.base, pair.other, share) for pair in pairs)
    return improved, regressed


def _surely_faster(fast: CensoredTime, slow: CensoredTime, share: Fraction) -> bool:
    # The slower time may be longer than known, which only makes it slower.
    return not fast.censored and fast.milliseconds < (1 - share) * slow.milliseconds


def _speedup(pairs: Sequence[CensoredPair]) -> float:
    ratios = [
        0.0 if pair.other.censored else pair.base.milliseconds / max(1, pair.other.milliseconds)
        for pair in pairs
    ]
    return float(median(ratios)) if ratios else 0.0
