"""The test classes that tell base and reference apart, as the dataset records them."""

from __future__ import annotations

from dataclasses import replace

from jeto_bench.errors import InfrastructureError
from jeto_bench.records import CriteriaName, DetectorTest, Favours
from jeto_evaluate.criteria import JETO, JETO_CONSERVATIVE
from jeto_evaluate.judging import ClassVerdict, Direction, judge
from jeto_evaluate.metrics import chosen_metrics, measured_apart
from jeto_evaluate.run.instance import Evaluation
from jeto_evaluate.samples import Samples
from jeto_evaluate.statistics.censored import CensoredTest
from jeto_evaluate.statistics.paired_metric import PairedMetric
from jeto_evaluate.statistics.robust_class import RobustClass

__all__ = ["detectors"]

_CRITERIA = ((CriteriaName.DEFAULT, JETO), (CriteriaName.CONSERVATIVE, JETO_CONSERVATIVE))


def detectors(measured: Evaluation) -> tuple[DetectorTest, ...]:
    """Return the detectors under each criteria set: the paper's two, and the robust one.

    Args:
        measured: The reference, evaluated as a prediction.

    Raises:
        InfrastructureError: It was not measured, or a detector takes 0 ms.
    """
    if measured.samples is None or measured.report.robust is None:
        raise InfrastructureError(f"{measured.report.instance_id}: nothing was measured")
    return (
        *_of_the_paper(measured.samples),
        *_robust(measured, measured.samples),
        *(found for item in measured.report.own for found in _own(item)),
    )


def _of_the_paper(samples: Samples) -> list[DetectorTest]:
    rounds = max(item.round for item in samples.rounds)
    return [
        _detector(verdict, direction, favours, name)
        for name, criteria in _CRITERIA
        for verdict in judge(samples, replace(criteria, rounds=rounds)).classes
        for favours, direction in (
            (Favours.REFERENCE, verdict.improved),
            (Favours.BASE, verdict.regressed),
        )
        if direction.significant
    ]


def _detector(
    verdict: ClassVerdict, direction: Direction, favours: Favours, name: CriteriaName
) -> DetectorTest:
    speedup = verdict.median_speedup
    if speedup is None:
        raise InfrastructureError(f"{verdict.test_class}: a time of 0 ms cannot make a detector")
    return DetectorTest(
        test_class=verdict.test_class,
        favours=favours,
        criteria=name,
        rounds=verdict.pairs,
        wins=direction.wins,
        p_value=direction.p_value,
        median_speedup=speedup if favours is Favours.REFERENCE else 1 / speedup,
    )


def _robust(measured: Evaluation, screen: Samples) -> list[DetectorTest]:
    judgement = measured.report.robust
    if judgement is None:
        return []
    if judgement.confirmation is None or measured.confirmation is None:
        values = chosen_metrics(screen, rounds=measured.report.rounds_done)
    else:
        values = measured_apart(measured.confirmation)
    return [
        found
        for item in judgement.deciding
        for found in _robust_detectors(item, values[item.test_class])
    ]


def _robust_detectors(item: RobustClass, values: PairedMetric) -> list[DetectorTest]:
    pairs = list(zip(*values.resolved, strict=True))
    return [
        DetectorTest(
            test_class=item.test_class,
            favours=favours,
            criteria=CriteriaName.ROBUST,
            rounds=item.pairs,
            wins=sum(other < base if faster else base < other for base, other in pairs),
            p_value=direction.p_value,
            median_speedup=item.speedup if faster else 1 / item.speedup,
        )
        for favours, direction, faster in (
            (Favours.REFERENCE, item.improved, True),
            (Favours.BASE, item.regressed, False),
        )
        if direction.significant
    ]


def _own(item: CensoredTest) -> list[DetectorTest]:
    """A test that came with the fix; where base was cut off the speedup is a lower bound."""
    speedup = item.speedup_at_least
    return [
        DetectorTest(
            test_class=item.test_class,
            favours=favours,
            criteria=CriteriaName.ROBUST,
            rounds=len(item.pairs),
            wins=side.wins,
            p_value=side.p_value,
            median_speedup=speedup if favours is Favours.REFERENCE else 1 / max(speedup, 1e-6),
        )
        for favours, side in (
            (Favours.REFERENCE, item.improved),
            (Favours.BASE, item.regressed),
        )
        if side.significant
    ]
