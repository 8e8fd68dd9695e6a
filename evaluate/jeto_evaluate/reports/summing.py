"""From the reports of instances to the report of a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import ClassVerdict
from jeto_evaluate.outcomes import GRADED, Outcome
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.run import InstanceSummary, Rate, RunReport
from jeto_evaluate.rules import Decider
from jeto_evaluate.statistics.intervals import wilson_interval
from jeto_evaluate.statistics.robust_class import RobustClass

__all__ = ["MINIMUM_COVERAGE", "build_run_report", "exit_code"]

MINIMUM_COVERAGE = 0.5
"""Below this share of graded instances no rate is given: it would describe the failures."""

_ERRORS = frozenset({Outcome.INFRA_ERROR, Outcome.APPLY_FAILED, Outcome.TIMED_OUT})
_EMPTY = frozenset({Outcome.MISSING, Outcome.EMPTY_PATCH})
_COMPLETED = frozenset(Outcome) - _ERRORS - _EMPTY


def build_run_report(
    reports: Sequence[InstanceReport],
    *,
    run_id: str,
    model: str,
    criteria: Criteria,
    decides: Decider = Decider.ROBUST,
    dataset_ids: Collection[str],
    notes: Sequence[str] = (),
) -> RunReport:
    """Sum up the reports of one model in one run.

    Args:
        reports: One per submitted instance, in any order.
        run_id: Name of the run.
        model: Model of the predictions.
        criteria: The paper's rule under which all of ``reports`` were judged.
        decides: Whether that or the robust rule decided them.
        dataset_ids: Every id that could have been submitted.
        notes: What a reader must know.

    Raises:
        ValueError: Two reports of one instance, or reports of another model or other criteria.
    """
    for item in reports:
        if (item.model, item.criteria, item.decides) != (model, criteria, decides):
            raise ValueError(f"{item.instance_id} is of another model or under other criteria")
    ordered = sorted(reports, key=lambda item: item.instance_id)
    submitted = tuple(item.instance_id for item in ordered)
    if len(set(submitted)) != len(submitted):
        raise ValueError("an instance is reported twice")

    def ids(wanted: Collection[Outcome]) -> tuple[str, ...]:
        return tuple(item.instance_id for item in ordered if item.outcome in wanted)

    outcome_ids = {outcome: ids({outcome}) for outcome in Outcome}
    completed, empty, errors = ids(_COMPLETED), ids(_EMPTY), ids(_ERRORS)
    resolved = outcome_ids[Outcome.IMPROVED]
    unresolved = ids(_COMPLETED - {Outcome.IMPROVED})
    graded = ids(GRADED)
    known = {*dataset_ids, *submitted}
    given = bool(graded) and len(graded) >= MINIMUM_COVERAGE * len(submitted)
    return RunReport(
        total_instances=len(known),
        submitted_instances=len(submitted),
        completed_instances=len(completed),
        resolved_instances=len(resolved),
        unresolved_instances=len(unresolved),
        empty_patch_instances=len(empty),
        error_instances=len(errors),
        completed_ids=completed,
        incomplete_ids=tuple(sorted(known - set(submitted))),
        empty_patch_ids=empty,
        submitted_ids=submitted,
        resolved_ids=resolved,
        unresolved_ids=unresolved,
        error_ids=errors,
        run_id=run_id,
        model=model,
        criteria=criteria,
        robust_criteria=next((item.robust.criteria for item in ordered if item.robust), None),
        decides=decides,
        outcome_ids=outcome_ids,
        coverage=_rate(len(graded), len(submitted), given=bool(submitted)),
        improved_rate=_rate(len(resolved), len(graded), given=given),
        improved_rate_of_submitted=_rate(len(resolved), len(submitted), given=given),
        instances=tuple(_summary(item) for item in ordered),
        provenance=ordered[0].provenance if ordered else None,
        notes=tuple(notes),
    )


def exit_code(report: RunReport) -> int:
    """Return the exit status of a run: 0 all graded, 4 graded in part, 3 nothing graded."""
    if report.coverage.numerator == 0:
        return 3
    return 0 if report.coverage.numerator == report.submitted_instances else 4


def _rate(numerator: int, denominator: int, *, given: bool) -> Rate:
    interval = wilson_interval(numerator, denominator) if given else None
    return Rate(
        numerator=numerator,
        denominator=denominator,
        value=numerator / denominator if interval else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _summary(report: InstanceReport) -> InstanceSummary:
    return InstanceSummary(
        instance_id=report.instance_id,
        outcome=report.outcome,
        reason=report.reason,
        detail=report.detail,
        log_path=report.log_path,
        strongest=_strongest(report),
        robust=_strongest_robust(report),
        improved_classes=len(report.improved_names),
        regressed_classes=len(report.regressed_names),
        timed_classes=len(report.classes),
        setting=report.setting,
    )


def _strongest(report: InstanceReport) -> ClassVerdict | None:
    """Return the class with the most wins: of slower ones if regressed, else of faster ones."""
    slower = report.outcome is Outcome.REGRESSED
    named = {*(report.regressed_names if slower else report.improved_names)}

    def urgency(item: ClassVerdict) -> tuple[bool, int, float, str]:
        wins = item.regressed.wins if slower else item.improved.wins
        ratio = item.median_speedup or 0.0
        return (item.test_class not in named, -wins, ratio if slower else -ratio, item.test_class)

    return min(report.classes, key=urgency, default=None)


def _strongest_robust(report: InstanceReport) -> RobustClass | None:
    """Return the class with the smallest p: of slower ones if regressed, else of faster ones."""
    slower = report.outcome is Outcome.REGRESSED
    return min(
        report.robust.deciding if report.robust else (),
        key=lambda item: (
            (item.regressed if slower else item.improved).p_value,
            item.speedup if slower else -item.speedup,
            item.test_class,
        ),
        default=None,
    )
