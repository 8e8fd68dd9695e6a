from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp
from random import Random

import pytest
from scipy.stats import rankdata, wilcoxon  # type: ignore[import-untyped]  # scipy ships no types

from jeto_bench.errors import UsageError
from jeto_evaluate.statistics import (
    ROBUST,
    AgentCost,
    ClassCost,
    Metric,
    PairedMetric,
    RobustCriteria,
    RobustStatus,
    choose_metric,
    hodges_lehmann,
    holm,
    judge_robust,
    module_sums,
    paired_metric,
    signed_rank_p,
    speedup_estimate,
    weighted_holm,
)
from jeto_evaluate.statistics.signed_rank import signed_excess

MS = 1_000_000
SHARP = replace(ROBUST, min_improvement=Fraction(0))


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311  # noise, not secrets


def cpu(base: Sequence[int], other: Sequence[int], *, step: int = 1) -> PairedMetric:
    return PairedMetric(
        metric=Metric.JAVA_CPU, base=tuple(base), other=tuple(other), resolution=step
    )


def noisy(random: Random, *, sd: float = 0.1, faster: float = 0.0, pairs: int = 30) -> PairedMetric:
    """A class of 100 ms of which the other arm takes a share of ``faster`` less."""
    scale = sd / 2**0.5
    base = [round(100 * MS * random.lognormvariate(0, scale)) for _ in range(pairs)]
    other = [round(100 * MS * (1 - faster) * random.lognormvariate(0, scale)) for _ in range(pairs)]
    return cpu(base, other)


def enumerated(values: Sequence[float]) -> Fraction:
    """Pratt's p by writing out every pattern of signs."""
    ranks = [
        rank
        for rank, value in zip(rankdata([abs(value) for value in values]), values, strict=True)
        if value
    ]
    signs = [value > 0 for value in values if value]
    seen = sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
    patterns = list(product((0, 1), repeat=len(ranks)))
    reached = sum(
        sum(rank * sign for rank, sign in zip(ranks, one, strict=True)) >= seen for one in patterns
    )
    return Fraction(reached, len(patterns))


class TestSignedRank:
    @pytest.mark.parametrize("count", [1, 2, 5, 12, 30, 50])
    def test_it_is_scipys_exact_test(self, count: int) -> None:
        random = seeded(count)
        for shift in (-0.5, 0.0, 0.5):
            values = [random.gauss(shift, 1) for _ in range(count)]
            expected = wilcoxon(values, alternative="greater", method="exact").pvalue
            assert float(signed_rank_p(values)) == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize(("count", "critical"), [(10, 10), (20, 60), (30, 151)])
    def test_critical_values_are_the_printed_ones(self, count: int, critical: int) -> None:
        """The largest rank sum of the losing sign that is significant at 5 %, one-sided."""

        def with_losses(rank_sum: int) -> Fraction:
            losing = set()
            for rank in range(count, 0, -1):
                if rank <= rank_sum:
                    losing.add(rank)
                    rank_sum -= rank
            return signed_rank_p([-x if x in losing else x for x in range(1, count + 1)])

        assert with_losses(critical) <= Fraction(1, 20) < with_losses(critical + 1)

    @pytest.mark.parametrize(
        ("values", "p_value"),
        [
            ((1, 2, 3), Fraction(1, 8)),
            ((-1, -2, -3), Fraction(1)),
            ((-1, 2, 3), Fraction(2, 8)),
            ((1, 1, -2), Fraction(5, 8)),  # ranks 1.5, 1.5, 3: five of eight sums are >= 3
            ((0, 1, -2), Fraction(3, 4)),  # Pratt: ranks 2 and 3 are left
            ((0, 1, 2), Fraction(1, 4)),
            ((0, 0, 0), Fraction(1)),
            ((), Fraction(1)),
        ],
    )
    def test_by_hand(self, values: Sequence[float], p_value: Fraction) -> None:
        assert signed_rank_p(values) == p_value

    def test_ties_and_zeros_are_exact(self) -> None:
        random = seeded(7)
        for _ in range(200):
            values = [random.randint(-3, 3) for _ in range(random.randint(1, 9))]
            assert signed_rank_p(values) == enumerated(values)

    def test_exact_ties_at_the_margin_are_zeros_and_equal_ratios_are_ties(self) -> None:
        """Logarithms call a third of these ties improvements."""
        for factor in range(1, 400):
            assert signed_excess(20 * factor, 19 * factor, share=Fraction(1, 20)) == 0
            assert signed_excess(7 * factor, 3 * factor, share=Fraction(0)) == 7 / 3
            assert signed_excess(3 * factor, 7 * factor, share=Fraction(0)) == -7 / 3


