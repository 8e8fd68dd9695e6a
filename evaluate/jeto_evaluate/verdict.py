"""From samples to a judged report: both rules, and the harness's own clocks. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from jeto_evaluate.judging import judge
from jeto_evaluate.peers import peer_figures
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.robust_judging import Detector, judge_stages
from jeto_evaluate.rules import Rules
from jeto_evaluate.run.plausibility import contradictions
from jeto_evaluate.samples import Samples

__all__ = ["judge_report"]


def judge_report(
    report: InstanceReport,
    samples: Samples,
    confirmation: Samples | None,
    rules: Rules,
    *,
    detectors: Collection[Detector] = (),
) -> InstanceReport:
    """Judge a report's samples under both rules.

    An improvement that the harness's own clock, or the kernel's account of the container's
    processor time, does not show is ``tampered``.

    Raises:
        SamplesError: Samples that must not be judged.
    """
    judged = report.judged(
        judge(samples, rules.jeto, report.arm, rounds_done=report.rounds_done),
        judge_stages(
            samples,
            confirmation,
            rules.robust,
            other=report.arm,
            detectors=detectors,
            rounds_done=report.rounds_done if report.early_stop else None,
        ),
        rules,
    )
    judged = replace(
        judged, peers=peer_figures(samples, rounds=report.rounds_done, other=report.arm)
    )
    if judged.reason is not Reason.FASTER:
        return judged
    for stage in (samples, confirmation):
        found = contradictions(stage, report.arm) if stage and stage.rounds else []
        if found:
            return replace(
                judged,
                outcome=Reason.FORGED_TIME.outcome,
                reason=Reason.FORGED_TIME,
                detail=found[0],
                classes=(),
                overall=None,
                robust=None,
                peers=None,
                own=(),
            )
    return judged
