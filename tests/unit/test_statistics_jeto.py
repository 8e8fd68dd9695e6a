from __future__ import annotations

from fractions import Fraction

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]  # scipy ships no types

from jeto_evaluate.criteria import JETO
from jeto_evaluate.statistics import (
    ClassStatus,
    PairRule,
    binomial_tail,
    compare_class,
    compare_pairs,
    minimal_wins,
    wilson_interval,
)

FIVE = PairRule(min_improvement=Fraction(1, 20))
ALPHA = Fraction(1, 10)


@pytest.mark.parametrize("pairs", [1, 5, 20, 30, 61])
def test_the_tail_is_scipys(pairs: int) -> None:
    for wins in range(pairs + 1):
        expected = binomtest(wins, pairs, 0.5, alternative="greater").pvalue
        assert float(binomial_tail(wins, pairs)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("pairs", "at_10", "at_05"),
    [(3, None, None), (4, 4, None), (5, 5, 5), (10, 8, 9), (20, 14, 15), (30, 20, 20)],
)
def test_the_wins_needed(pairs: int, at_10: int | None, at_05: int | None) -> None:
    assert minimal_wins(pairs, Fraction(1, 10)) == at_10
    assert minimal_wins(pairs, Fraction(1, 20)) == at_05


def test_exact_ties_at_the_threshold_are_never_a_success() -> None:
    """Doubles call a third of these ties improvements."""
    inclusive = PairRule(min_improvement=Fraction(1, 20), inclusive=True)
    for factor in range(1, 400):
        assert not FIVE.is_faster(19 * factor, 20 * factor)
        assert inclusive.is_faster(19 * factor, 20 * factor)


def test_a_zero_is_a_success_for_neither_direction_but_stays_in_n() -> None:
    improved, regressed = compare_pairs([500] * 30, [0] * 30, rule=FIVE, alpha=ALPHA)
    assert (improved.wins, improved.pairs, improved.significant) == (0, 30, False)
    assert (regressed.wins, regressed.pairs, regressed.significant) == (0, 30, False)


def test_unequal_lengths_are_refused_and_not_paired_with_what_is_left() -> None:
    with pytest.raises(ValueError, match="3 base rounds"):
        compare_pairs([1, 2, 3], [1, 2], rule=FIVE, alpha=ALPHA)
    with pytest.raises(ValueError, match="pairs >= 1"):
        compare_pairs([], [], rule=FIVE, alpha=ALPHA)
    with pytest.raises(ValueError, match="negative"):
        compare_pairs([1], [-1], rule=FIVE, alpha=ALPHA)


def test_a_class_of_four_milliseconds_is_unresolved() -> None:
    """field.md row 60: too few informative pairs is not "no improvement"."""
    tested = compare_class([4] * 30, [4] * 30, rule=FIVE, alpha=ALPHA)
    assert tested.status is ClassStatus.UNRESOLVED


def test_a_long_class_with_equal_times_is_evidence_of_no_improvement() -> None:
    """field.md row 60: of 100 ms, a saving of 5 % would have shown."""
    tested = compare_class([100] * 30, [100] * 30, rule=FIVE, alpha=ALPHA)
    assert tested.status is ClassStatus.TESTED
    assert not tested.improved.significant


def test_a_short_class_that_halves_is_tested_all_the_same() -> None:
    tested = compare_class([4] * 30, [2] * 30, rule=FIVE, alpha=ALPHA)
    assert tested.status is ClassStatus.TESTED
    assert tested.improved.significant


def test_one_time_below_the_floor_skips_the_class() -> None:
    """field.md row 60: the minimum class time of the authors' code."""
    base, other = [400] * 30, [200] * 29 + [9]
    tested = compare_class(base, other, rule=FIVE, alpha=ALPHA, floor_ms=10)
    assert tested.status is ClassStatus.BELOW_FLOOR
    assert not tested.improved.significant
    assert compare_class(base, other, rule=FIVE, alpha=ALPHA, floor_ms=9).improved.significant


def test_three_rounds_can_never_be_significant() -> None:
    tested = compare_class([400] * 3, [200] * 3, rule=FIVE, alpha=JETO.alpha)
    assert tested.status is ClassStatus.TOO_FEW_ROUNDS


@pytest.mark.parametrize("trials", [1, 5, 40, 400])
def test_the_interval_is_scipys_wilson_interval(trials: int) -> None:
    for successes in range(trials + 1):
        expected = binomtest(successes, trials).proportion_ci(method="wilson")
        got = wilson_interval(successes, trials)
        assert got is not None
        assert got.low == pytest.approx(expected.low, abs=1e-12)
        assert got.high == pytest.approx(expected.high, abs=1e-12)
        assert 0 <= got.low <= successes / trials <= got.high <= 1


def test_no_trials_have_no_interval() -> None:
    assert wilson_interval(0, 0) is None
    with pytest.raises(ValueError, match="2 of 1"):
        wilson_interval(2, 1)
