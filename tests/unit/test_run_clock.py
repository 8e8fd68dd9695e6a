"""The instance's stopwatch, and reported times against the harness's own clock."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import median

import pytest

from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.run.plausibility import Saving, contradictions, savings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import AgentTimes, Arm, ClassTime, RoundResult, Samples


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_step_gets_its_own_deadline_or_what_is_left() -> None:
    """field.md row 38: one deadline per step and one for the instance."""
    clock = Clock()
    watch = Stopwatch(60, clock)
    assert watch.within(10) == 10
    clock.now += 55
    assert watch.within(10) == 5
    clock.now += 5
    with pytest.raises(InstanceEnded):
        watch.within(10)


@pytest.mark.parametrize(
    ("base", "candidate", "reason"),
    [
        (1, 2, Reason.DEADLINE_INSTANCE),
        (2, 1, Reason.BASE_TIMED_OUT),
        (1, 1, Reason.BASE_TIMED_OUT),
    ],
)
def test_time_that_ran_out_is_blamed_on_the_arm_that_used_more(
    base: float, candidate: float, reason: Reason
) -> None:
    watch = Stopwatch(0, Clock())
    watch.charge(Arm.BASE, base)
    watch.charge(Arm.CANDIDATE, candidate)
    with pytest.raises(InstanceEnded) as ended:
        watch.within(1)
    assert ended.value.reason is reason


def test_phases_are_listed_in_order_and_add_up_even_when_they_end_badly() -> None:
    clock = Clock()
    watch = Stopwatch(60, clock)
    for name, seconds in (("start", 1), ("build", 2), ("start", 4)):
        with watch.phase(name):
            clock.now += seconds
    with contextlib.suppress(KeyError), watch.phase("rounds"):
        clock.now += 8
        raise KeyError
    assert [(item.phase, item.seconds) for item in watch.phases] == [
        ("start", 5.0), ("build", 2.0), ("rounds", 8.0),
    ]  # fmt: skip


def played(arm: Arm, number: int, wall_ms: int, *times: int) -> RoundResult:
    return RoundResult(
        arm=arm,
        round=number,
        position=0,
        started_at=0.0,
        wall_ms=wall_ms,
        classes=tuple(
            ClassTime(test_class=f"T{at}", milliseconds=ms, suite_ms=ms, cases_ms=ms, cases=1)
            for at, ms in enumerate(times)
        ),
    )


def test_a_saving_is_of_all_classes_together_pair_by_pair() -> None:
    rounds = (
        played(Arm.BASE, 0, 99_999, 9_999),
        played(Arm.CANDIDATE, 0, 1, 1),
        *(played(Arm.BASE, number, 1000, 300, 200) for number in (1, 2, 3)),
        played(Arm.CANDIDATE, 1, 900, 250, 150),
        played(Arm.CANDIDATE, 2, 800, 200, 100),
        played(Arm.CANDIDATE, 3, 100, 1, 1),
    )
    (found,) = savings(Samples(instance_id="i", order_seed=0, rounds=rounds))
    assert found.pairs == ((100, 100), (200, 200), (498, 900))


def test_without_a_measured_pair_there_is_no_saving() -> None:
    rounds = (played(Arm.BASE, 0, 1, 1), played(Arm.CANDIDATE, 0, 1, 1), played(Arm.BASE, 1, 1, 1))
    with pytest.raises(ValueError, match="no measured pair"):
        savings(Samples(instance_id="i", order_seed=0, rounds=rounds))


@pytest.mark.parametrize(
    ("reported", "observed", "suspicious"),
    [
        (400.0, 400.0, False),
        (400.0, 201.0, False),  # half of it may lie outside the timed windows
        (400.0, 199.0, True),
        (400.0, 0.0, True),
        (151.0, 0.0, True),
        (150.0, -900.0, False),  # as much may be claimed anyhow
        (-400.0, 0.0, False),  # a candidate that claims to be slower gains nothing
        (400.0, 4000.0, False),
    ],
)
def test_a_saving_that_the_round_does_not_show_is_suspicious(
    reported: float, observed: float, *, suspicious: bool
) -> None:
    """field.md row 15: forged times leave the round as long as before."""
    found = Saving(by="the reports claim", against="the clock", pairs=((reported, observed),) * 6)
    assert found.unexplained is suspicious
    assert not Saving(by="a", against="b", pairs=((reported, observed),) * 5).unexplained


def judged(pairs: Sequence[tuple[float, float]]) -> bool:
    return Saving(by="a", against="b", pairs=tuple(pairs)).unexplained


def test_a_busy_machine_accuses_nobody() -> None:
    """Six pairs, on two CPUs with five things to do, called an honest patch forged."""
    observed = (-480, 150, 310, -130, -20, -820)
    assert median(170 - seen for seen in observed) > 150
    assert not judged([(170, seen) for seen in observed])
    draw = Random(7)  # noqa: S311  # noise
    told = [
        judged([(draw.gauss(250, 80), draw.gauss(220, 900)) for _ in range(pairs)])
        for pairs in (6, 15, 30)
        for _ in range(400)
    ]
    assert sum(told) / len(told) < 0.02


@pytest.mark.parametrize("pairs", [6, 15, 30])
def test_who_forges_is_found_on_a_busy_machine_too(pairs: int) -> None:
    draw = Random(pairs)  # noqa: S311  # noise
    forged = [judged([(1500, draw.gauss(0, 300)) for _ in range(pairs)]) for _ in range(200)]
    assert sum(forged) / len(forged) > 0.9


@pytest.mark.parametrize("forged", [6, 8, 12, 30])
def test_who_forges_some_rounds_is_found_as_who_forges_all(forged: int) -> None:
    """Eight of thirty were enough for a verdict, and the median over all pairs did not see them."""
    assert judged([(1200, 0)] * forged + [(0, 0)] * (30 - forged))


def test_a_round_that_is_drawn_out_does_not_hide_the_others() -> None:
    assert judged([(1200, 0)] * 29 + [(1200, -60_000)])


@pytest.mark.parametrize(
    ("cpu_ns", "cpu_ms", "said"),
    [(100_000_000, 1100, []), (100_000_000, 2000, ["kernel"]), (100_000_000, None, [])],
)
def test_work_that_moves_into_another_process_saves_no_processor_time(
    cpu_ns: int, cpu_ms: int | None, said: list[str]
) -> None:
    """The agent counts the threads of one JVM; the kernel counts the whole container."""

    def costly(arm: Arm, number: int, java_cpu_ns: int, container_ms: int | None) -> RoundResult:
        plain = played(arm, number, 1000, 900)
        agent = AgentTimes(order=0, wall_ns=900_000_000, java_cpu_ns=java_cpu_ns)
        classes = tuple(replace(entry, agent=agent) for entry in plain.classes)
        return replace(plain, classes=classes, cpu_ms=container_ms)

    rounds = [
        item
        for number in range(1, 7)
        for item in (
            costly(Arm.BASE, number, 1_000_000_000, 2000),
            costly(Arm.CANDIDATE, number, cpu_ns, cpu_ms),
        )
    ]
    found = contradictions(Samples(instance_id="i", order_seed=0, rounds=tuple(rounds)))
    assert [word for line in found for word in ("kernel",) if word in line] == said
    assert len(found) == len(said)
