"""One identified record to an executable one, or the one reason why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from jeto_bench.errors import ImageError, InputError, UsageError
from jeto_bench.records import EtipRecord, Tier
from jeto_evaluate.images.facts import ImageFacts
from jeto_evaluate.images.serial import require_serial_tests
from jeto_evaluate.images.sources import SourceTree
from jeto_evaluate.images.steps import APPLYING, FETCHING
from jeto_evaluate.images.workshop import StepError
from jeto_evaluate.outcomes import MEASURED
from jeto_evaluate.run.instance import Evaluation
from jeto_mine.detectors import detectors
from jeto_mine.executable.build_failure import BuildFailure, build_failure
from jeto_mine.executable.plan import BuildPlan, plan_build
from jeto_mine.executable.reasons import Dropped, DropReason

__all__ = ["Executed", "Execution", "Settled", "Workbench"]

_STEPS: Final = {
    FETCHING: DropReason.MAVEN_NOT_FETCHED,
    APPLYING: DropReason.REFERENCE_NOT_APPLIED,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """A record whose image is made and proved.

    Attributes:
        record: With the test classes that count.
        facts: The image.
    """

    record: EtipRecord
    facts: ImageFacts


class Workbench(Protocol):
    """What the steps need from outside."""

    def tree(self, record: EtipRecord) -> SourceTree:
        """Return the base tree; raises ``UsageError`` without a clone, ``InputError`` of one."""
        ...

    def image(self, draft: EtipRecord, tree: SourceTree) -> Settled:
        """Build and prove; raises ``StepError``, ``ImageError`` or ``Dropped``."""
        ...

    def measure(self, record: EtipRecord) -> Evaluation:
        """Measure the reference against base."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """An ETIP that is executable.

    Attributes:
        record: With image, test classes, quarantine and detectors.
        plan: What it was built with, and why.
        failed_jdks: JDKs that were tried before, each with the reason that it did not do.
        facts: The image.
        measured: The reference against base.
    """

    record: EtipRecord
    plan: BuildPlan
    failed_jdks: tuple[tuple[int, str], ...]
    facts: ImageFacts
    measured: Evaluation


@dataclass(frozen=True, kw_only=True, slots=True)
class Execution:
    """Makes records executable, one after the other.

    Attributes:
        workbench: Clones, images and measurements.
        without_wrapper: Take trees without a Maven wrapper.
        say: Called with what happens.
    """

    workbench: Workbench
    without_wrapper: bool = False
    say: Callable[[str], None] = lambda _: None

    def run(self, record: EtipRecord) -> Executed:
        """Go through all steps.

        Raises:
            Dropped: It does not become executable; the reason says why.
            EngineError: No engine answers.
        """
        tree = self._tree(record)
        plan = plan_build(record, tree, without_wrapper=self.without_wrapper)
        try:
            require_serial_tests(tree, record.instance_id)
        except ImageError as error:
            raise Dropped(DropReason.PARALLEL_TESTS, error.message) from error
        failures: list[tuple[int, BuildFailure]] = []
        for jdk in plan.jdks.releases:
            self.say(f"{record.instance_id}: image with JDK {jdk}")
            try:
                settled = self._image(plan.draft(record, jdk), tree)
            except StepError as error:
                failures.append((jdk, _failure(error)))
                if not failures[-1][1].another_jdk:
                    break
            else:
                return self._measured(plan, failures, settled)
        # The likeliest JDK knows best what is wrong.
        _, first = failures[0]
        tried = "; ".join(f"JDK {jdk}: {item.reason}" for jdk, item in failures)
        raise Dropped(first.reason, f"{first.detail} ({tried})")

    def _tree(self, record: EtipRecord) -> SourceTree:
        try:
            return self.workbench.tree(record)
        except UsageError as error:
            raise Dropped(DropReason.NO_CLONE, error.message) from error
        except InputError as error:
            raise Dropped(DropReason.CLONE_INCOMPLETE, error.message) from error

    def _image(self, draft: EtipRecord, tree: SourceTree) -> Settled:
        try:
            return self.workbench.image(draft, tree)
        except StepError:
            raise
        except ImageError as error:
            raise Dropped(DropReason.NOT_PROVED, error.message) from error

    def _measured(
        self, plan: BuildPlan, failures: list[tuple[int, BuildFailure]], settled: Settled
    ) -> Executed:
        record = settled.record
        self.say(f"{record.instance_id}: {len(record.test_classes)} test classes to measure")
        measured = self.workbench.measure(record)
        report = measured.report
        if measured.samples is None or report.outcome not in MEASURED:
            raise Dropped(DropReason.NOT_MEASURED, f"{report.reason}: {report.detail}")
        return Executed(
            record=replace(record, tier=Tier.EXECUTABLE, detector_tests=detectors(measured)),
            plan=plan,
            failed_jdks=tuple((jdk, item.reason.value) for jdk, item in failures),
            facts=settled.facts,
            measured=measured,
        )


def _failure(error: StepError) -> BuildFailure:
    """Return the reason behind a step that failed in a build container."""
    known = next((reason for step, reason in _STEPS.items() if error.step.startswith(step)), None)
    if error.late:
        known = DropReason.BUILD_DEADLINE
    if known is None:
        return build_failure(error.output.decode("utf-8", "replace"))
    return BuildFailure(reason=known, detail=error.message, another_jdk=False)
