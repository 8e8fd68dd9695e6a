"""One identified record to an executable one, or the one reason why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from jeto_bench.errors import ImageError, InputError, UsageError
from jeto_bench.records import EtipRecord, Tier
from jeto_evaluate.images.facts import ImageFacts
from jeto_evaluate.images.maven_home import FETCHING
from jeto_evaluate.images.proof import PROVING
from jeto_evaluate.images.serial import require_serial_tests
from jeto_evaluate.images.sources import SourceTree
from jeto_evaluate.images.steps import ADDING, APPLYING, RUNNING
from jeto_evaluate.images.workshop import StepError
from jeto_evaluate.outcomes import MEASURED
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.instance import Evaluation
from jeto_mine.detectors import detectors
from jeto_mine.executable.build_failure import BuildFailure, build_failure
from jeto_mine.executable.mirrors import blocked_mirrors
from jeto_mine.executable.plan import BuildPlan, plan_build
from jeto_mine.executable.quarantine import without_flaky
from jeto_mine.executable.reasons import Dropped, DropReason

__all__ = ["Executed", "Execution", "Settled", "Workbench"]

_TRIES: Final = 4
"""How often an ETIP is measured at most, each time without one more class that failed."""

_STEPS: Final = {
    FETCHING: DropReason.MAVEN_NOT_FETCHED,
    APPLYING: DropReason.REFERENCE_NOT_APPLIED,
    ADDING: DropReason.NO_OWN_TESTS,
    PROVING: DropReason.NOT_PROVED,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """A record whose image is made and proved.

    Attributes:
        record: With the test classes that count.
        facts: The image.
        recipe: Files from which a person can build it again, by path.
    """

    record: EtipRecord
    facts: ImageFacts
    recipe: Mapping[str, bytes] = field(default_factory=dict)


class Workbench(Protocol):
    """What the steps need from outside."""

    def tree(self, record: EtipRecord) -> SourceTree:
        """Return the base tree; raises ``UsageError`` without a clone, ``InputError`` of one."""
        ...

    def image(self, draft: EtipRecord, tree: SourceTree, *, mirrors: Mapping[str, str]) -> Settled:
        """Build and prove; raises ``StepError``, ``ImageError`` or ``Dropped``."""
        ...

    def measure(self, record: EtipRecord) -> Evaluation:
        """Measure the reference against base."""
        ...

    def push(self, record: EtipRecord) -> str:
        """Publish the image; return its digest, empty if it stays here."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """An ETIP that is executable.

    Attributes:
        record: With image, test classes, quarantine and detectors.
        plan: What it was built with, and why.
        failed_jdks: JDKs that were tried before, each with the reason that it did not do.
        facts: The image.
        recipe: Files from which a person can build it again, by path.
        measured: The reference against base.
    """

    record: EtipRecord
    plan: BuildPlan
    failed_jdks: tuple[tuple[int, str], ...]
    facts: ImageFacts
    recipe: Mapping[str, bytes]
    measured: Evaluation


@dataclass(frozen=True, kw_only=True, slots=True)
class Execution:
    """Makes records executable, one after the other.

    Attributes:
        workbench: Clones, images and measurements.
        without_wrapper: Take trees without a Maven wrapper.
        also_upstream: Count modules that changed ones need among them.
        say: Called with what happens.
    """

    workbench: Workbench
    without_wrapper: bool = False
    also_upstream: bool = False
    say: Callable[[str], None] = lambda _: None

    def run(self, record: EtipRecord) -> Executed:
        """Go through all steps.

        Raises:
            Dropped: It does not become executable; the reason says why.
            EngineError: No engine answers.
        """
        tree = self._tree(record)
        plan = plan_build(
            record,
            tree,
            without_wrapper=self.without_wrapper,
            also_upstream=self.also_upstream,
        )
        try:
            require_serial_tests(tree, record.instance_id)
        except ImageError as error:
            raise Dropped(DropReason.PARALLEL_TESTS, error.message) from error
        mirrors = dict(plan.mirrors)
        failures: list[tuple[int, BuildFailure]] = []
        for jdk in plan.jdks.releases:
            self.say(f"{record.instance_id}: image with JDK {jdk}")
            try:
                settled = self._image(plan.draft(record, jdk), tree, mirrors)
            except StepError as error:
                failures.append((jdk, _failure(error, mirrors)))
                if not failures[-1][1].another_jdk:
                    break
            else:
                return self._measured(replace(plan, mirrors=mirrors), failures, settled)
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

    def _image(self, draft: EtipRecord, tree: SourceTree, mirrors: dict[str, str]) -> Settled:
        """Build; with mirrors added for as long as Maven says that it blocked more repositories."""
        while True:
            try:
                return self.workbench.image(draft, tree, mirrors=mirrors)
            except StepError as error:
                more = blocked_mirrors(error.output.decode("utf-8", "replace"))
                if more.keys() <= mirrors.keys():
                    raise
                mirrors |= more
                self.say(f"{draft.instance_id}: by HTTPS: {', '.join(sorted(more.values()))}")
            except ImageError as error:
                raise Dropped(DropReason.NOT_PROVED, error.message) from error

    def _measured(
        self, plan: BuildPlan, failures: list[tuple[int, BuildFailure]], settled: Settled
    ) -> Executed:
        record, measured = self._steadily_measured(settled.record)
        report = measured.report
        if report.reason is Reason.NO_BYTECODE_CHANGE:
            raise Dropped(DropReason.NO_BYTECODE_CHANGE, report.detail)
        if measured.samples is None or report.outcome not in MEASURED:
            raise Dropped(DropReason.NOT_MEASURED, f"{report.reason}: {report.detail}")
        tier = Tier.VERIFIED if record.verification.confirmed else Tier.EXECUTABLE
        found = replace(record, tier=tier, detector_tests=detectors(measured))
        return Executed(
            record=replace(found, image_digest=self.workbench.push(found)),
            plan=plan,
            failed_jdks=tuple((jdk, item.reason.value) for jdk, item in failures),
            facts=settled.facts,
            recipe=settled.recipe,
            measured=measured,
        )

    def _steadily_measured(self, record: EtipRecord) -> tuple[EtipRecord, Evaluation]:
        """Measure; a class that fails once in so many rounds is left out, and not the ETIP."""
        for left in reversed(range(_TRIES)):
            self.say(f"{record.instance_id}: {len(record.test_classes)} test classes to measure")
            measured = self.workbench.measure(record)
            if not left or measured.culprit not in record.test_classes:
                break
            self.say(f"{record.instance_id}: {measured.culprit} is flaky: {measured.report.detail}")
            record = without_flaky(record, measured.culprit)
        return record, measured


def _failure(error: StepError, mirrors: Mapping[str, str]) -> BuildFailure:
    """Return the reason behind a step that failed in a build container."""
    known = next((reason for step, reason in _STEPS.items() if error.step.startswith(step)), None)
    if error.late:
        known = DropReason.BUILD_DEADLINE
    elif known is None and not error.step.startswith(RUNNING):
        known = DropReason.HARNESS_STEP
    if known is None:
        found = build_failure(error.output.decode("utf-8", "replace"))
        by_https = any(url in found.detail for url in mirrors.values())
        if found.reason is DropReason.UNRESOLVED_DEPENDENCY and by_https:
            return replace(found, reason=DropReason.HTTP_REPOSITORY)
        return found
    return BuildFailure(reason=known, detail=error.message, another_jdk=False)
