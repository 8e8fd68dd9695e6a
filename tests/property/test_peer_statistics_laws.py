from __future__ import annotations

import math
import statistics
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import (  # type: ignore[import-untyped]  # scipy ships no types
    false_discovery_control,
    mannwhitneyu,
)

from jeto_evaluate.statistics import (
    SWEPERF_PAPER_STEP,
    AttemptReport,
    AttemptStatus,
    Correction,
    Delta,
    OptReading,
    adjust,
    benjamini_hochberg,
    benjamini_yekutieli,
    compare_means,
    exact_speedup,
    filter_outliers,
    find_delta,
    holm,
    mann_whitney_greater,
    meets_reference,
    merge_attempts,
    opt_at_k,
    opt_status,
    paper_opt,
    pass_at_k,
    rejected,
    wilson_interval,
)

seconds = st.one_of(
    st.integers(0, 40).map(float),
    st.floats(0, 1e6, allow_nan=False),
    st.integers(0, 5000).map(lambda ms: ms / 1000),
)
samples = st.lists(seconds, min_size=1, max_size=30)
milliseconds = st.lists(st.integers(1, 5000), min_size=1, max_size=20)
p_values = st.lists(
    st.fractions(min_value=0, max_value=1, max_denominator=2**20), min_size=1, max_size=30
)
alphas = st.fractions(min_value=Fraction(1, 100), max_value=Fraction(1, 2), max_denominator=100)
runs = st.lists(st.sampled_from([True, False, None]), max_size=8)


class TestTheFilterKeepsTheMiddle:
    """S3: within one IQR of the quartiles, bounds included, order kept."""

    @given(times=samples)
    def test_numpys_percentiles_decide_to_the_last_bit(self, times: list[float]) -> None:
        data = np.array(times)
        low, high = np.percentile(data, 25), np.percentile(data, 75)
        spread = high - low
        kept = data[(data >= low - spread) & (data <= high + spread)]
        assert list(filter_outliers(times)) == kept.tolist()

    @given(times=samples)
    def test_the_median_and_half_of_the_times_stay(self, times: list[float]) -> None:
        kept = filter_outliers(times)
        assert {statistics.median_low(times), statistics.median_high(times)} <= set(kept)
        assert 2 * len(kept) >= len(times)

    @given(times=st.lists(st.integers(0, 10_000), min_size=1, max_size=30), data=st.data())
    def test_the_order_of_the_rounds_does_not_matter(
        self, times: list[int], data: st.DataObject
    ) -> None:
        shuffled = data.draw(st.permutations(times))
        assert sorted(filter_outliers(times)) == sorted(filter_outliers(shuffled))
        assert list(filter_outliers(times)) == [x for x in times if x in filter_outliers(times)]


class TestTheRankTestIsScipys:
    """SWE-Perf calls ``mannwhitneyu(..., alternative="greater")``, method "auto"."""

    @given(first=samples, second=samples)
    def test_p_value(self, first: list[float], second: list[float]) -> None:
        expected = mannwhitneyu(first, second, alternative="greater")
        got = mann_whitney_greater(first, second)
        assert got.statistic == Fraction(expected.statistic)
        assert got.p_value == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-15)

    @given(count=st.integers(1, 9), other=st.integers(1, 40), data=st.data())
    def test_p_value_without_ties(self, count: int, other: int, data: st.DataObject) -> None:
        order = data.draw(st.permutations(range(count + other)))
        expected = mannwhitneyu(order[:count], order[count:], alternative="greater")
        got = mann_whitney_greater(order[:count], order[count:])
        assert got.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        assert got.exact == (min(count, other) <= 8)

    @given(count=st.integers(1, 4), other=st.integers(1, 5), data=st.data())
    def test_the_exact_p_value_counts_orders(
        self, count: int, other: int, data: st.DataObject
    ) -> None:
        order = data.draw(st.permutations(range(count + other)))
        got = mann_whitney_greater(order[:count], order[count:])
        # U and the sum of ranks differ by a constant.
        sums = [sum(chosen) for chosen in combinations(range(count + other), count)]
        as_large = sum(total >= sum(order[:count]) for total in sums)
        assert got.p_value == as_large / len(sums)


def delta_of(base: list[int], head: list[int]) -> Delta:
    return find_delta(base, head, rule=SWEPERF_PAPER_STEP)


