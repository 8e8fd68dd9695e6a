"""Samples in, verdict out: pure, so that any criteria can be applied afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from statistics import median

from jeto_evaluate.criteria import Criteria
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.pairing import paired_times
from jeto_evaluate.reasons import Reason
from jeto_evaluate.samples import Arm, Pair, Samples
from jeto_evaluate.statistics import BinomialTest, ClassStatus, ClassTest, PairRule, compare_class

__all__ = ["ClassVerdict", "Direction", "Judgement", "judge", "outcome_of", "pair_rule"]


_NO_WIN_MS = 10**6  # in both arms: long enough for every clock and floor


@dataclass(frozen=True, kw_only=True, slots=True)
class Direction:
    """One direction of the test of one class.

    Attributes:
        wins: Pairs that count as success.
        p_value: One-sided p of the paired binomial test; ``wins`` and the number of pairs give it
            exactly.
        significant: Whether p is below alpha and the class was not skipped.
    """

    wins: int
    p_value: float
    significant: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassVerdict:
    """What the times of one test class say, or those of all classes together.

    Attributes:
        test_class: Fully qualified name; empty for the sum over all classes.
        status: ``tested``, or why a result that is not significant says nothing.
        pairs: Number of pairs, n.
        improved: The test that the other arm is faster than base.
        regressed: The test that base is faster than the other arm.
        base_median_ms: Median over rounds of base's time, milliseconds.
        other_median_ms: Median over rounds of the other arm's time, milliseconds.
        median_speedup: Median over pairs of base time / other time (> 1 means faster); ``None``
            where times of zero decide it.
    """

    test_class: str
    status: ClassStatus
    pairs: int
    improved: Direction
    regressed: Direction
    base_median_ms: float
    other_median_ms: float
    median_speedup: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """The verdict on one arm against base.

    Attributes:
        other: The arm compared with base.
        classes: One verdict per test class, sorted by name.
        overall: The same test on the per-round sums over all classes. It is reported beside the
            classes and decides nothing: the paper detects an ETIP by its classes.
    """

    other: Arm
    classes: tuple[ClassVerdict, ...]
    overall: ClassVerdict


def pair_rule(criteria: Criteria) -> PairRule:
    """Return when a pair counts under the criteria."""
    return PairRule(
        min_improvement=criteria.min_improvement,
        inclusive=criteria.inclusive_ties,
        plain_zeros=criteria.inclusive_ties,
    )


def judge(
    samples: Samples,
    criteria: Criteria,
    other: Arm = Arm.CANDIDATE,
    *,
    rounds_done: int | None = None,
) -> Judgement:
    """Test every class, and the sum over classes, in both directions.

    Args:
        samples: Every round; warm-up rounds (number 0) are left out here.
        criteria: The rule; ``criteria.rounds`` pairs are required, not fewer and not more.
        other: The arm to compare with base.
        rounds_done: Pairs that were run, if measuring was stopped early. Those that were not run
            count as wins for neither, so what is significant would have been so after all pairs,
            and p is the largest that they could have led to.

    Raises:
        SamplesError: A round or class is missing or there twice (the paper leaves out such an
            ETIP, nothing is paired with what is left), or the order of the arms is biased.
    """
    done = criteria.rounds if rounds_done is None else rounds_done
    pairs = paired_times(samples, rounds=done, other=other)
    sums = tuple(
        Pair(base_ms=sum(p.base_ms for p in row), other_ms=sum(p.other_ms for p in row))
        for row in zip(*pairs.values(), strict=True)
    )
    return Judgement(
        other=other,
        classes=tuple(_verdict(name, row, criteria) for name, row in pairs.items()),
        overall=_verdict("", sums, criteria),
    )


def outcome_of(judgement: Judgement) -> tuple[Outcome, Reason]:
    """Return the outcome of a measured instance, decided by its classes alone.

    Faster in any class is ``improved``, whatever other classes say, as the paper counts; else
    slower in any is ``regressed``. If not one class could be tested, that is ``not_measurable``
    and not the news that nothing got faster.
    """
    classes = judgement.classes
    if any(item.improved.significant for item in classes):
        reason = Reason.FASTER
    elif any(item.regressed.significant for item in classes):
        reason = Reason.SLOWER
    elif any(item.status is ClassStatus.TESTED for item in classes):
        reason = Reason.NO_SIGNIFICANT_CLASS
    elif any(item.status is ClassStatus.TOO_FEW_ROUNDS for item in classes):
        reason = Reason.TOO_FEW_ROUNDS
    elif all(item.status is ClassStatus.BELOW_FLOOR for item in classes):
        reason = Reason.BELOW_FLOOR
    else:
        reason = Reason.UNRESOLVED
    return reason.outcome, reason


def _verdict(name: str, pairs: tuple[Pair, ...], criteria: Criteria) -> ClassVerdict:
    base = [pair.base_ms for pair in pairs]
    other = [pair.other_ms for pair in pairs]
    not_run = [_NO_WIN_MS] * (criteria.rounds - len(pairs))
    tested: ClassTest = compare_class(
        base + not_run,
        other + not_run,
        rule=pair_rule(criteria),
        alpha=criteria.alpha,
        floor_ms=criteria.floor_ms,
    )
    return ClassVerdict(
        test_class=name,
        status=tested.status,
        pairs=len(pairs),
        improved=_direction(tested.improved),
        regressed=_direction(tested.regressed),
        base_median_ms=float(median(base)),
        other_median_ms=float(median(other)),
        median_speedup=_median_speedup(base, other),
    )


def _median_speedup(base: list[int], other: list[int]) -> float | None:
    """A time of 0 ms makes its pair's ratio endless, which matters only in the middle."""
    ratios = [b / o if o else (inf if b else 1.0) for b, o in zip(base, other, strict=True)]
    middle = float(median(ratios))
    return middle if 0 < middle < inf else None


def _direction(test: BinomialTest) -> Direction:
    return Direction(wins=test.wins, p_value=float(test.p_value), significant=test.significant)
