from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest  # type: ignore[import-untyped]  # scipy ships no types

from jeto_evaluate.statistics import (
    CurtailVerdict,
    PairRule,
    binomial_tail,
    compare_class,
    compare_pairs,
    minimal_wins,
    state_verdict,
    stop_path,
)

milliseconds = st.one_of(st.integers(0, 60), st.integers(0, 10_000_000))
pairs = st.lists(st.tuples(milliseconds, milliseconds), min_size=1, max_size=40)
shares = st.fractions(min_value=0, max_value=Fraction(1, 2), max_denominator=100)
rules = st.builds(PairRule, min_improvement=shares, inclusive=st.booleans())
alphas = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(2, 5), max_denominator=1000)


class TestSwappingTheArmsSwapsTheDirections:
    """J8: regression is the same test, roles swapped."""

    @given(pairs=pairs, rule=rules, alpha=alphas)
    def test_swap(self, pairs: list[tuple[int, int]], rule: PairRule, alpha: Fraction) -> None:
        base, other = zip(*pairs, strict=True)
        improved, regressed = compare_pairs(base, other, rule=rule, alpha=alpha)
        assert compare_pairs(other, base, rule=rule, alpha=alpha) == (regressed, improved)
        tested = compare_class(base, other, rule=rule, alpha=alpha, floor_ms=3)
        swapped = compare_class(other, base, rule=rule, alpha=alpha, floor_ms=3)
        assert (swapped.status, swapped.improved) == (tested.status, tested.regressed)


class TestOrderOfPairsDoesNotMatterAndPairingDoes:
    """The test counts pairs; it knows nothing of time."""

    @given(pairs=pairs, rule=rules, alpha=alphas, data=st.data())
    def test_permutation(
        self, pairs: list[tuple[int, int]], rule: PairRule, alpha: Fraction, data: st.DataObject
    ) -> None:
        shuffled = data.draw(st.permutations(pairs))
        first = compare_pairs(*zip(*pairs, strict=True), rule=rule, alpha=alpha)
        assert first == compare_pairs(*zip(*shuffled, strict=True), rule=rule, alpha=alpha)


class TestMoreWinsAreStrongerEvidence:
    """p = P(X >= k) falls with k, and significance is p < alpha."""

    @given(total=st.integers(1, 80), alpha=alphas)
    def test_monotone(self, total: int, alpha: Fraction) -> None:
        tails = [binomial_tail(wins, total) for wins in range(total + 1)]
        assert tails == sorted(tails, reverse=True)
        assert tails[0] == 1
        needed = minimal_wins(total, alpha)
        significant = [wins for wins, tail in enumerate(tails) if tail < alpha]
        assert significant == ([] if needed is None else list(range(needed, total + 1)))

    @given(pairs=pairs, rule=rules, alpha=alphas, place=st.integers(0, 39))
    def test_a_faster_round_never_hurts(
        self, pairs: list[tuple[int, int]], rule: PairRule, alpha: Fraction, place: int
    ) -> None:
        base, other = (list(times) for times in zip(*pairs, strict=True))
        before, _ = compare_pairs(base, other, rule=rule, alpha=alpha)
        index = place % len(other)
        other[index] = max(1, other[index] // 2) if other[index] else 0
        after, _ = compare_pairs(base, other, rule=rule, alpha=alpha)
        assert after.wins >= before.wins
        assert after.p_value <= before.p_value

    @given(total=st.integers(1, 200), data=st.data())
    def test_scipy_agrees(self, total: int, data: st.DataObject) -> None:
        wins = data.draw(st.integers(0, total))
        expected = binomtest(wins, total, 0.5, alternative="greater").pvalue
        assert abs(float(binomial_tail(wins, total)) - expected) <= 1e-9 * expected


class TestAStricterRuleFindsLess:
    """J1, J2: the threshold lies inside the pair."""

    @given(pairs=pairs, rule=rules, alpha=alphas, extra=shares)
    def test_threshold(
        self, pairs: list[tuple[int, int]], rule: PairRule, alpha: Fraction, extra: Fraction
    ) -> None:
        base, other = zip(*pairs, strict=True)
        share = rule.min_improvement + extra * (1 - rule.min_improvement)
        loose, _ = compare_pairs(base, other, rule=rule, alpha=alpha)
        strict, _ = compare_pairs(
            base, other, rule=replace(rule, min_improvement=share), alpha=alpha
        )
        assert strict.wins <= loose.wins

    @given(pairs=pairs, share=shares.filter(bool), alpha=st.just(Fraction(1, 10)))
    def test_a_class_is_never_both(
        self, pairs: list[tuple[int, int]], share: Fraction, alpha: Fraction
    ) -> None:
        base, other = zip(*pairs, strict=True)
        rule = PairRule(min_improvement=share)
        improved, regressed = compare_pairs(base, other, rule=rule, alpha=alpha)
        assert improved.wins + regressed.wins <= len(pairs)
        assert not (improved.significant and regressed.significant)


class TestStoppingEarlyNeverChangesTheVerdict:
    """A decided state stays decided under every completion."""

    @given(successes=st.lists(st.booleans(), min_size=1, max_size=40), alpha=alphas)
    def test_path(self, successes: list[bool], alpha: Fraction) -> None:
        rounds = len(successes)
        stopped = stop_path(rounds=rounds, alpha=alpha, successes=successes)
        full = binomial_tail(sum(successes), rounds) < alpha
        assert stopped.verdict is (
            CurtailVerdict.SIGNIFICANT if full else CurtailVerdict.NOT_SIGNIFICANT
        )
        assert stopped.stop_after_round + stopped.rounds_saved == rounds
        for done in range(stopped.stop_after_round):
            state = state_verdict(
                rounds=rounds, alpha=alpha, rounds_done=done, successes=sum(successes[:done])
            )
            assert state is CurtailVerdict.OPEN
