"""What drift of the machine does to the verdict on two identical programs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from jeto_evaluate.criteria import JETO, Criteria
from jeto_evaluate.judging import judge, outcome_of
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.pairing import SamplesError
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.schedule import pair_order
from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples


def plain_sign_test() -> Criteria:
    return replace(JETO, name="sign", min_improvement=Fraction(0))


def round_result(arm: Arm, number: int, *, position: int, milliseconds: int) -> RoundResult:
    time = ClassTime(
        test_class="A", milliseconds=milliseconds, suite_ms=None, cases_ms=milliseconds, cases=1
    )
    return RoundResult(
        arm=arm, round=number, position=position, started_at=0.0, wall_ms=1, classes=(time,)
    )


def drifting(times: list[tuple[Arm, int]], *, noise: float, drift: float, seed: int) -> Samples:
    """The same program in every round, each round slower than the one before by ``drift``."""
    random = Random(seed)  # noqa: S311  # noise, not secrets
    rounds = [
        round_result(
            arm,
            number,
            position=sum(other == number for _, other in times[:place]),
            milliseconds=round(1000 * (1 + drift) ** place * random.lognormvariate(0, noise)),
        )
        for place, (arm, number) in enumerate(times)
    ]
    return Samples(instance_id="acme__text-1", order_seed=seed, rounds=tuple(rounds))


def test_drift_of_the_machine_does_not_raise_the_false_positive_rate() -> None:
    """field.md row 56: 0.2 % drift a round, identical arms: the rate stays at its nominal value.

    With no smallest improvement, so that the nominal rate is reached: P(X >= 20 | 30) = 0.0494 a
    direction, 0.0987 for either.
    """
    criteria = plain_sign_test()
    runs, alarms = 400, 0
    for seed in range(runs):
        order = [
            (arm, number)
            for number, pair in enumerate(pair_order(30, seed), start=1)
            for arm in pair
        ]
        judged = judge(drifting(order, noise=0.02, drift=0.002, seed=seed), criteria)
        alarms += judged.classes[0].improved.significant or judged.classes[0].regressed.significant
    # Four standard errors around 0.0987 are 0.060.
    assert abs(alarms / runs - 0.0987) < 0.060


def test_block_order_under_drift_would_find_a_difference_where_there_is_none() -> None:
    """field.md row 57: as above in block order; shows the bias that the refusal prevents."""
    block = [(arm, number) for arm in (Arm.BASE, Arm.CANDIDATE) for number in range(1, 31)]
    made_up = drifting(block, noise=0.005, drift=0.002, seed=1)
    with pytest.raises(SamplesError, match="back to back"):
        judge(made_up, JETO)
    # Told that it ran in pairs, the rule would believe it.
    interleaved = [
        replace(made_up.rounds[arm * 30 + number], position=place)
        for number in range(30)
        for place, arm in enumerate((0, 1) if number % 2 else (1, 0))
    ]
    assert outcome_of(judge(replace(made_up, rounds=tuple(interleaved)), JETO)) == (
        Outcome.REGRESSED,
        Reason.SLOWER,
    )
