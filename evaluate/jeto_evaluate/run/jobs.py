"""What a run consists of: one job per prediction, and what was done already."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from jeto_bench.encode import records_to_jsonl
from jeto_bench.errors import DecodeError
from jeto_bench.predictions import Prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.reports.write import InstancePaths, read_instance_report
from jeto_evaluate.run.schedule import instance_seed
from jeto_evaluate.run.settings import RunSettings

__all__ = ["Job", "dataset_hash", "finished_before"]


# Both may end otherwise in a better hour, or with the longer time limit of this run.
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


def finished_before(
    job: Job, settings: RunSettings, provenance: Provenance, image_id: str
) -> InstanceReport | None:
    """Return the report of an earlier run of the very same evaluation, else ``None``.

    Same patch, records, criteria, seed, limits, harness, host and image: a changed one is
    evaluated again, and so is what ended in ``infra_error``, ran out of time, or left half a
    report (field.md row 106).

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
    before, now = report.provenance, provenance
    same = (
        report.instance_id == job.record.instance_id,
        report.model == job.prediction.model_name_or_path,
        report.patch.raw_sha256 == job.prediction.raw_sha256,
        report.criteria == settings.criteria,
        report.order_seed == instance_seed(settings.seed, job.record.instance_id),
        before.dataset.sha256 == now.dataset.sha256,
        before.harness_version == now.harness_version,
        before.harness_commit == now.harness_commit,
        before.host == now.host,
        before.policy == now.policy,
        report.setting is None or report.setting.image_id == image_id,
        report.setting is None or report.setting.memory_bytes == settings.memory_bytes,
    )
    return report if all(same) else None