class TestHodgesLehmann:
    def test_by_hand(self) -> None:
        """Walsh averages 1, 1.5, 2, 2.5, 3, 4; three values have no 95 % interval."""
        found = hodges_lehmann([4.0, 1.0, 2.0], confidence=Fraction(19, 20))
        assert (found.centre, found.low, found.high) == (2.25, None, None)

    def test_the_interval_holds_the_centres_that_the_test_does_not_reject(self) -> None:
        random = seeded(3)
        values = [random.gauss(1, 1) for _ in range(12)]
        found = hodges_lehmann(values, confidence=Fraction(19, 20))
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.centre < found.high
        for centre, inside in (
            (found.low - 1e-9, False),
            (found.low + 1e-9, True),
            (found.high - 1e-9, True),
            (found.high + 1e-9, False),
        ):
            above = signed_rank_p([value - centre for value in values])
            below = signed_rank_p([centre - value for value in values])
            assert (min(above, below) > Fraction(1, 40)) is inside

    def test_the_tenth_and_last_but_ninth_walsh_average_of_ten_values(self) -> None:
        """Tables: with n = 10 a rank sum of 8 is the largest outside the 95 % interval."""
        values = [float(2**power) for power in range(10)]
        walsh = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
        found = hodges_lehmann(values, confidence=Fraction(19, 20))
        assert (found.low, found.high) == (walsh[8], walsh[-9])

    def test_the_confidence_is_reached_exactly(self) -> None:
        """P(T <= 0) = 1/64 with 6 values: from the smallest to the largest for 31/32."""
        values = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
        found = hodges_lehmann(values, confidence=Fraction(31, 32))
        assert (found.low, found.high) == (1, 32)
        assert hodges_lehmann(values, confidence=Fraction(32, 33)).low is None

    def test_a_speedup_is_base_over_other(self) -> None:
        found = speedup_estimate([200] * 8, [100] * 8, confidence=Fraction(19, 20))
        assert found.factor == found.low == found.high == pytest.approx(2)

    def test_no_values_have_no_centre(self) -> None:
        with pytest.raises(ValueError, match="no centre"):
            hodges_lehmann([], confidence=Fraction(19, 20))


class TestWeightedHolm:
    P = (Fraction(1, 100), Fraction(4, 100), Fraction(3, 100), Fraction(1, 200))

    def test_equal_weights_make_it_holms(self) -> None:
        assert weighted_holm(self.P, [Fraction(7)] * 4) == holm(self.P)
        assert weighted_holm([], []) == ()

    def test_by_hand(self) -> None:
        """p / w are 0.01 and 0.04: 0.01 * 4 = 0.04, then 0.04 * 1, raised to what was reached."""
        found = weighted_holm([Fraction(3, 100), Fraction(4, 100)], [Fraction(3), Fraction(1)])
        assert found == (Fraction(4, 100), Fraction(4, 100))

    def test_weights_must_be_positive_and_match(self) -> None:
        with pytest.raises(ValueError, match="not positive"):
            weighted_holm([Fraction(1)], [Fraction(0)])
        with pytest.raises(ValueError, match="weights"):
            weighted_holm([Fraction(1)], [])


