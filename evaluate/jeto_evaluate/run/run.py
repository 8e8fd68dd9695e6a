"""All predictions of one model: slots, deadlines, interruption, files."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path

from jeto_bench.errors import InfrastructureError, Interrupted
from jeto_bench.files import write_atomically
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.reports.write import write_instance_report
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.instance_log import instance_log
from jeto_evaluate.run.jobs import Job
from jeto_evaluate.run.progress import RunProgress
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.slots import work_on_slots
from jeto_evaluate.run.steps import ArmFactory
from jeto_evaluate.samples_io import write_samples

__all__ = ["Runner"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Runner:
    """Evaluates jobs on slots that share no CPU.

    Attributes:
        slots: One factory of arms per slot.
        settings: How to measure.
        provenance: Copied into every report.
        progress: Told of every step.
        logs: Directory that holds ``run_evaluation/``.
        kill: Ends all containers of the run, so that whoever waits for one is freed.
    """

    slots: Sequence[ArmFactory]
    settings: RunSettings
    provenance: Provenance
    progress: RunProgress
    logs: Path
    kill: Callable[[], None]

    def run(self, jobs: Sequence[Job]) -> tuple[InstanceReport, ...]:
        """Evaluate all jobs; each report is on disk before the next job of its slot begins.

        Raises:
            Interrupted: Ctrl-C or SIGTERM; finished instances keep their reports.
            InfrastructureError: Files cannot be written; what could not be kept is not measured.
        """
        stop = threading.Event()
        limit = self.settings.deadlines.run
        end = time.monotonic() + limit if limit else inf
        timed_out = threading.Event()

        def is_overdue() -> bool:
            if time.monotonic() > end:
                timed_out.set()
            return timed_out.is_set()

        futures = work_on_slots(
            jobs,
            self.slots,
            partial(self._work, stop=stop, timed_out=timed_out),
            stop=stop,
            kill=self.kill,
            is_overdue=is_overdue,
        )
        for future in futures:
            if (error := future.exception()) is not None:
                raise error
        if stop.is_set() and not timed_out.is_set():
            done = sum(1 for future in futures if future.result() is not None)
            raise Interrupted(
                f"interrupted; {done} of {len(jobs)} instances were finished and are kept",
                advice="The same command with the same --run-id goes on from here.",
            )
        return tuple(report for future in futures if (report := future.result()) is not None)

    def _work(
        self, slot: ArmFactory, job: Job, *, stop: threading.Event, timed_out: threading.Event
    ) -> InstanceReport | None:
        try:
            with instance_log(job.paths.log):
                result = self._evaluate(job, slot, stop)
                if result.report.reason is Reason.INTERRUPTED and not timed_out.is_set():
                    return None
                return self._keep(job, result, timed_out=timed_out.is_set())
        except OSError as error:
            stop.set()
            raise InfrastructureError(
                f"the files of {job.record.instance_id} cannot be written: {error}",
                advice="Finished instances are kept; the same --run-id goes on from here.",
            ) from error

    def _evaluate(self, job: Job, slot: ArmFactory, stop: threading.Event) -> Evaluation:
        name = job.record.instance_id
        return run_instance(
            job.record,
            job.prediction,
            factory=slot,
            settings=self.settings,
            provenance=self.provenance,
            log_path=str(job.paths.log),
            progress=lambda step: self.progress.step(name, step),
            stop=stop,
        )

    def _keep(self, job: Job, result: Evaluation, *, timed_out: bool) -> InstanceReport:
        """Put an instance's files on disk, the report last: with it, the instance is finished."""
        report = result.report
        if timed_out and report.reason is Reason.INTERRUPTED:
            report = replace(report, reason=Reason.RUN_DEADLINE)
        job.paths.report.unlink(missing_ok=True)
        write_atomically(job.paths.patch, job.prediction.patch)
        for path, samples in (
            (job.paths.samples, result.samples),
            (job.paths.confirmation, result.confirmation),
        ):
            path.unlink(missing_ok=True)
            if samples is not None:
                write_samples(path, samples)
        from jeto_evaluate.plots import PICTURES, plot_instance  # noqa: PLC0415  # matplotlib is slow

        for name in PICTURES:
            (job.paths.directory / name).unlink(missing_ok=True)
        if result.samples is not None:
            for name, data in plot_instance(report, result.samples, result.confirmation).items():
                write_atomically(job.paths.directory / name, data)
        write_instance_report(self.logs, report, run_id=self.settings.run_id)
        _LOG.info(
            "%s: %s (%s) %s", report.instance_id, report.outcome, report.reason, report.detail
        )
        self.progress.done(report.instance_id, _outcome_text(report))
        return report


def fastest(report: InstanceReport) -> tuple[str, float] | None:
    """Return the name and the speedup of the class that is most faster, if one is."""
    names = report.improved_names
    if report.decides is Decider.ROBUST and report.robust is not None:
        speedups = {item.test_class: item.speedup for item in report.robust.deciding}
    else:
        speedups = {item.test_class: item.median_speedup or 0.0 for item in report.classes}
    speedups |= {item.test_class: item.speedup_at_least for item in report.own}
    return max(((name, speedups[name]) for name in names), key=lambda item: item[1], default=None)


def _outcome_text(report: InstanceReport) -> str:
    text = f"{report.outcome} ({report.reason})"
    best = fastest(report)
    if best is not None:
        text += f", {best[0].rpartition('.')[2]} {best[1]:.2f} times as fast"
    elif report.detail:
        text += f": {report.detail.splitlines()[0][:200]}"
    return text
