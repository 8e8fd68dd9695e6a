"""Clones, images and measurements on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import docker

from jeto_bench.errors import ImageError
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.instance import Unproved, build_from_tree, log_of, present_image
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.line_ends import base_tree
from jeto_evaluate.images.proof import Survey, survey
from jeto_evaluate.images.sources import SourceTree
from jeto_evaluate.images.transfer import push_image
from jeto_evaluate.own_tests import files_of_tests
from jeto_evaluate.reports.provenance import Provenance
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_mine.executable.clones import ORIGIN, ensure_clone
from jeto_mine.executable.execute import Settled
from jeto_mine.executable.kept_images import KeptImage, KeptImages
from jeto_mine.executable.modules import changed_packages
from jeto_mine.executable.quarantine import own_tests_that_count, quarantine, why_too_few
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
        origin: Where missing clones are made from; see ``clones.ensure_clone``.
        registry: Where images are pushed to; empty: nowhere.
        kept: What an interrupted run settled; ``None``: every image is made anew.
        say: Called with the name of every step.
    """

    client: docker.DockerClient
    clones: Path
    cpus: tuple[int, ...]
    settings: RunSettings
    provenance: Provenance
    logs: Path
    options: BuildOptions = field(default_factory=BuildOptions)
    origin: str = ORIGIN
    registry: str = ""
    kept: KeptImages | None = None
    say: Callable[[str], None] = lambda _: None

    def tree(self, record: EtipRecord) -> SourceTree:
        """Read the base tree from the record's clone; the log of the record begins anew."""
        if self.kept is None or not self.kept.has(record.instance_id):
            log_of(record.instance_id, self.logs).unlink(missing_ok=True)
        clone = ensure_clone(self.clones, record, origin=self.origin)
        return base_tree(record, clone)

    def image(self, draft: EtipRecord, tree: SourceTree, *, mirrors: Mapping[str, str]) -> Settled:
        """Build, find the test classes that count, and prove; or take what was made already."""
        known = self._made_before(draft, tree, mirrors)
        if known is not None:
            self.say(f"{draft.instance_id}: image of an interrupted run")
            return known
        found: list[tuple[EtipRecord, Mapping[str, bytes]]] = []

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
            record = settle(draft, seen)
            found.append((record, made.recipe))
            return record

        facts = build_from_tree(
            self.client,
            draft,
            tree,
            options=replace(self.options, mirrors=mirrors),
            log_dir=self.logs,
            settle=settled,
        )
        if not found:
            raise ImageError(f"{draft.instance_id}: the image was not surveyed")
        record, recipe = found[-1]
        if self.kept is not None:
            made = KeptImage(record=record, recipe=recipe)
            self.kept.put(draft, mirrors, made, image_id=facts.image_id)
        return Settled(record=record, facts=facts, recipe=recipe)

    def _made_before(
        self, draft: EtipRecord, tree: SourceTree, mirrors: Mapping[str, str]
    ) -> Settled | None:
        if self.kept is None or not self.kept.has(draft.instance_id):
            return None
        facts = present_image(self.client, draft, tree, self.options)
        if facts is None:
            return None
        made = self.kept.get(draft, mirrors, image_id=facts.image_id)
        if made is None:
            return None
        return Settled(record=made.record, facts=facts, recipe=made.recipe)

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

    def push(self, record: EtipRecord) -> str:
        """Push the image if there is a registry to push to; return its digest there."""
        return push_image(self.client, record, registry=self.registry) if self.registry else ""


def settle(draft: EtipRecord, seen: Survey) -> EtipRecord:
    """Return the record with the test classes that pass every time, the others in quarantine.

    Those that came with the fix need to pass with the fix alone: on base they may take for ever.

    Raises:
        Dropped: Too few are left.
    """
    added = set(files_of_tests(draft.test_patch))
    left_out = [
        item for item in quarantine(seen.base, seen.reference) if item.test_class not in added
    ]
    classes = {item.test_class for one in (*seen.base, *seen.reference) for item in one.classes}
    classes -= added
    names = {item.test_class for item in left_out}
    why = why_too_few(classes, names, changed_packages(draft.changed_files))
    if why:
        shown = ", ".join(f"{item.test_class} ({item.reason})" for item in left_out[:_SHOWN])
        raise Dropped(DropReason.TOO_FEW_TESTS, f"{why}: {shown}" if shown else why)
    own, own_left_out = own_tests_that_count(added, seen.own)
    if draft.test_patch and not own:
        told = ", ".join(f"{item.test_class} ({item.reason})" for item in own_left_out[:_SHOWN])
        raise Dropped(DropReason.NO_OWN_TESTS, told or "no test class came with the fix")
    return replace(
        draft,
        test_classes=tuple(sorted((classes - names).union(own))),
        quarantined_tests=tuple(
            sorted((*left_out, *own_left_out), key=lambda item: item.test_class)
        ),
    )
