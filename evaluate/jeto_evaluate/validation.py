"""Runs of the developers' patches as validations of rows (field.md row 48). Pure."""

from __future__ import annotations

from jeto_bench.errors import InputError
from jeto_bench.lifecycle.status import Validation
from jeto_bench.predictions import GOLD
from jeto_evaluate.reports.instance import InstanceReport

__all__ = ["validation_of"]


def validation_of(report: InstanceReport) -> Validation:
    """Return what a run of a row's reference says of the row.

    Raises:
        InputError: It is a run of somebody's prediction.
    """
    if report.model != GOLD:
        raise InputError(
            f"{report.instance_id}: a run of {report.model!r} says nothing of the reference",
            advice="Take a run of the developers' patches: jeto-bench eval -p gold --run-id NAME",
        )
    commit = report.provenance.harness_commit[:12]
    robust = report.robust
    speedups = [] if robust is None else [item.speedup for item in robust.deciding]
    return Validation(
        host=report.provenance.host.words,
        measured_at=report.provenance.started_at,
        harness=report.provenance.harness_version + (f" ({commit})" if commit else ""),
        rounds=report.rounds_done,
        outcome=report.outcome.value,
        test_classes=len(report.classes),
        improved=report.improved_names,
        regressed=report.regressed_names,
        effect=max(speedups, default=None),
    )
