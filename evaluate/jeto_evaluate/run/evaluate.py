"""The whole of an evaluation: records and predictions in, a run report on disk out."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jeto_bench import __version__
from jeto_bench.errors import EngineError, ImageError, UsageError
from jeto_bench.predictions import PatchState, Prediction, PredictionSet, match_ids
from jeto_bench.records import EtipRecord
from jeto_evaluate.calibration import cite
from jeto_evaluate.engine.container import sweep
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.reports import Dataset, InstanceReport, Provenance, RunReport, build_run_report
from jeto_evaluate.reports.write import (
    check_run_id,
    instance_paths,
    read_certificate,
    write_run_report,
)
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import harness_commit, host_facts
from jeto_evaluate.run.jobs import Job, dataset_hash, kept_reports
from jeto_evaluate.run.progress import RunProgress
from jeto_evaluate.run.run import Runner
from jeto_evaluate.run.settings import RunSettings

if TYPE_CHECKING:
    import docker

__all__ = [
    "LAUNCHER_MODE",
    "Request",
    "chosen_predictions",
    "evaluate_predictions",
    "run_policy",
    "run_provenance",
]

_LOG = logging.getLogger(__name__)
LAUNCHER_MODE = "resident-maven"


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What to evaluate.

    Attributes:
        records: The dataset.
        dataset_name: As the user named it.
        predictions: Of one model.
        instance_ids: Only these; empty for every instance that has a prediction.
        strict: Refuse predictions for unknown instances instead of leaving them out.
        overwrite: Replace what a run of the same name has measured with other settings.
        logs: Directory that holds ``run_evaluation/``.
        report_dir: Where ``MODEL.RUN.json`` goes.
    """

    records: tuple[EtipRecord, ...]
    dataset_name: str
    predictions: PredictionSet
    instance_ids: tuple[str, ...] = ()
    strict: bool = False
    overwrite: bool = False
    logs: Path = Path("logs")
    report_dir: Path = Path()


def chosen_predictions(request: Request) -> tuple[tuple[Prediction, ...], tuple[str, ...]]:
    """Return the predictions to evaluate and what the user should know about the rest. Pure.

    An instance that was asked for by name and has no prediction is evaluated as ``missing``.

    Raises:
        UsageError: Nothing is left, or ``strict`` and a prediction is for an unknown instance.
    """
    known = [record.instance_id for record in request.records]
    wrong = sorted(set(request.instance_ids) - set(known))
    if wrong:
        raise UsageError(f"no such instance in {request.dataset_name}: {', '.join(wrong)}")
    match = match_ids(request.predictions.predictions, known)
    unknown = tuple(item.describe() for item in match.unknown)
    if unknown and request.strict:
        raise UsageError("; ".join(unknown))
    by_id = {item.instance_id: item for item in match.known}
    wanted = tuple(dict.fromkeys(request.instance_ids)) or tuple(
        name for name in known if name in by_id
    )
    if not wanted:
        raise UsageError(
            f"no prediction is for an instance of {request.dataset_name}"
            + "".join(f"\n  {line}" for line in unknown[:5]),
            advice="`jeto-bench check-predictions` compares a file with a dataset.",
        )
    chosen = tuple(by_id.get(name) or _absent(name, request.predictions.model) for name in wanted)
    return chosen, (*request.predictions.warnings, *unknown)


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


def _absent(instance_id: str, model: str) -> Prediction:
    return Prediction(
        instance_id=instance_id,
        model_name_or_path=model,
        patch=b"",
        state=PatchState.MISSING,
        raw_sha256="",
        patch_sha256="",
        detail="asked for, but there is no prediction",
    )


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


def run_provenance(
    client: docker.DockerClient, request: Request, settings: RunSettings, plan: CpuPlan
) -> Provenance:
    """Gather what every report of a run says of its origin."""
    host = host_facts(client)
    policy = run_policy(settings, plan)
    versions = sorted({record.dataset_version for record in request.records})
    return Provenance(
        harness_version=__version__,
        harness_commit=harness_commit(),
        dataset=Dataset(
            name=request.dataset_name,
            version=",".join(versions),
            sha256=dataset_hash(request.records),
        ),
        host=host,
        launcher_mode=LAUNCHER_MODE,
        seed=settings.seed,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        policy=policy,
        calibration=cite(read_certificate(request.logs), host, policy),
    )


def run_policy(settings: RunSettings, plan: CpuPlan) -> tuple[str, ...]:
    """Return the flags that change what is allowed or measured, sorted."""
    flags = [
        f"cpus_per_arm={len(plan.sets[0])}",
        f"network={settings.network}",
        f"slots={len(plan.sets)}",
        f"tests={settings.tests}",
    ]
    flags += ["early_stop"] if settings.early_stop else []
    flags += ["reference"] if settings.reference else []
    return tuple(sorted(flags))


def _machine_notes(plan: CpuPlan) -> tuple[str, ...]:
    notes = []
    if plan.few:
        notes.append("one CPU per arm: the JIT competes with the tests, noise is about doubled")
    if not plan.spare:
        notes.append("all CPUs are measured on; other programs make the times noisier")
    return tuple(notes)
