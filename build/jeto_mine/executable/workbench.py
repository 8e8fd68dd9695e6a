"""Clones, images and measurements on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import docker

from jeto_bench.errors import ImageError
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.instance import Unproved, build_from_tree
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.proof import Survey, survey
from jeto_evaluate.images.sources import SourceTree, find_clone, from_clone
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_mine.executable.execute import Settled
from jeto_mine.executable.plan import changed_packages
from jeto_mine.executable.quarantine import quarantine, why_too_few
from jeto_mine.executable.reasons import Dropped, DropReason

__all__ = ["ROUNDS", "DockerWorkbench", "settle"]

ROUNDS: Final = 2
"""How often each version's tests are run offline before those that do not pass are left out."""

_SHOWN: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class DockerWorkbench:
    """See ``execute.Workbench``.

    Attributes:
        client: The engine.
        clones: Folder with clones.
        cpus: CPUs to measure on.
        settings: How the reference is measured.
        provenance: For the reports.
        logs: Folder for the logs of builds.
        options: How images are built.
        say: Called with the name of every step.
    """

    client: docker.DockerClient
    clones: Path
    cpus: tuple[int, ...]
    settings: RunSettings
    provenance: Provenance
    logs: Path
    options: BuildOptions = field(default_factory=BuildOptions)
    say: Callable[[str], None] = lambda _: None

    def tree(self, record: EtipRecord) -> SourceTree:
        """Read the base tree from the record's clone."""
        return from_clone(find_clone(self.clones, record), record.base_commit)

    def image(self, draft: EtipRecord, tree: SourceTree) -> Settled:
        """Build, find the test classes that count, and prove."""
        found: list[EtipRecord] = []

        def settled(made: Unproved) -> EtipRecord:
            seen = survey(
                self.client,
                draft,
                made.image,
                maven_command=made.maven_command,
                limits=self.options.limits,
                log_path=made.log_path,
                rounds=ROUNDS,
            )
            found.append(settle(draft, seen))
            return found[-1]

        facts = build_from_tree(
            self.client, draft, tree, options=self.options, log_dir=self.logs, settle=settled
        )
        if not found:
            raise ImageError(f"{draft.instance_id}: the image was not surveyed")
        return Settled(record=found[-1], facts=facts)

    def measure(self, record: EtipRecord) -> Evaluation:
        """Evaluate the reference as a prediction."""
        return run_instance(
            record,
            gold_predictions([record]).predictions[0],
            factory=DockerArms(client=self.client, cpus=self.cpus, settings=self.settings),
            settings=self.settings,
            provenance=self.provenance,
            progress=lambda step: self.say(f"{record.instance_id}: {step}"),
        )


def settle(draft: EtipRecord, seen: Survey) -> EtipRecord:
    """Return the record with the test classes that pass every time, the others in quarantine.

    Raises:
        Dropped: Too few are left.
    """
    left_out = quarantine(seen.base, seen.reference)
    classes = {item.test_class for one in (*seen.base, *seen.reference) for item in one.classes}
    names = {item.test_class for item in left_out}
    why = why_too_few(classes, names, changed_packages(draft.changed_files))
    if why:
        shown = ", ".join(f"{item.test_class} ({item.reason})" for item in left_out[:_SHOWN])
        raise Dropped(DropReason.TOO_FEW_TESTS, f"{why}: {shown}" if shown else why)
    return replace(draft, test_classes=tuple(sorted(classes - names)), quarantined_tests=left_out)
