"""JETO's paired one-sided binomial test, exact, in both directions.

Source: the JETO-Bench paper, "Executable Patch Identification": "conducts a paired one-sided
binomial test between the lists of T(i0, j, original) and T(i0, j, patched) for 1 <= j <= num_exec.
If the test shows that one version is min_impr percent faster than the other with a p-value below
p_val, JETO-Mine considers the i0th test class an ETIP detector test."

The paper leaves the rule inside a pair open. Read here as follows (J1 to J9):

- a pair is a success if ``faster < (1 - min_impr) * slower``, strictly, in whole milliseconds;
- every pair counts in n, whether it is a success or not (ties are not dropped);
- a pair with a time of zero is a success for neither direction;
- under the null a pair is a success with probability 1/2; p = P(X >= k), significant if p < p_val;
- regression is the same test with the roles swapped, without correction for looking both ways.

``PairRule(inclusive=True)`` is the rule of the authors' published code: a pair exactly at the
threshold is a success and zeros are ordinary numbers. Floats are never compared: of the 399 exact
5 % ties between 20 i ms and 19 i ms, doubles call a third improvements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb

__all__ = [
    "BinomialTest",
    "ClassStatus",
    "ClassTest",
    "PairRule",
    "binomial_tail",
    "compare_class",
    "compare_pairs",
    "minimal_wins",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairRule:
    """When one pair counts as a success.

    Attributes:
        min_improvement: Share of the slower time that must be saved, in [0, 1).
        inclusive: Whether a saving of exactly that share counts.
        plain_zeros: Whether a time of 0 ms is an ordinary number; otherwise a pair that has one
            is a success for neither direction.
    """

    min_improvement: Fraction
    inclusive: bool = False
    plain_zeros: bool = False

    def is_faster(self, faster_ms: int, slower_ms: int) -> bool:
        """Whether the first time saves enough of the second; both in whole milliseconds."""
        if not self.plain_zeros and 0 in (faster_ms, slower_ms):
            return False
        share = self.min_improvement
        left = faster_ms * share.denominator
        right = slower_ms * (share.denominator - share.numerator)
        return left <= right if self.inclusive else left < right

    def can_resolve(self, first_ms: int, second_ms: int) -> bool:
        """Whether a clock that prints whole milliseconds can tell such a pair apart.

        It cannot if a time is printed as zero, or if both print the same number and a saving of
        ``min_improvement`` would be less than the one millisecond that is printed. Two equal long
        times are evidence of no difference; two equal short ones are no evidence at all.
        """
        if 0 in (first_ms, second_ms):
            return False
        return first_ms != second_ms or first_ms * self.min_improvement >= 1


@dataclass(frozen=True, kw_only=True, slots=True)
class BinomialTest:
    """One direction of the test.

    Attributes:
        wins: Pairs that are a success, k.
        pairs: All pairs, n.
        p_value: P(X >= k) for X ~ Bin(n, 1/2), exact.
        significant: p < alpha.
    """

    wins: int
    pairs: int
    p_value: Fraction
    significant: bool


class ClassStatus(StrEnum):
    """Whether a test class could be tested."""

    TESTED = "tested"
    BELOW_FLOOR = "below_floor"
    UNRESOLVED = "unresolved"
    TOO_FEW_ROUNDS = "too_few_rounds"


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassTest:
    """Both directions of the test of one class, or of the sum over classes.

    Attributes:
        status: ``tested``, or why a result that is not significant says nothing.
        improved: The second version against the first.
        regressed: The first version against the second.
    """

    status: ClassStatus
    improved: BinomialTest
    regressed: BinomialTest


def binomial_tail(wins: int, pairs: int) -> Fraction:
    """Return P(X >= ``wins``) for X ~ Bin(``pairs``, 1/2), exact.

    Raises:
        ValueError: Not 0 <= wins <= pairs, or no pairs.
    """
    if pairs < 1 or not 0 <= wins <= pairs:
        raise ValueError(f"need 0 <= wins <= pairs and pairs >= 1, not {wins} of {pairs}")
    return Fraction(sum(comb(pairs, count) for count in range(wins, pairs + 1)), 2**pairs)


def minimal_wins(pairs: int, alpha: Fraction) -> int | None:
    """Return the smallest number of wins that is significant, or ``None`` if not even all are.

    30 pairs need 20 wins for both alpha = 0.10 and 0.05; fewer than 4 pairs never reach 0.10.
    """
    tail = 0
    smallest: int | None = None
    for wins in range(pairs, -1, -1):
        tail += comb(pairs, wins)
        if Fraction(tail, 2**pairs) >= alpha:
            break
        smallest = wins
    return smallest


def compare_pairs(
    base_ms: Sequence[int], other_ms: Sequence[int], *, rule: PairRule, alpha: Fraction
) -> tuple[BinomialTest, BinomialTest]:
    """Test both directions on paired times.

    Args:
        base_ms: One time per round, whole milliseconds, shape (n,).
        other_ms: The other version's times, same rounds in the same order, shape (n,).
        rule: When a pair counts.
        alpha: Significance level.

    Returns:
        The test that ``other`` is faster, and the test that ``base`` is faster.

    Raises:
        ValueError: Unequal lengths, no pairs, or a negative time.
    """
    if len(base_ms) != len(other_ms):
        raise ValueError(f"{len(base_ms)} base rounds cannot pair with {len(other_ms)} others")
    if any(time < 0 for time in (*base_ms, *other_ms)):
        raise ValueError("a time is negative")
    pairs = len(base_ms)

    def test(fast: Sequence[int], slow: Sequence[int]) -> BinomialTest:
        wins = sum(map(rule.is_faster, fast, slow))
        p_value = binomial_tail(wins, pairs)
        return BinomialTest(wins=wins, pairs=pairs, p_value=p_value, significant=p_value < alpha)

    return test(other_ms, base_ms), test(base_ms, other_ms)


def compare_class(
    base_ms: Sequence[int],
    other_ms: Sequence[int],
    *,
    rule: PairRule,
    alpha: Fraction,
    floor_ms: int = 0,
) -> ClassTest:
    """Test one class and say whether it could be tested at all.

    A class with any time below ``floor_ms`` is skipped: its wins are reported, but neither
    direction is significant. A class of which fewer pairs can be resolved than are needed to win
    is ``unresolved`` unless a direction is significant all the same.

    Args and errors as for ``compare_pairs``.
    """
    improved, regressed = compare_pairs(base_ms, other_ms, rule=rule, alpha=alpha)
    if any(time < floor_ms for time in (*base_ms, *other_ms)):
        return ClassTest(
            status=ClassStatus.BELOW_FLOOR,
            improved=_skipped(improved),
            regressed=_skipped(regressed),
        )
    needed = minimal_wins(len(base_ms), alpha)
    if needed is None:
        status = ClassStatus.TOO_FEW_ROUNDS
    elif improved.significant or regressed.significant:
        status = ClassStatus.TESTED
    elif sum(map(rule.can_resolve, base_ms, other_ms)) < needed:
        status = ClassStatus.UNRESOLVED
    else:
        status = ClassStatus.TESTED
    return ClassTest(status=status, improved=improved, regressed=regressed)


def _skipped(test: BinomialTest) -> BinomialTest:
    return BinomialTest(wins=test.wins, pairs=test.pairs, p_value=test.p_value, significant=False)
