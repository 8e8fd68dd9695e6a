"""Makes the arms of an instance as Docker containers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.reports.provenance import Setting
from jeto_evaluate.run.cpusets import format_cpuset
from jeto_evaluate.run.maven_arm import MavenArm
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm
from jeto_evaluate.sandbox.docker import DockerSandbox

if TYPE_CHECKING:
    import docker

__all__ = ["DockerArms"]

_MARGIN = 600


@dataclass(frozen=True, kw_only=True, slots=True)
class DockerArms:
    """Satisfies ``ArmFactory``: all arms from one image, on one CPU set, under the same limits.

    Attributes:
        client: The engine.
        cpus: Logical CPUs of the slot.
        settings: Limits and deadlines.
    """

    client: docker.DockerClient
    cpus: tuple[int, ...]
    settings: RunSettings

    def prepare(self, record: EtipRecord) -> Setting:
        """Check the image; see ``ArmFactory.prepare``."""
        facts = ensure_image(self.client, record)
        return Setting(
            image=facts.name,
            image_id=facts.image_id,
            image_digest=facts.digest,
            jdk=facts.jdk,
            maven=facts.maven,
            surefire=facts.surefire,
            cpuset=format_cpuset(self.cpus),
            memory_bytes=self.settings.memory_bytes,
        )

    def open(self, record: EtipRecord, arm: Arm, image_id: str) -> MavenArm:
        """Start an arm from the image that ``prepare`` found; see ``ArmFactory.open``."""
        del arm  # the arms differ in nothing but what is applied later
        sandbox = DockerSandbox(
            self.client,
            ContainerSettings(
                image=image_id,
                cpuset=format_cpuset(self.cpus),
                memory_bytes=self.settings.memory_bytes,
                network=self.settings.network,
                # The container ends by itself, whatever became of the harness.
                lifetime=int(self.settings.deadlines.instance) + _MARGIN,
                run_id=self.settings.run_id,
            ),
        )
        return MavenArm(sandbox, record)
