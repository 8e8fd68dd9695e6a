from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import log

from hypothesis import given
from hypothesis import strategies as st

from jeto_evaluate.statistics import (
    LOOKS,
    ROBUST,
    Metric,
    PairedMetric,
    RobustClass,
    Side,
    classes_to_confirm,
    hodges_lehmann,
    holm,
    judge_robust,
    signed_rank_p,
    weighted_holm,
)
from jeto_evaluate.statistics.robust_class import one_sided_p

times = st.one_of(st.integers(0, 60), st.integers(0, 10**12))
pairs = st.lists(st.tuples(times, times), min_size=1, max_size=30)
modules = st.integers(1, 12).flatmap(
    lambda count: st.dictionaries(
        st.sampled_from(["p.A", "p.B", "p.C", "p.D"]),
        st.lists(st.tuples(times, times), min_size=count, max_size=count),
        min_size=1,
    )
)
steps = st.sampled_from([1, 7, 1000])
shares = st.fractions(min_value=0, max_value=Fraction(1, 2), max_denominator=100)
whole = st.integers(-50, 50)
values = st.lists(whole, min_size=1, max_size=30)
untied = st.lists(whole.filter(bool), min_size=1, max_size=30, unique_by=abs)
p_values = st.lists(st.fractions(0, 1, max_denominator=1000), min_size=1, max_size=12)


def metric(rows: Sequence[tuple[int, int]], step: int = 1) -> PairedMetric:
    base, other = zip(*rows, strict=True)
    return PairedMetric(metric=Metric.JAVA_CPU, base=base, other=other, resolution=step)


def swapped(item: PairedMetric) -> PairedMetric:
    return replace(item, base=item.other, other=item.base)


class TestSwappingTheArmsSwapsTheDirections:
    """Neither the choice of who is measurable nor the test favours an arm."""

    @given(module=modules, step=steps)
    def test_of_the_verdict(self, module: dict[str, list[tuple[int, int]]], step: int) -> None:
        classes = {name: metric(rows, step) for name, rows in module.items()}
        criteria = replace(ROBUST, rounds=len(next(iter(module.values()))))
        there = judge_robust(classes, criteria)
        back = judge_robust({name: swapped(item) for name, item in classes.items()}, criteria)
        assert (back.improved, back.regressed) == (there.regressed, there.improved)
        assert back.measurable == there.measurable
        for first, second in zip(
            (*there.classes, there.module), (*back.classes, back.module), strict=True
        ):
            assert (first.improved, first.regressed) == (second.regressed, second.improved)
            assert abs(log(first.speedup) + log(second.speedup)) < 1e-9

    @given(rows=pairs, at=st.sets(st.integers(0, 29)), step=steps)
    def test_swapping_single_pairs_does_not_change_what_is_above_the_floor(
        self, rows: list[tuple[int, int]], at: set[int], step: int
    ) -> None:
        """So under the null the floor is independent of the signs, and costs no error."""
        mixed = [(b, a) if place in at else (a, b) for place, (a, b) in enumerate(rows)]
        assert metric(rows, step).typical == metric(mixed, step).typical

    @given(values=values)
    def test_of_the_signed_rank_test(self, values: list[int]) -> None:
        """P(T >= t) + P(T > t) of the mirrored values is 1: the p-values overlap in one atom."""
        there, back = signed_rank_p(values), signed_rank_p([-value for value in values])
        assert there + back >= 1
        if any(values):
            assert there + back <= 1 + Fraction(3, 4)


class TestTheUnitDoesNotMatter:
    """Nanoseconds or milliseconds, a fast machine or a slow one: the same verdict, bit for bit."""

    @given(rows=pairs, factor=st.integers(1, 10**6), share=shares, step=steps)
    def test_scale(
        self, rows: list[tuple[int, int]], factor: int, share: Fraction, step: int
    ) -> None:
        scaled = metric([(factor * a, factor * b) for a, b in rows], factor * step)
        for side in Side:
            assert one_sided_p(metric(rows, step), side, share=share) == one_sided_p(
                scaled, side, share=share
            )

    @given(rows=pairs, factors=st.lists(st.integers(1, 1000), min_size=30, max_size=30))
    def test_what_both_rounds_of_a_pair_share_cancels(
        self, rows: list[tuple[int, int]], factors: list[int]
    ) -> None:
        positive = [(a + 1, b + 1) for a, b in rows]
        moved = [(f * a, f * b) for (a, b), f in zip(positive, factors, strict=False)]
        for side in Side:
            assert one_sided_p(metric(positive), side, share=Fraction(1, 100)) == one_sided_p(
                metric(moved), side, share=Fraction(1, 100)
            )

    @given(rows=pairs, data=st.data())
    def test_the_order_of_pairs_does_not_matter(
        self, rows: list[tuple[int, int]], data: st.DataObject
    ) -> None:
        shuffled = data.draw(st.permutations(rows))
        for side in Side:
            assert one_sided_p(metric(rows), side, share=Fraction(0)) == one_sided_p(
                metric(shuffled), side, share=Fraction(0)
            )


