"""The whole of an evaluation: records and predictions in, a run report on disk out."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from jeto_bench.errors import EngineError, ImageError
from jeto_bench.predictions import Prediction
from jeto_evaluate.engine.container import sweep
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.reports import InstanceReport, RunReport, build_run_report
from jeto_evaluate.reports.write import check_run_id, instance_paths, write_run_report
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.jobs import Job, kept_reports
from jeto_evaluate.run.origin import run_provenance
from jeto_evaluate.run.progress import RunProgress
from jeto_evaluate.run.request import Request, chosen_predictions
from jeto_evaluate.run.run import Runner
from jeto_evaluate.run.settings import RunSettings

if TYPE_CHECKING:
    import docker

__all__ = ["evaluate_predictions"]

_LOG = logging.getLogger(__name__)


def evaluate_predictions(
    client: docker.DockerClient,
    request: Request,
    *,
    settings: RunSettings,
    plan: CpuPlan,
    progress: RunProgress,
) -> tuple[RunReport, tuple[InstanceReport, ...]]:
    """Evaluate predictions and write every file of the run.

    Raises:
        UsageError: Nothing to evaluate, a run id that cannot name a directory, or one whose
            results were measured with other settings.
        EngineError: The engine does not answer.
        Interrupted: Ctrl-C or SIGTERM.
    """
    check_run_id(settings.run_id)
    predictions, notes = chosen_predictions(request)
    removed = sweep(client)
    if removed:
        _LOG.info("removed %d containers that an earlier run had left", removed)
    provenance = run_provenance(client, request, settings, plan)
    jobs = tuple(_job(request, item, settings.run_id) for item in predictions)
    kept = kept_reports(
        jobs,
        settings,
        provenance,
        image_id=lambda job: _image_id(client, job),
        overwrite=request.overwrite,
    )
    runner = Runner(
        slots=[DockerArms(client=client, cpus=cpus, settings=settings) for cpus in plan.sets],
        settings=settings,
        provenance=provenance,
        progress=progress,
        logs=request.logs,
        kill=lambda: _kill(client, settings.run_id),
    )
    with progress:
        for report in kept.values():
            progress.done(report.instance_id, f"{report.outcome} (kept from before)")
        fresh = runner.run([job for job in jobs if job not in kept])
    reports = (*kept.values(), *fresh)
    run = build_run_report(
        reports,
        run_id=settings.run_id,
        model=request.predictions.model,
        criteria=settings.criteria,
        decides=settings.decides,
        dataset_ids=[record.instance_id for record in request.records],
        notes=(*notes, *_machine_notes(plan)),
    )
    write_run_report(request.logs, request.report_dir, run)
    return run, reports


def _job(request: Request, prediction: Prediction, run_id: str) -> Job:
    by_id = {record.instance_id: record for record in request.records}
    return Job(
        record=by_id[prediction.instance_id],
        prediction=prediction,
        paths=instance_paths(
            request.logs,
            run_id=run_id,
            model=prediction.model_name_or_path,
            instance_id=prediction.instance_id,
        ),
    )


def _image_id(client: docker.DockerClient, job: Job) -> str:
    try:
        return ensure_image(client, job.record).image_id
    except ImageError:
        return ""


def _kill(client: docker.DockerClient, run_id: str) -> None:
    try:
        sweep(client, run_id=run_id)
    except EngineError as error:
        _LOG.warning("%s", error)  # called again until no instance is under way


def _machine_notes(plan: CpuPlan) -> tuple[str, ...]:
    notes = []
    if plan.few:
        notes.append("one CPU per arm: the JIT competes with the tests, noise is about doubled")
    if not plan.spare:
        notes.append("all CPUs are measured on; other programs make the times noisier")
    return tuple(notes)