class TestDeltaIsTheLastSignificantShare:
    """S1, S2: base * (1 - x) is greater than head for every x up to delta, and not beyond."""

    @settings(max_examples=40)
    @given(base=milliseconds, head=milliseconds)
    def test_both_ends(self, base: list[int], head: list[int]) -> None:
        found = delta_of(base, head)
        alpha = SWEPERF_PAPER_STEP.alpha
        assert 0 <= found.delta < 1
        assert found.delta == pytest.approx(found.steps * 0.01)
        assert (found.p_at_delta is None) == (found.p_at_zero >= alpha)
        assert found.p_at_delta is None or found.p_at_zero <= found.p_at_delta < alpha
        assert found.p_at_stop is None or found.p_at_stop >= alpha

    @settings(max_examples=40)
    @given(base=milliseconds, head=milliseconds, power=st.integers(-8, 8))
    def test_the_unit_does_not_matter(self, base: list[int], head: list[int], power: int) -> None:
        """A power of two scales floats without rounding."""
        scaled = find_delta(
            [time * 2.0**power for time in base],
            [time * 2.0**power for time in head],
            rule=SWEPERF_PAPER_STEP,
        )
        found = delta_of(base, head)
        assert (scaled.delta, scaled.p_at_stop) == (found.delta, found.p_at_stop)

    @settings(max_examples=40)
    @given(base=milliseconds, head=milliseconds, power=st.integers(1, 6))
    def test_a_head_that_is_faster_throughout_has_no_smaller_delta(
        self, base: list[int], head: list[int], power: int
    ) -> None:
        faster = find_delta(base, [time / 2**power for time in head], rule=SWEPERF_PAPER_STEP)
        assert faster.delta >= delta_of(base, head).delta

    @settings(max_examples=40)
    @given(base=milliseconds, head=milliseconds)
    def test_swapping_the_rule_swaps_the_arms(self, base: list[int], head: list[int]) -> None:
        swapped = find_delta(base, head, rule=replace(SWEPERF_PAPER_STEP, swapped=True))
        other = delta_of(head, base)
        assert (swapped.delta, swapped.p_at_stop) == (other.delta, other.p_at_stop)
        assert min(swapped.steps, delta_of(base, head).steps) == 0


tests_of_both = st.lists(
    st.tuples(st.integers(1, 10_000), st.integers(1, 10_000)), min_size=1, max_size=12
)


class TestSpeedupsAreMeansOfSpeedups:
    """The GSO paper: S is the harmonic mean over tests."""

    @given(pairs=tests_of_both)
    def test_harmonic_is_below_geometric_and_both_are_within(
        self, pairs: list[tuple[int, int]]
    ) -> None:
        before, after = zip(*pairs, strict=True)
        found = compare_means(before, after)
        assert found is not None
        assert found.geometric is not None
        slack = 1 + 1e-9
        assert min(found.per_test) <= found.harmonic * slack
        assert found.harmonic <= found.geometric * slack
        assert found.geometric <= max(found.per_test) * slack

    @given(pairs=tests_of_both)
    def test_the_code_and_the_paper_agree_without_zeros(self, pairs: list[tuple[int, int]]) -> None:
        before, after = zip(*pairs, strict=True)
        exact, found = exact_speedup(before, after), compare_means(before, after)
        assert exact is not None
        assert found is not None
        assert found.harmonic == pytest.approx(float(exact), rel=1e-12)
        assume(abs(exact - Fraction(19, 20)) > Fraction(1, 10**12))
        assert meets_reference(found.harmonic) == meets_reference(exact, OptReading.PAPER)

    @given(pairs=tests_of_both)
    def test_numpy_agrees_on_the_spread(self, pairs: list[tuple[int, int]]) -> None:
        before, after = zip(*pairs, strict=True)
        found = compare_means(before, after)
        assert found is not None
        logs = np.log(np.array(before) / np.array(after))
        if len(pairs) == 1:
            assert found.geometric_stdev is None
        else:
            expected = math.exp(np.std(logs, ddof=1))
            assert found.geometric_stdev == pytest.approx(expected, rel=1e-9)

    @given(base=milliseconds, scale=st.sampled_from([0.5, 0.86, 0.88, 0.97, 1.0, 2.0]))
    def test_no_opt_without_the_base_gate(self, base: list[int], scale: float) -> None:
        """G2: matching the expert is not enough for the code, and is for the paper."""
        times = [[time * 100] for time in base]
        patch = [[round(time * 100 * scale)] for time in base]
        status = opt_status(base=times, patch=patch, commit=patch)
        assert paper_opt(commit=patch, patch=patch).opt
        assert status.opt_commit == status.opt_base == (scale <= 0.86)