class TestMoreIsStrongerEvidence:
    @given(values=untied, place=st.integers(0, 29), more=st.integers(1, 99))
    def test_a_larger_value_is_never_weaker_evidence_without_ties(
        self, values: list[int], place: int, more: int
    ) -> None:
        changed = list(values)
        changed[place % len(values)] += more
        if 0 in changed or len({abs(value) for value in changed}) < len(changed):
            return
        assert signed_rank_p(changed) <= signed_rank_p(values)

    @given(values=values)
    def test_turning_a_value_in_favour_never_hurts_with_ties_too(self, values: list[int]) -> None:
        for place, value in enumerate(values):
            if value < 0:
                turned = [*values[:place], -value, *values[place + 1 :]]
                assert signed_rank_p(turned) < signed_rank_p(values)

    @given(rows=pairs, share=shares)
    def test_pairs_that_do_not_save_the_share_are_no_evidence_at_all(
        self, rows: list[tuple[int, int]], share: Fraction
    ) -> None:
        if not any(max(1, other) < (1 - share) * max(1, base) for base, other in rows):
            assert one_sided_p(metric(rows), Side.IMPROVED, share=share) == 1


class TestTheEstimate:
    @given(values=values, shift=st.integers(-1000, 1000))
    def test_moves_with_the_values_and_mirrors(self, values: list[int], shift: int) -> None:
        confidence = Fraction(19, 20)
        there = hodges_lehmann(values, confidence=confidence)
        moved = hodges_lehmann([value + shift for value in values], confidence=confidence)
        back = hodges_lehmann([-value for value in values], confidence=confidence)
        assert moved.centre == there.centre + shift
        assert back.centre == -there.centre
        assert min(values) <= there.centre <= max(values)
        if there.low is not None and there.high is not None:
            assert there.low <= there.centre <= there.high
            assert (back.low, back.high) == (-there.high, -there.low)
        else:
            assert len(values) < 6


class TestCorrections:
    @given(p_values=p_values, data=st.data())
    def test_weights_in_proportion_change_nothing_and_equal_ones_are_holms(
        self, p_values: list[Fraction], data: st.DataObject
    ) -> None:
        count = len(p_values)
        drawn = data.draw(st.lists(st.integers(1, 50), min_size=count, max_size=count))
        weights = [Fraction(weight) for weight in drawn]
        found = weighted_holm(p_values, weights)
        assert found == weighted_holm(p_values, [3 * weight for weight in weights])
        assert all(raw <= adjusted <= 1 for raw, adjusted in zip(p_values, found, strict=True))
        assert weighted_holm(p_values, [Fraction(1)] * count) == holm(p_values)

    @given(
        rows=st.lists(
            st.tuples(st.integers(1, 10**9), st.integers(1, 10**9)), min_size=30, max_size=30
        )
    )
    def test_looking_once_more_never_takes_a_claim_back(self, rows: list[tuple[int, int]]) -> None:
        """The p-value of a sequence of looks only falls, so stopping cannot change what it said."""
        found = [
            one_sided_p(metric(rows[:n]), Side.IMPROVED, share=Fraction(0), plan=LOOKS)
            for n in range(1, 31)
        ]
        assert found == sorted(found, reverse=True)


class TestNaming:
    @given(module=modules)
    def test_names_are_classes_of_the_screen_once_each_and_within_the_limit(
        self, module: dict[str, list[tuple[int, int]]]
    ) -> None:
        classes = {name: metric(rows) for name, rows in module.items()}
        named = classes_to_confirm(classes, replace(ROBUST, confirm_at_most=2))
        names = [item.test_class for item in named]
        assert len(names) == len(set(names)) <= 2
        assert set(names) <= set(classes)
        assert all(10 < item.weight <= 1000 for item in named)


class TestFigures:
    @given(rows=st.lists(st.tuples(times, times), min_size=6, max_size=30))
    def test_every_class_has_an_estimate_inside_its_interval(
        self, rows: list[tuple[int, int]]
    ) -> None:
        criteria = replace(ROBUST, rounds=len(rows))
        judged: RobustClass = judge_robust({"p.A": metric(rows)}, criteria).classes[0]
        assert judged.speedup_low is not None
        assert judged.speedup_high is not None
        assert judged.noise is not None
        assert 0 < judged.speedup_low <= judged.speedup <= judged.speedup_high
        assert judged.noise > 0
        if judged.smallest_detectable is not None:
            assert 0.01 <= judged.smallest_detectable <= 1
