"""What a run consists of: one job per prediction, and what was done already."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jeto_bench.encode import records_to_jsonl
from jeto_bench.errors import DecodeError, UsageError
from jeto_bench.predictions import Prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.reports.write import InstancePaths, read_instance_report
from jeto_evaluate.run.schedule import instance_seed
from jeto_evaluate.run.settings import RunSettings

__all__ = ["Earlier", "Job", "dataset_hash", "finished_before", "kept_reports"]


# Both may end otherwise in a better hour, or with the longer time limit of this run.
_PATCH = "patch"
_TRIED_AGAIN = frozenset({Outcome.INFRA_ERROR, Outcome.TIMED_OUT})


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One prediction to evaluate.

    Attributes:
        record: The ETIP.
        prediction: The patch for it.
        paths: Where its files go.
    """

    record: EtipRecord
    prediction: Prediction
    paths: InstancePaths


def dataset_hash(records: Sequence[EtipRecord]) -> str:
    """Return the SHA-256 of the records' content, whatever file they came from."""
    ordered = sorted(records, key=lambda item: item.instance_id)
    return hashlib.sha256(records_to_jsonl(ordered)).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """What a run of the same name has finished for an instance.

    Attributes:
        report: Its report.
        changed: What this run would do otherwise; with nothing in it the report may be kept.
    """

    report: InstanceReport
    changed: tuple[str, ...]

    @property
    def to_be_lost(self) -> bool:
        """Whether the user should know before it is replaced: it is not just another patch."""
        return bool(set(self.changed) - {_PATCH})


def finished_before(
    job: Job, settings: RunSettings, provenance: Provenance, image_id: str
) -> Earlier | None:
    """Return what a run of the same name finished for this instance, if anything.

    What ended in ``infra_error``, ran out of time, or left half a report is not finished; patch,
    records, criteria, seed, limits, harness, host and image are compared (field.md row 106).

    Args:
        job: The prediction.
        settings: Of this run.
        provenance: Of this run.
        image_id: Id of the image that this run would use; empty if there is none.
    """
    if not job.paths.report.exists():
        return None
    try:
        report = read_instance_report(job.paths.report)
    except DecodeError:
        return None
    if report.outcome in _TRIED_AGAIN:
        return None
    before, now, setting = report.provenance, provenance, report.setting
    seed = instance_seed(settings.seed, job.record.instance_id)
    same = {
        _PATCH: report.patch.raw_sha256 == job.prediction.raw_sha256,
        "criteria": report.decides is settings.decides
        and replace(report.criteria, rounds=1) == replace(settings.criteria, rounds=1)
        and (
            report.robust is None
            or replace(report.robust.criteria, rounds=1) == replace(settings.robust, rounds=1)
        ),
        "rounds": report.criteria.rounds == settings.criteria.rounds,
        "seed": report.order_seed == seed,
        "dataset": before.dataset.sha256 == now.dataset.sha256,
        "harness": (before.harness_version, before.harness_commit)
        == (now.harness_version, now.harness_commit),
        "host": before.host == now.host,
        "CPUs, network, slots, tests, reference, early stop or own-test timeout": before.policy
        == now.policy,
        "image": setting is None or setting.image_id == image_id,
        "memory limit": setting is None or setting.memory_bytes == settings.memory_bytes,
    }
    return Earlier(report=report, changed=tuple(name for name, is_ in same.items() if not is_))


def kept_reports(
    jobs: Sequence[Job],
    settings: RunSettings,
    provenance: Provenance,
    *,
    image_id: Callable[[Job], str],
    overwrite: bool,
) -> dict[Job, InstanceReport]:
    """Return what need not be measured again.

    Args:
        jobs: Of this run.
        settings: Of this run.
        provenance: Of this run.
        image_id: Tells the id of a job's image; empty if there is none.
        overwrite: What was measured with other settings may be lost.

    Raises:
        UsageError: It may not.
    """
    kept: dict[Job, InstanceReport] = {}
    lost: list[Earlier] = []
    for job in jobs:
        earlier = finished_before(job, settings, provenance, image_id(job))
        if earlier is not None and not earlier.changed:
            kept[job] = earlier.report
        elif earlier is not None and earlier.to_be_lost:
            lost.append(earlier)
    if lost and not overwrite:
        changed = sorted({name for item in lost for name in item.changed})
        raise UsageError(
            f"run {settings.run_id} has measured {len(lost)} of these instances otherwise;"
            f" changed since: {', '.join(changed)}",
            advice="Choose another --run-id, or give --overwrite to measure them again."
            f" To judge by other criteria: jeto-bench report {settings.run_id} --criteria NAME",
        )
    return kept
