"""Everything of the mini split from its sources: history, images, measured detectors, Parquet."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jeto_bench.encode import write_parquet
from jeto_bench.errors import InfrastructureError
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.base import ProviderName
from jeto_evaluate.images.instance import build_instance_image
from jeto_evaluate.outcomes import MEASURED
from jeto_evaluate.reports import Dataset, Host, Provenance
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_mine.detectors import detectors
from jeto_mine.mini.history import make_history
from jeto_mine.mini.predictions import write_predictions
from jeto_mine.mini.records import build_record
from jeto_mine.mini.sources import MiniSource

if TYPE_CHECKING:
    import docker

__all__ = ["PARQUET_NAME", "Rebuild"]

PARQUET_NAME = "test-00000-of-00001.parquet"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuild:
    """Rebuilds mini ETIPs.

    Attributes:
        client: The engine.
        plan: CPUs to measure on.
        logs: Folder for the logs of builds.
        provider: Where base images come from.
        ca_bundle: PEM file to trust while building.
        say: Called with what happens.
    """

    client: docker.DockerClient
    plan: CpuPlan
    logs: Path
    provider: ProviderName = ProviderName.AUTO
    ca_bundle: Path | None = None
    say: Callable[[str], None] = lambda _: None

    def run(self, sources: Sequence[MiniSource], output: Path) -> tuple[EtipRecord, ...]:
        """Rebuild everything and write the Parquet file and the sample predictions.

        Raises:
            ImageError: An image does not build, or base or reference do not pass offline.
            InfrastructureError: Measuring a reference failed.
        """
        records = tuple(self.record(source) for source in sources)
        write_parquet(records, output / PARQUET_NAME)
        write_predictions(sources, output / "predictions")
        return records

    def record(self, source: MiniSource) -> EtipRecord:
        """Make the record of one mini ETIP: image built and proved, detectors measured."""
        self.say(f"{source.slug}: image")
        with tempfile.TemporaryDirectory(prefix="jeto-mini-") as folder:
            history = make_history(source, Path(folder) / "repo")
        draft = build_record(source, history, test_classes=(), detector_tests=())
        with tempfile.TemporaryDirectory(prefix="jeto-mini-") as folder:
            build_instance_image(
                self.client,
                draft,
                _write_tree(source, Path(folder)),
                generate_wrapper=True,
                ca_bundle=self.ca_bundle,
                provider=self.provider,
                log_dir=self.logs,
            )
        measured = self._measure(draft)
        names = sorted(item.test_class for item in measured.report.classes)
        found = detectors(measured)
        self.say(f"{source.slug}: {len(names)} test classes, {len(found)} detector entries")
        return build_record(source, history, test_classes=names, detector_tests=found)

    def _measure(self, record: EtipRecord) -> Evaluation:
        settings = RunSettings(run_id=f"mini-{record.instance_id}")
        result = run_instance(
            record,
            gold_predictions([record]).predictions[0],
            factory=DockerArms(client=self.client, cpus=self.plan.sets[0], settings=settings),
            settings=settings,
            provenance=_NO_PROVENANCE,
            progress=lambda step: self.say(f"{record.instance_id}: {step}"),
        )
        if result.samples is None or result.report.outcome not in MEASURED:
            raise InfrastructureError(
                f"{record.instance_id}: measuring the reference ended in {result.report.outcome} "
                f"({result.report.reason}): {result.report.detail}"
            )
        return result


_NO_PROVENANCE = Provenance(
    harness_version="",
    harness_commit="",
    dataset=Dataset(name="mini", version="", sha256=""),
    host=Host(cpu_model="", cores=0, memory_bytes=0, kernel="", engine_version=""),
    launcher_mode="",
    seed=0,
    started_at="",
)
"""The report is not kept, only what it says of the classes."""


def _write_tree(source: MiniSource, folder: Path) -> Path:
    for path, data in source.tree.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder
