from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from jeto_evaluate.criteria import JETO, JETO_CONSERVATIVE, JETO_PUBLISHED, Criteria
from jeto_evaluate.judging import judge, outcome_of
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.pairing import SamplesError
from jeto_evaluate.reasons import Reason
from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples

Times = dict[str, int]


def round_result(arm: Arm, number: int, position: int, times: Times) -> RoundResult:
    return RoundResult(
        arm=arm,
        round=number,
        position=position,
        started_at=0.0,
        wall_ms=1,
        classes=tuple(
            ClassTime(test_class=name, milliseconds=time, suite_ms=None, cases_ms=time, cases=1)
            for name, time in times.items()
        ),
    )


def alternating(number: int) -> Sequence[Arm]:
    return (Arm.BASE, Arm.CANDIDATE) if number % 2 else (Arm.CANDIDATE, Arm.BASE)


def base_first(_number: int) -> Sequence[Arm]:
    return (Arm.BASE, Arm.CANDIDATE)


def samples(
    base: Times,
    candidate: Times,
    *,
    pairs: int = 30,
    order: Callable[[int], Sequence[Arm]] = alternating,
) -> Samples:
    rounds = [
        round_result(Arm.BASE, 0, 0, dict.fromkeys(base, 1)),
        round_result(Arm.CANDIDATE, 0, 1, dict.fromkeys(candidate, 10_000)),
    ]
    for number in range(1, pairs + 1):
        for position, arm in enumerate(order(number)):
            times = base if arm is Arm.BASE else candidate
            rounds.append(round_result(arm, number, position, times))
    return Samples(instance_id="acme__text-1", order_seed=1, rounds=tuple(rounds))


def outcome(base: Times, candidate: Times, criteria: Criteria = JETO) -> tuple[Outcome, Reason]:
    return outcome_of(judge(samples(base, candidate, pairs=criteria.rounds), criteria))


def test_faster_in_one_class_is_improved_and_its_regression_is_listed() -> None:
    judged = judge(samples({"A": 200, "B": 200}, {"A": 100, "B": 400}), JETO)
    assert outcome_of(judged) == (Outcome.IMPROVED, Reason.FASTER)
    assert [item.regressed.significant for item in judged.classes] == [False, True]


def test_slower_somewhere_and_faster_nowhere_is_regressed() -> None:
    assert outcome({"A": 200, "B": 200}, {"A": 200, "B": 400}) == (
        Outcome.REGRESSED,
        Reason.SLOWER,
    )


def test_equal_long_times_are_no_improvement() -> None:
    assert outcome({"A": 200}, {"A": 200})[0] is Outcome.NO_IMPROVEMENT


def test_a_class_of_four_milliseconds_is_not_measurable() -> None:
    """field.md row 60: class of 4 ms in both arms."""
    assert outcome({"A": 4}, {"A": 4}) == (Outcome.NOT_MEASURABLE, Reason.UNRESOLVED)


def test_one_class_that_can_be_tested_makes_the_instance_measurable() -> None:
    """field.md row 60."""
    assert outcome({"A": 4, "B": 200}, {"A": 4, "B": 200})[0] is Outcome.NO_IMPROVEMENT


def test_classes_below_the_floor_of_the_published_rule_are_not_measurable() -> None:
    assert outcome({"A": 9}, {"A": 4}, JETO_PUBLISHED) == (
        Outcome.NOT_MEASURABLE,
        Reason.BELOW_FLOOR,
    )
    assert outcome({"A": 9}, {"A": 4})[0] is Outcome.IMPROVED


def test_three_rounds_are_not_measurable() -> None:
    assert outcome({"A": 400}, {"A": 100}, replace(JETO, rounds=3)) == (
        Outcome.NOT_MEASURABLE,
        Reason.TOO_FEW_ROUNDS,
    )