class TestMetricChoice:
    @staticmethod
    def cost(*, wall: int = 100, wait: int = 0, thread: int = 90, java: int = 95) -> ClassCost:
        agent = AgentCost(
            wall_ns=wall * MS,
            thread_cpu_ns=thread * MS,
            java_cpu_ns=java * MS,
            wait_ns=wait * MS,
            allocated_bytes=4096,
        )
        return ClassCost(surefire_ms=wall + 1, agent=agent)

    def test_a_class_that_computes_is_judged_by_cpu(self) -> None:
        assert choose_metric([self.cost()] * 3) is Metric.JAVA_CPU
        assert choose_metric([self.cost(thread=80)] * 3) is Metric.JAVA_CPU  # a fifth exactly

    def test_a_class_that_blocks_is_judged_by_wall_less_wait(self) -> None:
        assert choose_metric([self.cost(thread=79)] * 3) is Metric.WALL_LESS_WAIT

    def test_queueing_for_a_processor_is_not_blocking(self) -> None:
        assert choose_metric([self.cost(wall=500, wait=400)] * 3) is Metric.JAVA_CPU

    def test_the_median_round_decides(self) -> None:
        rounds = [self.cost(), self.cost(thread=10), self.cost()]
        assert choose_metric(rounds) is Metric.JAVA_CPU

    def test_without_the_agent_in_any_round_surefires_time_is_left(self) -> None:
        rounds = [self.cost(thread=10), ClassCost(surefire_ms=7)]
        assert choose_metric(rounds) is Metric.SUREFIRE_WALL
        found = paired_metric(rounds, rounds, metric=Metric.SUREFIRE_WALL)
        assert (found.base, found.resolution) == ((101 * MS, 7 * MS), MS)
        with pytest.raises(ValueError, match="needs the agent"):
            paired_metric(rounds, rounds, metric=Metric.JAVA_CPU)

    def test_each_metric_is_what_its_name_says(self) -> None:
        rounds = [self.cost(wall=500, wait=400)]
        expected = {Metric.JAVA_CPU: 95 * MS, Metric.WALL_LESS_WAIT: 100 * MS}
        for metric, value in (expected | {Metric.ALLOCATED: 4096}).items():
            assert paired_metric(rounds, rounds, metric=metric).other == (value,)

    def test_times_that_contradict_each_other_do_not_stop_the_choice(self) -> None:
        """The run queue's clock and the JVM's are not the same clock."""
        rounds = [self.cost(wall=100, wait=101, thread=2)]
        assert choose_metric(rounds) is Metric.JAVA_CPU
        assert paired_metric(rounds, rounds, metric=Metric.WALL_LESS_WAIT).base == (0,)

    def test_no_rounds(self) -> None:
        with pytest.raises(ValueError, match="no rounds"):
            choose_metric([])


class TestPairedMetric:
    def test_what_are_no_pairs_is_refused(self) -> None:
        for base, other, step in (
            ((), (), 1),
            ((1,), (1, 2), 1),
            ((1,), (-1,), 1),
            ((1,), (1,), 0),
        ):
            with pytest.raises(ValueError, match=r"pairs|at least"):
                cpu(base, other, step=step)

    def test_times_below_a_step_of_the_clock_are_a_step(self) -> None:
        assert cpu([0, 5, 30], [9, 0, 0], step=10).resolved == ((10, 10, 30), (10, 10, 10))

    def test_sums_are_round_by_round(self) -> None:
        wall = PairedMetric(metric=Metric.SUREFIRE_WALL, base=(10, 20), other=(1, 2), resolution=MS)
        assert module_sums([cpu([1, 2], [3, 4]), wall, wall]) == replace(
            wall, base=(21, 42), other=(5, 8)
        )
        with pytest.raises(ValueError, match="bytes"):
            module_sums([wall, replace(wall, metric=Metric.ALLOCATED)])
        for unlike in ([], [wall, cpu([1], [1])]):
            with pytest.raises(ValueError, match="same pairs"):
                module_sums(unlike)


