"""Samples to robust verdicts: which number is compared, two stages, what is not measurable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from jeto_evaluate.metrics import chosen_metrics, measured_apart
from jeto_evaluate.pairing import SamplesError
from jeto_evaluate.reasons import Reason
from jeto_evaluate.robust_judging import Detector, judge_stages, looks_of, robust_reason
from jeto_evaluate.samples import AgentTimes, Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.statistics.paired_metric import Metric
from jeto_evaluate.statistics.robust_class import Side
from jeto_evaluate.statistics.robust_criteria import ROBUST

A, B = "acme.ATest", "acme.BTest"
Cost = Callable[[Arm, int], ClassTime]
Unless = Callable[[Arm, int], bool]


def timed(name: str, milliseconds: int, *, blocked: float = 0.0, seen: bool = True) -> ClassTime:
    """A class that waits for a share of its time, seen by the agent or not."""
    wall = milliseconds * 1_000_000
    cpu = round(wall * (1 - blocked))
    agent = AgentTimes(
        order=0,
        wall_ns=wall,
        thread_cpu_ns=cpu,
        java_cpu_ns=cpu,
        wait_ns=0,
        java_alloc=1000 * milliseconds,
    )
    return ClassTime(
        test_class=name,
        milliseconds=milliseconds,
        suite_ms=milliseconds,
        cases_ms=milliseconds,
        cases=1,
        agent=agent if seen else None,
    )


def made(*costs: Cost, pairs: int = 30) -> Samples:
    rounds: list[RoundResult] = []
    for number in range(1, pairs + 1):
        order = [Arm.BASE, Arm.CANDIDATE] if number % 2 else [Arm.CANDIDATE, Arm.BASE]
        for position, arm in enumerate(order):
            classes = tuple(cost(arm, number) for cost in costs)
            rounds.append(
                RoundResult(
                    arm=arm,
                    round=number,
                    position=position,
                    started_at=float(len(rounds)),
                    wall_ms=10_000,
                    classes=classes,
                )
            )
    return Samples(instance_id="i", order_seed=1, rounds=tuple(rounds))


def noisy(name: str, base: int, candidate: int, *, sd: float = 0.03, seed: int = 1) -> Cost:
    random = Random(seed)  # noqa: S311  # noise, not secrets

    def cost(arm: Arm, number: int) -> ClassTime:
        del number
        return timed(
            name, max(1, round(random.gauss(1, sd) * (base if arm is Arm.BASE else candidate)))
        )

    return cost


def steady(
    name: str, milliseconds: int, *, blocked: float = 0.0, unless: Unless = lambda *_: False
) -> Cost:
    """Always as long; the agent sees it unless told otherwise."""
    return lambda arm, number: timed(
        name, milliseconds, blocked=blocked, seen=not unless(arm, number)
    )


def metric_of(cost: Cost) -> Metric:
    return chosen_metrics(made(cost, pairs=6), rounds=6)[A].metric


@pytest.mark.parametrize(
    ("cost", "metric"),
    [
        (steady(A, 100), Metric.JAVA_CPU),
        (steady(A, 100, blocked=0.5), Metric.WALL_LESS_WAIT),
        # A patch that sleeps instead of computing is not faster.
        (
            lambda arm, _: timed(A, 100, blocked=0.5 * (arm is Arm.CANDIDATE)),
            Metric.WALL_LESS_WAIT,
        ),
        # One round of one arm without the agent, and its times are those of Surefire.
        (steady(A, 100, unless=lambda *it: it == (Arm.CANDIDATE, 3)), Metric.SUREFIRE_WALL),
        (steady(A, 100, unless=lambda *it: it == (Arm.BASE, 3)), Metric.SUREFIRE_WALL),
    ],
)  # fmt: skip
def test_the_number_that_is_compared_suits_both_arms(cost: Cost, metric: Metric) -> None:
    assert metric_of(cost) is metric


def test_what_the_jvm_does_not_count_is_not_guessed() -> None:
    def cost(arm: Arm, number: int) -> ClassTime:
        del arm, number
        entry = timed(A, 100)
        assert entry.agent
        return replace(entry, agent=replace(entry.agent, java_cpu_ns=None))

    assert metric_of(cost) is Metric.SUREFIRE_WALL


def test_the_screen_decides_where_there_was_no_confirmation() -> None:
    judged = judge_stages(made(noisy(A, 100, 60), noisy(B, 100, 100, seed=2)), None, ROBUST)
    assert (judged.improved, judged.regressed) == ((A,), ())
    assert robust_reason(judged) is Reason.FASTER


def test_only_fresh_pairs_make_a_claim() -> None:
    """What looked faster once and does not again is not faster."""
    screen = made(noisy(A, 100, 60), noisy(B, 100, 160, seed=2))
    again = made(noisy(A, 100, 100, seed=3), noisy(B, 100, 160, seed=4))
    judged = judge_stages(screen, again, ROBUST)
    assert judged.screen.improved == (A,)
    assert (judged.improved, judged.regressed) == ((), (B,))
    assert robust_reason(judged) is Reason.SLOWER


def test_the_records_detectors_are_confirmed_whatever_the_screen_says() -> None:
    screen = made(noisy(A, 100, 100), noisy(B, 100, 100, seed=2))
    fresh = made(noisy(A, 100, 50, seed=3))
    detector = Detector(test_class=A, side=Side.IMPROVED)
    judged = judge_stages(screen, fresh, ROBUST, detectors=[detector])
    assert judged.confirmation
    assert judged.confirmation.detectors == (detector,)
    assert judged.improved == (A,)
    # Without the record nothing was named, so what was measured claims nothing.
    assert judge_stages(screen, fresh, ROBUST).improved == ()


def test_nothing_measurable_is_not_the_news_that_nothing_got_faster() -> None:
    wild = made(noisy(A, 1000, 1000, sd=0.3), noisy(B, 1000, 1000, sd=0.3, seed=2))
    assert robust_reason(judge_stages(wild, None, ROBUST)) is Reason.TOO_NOISY
    short = made(steady(A, 5, unless=lambda *_: True))
    assert robust_reason(judge_stages(short, None, ROBUST)) is Reason.BELOW_FLOOR
    quiet = made(noisy(A, 1000, 1000))
    assert robust_reason(judge_stages(quiet, None, ROBUST)) is Reason.NO_SIGNIFICANT_CLASS
    few = replace(ROBUST, rounds=3)
    assert robust_reason(judge_stages(made(noisy(A, 9, 1), pairs=3), None, few)) is (
        Reason.TOO_FEW_ROUNDS
    )


def test_allocation_is_judged_on_its_own() -> None:
    judged = judge_stages(made(noisy(A, 100, 60)), None, ROBUST)
    assert judged.allocation
    assert judged.allocation.improved == (A,)
    unseen = made(steady(A, 100, unless=lambda *_: True))
    assert judge_stages(unseen, None, ROBUST).allocation is None


def dropped(after: int) -> Samples:
    """Two classes, of which one is decided earlier than the other."""
    whole = made(noisy(A, 100, 50), noisy(B, 100, 90, seed=2), pairs=8)
    rounds = tuple(
        item if item.round <= after else replace(item, classes=item.classes[1:])
        for item in whole.rounds
    )
    return replace(whole, rounds=rounds)


def test_a_class_that_is_decided_is_measured_no_longer() -> None:
    found = measured_apart(dropped(5))
    assert {name: values.pairs for name, values in found.items()} == {A: 5, B: 8}


def test_pairs_with_a_gap_are_refused() -> None:
    samples = dropped(5)
    back = made(noisy(A, 100, 50), noisy(B, 100, 90, seed=2), pairs=8).rounds[-2:]
    with pytest.raises(SamplesError, match=r"ATest is missing in a pair before 8"):
        measured_apart(replace(samples, rounds=(*samples.rounds[:-2], *back)))
    with pytest.raises(SamplesError, match="pair 1 is not whole"):
        measured_apart(replace(samples, rounds=samples.rounds[2:]))


def test_looks_go_with_the_number_of_rounds() -> None:
    plan = looks_of(30)
    assert plan
    assert plan.pairs == (10, 15, 20, 25, 30)
    half = looks_of(15)
    assert half
    assert half.pairs == (5, 8, 10, 13, 15)
    assert looks_of(3) is None
