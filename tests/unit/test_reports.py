from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from jeto_evaluate.criteria import JETO, JETO_CONSERVATIVE
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import (
    Dataset,
    Host,
    InstanceReport,
    PatchFacts,
    Provenance,
    RunReport,
    build_run_report,
    exit_code,
)
from jeto_evaluate.reports.render import render_run
from jeto_evaluate.samples import Arm


def made(instance_id: str, reason: Reason, *, model: str = "acme/model") -> InstanceReport:
    return InstanceReport(
        instance_id=instance_id,
        model=model,
        outcome=reason.outcome,
        reason=reason,
        detail="what happened",
        log_path=f"{instance_id}.log",
        criteria=JETO,
        patch=PatchFacts(),
        arm=Arm.CANDIDATE,
        rounds_done=0,
        order_seed=0,
        classes=(),
        overall=None,
        phases=(),
        provenance=Provenance(
            harness_version="0",
            harness_commit="",
            dataset=Dataset(name="mini", version="0", sha256=""),
            host=Host(cpu_model="", cores=2, memory_bytes=1, kernel="", engine_version=""),
            launcher_mode="",
            seed=0,
            started_at="",
        ),
        setting=None,
    )


def summed(*reasons: Reason, dataset: int = 0) -> RunReport:
    return build_run_report(
        [made(f"i-{number}", reason) for number, reason in enumerate(reasons)],
        run_id="demo",
        model="acme/model",
        criteria=JETO,
        dataset_ids=[f"i-{number}" for number in range(dataset)],
    )


def shown(report: RunReport) -> str:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    with console.capture() as capture:
        console.print(render_run(report))
    return capture.get()


def test_the_five_kinds_of_an_ordinary_run_are_told_apart_and_add_up() -> None:
    """field.md row 23: improved, not improved, empty, not applicable, timed out."""
    report = summed(
        Reason.FASTER,
        Reason.NO_SIGNIFICANT_CLASS,
        Reason.PATCH_EMPTY,
        Reason.PATCH_NOT_APPLIED,
        Reason.DEADLINE_ROUND,
    )
    counted = {outcome: ids for outcome, ids in report.outcome_ids.items() if ids}
    assert counted == {
        Outcome.EMPTY_PATCH: ("i-2",),
        Outcome.APPLY_FAILED: ("i-3",),
        Outcome.TIMED_OUT: ("i-4",),
        Outcome.NO_IMPROVEMENT: ("i-1",),
        Outcome.IMPROVED: ("i-0",),
    }
    assert report.completed_ids == ("i-0", "i-1")
    assert report.error_ids == ("i-3", "i-4")
    assert exit_code(report) == 0
    for item in report.instances:
        assert item.reason.value in shown(report)
        assert item.log_path


def test_infrastructure_errors_leave_the_primary_denominator_only() -> None:
    """field.md row 24: a second rate over everything."""
    report = summed(Reason.FASTER, Reason.COMPILE_FAILED, Reason.BASE_FAILED)
    assert (report.improved_rate.numerator, report.improved_rate.denominator) == (1, 2)
    assert report.improved_rate_of_submitted.denominator == 3
    assert report.improved_rate.value == 0.5
    assert exit_code(report) == 4


@pytest.mark.parametrize("reasons", [(), (Reason.IMAGE_MISSING, Reason.BASE_FAILED)])
def test_nothing_graded_means_no_rate_and_a_status(reasons: tuple[Reason, ...]) -> None:
    """field.md row 25: grading failed for every instance and a confident zero was published."""
    report = summed(*reasons, dataset=5)
    assert exit_code(report) == 3
    assert report.improved_rate.value is report.improved_rate.low is None
    assert report.improved_rate_of_submitted.value is None
    assert "0.0%" not in shown(report)
    assert f"Graded 0 of {len(reasons)} submitted" in shown(report)


def test_below_half_coverage_no_rate_is_given() -> None:
    """field.md row 25: minimum coverage threshold for any rate."""
    report = summed(Reason.FASTER, Reason.BASE_FAILED, Reason.BASE_FAILED)
    assert report.improved_rate.value is None
    assert exit_code(report) == 4
    assert "no rate: too few graded" in shown(report)


@pytest.mark.parametrize(
    ("empty", "first"), [(1, "Graded 5 of 5"), (2, "2 of 6 patches are empty")]
)
def test_many_empty_patches_are_the_first_line(empty: int, first: str) -> None:
    """field.md row 21: a large share of empties is printed first."""
    report = summed(*[Reason.FASTER] * 4, *[Reason.PATCH_EMPTY, Reason.PATCH_MISSING][:empty])
    assert shown(report).startswith(first)


def test_what_was_not_submitted_is_incomplete_as_in_swe_bench() -> None:
    report = summed(Reason.FASTER, dataset=3)
    assert report.incomplete_ids == ("i-1", "i-2")
    assert report.total_instances == 3
    assert report.schema_version == 2


def test_reports_that_do_not_belong_together_are_refused() -> None:
    one, other = made("i", Reason.FASTER), made("j", Reason.FASTER)
    settings: dict[str, Any] = {
        "run_id": "demo",
        "model": "acme/model",
        "criteria": JETO,
        "dataset_ids": (),
    }
    with pytest.raises(ValueError, match="twice"):
        build_run_report([one, one], **settings)
    with pytest.raises(ValueError, match="other criteria"):
        build_run_report([one, replace(other, criteria=JETO_CONSERVATIVE)], **settings)
    with pytest.raises(ValueError, match="another model"):
        build_run_report([one, replace(other, model="x")], **settings)


def test_a_report_that_contradicts_itself_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="reason oom leads to tests_failed"):
        replace(made("i", Reason.FASTER), reason=Reason.OOM)
    report = summed(Reason.FASTER)
    with pytest.raises(ValueError, match="partition"):
        replace(report, outcome_ids=dict.fromkeys(Outcome, ("i-0",)))
    with pytest.raises(ValueError, match="resolved_instances is 5"):
        replace(report, resolved_instances=5)