def test_the_criteria_decide() -> None:
    assert outcome({"A": 100}, {"A": 92})[0] is Outcome.IMPROVED
    assert outcome({"A": 100}, {"A": 92}, JETO_CONSERVATIVE)[0] is Outcome.NO_IMPROVEMENT
    assert outcome({"A": 100}, {"A": 95})[0] is Outcome.NO_IMPROVEMENT
    assert outcome({"A": 100}, {"A": 95}, JETO_PUBLISHED)[0] is Outcome.IMPROVED
    assert outcome({"A": 100}, {"A": 0})[0] is Outcome.NOT_MEASURABLE
    zero_is_a_number = replace(JETO_PUBLISHED, floor_ms=0)
    assert outcome({"A": 100}, {"A": 0}, zero_is_a_number)[0] is Outcome.IMPROVED


def test_the_sum_over_classes_is_reported_and_decides_nothing() -> None:
    judged = judge(samples({"A": 100, "B": 900}, {"A": 80, "B": 1000}), JETO)
    assert judged.overall.regressed.significant
    assert (judged.overall.base_median_ms, judged.overall.other_median_ms) == (1000, 1080)
    assert outcome_of(judged)[0] is Outcome.IMPROVED


def test_a_single_time_of_zero_leaves_the_median_speedup_defined() -> None:
    made = samples({"A": 300}, {"A": 200})
    first = next(item for item in made.rounds if item.round == 1 and item.arm is Arm.CANDIDATE)
    changed = replace(first, classes=(replace(first.classes[0], milliseconds=0),))
    rounds = tuple(changed if item is first else item for item in made.rounds)
    assert judge(replace(made, rounds=rounds), JETO).classes[0].median_speedup == 1.5


def test_the_median_speedup_is_over_pairs_and_undefined_with_a_zero() -> None:
    judged = judge(samples({"A": 300, "B": 3}, {"A": 200, "B": 0}), JETO)
    assert judged.classes[0].median_speedup == 1.5
    assert judged.classes[1].median_speedup is None


def test_warm_up_rounds_are_left_out() -> None:
    """field.md row 64: a discarded first round per arm."""
    judged = judge(samples({"A": 100}, {"A": 100}), JETO)
    assert judged.classes[0].pairs == 30
    assert judged.classes[0].other_median_ms == 100


def test_a_missing_round_is_refused() -> None:
    whole = samples({"A": 100}, {"A": 100})
    with pytest.raises(SamplesError, match="pair"):
        judge(replace(whole, rounds=whole.rounds[:-1]), JETO)
    with pytest.raises(SamplesError, match="not 1 to 30"):
        judge(replace(whole, rounds=whole.rounds[:-2]), JETO)


def test_a_missing_class_is_refused() -> None:
    whole = samples({"A": 100, "B": 100}, {"A": 100, "B": 100})
    last = whole.rounds[-1]
    broken = (*whole.rounds[:-1], replace(last, classes=last.classes[:1]))
    with pytest.raises(SamplesError, match="differ in B"):
        judge(replace(whole, rounds=broken), JETO)
    with pytest.raises(SamplesError, match="only one arm: B"):
        judge(samples({"A": 100, "B": 100}, {"A": 100}), JETO)


def test_a_class_that_is_there_twice_is_refused() -> None:
    whole = samples({"A": 100}, {"A": 100})
    last = whole.rounds[-1]
    broken = (*whole.rounds[:-1], replace(last, classes=last.classes * 2))
    with pytest.raises(SamplesError, match="twice"):
        judge(replace(whole, rounds=broken), JETO)


def test_block_order_is_refused() -> None:
    """field.md row 57: running all of A then all of B mixes machine drift into the result."""
    whole = samples({"A": 100}, {"A": 100})
    block = sorted(whole.rounds, key=lambda item: item.arm)
    with pytest.raises(SamplesError, match="back to back"):
        judge(replace(whole, rounds=tuple(block)), JETO)


def test_one_arm_always_first_is_refused() -> None:
    """field.md row 56: one side always ran first, so drift looks like an effect."""
    with pytest.raises(SamplesError, match="base ran first in all 30 pairs"):
        judge(samples({"A": 100}, {"A": 100}, order=base_first), JETO)
