"""What one call of ``jeto-mine execute`` is put together from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import docker

from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.container import remove_own_containers
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.mirror import RepositoryMirror
from jeto_evaluate.images.proof import Limits
from jeto_evaluate.rules import DEFAULT_RULES
from jeto_evaluate.run.cpusets import CpuPlan, format_cpuset
from jeto_evaluate.run.origin import run_provenance
from jeto_evaluate.run.request import Request
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_mine.executable.clones import ORIGIN
from jeto_mine.executable.execute import Execution
from jeto_mine.executable.kept_images import UNMEASURED, KeptImages
from jeto_mine.executable.results import Folder
from jeto_mine.executable.room import make_room
from jeto_mine.executable.run import Batch
from jeto_mine.executable.workbench import DockerWorkbench

__all__ = ["Choices", "open_batch"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What the user decides.

    Attributes:
        source: Where the records come from, for reports.
        clones: Folder with clones.
        rounds: Measured pairs.
        own_test_timeout: Seconds of one launch of a test that came with the fix.
        without_wrapper: Take trees without a Maven wrapper.
        also_upstream: Count modules that changed ones need among them.
        origin: URL of repositories without a clone; see ``clones.ensure_clone``.
        registry: Where images are pushed to; empty: nowhere.
        disk_budget: Bytes that instance images may add; ``None``: any.
        ca_bundle: PEM file with further certificates to trust while building.
        mirror: Asked in place of all repositories of artifacts.
        logs: Folder for the logs of builds.
    """

    source: str
    clones: Path
    rounds: int = 30
    own_test_timeout: float = Deadlines().own_test
    without_wrapper: bool = False
    also_upstream: bool = False
    origin: str = ORIGIN
    registry: str = ""
    disk_budget: int | None = None
    ca_bundle: Path | None = None
    mirror: RepositoryMirror | None = None
    logs: Path = Path("logs/images")

    @property
    def deciding(self) -> tuple[str, ...]:
        """Those on which a result depends."""
        return (
            f"rounds={self.rounds}",
            f"without_wrapper={self.without_wrapper}",
            f"also_upstream={self.also_upstream}",
            f"registry={self.registry}",
            f"own_test_timeout={self.own_test_timeout}",
        )


def open_batch(
    client: docker.DockerClient,
    records: Sequence[EtipRecord],
    folder: Folder,
    choices: Choices,
    *,
    plan: CpuPlan,
    say: Callable[[str], None],
) -> Batch:
    """Return a batch with one workbench per CPU set.

    Args:
        client: The engine.
        records: All records, for the reports' provenance.
        folder: Where results are kept.
        choices: What the user decides.
        plan: The CPU sets.
        say: Called with what happens.
    """
    rules = DEFAULT_RULES.with_rounds(choices.rounds)
    settings = replace(
        RunSettings.under(rules, run_id="execute"),
        cpus=len(plan.sets[0]),
        repeats=0,  # what fails by chance is found here, to be left out of the record
        deadlines=Deadlines(own_test=choices.own_test_timeout),
    )
    request = Request(
        records=tuple(records),
        dataset_name=choices.source,
        predictions=gold_predictions(records),
    )
    provenance = run_provenance(client, request, settings, plan)
    harness = f"{provenance.harness_version} {provenance.harness_commit}".strip()

    def before() -> None:
        if choices.disk_budget is not None:
            make_room(
                client,
                limit=choices.disk_budget,
                slots=len(plan.sets),
                removable={one.instance_id for one in folder.results() if one.image_digest},
            )

    def executor(cpus: tuple[int, ...]) -> Execution:
        limits = Limits(cpuset=format_cpuset(cpus))
        workbench = DockerWorkbench(
            client=client,
            clones=choices.clones,
            cpus=cpus,
            settings=settings,
            provenance=provenance,
            logs=choices.logs,
            options=BuildOptions(ca_bundle=choices.ca_bundle, limits=limits, mirror=choices.mirror),
            origin=choices.origin,
            registry=choices.registry,
            kept=KeptImages(folder.path / UNMEASURED, harness),
            say=say,
        )
        return Execution(
            workbench=workbench,
            without_wrapper=choices.without_wrapper,
            also_upstream=choices.also_upstream,
            say=say,
        )

    return Batch(
        executors=[executor(cpus) for cpus in plan.sets],
        folder=folder,
        options=choices.deciding,
        logs=choices.logs,
        machine=provenance.host.words,
        harness=harness,
        say=say,
        kill=lambda: remove_own_containers(client),
        before=before,
    )
