"""Samples in, robust verdict out: pure, so that any criteria can be applied afterwards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from jeto_evaluate.metrics import allocation, chosen_metrics, measured_apart
from jeto_evaluate.reasons import Reason
from jeto_evaluate.samples import Arm, Samples
from jeto_evaluate.statistics.looks import LOOKS, LookPlan
from jeto_evaluate.statistics.paired_metric import PairedMetric
from jeto_evaluate.statistics.robust import RobustVerdict, judge_family, judge_robust, whole_family
from jeto_evaluate.statistics.robust_class import RobustClass, RobustStatus, Side
from jeto_evaluate.statistics.robust_criteria import RobustCriteria
from jeto_evaluate.statistics.two_stages import Named, classes_to_confirm, confirm

__all__ = [
    "Confirmation",
    "Detector",
    "RobustJudgement",
    "judge_stages",
    "looks_of",
    "name_classes",
    "robust_reason",
]


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Detector:
    """A class that the record names, and the direction in which the reference changes it."""

    test_class: str
    side: Side


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirmation:
    """The second stage: fresh pairs of the classes that the screen or the record names.

    Attributes:
        detectors: What the record named, sorted; confirmed whatever the screen says.
        named: What was to be confirmed, the most urgent first.
        classes: What the fresh pairs say, sorted by name; corrected over ``named`` alone.
    """

    detectors: tuple[Detector, ...]
    named: tuple[Named, ...]
    classes: tuple[RobustClass, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RobustJudgement:
    """The robust verdict on one arm against base.

    Attributes:
        criteria: The rule.
        screen: All classes, from the pairs that the paper's rule is judged on too.
        confirmation: What decides, if it was run; else the screen does.
        allocation: The same test on allocated bytes, which prove allocation and not time; ``None``
            where the agent did not see every round.
    """

    criteria: RobustCriteria
    screen: RobustVerdict
    confirmation: Confirmation | None
    allocation: RobustVerdict | None

    @property
    def deciding(self) -> tuple[RobustClass, ...]:
        """The classes of the stage that decides."""
        return self.screen.classes if self.confirmation is None else self.confirmation.classes

    @property
    def improved(self) -> tuple[str, ...]:
        """Names of the classes that are faster."""
        return tuple(item.test_class for item in self.deciding if item.improved.significant)

    @property
    def regressed(self) -> tuple[str, ...]:
        """Names of the classes that are slower."""
        return tuple(item.test_class for item in self.deciding if item.regressed.significant)


def name_classes(
    samples: Samples,
    criteria: RobustCriteria,
    detectors: Collection[Detector],
    *,
    rounds: int,
    other: Arm = Arm.CANDIDATE,
) -> tuple[Named, ...]:
    """Return what the screen or the record gives reason to confirm; see ``two_stages``.

    Args:
        samples: The screen.
        criteria: The rule.
        detectors: Classes and directions that the record names.
        rounds: Pairs of the screen.
        other: The arm compared with base.
    """
    metrics = chosen_metrics(samples, rounds=rounds, other=other)
    allocated = allocation(samples, rounds=rounds, other=other)
    return _named(metrics, allocated, criteria, detectors)


def _named(
    metrics: Mapping[str, PairedMetric],
    allocated: Mapping[str, PairedMetric],
    criteria: RobustCriteria,
    detectors: Collection[Detector],
) -> tuple[Named, ...]:
    changed = judge_family(allocated, whole_family(allocated, criteria), criteria)
    hints = [(item.test_class, side) for item in changed for side in item.significant_sides]
    return classes_to_confirm(
        metrics,
        criteria,
        detectors=[(item.test_class, item.side) for item in detectors],
        hints=hints,
    )


def looks_of(rounds: int) -> LookPlan | None:
    """Return the looks at a stage of so many pairs; ``None`` where they would be too few."""
    pairs = sorted({-(-look * rounds // LOOKS.pairs[-1]) for look in LOOKS.pairs})
    if len(pairs) < len(LOOKS.pairs):
        return None
    return LookPlan(pairs=tuple(pairs), spending=LOOKS.spending, hopeless=LOOKS.hopeless)


def judge_stages(
    screen: Samples,
    confirmation: Samples | None,
    criteria: RobustCriteria,
    *,
    other: Arm = Arm.CANDIDATE,
    detectors: Collection[Detector] = (),
    rounds_done: int | None = None,
) -> RobustJudgement:
    """Judge both stages under the robust rule.

    Args:
        screen: Every round of the screen; ``criteria.rounds`` pairs.
        confirmation: Every round of the confirmation; ``None`` if it was not run.
        criteria: The rule.
        other: The arm to compare with base.
        detectors: Classes and directions that the record names.
        rounds_done: Pairs of the screen, if it could have been stopped at a look; its p-values
            then pay for the looks.

    Raises:
        SamplesError: Samples that must not be judged.
    """
    plan = looks_of(criteria.rounds)
    done = criteria.rounds if rounds_done is None else rounds_done
    metrics = chosen_metrics(screen, rounds=done, other=other)
    allocated = allocation(screen, rounds=done, other=other)
    confirmed = None
    if confirmation is not None:
        named = _named(metrics, allocated, criteria, detectors)
        wanted = {item.test_class for item in named}
        fresh = {
            name: values
            for name, values in measured_apart(confirmation, other=other).items()
            if name in wanted
        }
        confirmed = Confirmation(
            detectors=tuple(sorted(detectors)),
            named=named,
            classes=confirm(fresh, named, criteria, plan=plan),
        )
    screen_plan = None if rounds_done is None else plan
    return RobustJudgement(
        criteria=criteria,
        screen=judge_robust(metrics, criteria, plan=screen_plan),
        confirmation=confirmed,
        allocation=judge_robust(allocated, criteria, plan=screen_plan) if allocated else None,
    )


def robust_reason(judgement: RobustJudgement) -> Reason:
    """Return why an instance ends as it does, decided by its classes alone.

    As in the paper, faster in any class is ``improved``, whatever other classes say.
    """
    if judgement.improved:
        return Reason.FASTER
    if judgement.regressed:
        return Reason.SLOWER
    if judgement.screen.measurable:
        return Reason.NO_SIGNIFICANT_CLASS
    found = {item.status for item in judgement.screen.classes}
    if RobustStatus.TOO_FEW_ROUNDS in found:
        return Reason.TOO_FEW_ROUNDS
    return Reason.TOO_NOISY if RobustStatus.TOO_NOISY in found else Reason.BELOW_FLOOR
