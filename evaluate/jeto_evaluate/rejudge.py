"""Judge the instances of a finished run again from their samples, without Docker."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from jeto_bench.errors import InputError
from jeto_evaluate.criteria import Criteria
from jeto_evaluate.judging import judge
from jeto_evaluate.outcomes import MEASURED
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import InstanceReport, RunReport, build_run_report
from jeto_evaluate.reports.write import models_of_run, read_instance_reports, read_run_report
from jeto_evaluate.run.plausibility import saving, unexplained
from jeto_evaluate.samples_io import read_samples

__all__ = ["rejudge_instance", "rejudge_run"]

_log = logging.getLogger(__name__)


def rejudge_run(
    logs: Path, *, run_id: str, model: str, criteria: Criteria
) -> tuple[RunReport, tuple[InstanceReport, ...]]:
    """Judge one model's instances under other criteria.

    Instances that were timed are judged from ``samples.parquet``; what ended otherwise keeps its
    outcome. The number of rounds is that of the samples, whatever ``criteria`` says.

    Args:
        logs: The log directory of the run.
        run_id: Name of the run.
        model: Model, or the name of its directory.
        criteria: The rule.

    Returns:
        The run's report and those of the instances, sorted by id; nothing is written.

    Raises:
        InputError: No such run, or the instances have different numbers of rounds.
        DecodeError: A file is not of this version.
        SamplesError: Samples that must not be judged.
    """
    found = read_instance_reports(logs, run_id=run_id, model=model)
    if not found:
        models = ", ".join(models_of_run(logs, run_id))
        raise InputError(
            f"no finished instance of run {run_id!r}, model {model!r}, in {logs}",
            advice=f"The run has the models: {models}. If it was interrupted, repeat the eval"
            " command with the same --run-id."
            if models
            else "Give the directory that holds run_evaluation/ with --logs.",
        )
    first = read_run_report(logs, run_id=run_id, model=model)
    criteria = _with_rounds(criteria, [report for _, report in found])
    reports = tuple(rejudge_instance(report, paths.samples, criteria) for paths, report in found)
    notes = [f"judged again from samples under {criteria.name}"]
    if first is None:
        notes.append("the run did not finish; instances it did not reach are not counted")
    report = build_run_report(
        reports,
        run_id=run_id,
        model=reports[0].model,
        criteria=criteria,
        dataset_ids=() if first is None else (*first.submitted_ids, *first.incomplete_ids),
        notes=notes,
    )
    return report, reports


def rejudge_instance(report: InstanceReport, samples: Path, criteria: Criteria) -> InstanceReport:
    """Judge one instance again; without times it keeps its outcome.

    As in the run, an improvement that the harness's own clock does not show is ``tampered``.

    Raises:
        DecodeError: The samples are gone or not of this version, or are another instance's.
        SamplesError: They must not be judged.
    """
    if report.outcome not in MEASURED or not report.classes:
        return replace(report, criteria=criteria)
    times = read_samples(samples)
    if times.instance_id != report.instance_id:
        raise InputError(f"{samples} holds the samples of {times.instance_id}")
    _log.debug("judging %s again under %s", report.instance_id, criteria.name)
    again = report.judged(judge(times, criteria, report.arm), criteria)
    found = saving(times, report.arm)
    if again.reason is Reason.FASTER and unexplained(found):
        # Under the run's own criteria it was not faster, so nobody looked at the clock.
        return replace(
            again,
            outcome=Reason.FORGED_TIME.outcome,
            reason=Reason.FORGED_TIME,
            detail=found.describe(),
            classes=(),
            overall=None,
        )
    return again


def _with_rounds(criteria: Criteria, reports: list[InstanceReport]) -> Criteria:
    """Return the criteria with the number of rounds that all timed instances have."""
    rounds = {report.rounds_done for report in reports if report.classes}
    if len(rounds) > 1:
        raise InputError(
            f"the instances have {sorted(rounds)} rounds; one rule needs one number of rounds"
        )
    return replace(criteria, rounds=rounds.pop()) if rounds else criteria