class TestPassAtK:
    """pass@k = 1 - C(n - c, k) / C(n, k)."""

    @given(attempts=st.integers(1, 60), data=st.data())
    def test_bounds_and_monotone(self, attempts: int, data: st.DataObject) -> None:
        successes = data.draw(st.integers(0, attempts))
        values = [
            pass_at_k(attempts=attempts, successes=successes, k=k) for k in range(1, attempts + 1)
        ]
        shares = [value for value in values if value is not None]
        assert len(shares) == attempts
        assert shares == sorted(shares)
        assert shares[0] == Fraction(successes, attempts)
        assert shares[-1] == bool(successes)

    @given(attempts=st.integers(1, 8), data=st.data())
    def test_every_choice_counted(self, attempts: int, data: st.DataObject) -> None:
        successes = data.draw(st.integers(0, attempts))
        k = data.draw(st.integers(1, attempts))
        chosen = list(combinations([True] * successes + [False] * (attempts - successes), k))
        expected = Fraction(sum(map(any, chosen)), len(chosen))
        assert pass_at_k(attempts=attempts, successes=successes, k=k) == expected

    @given(outcomes=st.lists(runs, max_size=8), k=st.integers(1, 8))
    def test_the_mean_lies_in_the_interval_over_tasks(
        self, outcomes: list[list[bool | None]], k: int
    ) -> None:
        found = opt_at_k(outcomes, k)
        tasks = sum(any(run is not None for run in task) for task in outcomes)
        if found is None:
            assert tasks == 0
            return
        assert found.tasks == tasks
        assert 0 <= found.task_interval.low <= found.mean <= found.task_interval.high <= 1
        assert found.task_interval.low < found.task_interval.high
        if k >= max(map(len, outcomes)):
            assert found.shuffle_sd == 0
            assert found.task_interval == wilson_interval(round(found.mean * tasks), tasks)


class TestMergedAttempts:
    """G7: a success in any of the first K reports counts."""

    @given(
        reports=st.lists(
            st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(AttemptStatus)),
            min_size=1,
            max_size=5,
        ),
        k=st.integers(1, 6),
    )
    def test_the_best_status_stays_and_the_score_grows_with_k(
        self, reports: list[dict[str, AttemptStatus]], k: int
    ) -> None:
        attempts = [
            AttemptReport(
                statuses=statuses,
                opt_base=frozenset(statuses),
                opt_commit=frozenset(
                    task for task, status in statuses.items() if status is AttemptStatus.PASSED
                ),
                opt_main=frozenset(),
            )
            for statuses in reports
        ]
        merged = merge_attempts(attempts, total_tasks=6, k=k)
        better = list(AttemptStatus)
        for task, status in merged.statuses.items():
            seen = [statuses[task] for statuses in reports[:k] if task in statuses]
            assert status is min(seen, key=better.index)
        assert len(merged.opt_commit) == merged.count(AttemptStatus.PASSED)
        more = merge_attempts(attempts, total_tasks=6, k=k + 1)
        assert merged.opt_at_k <= more.opt_at_k <= 1


class TestCorrections:
    """Adjusted p-values: no smaller than raw ones, in the same order, Holm within Bonferroni."""

    @given(p=p_values)
    def test_order_and_bounds(self, p: list[Fraction]) -> None:
        harmonic = sum(Fraction(1, place) for place in range(1, len(p) + 1))
        for correction in Correction:
            adjusted = adjust(p, correction)
            assert all(raw <= value <= 1 for raw, value in zip(p, adjusted, strict=True))
            by_raw = sorted(zip(p, adjusted, strict=True))
            assert [value for _, value in by_raw] == sorted(adjusted)
        for raw, family, rate, any_dependence in zip(
            p, holm(p), benjamini_hochberg(p), benjamini_yekutieli(p), strict=True
        ):
            assert rate <= family <= min(Fraction(1), len(p) * raw)
            assert any_dependence <= rate * harmonic
            assert any_dependence >= rate

    @given(p=p_values, alpha=alphas)
    def test_holm_rejects_step_by_step(self, p: list[Fraction], alpha: Fraction) -> None:
        """Holm (1979): reject from the smallest p while p < alpha / (tests left)."""
        expected = [False] * len(p)
        for place, index in enumerate(sorted(range(len(p)), key=lambda index: p[index])):
            if p[index] * (len(p) - place) >= alpha:
                break
            expected[index] = True
        assert list(rejected(holm(p), alpha)) == expected

    @given(p=p_values, data=st.data())
    def test_order_of_the_classes_does_not_matter(
        self, p: list[Fraction], data: st.DataObject
    ) -> None:
        order = data.draw(st.permutations(range(len(p))))
        for correction in Correction:
            adjusted = adjust(p, correction)
            shuffled = adjust([p[index] for index in order], correction)
            assert shuffled == tuple(adjusted[index] for index in order)

    @given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
    def test_scipy_agrees(self, p: list[float]) -> None:
        for correction, method in ((Correction.BH, "bh"), (Correction.BY, "by")):
            expected = false_discovery_control(p, method=method)
            assert adjust(p, correction) == pytest.approx(list(expected), rel=1e-12)