class TestWhatCannotBeMeasured:
    def test_a_class_too_short_for_the_clock(self) -> None:
        """field.md row 60: a class of 4 ms in both arms is not measurable, whatever the pairs say.

        It is no news that nothing got faster, and it costs the other classes nothing.
        """
        random = seeded(1)
        short = cpu([4 * MS] * 30, [3 * MS] * 30, step=MS)
        long = noisy(random, faster=0.3)
        found = judge_robust({"p.Long": long, "p.Short": short}, ROBUST)
        assert found.measurable == ("p.Long",)
        judged = found.classes[1]
        assert judged.status is RobustStatus.BELOW_FLOOR
        assert (judged.improved.adjusted_p, judged.improved.significant) == (None, False)
        alone = judge_robust({"p.Long": long}, ROBUST)
        assert found.classes[0] == alone.classes[0]
        assert found.round_speedups == alone.round_speedups

    def test_ties_of_a_class_that_is_long_enough_say_that_nothing_changed(self) -> None:
        """field.md row 60: ties are evidence here, and at zero margin leave p at 1."""
        tied = cpu([400 * MS] * 30, [400 * MS] * 30, step=MS)
        for criteria in (ROBUST, SHARP):
            found = judge_robust({"p.Tied": tied}, criteria).classes[0]
            assert (found.status, found.improved.p_value) == (RobustStatus.TESTED, 1)
            assert (found.speedup, found.speedup_low, found.speedup_high) == (1, 1, 1)

    def test_times_of_zero_decide_nothing_and_break_nothing(self) -> None:
        zeros = cpu([0] * 30, [0] * 30, step=MS)
        found = judge_robust({"p.Zero": zeros}, ROBUST)
        assert found.classes[0].status is RobustStatus.BELOW_FLOOR
        assert found.classes[0].speedup == 1
        vanished = judge_robust({"p.Gone": cpu([400 * MS] * 30, [0] * 30, step=MS)}, ROBUST)
        assert vanished.improved == ("p.Gone",)
        assert vanished.classes[0].speedup == pytest.approx(400)  # at least: the clock's step

    def test_rounds_too_few_for_the_family(self) -> None:
        random = seeded(2)
        few = replace(ROBUST, rounds=8)
        one = {"p.A": noisy(random, faster=0.9, pairs=8)}
        assert judge_robust(one, few).improved == ("p.A",)  # 2^-8 < 0.05 / 2
        many = one | {f"p.B{place}": noisy(random, pairs=8) for place in range(6)}
        found = judge_robust(many, few)
        assert (found.improved, found.measurable) == ((), ())  # 2^-8 > 0.05 / 14
        assert {item.status for item in found.classes} == {RobustStatus.TOO_FEW_ROUNDS}
        assert found.classes[0].smallest_detectable is None

    def test_a_class_too_noisy_for_any_change_that_matters(self) -> None:
        random = seeded(4)
        classes = {"p.Calm": noisy(random), "p.Wild": noisy(random, sd=0.6)}
        calm, wild = judge_robust(classes, ROBUST).classes
        assert (calm.status, wild.status) == (RobustStatus.TESTED, RobustStatus.TOO_NOISY)
        assert calm.noise == pytest.approx(0.1, rel=0.3)
        assert wild.noise == pytest.approx(0.6, rel=0.3)

    def test_a_change_that_is_seen_through_the_noise_counts(self) -> None:
        found = judge_robust({"p.Wild": noisy(seeded(5), sd=0.6, faster=0.8)}, ROBUST)
        assert found.classes[0].smallest_detectable is not None
        assert found.classes[0].smallest_detectable > ROBUST.max_detectable
        assert (found.improved, found.measurable) == (("p.Wild",), ("p.Wild",))

    def test_noise_does_not_depend_on_the_change(self) -> None:
        first, second = (
            judge_robust({"p.A": noisy(seeded(6), faster=share)}, ROBUST).classes[0]
            for share in (0.0, 0.5)
        )
        assert first.noise == pytest.approx(second.noise, rel=1e-6)
        assert first.smallest_detectable == pytest.approx(second.smallest_detectable, rel=1e-6)

    def test_the_smallest_detectable_change_is_detected_as_often_as_it_says(self) -> None:
        """For sd 0.1 it is 1 - 0.99 exp(-(1.96 + 0.84) 0.1 / sqrt(30 * 3 / pi)) = 0.0610."""
        random = seeded(8)
        wide = replace(ROBUST, max_detectable=Fraction(9, 10))
        runs, size = 400, 0.0610
        judged = [
            judge_robust({"p.A": noisy(random, faster=size)}, wide).classes[0] for _ in range(runs)
        ]
        found = [item.smallest_detectable for item in judged if item.smallest_detectable]
        assert sum(found) / runs == pytest.approx(size, rel=0.05)
        # Four standard errors around 0.8 are 0.08.
        assert sum(item.improved.significant for item in judged) / runs == pytest.approx(
            0.8, abs=0.08
        )


