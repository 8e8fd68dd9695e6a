"""Judge the instances of a finished run again from their samples, without Docker."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from jeto_bench.errors import InputError
from jeto_evaluate.outcomes import MEASURED
from jeto_evaluate.reports import InstanceReport, RunReport, build_run_report
from jeto_evaluate.reports.write import (
    InstancePaths,
    models_of_run,
    read_instance_reports,
    read_run_report,
)
from jeto_evaluate.rules import Rules
from jeto_evaluate.samples import Samples
from jeto_evaluate.samples_io import read_samples
from jeto_evaluate.verdict import judge_report

__all__ = ["rejudge_instance", "rejudge_run"]

_log = logging.getLogger(__name__)


def rejudge_run(
    logs: Path, *, run_id: str, model: str, rules: Rules
) -> tuple[RunReport, tuple[InstanceReport, ...]]:
    """Judge one model's instances under other criteria.

    Instances that were timed are judged from ``samples.parquet``; what ended otherwise keeps its
    outcome. The number of rounds is that of the samples, whatever ``rules`` say.

    Args:
        logs: The log directory of the run.
        run_id: Name of the run.
        model: Model, or the name of its directory.
        rules: Both rules, and which decides.

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
    rules = _with_rounds(rules, [report for _, report in found])
    reports = tuple(rejudge_instance(report, paths, rules) for paths, report in found)
    notes = [f"judged again from samples under {rules.name}"]
    if first is None:
        notes.append("the run did not finish; instances it did not reach are not counted")
    report = build_run_report(
        reports,
        run_id=run_id,
        model=reports[0].model,
        criteria=rules.jeto,
        decides=rules.decides,
        dataset_ids=() if first is None else (*first.submitted_ids, *first.incomplete_ids),
        notes=notes,
    )
    return report, reports


def rejudge_instance(report: InstanceReport, paths: InstancePaths, rules: Rules) -> InstanceReport:
    """Judge one instance again; without times it keeps its outcome.

    Raises:
        DecodeError: The samples are gone or not of this version, or are another instance's.
        SamplesError: They must not be judged.
    """
    if report.outcome not in MEASURED or report.robust is None:
        return replace(report, criteria=rules.jeto, decides=rules.decides)
    confirmed = report.robust.confirmation
    _log.debug("judging %s again under %s", report.instance_id, rules.name)
    return judge_report(
        report,
        _samples_of(report, paths.samples),
        None if confirmed is None else _samples_of(report, paths.confirmation),
        rules,
        detectors=() if confirmed is None else confirmed.detectors,
    )


def _samples_of(report: InstanceReport, path: Path) -> Samples:
    samples = read_samples(path)
    if samples.instance_id != report.instance_id:
        raise InputError(f"{path} holds the samples of {samples.instance_id}")
    return samples


def _with_rounds(rules: Rules, reports: list[InstanceReport]) -> Rules:
    """Return the rules with the number of rounds that all timed instances have."""
    rounds = {report.criteria.rounds for report in reports if report.classes}
    if len(rounds) > 1:
        raise InputError(
            f"the instances have {sorted(rounds)} rounds; one rule needs one number of rounds"
        )
    return rules.with_rounds(rounds.pop()) if rounds else rules