class TestVerdict:
    def test_p_values_are_corrected_over_classes_and_directions_together(self) -> None:
        random = seeded(9)
        classes = {f"p.C{place}": noisy(random, faster=0.02 * place) for place in range(5)}
        found = judge_robust(classes, ROBUST)
        raw = [x.p_value for c in found.classes for x in (c.improved, c.regressed)]
        adjusted = [x.adjusted_p for c in found.classes for x in (c.improved, c.regressed)]
        assert adjusted == pytest.approx(holm(raw))
        assert [item.test_class for item in found.classes] == sorted(classes)

    def test_directions(self) -> None:
        random = seeded(10)
        classes = {"p.Fast": noisy(random, faster=0.3), "p.Slow": noisy(random, faster=-0.4)}
        found = judge_robust(classes, ROBUST)
        assert (found.improved, found.regressed) == (("p.Fast",), ("p.Slow",))
        assert found.classes[0].speedup == pytest.approx(1 / 0.7, rel=0.1)

    def test_a_change_within_the_margin_is_no_change(self) -> None:
        """Of two containers of one version, one may be slower for a whole session."""
        random = seeded(11)
        biased = {"p.A": noisy(random, sd=0.005, faster=0.008)}
        assert judge_robust(biased, ROBUST).improved == ()
        assert judge_robust(biased, SHARP).improved == ("p.A",)

    def test_a_patch_that_speeds_up_every_class_does_not_hide(self) -> None:
        random = seeded(12)
        classes = {f"p.C{place:02}": noisy(random, faster=0.2) for place in range(20)}
        found = judge_robust(classes, ROBUST)
        assert len(found.improved) == 20
        assert found.module.improved.significant
        assert found.module.speedup == pytest.approx(1.25, rel=0.05)
        assert all(1.1 < speedup < 1.4 for speedup in found.round_speedups)

    def test_another_number_of_pairs_than_agreed_is_refused(self) -> None:
        with pytest.raises(ValueError, match="29 pairs, but"):
            judge_robust({"p.A": noisy(seeded(1), pairs=29)}, ROBUST)

    @pytest.mark.parametrize(
        "setting",
        [
            {"min_improvement": Fraction(1)},
            {"alpha": Fraction(0)},
            {"power": Fraction(1)},
            {"screen_alpha": Fraction(2)},
            {"rounds": 0},
            {"least_steps": 0},
            {"warmup_rounds": -1},
        ],
    )
    def test_criteria_without_meaning_are_refused(self, setting: dict[str, object]) -> None:
        with pytest.raises(UsageError, match=next(iter(setting))):
            RobustCriteria(**setting)  # type: ignore[arg-type]  # what a caller may get wrong


def drifting(random: Random, order: Sequence[int], *, noise: float, drift: float) -> PairedMetric:
    """The same program in every round, each round slower than the one before by ``drift``."""
    arms: tuple[list[int], list[int]] = ([], [])
    for place, arm in enumerate(order):
        arms[arm].append(round(1e9 * (1 + drift) ** place * exp(random.gauss(0, noise))))
    return cpu(*arms)


def test_fifty_classes_of_pure_noise_raise_no_more_alarms_than_one() -> None:
    """field.md row 59: nominal with the correction; without it nearly every comparison alarms."""
    random = seeded(13)
    runs, alarms, uncorrected = 100, 0, 0
    for _ in range(runs):
        found = judge_robust({f"p.C{x:02}": noisy(random) for x in range(50)}, SHARP)
        alarms += bool(found.improved or found.regressed)
        tests = [x for item in found.classes for x in (item.improved, item.regressed)]
        uncorrected += min(x.p_value for x in tests) < SHARP.alpha
    assert alarms <= 14  # Bin(100, 0.05) exceeds it once in 3 000 seeds
    assert uncorrected >= 90


def test_launches_that_move_all_classes_together_raise_no_more_alarms() -> None:
    """The p-values of all classes are nearly one and the same, which Holm's procedure allows."""
    random = seeded(14)
    runs, alarms = 100, 0
    for _ in range(runs):
        shifts = [(random.gauss(0, 0.14), random.gauss(0, 0.14)) for _ in range(30)]
        classes = {}
        for place in range(20):
            own = noisy(random, sd=0.05)
            base = [round(x * exp(b)) for x, (b, _) in zip(own.base, shifts, strict=True)]
            other = [round(x * exp(o)) for x, (_, o) in zip(own.other, shifts, strict=True)]
            classes[f"p.C{place:02}"] = cpu(base, other)
        found = judge_robust(classes, SHARP)
        alarms += bool(found.improved or found.regressed)
    assert alarms <= 14


def test_drift_in_balanced_pairs_does_not_raise_the_rate() -> None:
    """field.md row 56: 0.2 % drift a round, identical arms, no margin: at most the nominal rate."""
    random = seeded(15)
    runs, alarms = 400, 0
    for _ in range(runs):
        blocks = [random.choice([(0, 1, 1, 0), (1, 0, 0, 1)]) for _ in range(15)]
        order = [arm for block in blocks for arm in block]
        found = judge_robust({"p.A": drifting(random, order, noise=0.02, drift=0.002)}, SHARP)
        alarms += bool(found.improved or found.regressed)
    assert 4 <= alarms <= 38  # Bin(400, 0.05) exceeds 38 once in 5 000 seeds


def test_drift_in_block_order_is_an_effect_to_any_rule() -> None:
    """field.md row 57: all of one arm, then all of the other; why such samples are refused."""
    block = drifting(seeded(16), [0] * 30 + [1] * 30, noise=0.005, drift=0.002)
    assert judge_robust({"p.A": block}, ROBUST).regressed == ("p.A",)
