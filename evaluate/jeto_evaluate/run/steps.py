"""The steps of one instance, in the order they run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Protocol

from jeto_bench.predictions import PatchState, Prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.own_tests import other_classes, own_classes
from jeto_evaluate.patching import ApplyReason
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport, PatchFacts
from jeto_evaluate.reports.provenance import Provenance, Setting
from jeto_evaluate.robust_judging import name_classes
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.builds import refuse_build, refuse_outputs
from jeto_evaluate.run.chance import Chance
from jeto_evaluate.run.confirmation import confirm_classes, detectors_of
from jeto_evaluate.run.ending import APPLY_REASONS, InstanceEnded
from jeto_evaluate.run.own_stage import OwnStage
from jeto_evaluate.run.rounds import measure
from jeto_evaluate.run.schedule import instance_seed
from jeto_evaluate.run.settings import RunSettings, TestChoice
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, Samples
from jeto_evaluate.statistics.censored import CensoredTest

__all__ = ["ArmFactory", "Steps"]

_LOG = logging.getLogger(__name__)

_STATES = {
    PatchState.MISSING: Reason.PATCH_MISSING,
    PatchState.EMPTY: Reason.PATCH_EMPTY,
    PatchState.UNENCODABLE: Reason.PATCH_UNENCODABLE,
}


class ArmFactory(Protocol):
    """Makes the arms of one instance, all from the same image on the same CPUs."""

    def prepare(self, record: EtipRecord) -> Setting:
        """Check the image; raises ``ImageError``."""
        ...

    def open(self, record: EtipRecord, arm: Arm, image_id: str) -> ArmSession:
        """Start an arm from the image that ``prepare`` found; raises ``SandboxError``."""
        ...


class Steps:
    """The state of an instance while it is evaluated."""

    def __init__(
        self,
        *,
        record: EtipRecord,
        prediction: Prediction,
        factory: ArmFactory,
        settings: RunSettings,
        progress: Callable[[str], None],
        stop: threading.Event,
    ) -> None:
        self.record = record
        self.prediction = prediction
        self.factory = factory
        self.settings = settings
        self.progress = progress
        self.stop = stop
        self.seed = instance_seed(settings.seed, record.instance_id)
        self.watch = Stopwatch(settings.deadlines.instance)
        self.setting: Setting | None = None
        self.patch = PatchFacts(
            normalized=prediction.normalized,
            raw_sha256=prediction.raw_sha256,
            patch_sha256=prediction.patch_sha256,
        )
        self.own = own_classes(record)
        self.own_tests: tuple[CensoredTest, ...] = ()
        self.samples: Samples | None = None
        self.confirmation: Samples | None = None
        self.rounds_done = 0
        self.stopped = ""
        self.chance = Chance(settings.repeats)
        self.jvms: tuple[Jvm, ...] = ()

    def checkpoint(self, step: str) -> None:
        """Say what comes next, or end here if the run was stopped."""
        if self.stop.is_set():
            raise InstanceEnded(Reason.INTERRUPTED, f"before {step}")
        self.progress(step)

    def run(self) -> None:
        """Go through all steps; ends by ``InstanceEnded`` or with ``samples`` set."""
        self.refuse_missing_patch()
        if self.settings.tests is TestChoice.DETECTORS and not self.classes():
            raise InstanceEnded(Reason.NO_DETECTORS, "")
        self.checkpoint("image")
        self.setting = self.factory.prepare(self.record)
        with ExitStack() as stack:
            image_id = self.setting.image_id
            arms = {arm: self.start(arm, image_id, stack) for arm in self.settings.arms}
            self.add_tests(arms)
            self.apply(arms[Arm.CANDIDATE])
            if Arm.REFERENCE in arms:
                self.apply_reference(arms[Arm.REFERENCE])
            self.build(arms)
            measured = measure(
                arms,
                self.classes(),
                settings=self.settings,
                seed=self.seed,
                watch=self.watch,
                checkpoint=self.checkpoint,
                chance=self.chance,
            )
            samples = Samples(
                instance_id=self.record.instance_id, order_seed=self.seed, rounds=measured.rounds
            )
            self.rounds_done = max(item.round for item in measured.rounds)
            self.stopped = measured.stopped
            self.jvms = measured.jvms
            if self.settings.confirms:
                self.confirmation = self.confirm(arms, samples)
            if self.own:
                self.own_tests = self.measure_own(arms, image_id, stack)
        self.samples = samples

    def classes(self) -> tuple[str, ...]:
        """The test classes to measure."""
        if self.settings.tests is TestChoice.ALL:
            return other_classes(self.record)
        detectors = {item.test_class for item in self.record.detector_tests}
        return tuple(sorted(detectors.difference(self.own)))

    def add_tests(self, arms: Mapping[Arm, ArmSession]) -> None:
        """Put the tests that came with the fix on every arm."""
        patch = self.record.test_patch.encode("utf-8", "surrogateescape")
        if not self.own:
            return
        with self.watch.phase("apply"):
            for arm, session in arms.items():
                deadline = self.watch.within(self.settings.deadlines.apply)
                problem = session.add_tests(patch, deadline=deadline)
                if problem:
                    raise InstanceEnded(
                        Reason.TESTS_NOT_ADDED, f"the fix's own tests, {arm}: {problem}"
                    )

    def measure_own(
        self, arms: Mapping[Arm, ArmSession], image_id: str, stack: ExitStack
    ) -> tuple[CensoredTest, ...]:
        """Measure the tests that came with the fix, each alone."""

        def again(arm: Arm) -> ArmSession:
            session = self.start(arm, image_id, stack)
            self.add_tests({arm: session})
            if arm is Arm.CANDIDATE:
                self.apply(session)
            result = session.build(deadline=self.watch.within(self.settings.deadlines.build))
            refuse_build(arm, result)
            return session

        stage = OwnStage(
            arms={arm: arms[arm] for arm in (Arm.BASE, Arm.CANDIDATE)},
            open_arm=again,
            settings=self.settings,
            watch=self.watch,
            checkpoint=self.checkpoint,
        )
        return stage.measure(self.own, seed=self.seed)

    def confirm(self, arms: Mapping[Arm, ArmSession], screen: Samples) -> Samples:
        """Measure once more what the screen or the record's detectors name."""
        rule = self.settings.robust_rule
        named = name_classes(screen, rule, detectors_of(self.record), rounds=self.rounds_done)
        return confirm_classes(
            {arm: arms[arm] for arm in (Arm.BASE, Arm.CANDIDATE)},
            screen,
            named,
            settings=self.settings,
            watch=self.watch,
            checkpoint=self.checkpoint,
            chance=self.chance,
        )

    def refuse_missing_patch(self) -> None:
        """Without a patch no container is started."""
        if self.prediction.state is PatchState.MISSING and self.prediction.line is None:
            raise InstanceEnded(Reason.NO_PREDICTION, self.prediction.detail)
        if self.prediction.state in _STATES:
            raise InstanceEnded(_STATES[self.prediction.state], self.prediction.detail)

    def start(self, arm: Arm, image_id: str, stack: ExitStack) -> ArmSession:
        """Open an arm that is closed whatever follows."""
        self.checkpoint(f"start of {arm}")
        with self.watch.phase("start"):
            session = self.factory.open(self.record, arm, image_id)
        stack.callback(session.close)
        return session

    def apply(self, session: ArmSession) -> None:
        """Apply the prediction in the candidate's own container."""
        self.checkpoint("apply")
        with self.watch.phase("apply"):
            result = session.apply(
                self.prediction.patch, deadline=self.watch.within(self.settings.deadlines.apply)
            )
        self.patch = self.patch.applied(result)
        if result.reason is not ApplyReason.NONE:
            _LOG.info("applying: %s\n%s", result.detail, result.log.decode("utf-8", "replace"))
            raise InstanceEnded(APPLY_REASONS[result.reason], result.detail)

    def apply_reference(self, session: ArmSession) -> None:
        """Apply the developers' patch in the reference's own container."""
        patch = self.record.patch.encode("utf-8", "surrogateescape")
        with self.watch.phase("apply"):
            deadline = self.watch.within(self.settings.deadlines.apply)
            result = session.apply(patch, deadline=deadline)
        if result.reason is not ApplyReason.NONE:
            raise InstanceEnded(Reason.REFERENCE_FAILED, f"applying: {result.detail}")

    def build(self, arms: Mapping[Arm, ArmSession]) -> None:
        """Compile all arms, once, side by side: nothing is measured yet."""
        self.checkpoint("build")
        deadline = self.watch.within(self.settings.deadlines.build)
        with self.watch.phase("build"), ThreadPoolExecutor(len(arms)) as pool:
            jobs = {arm: pool.submit(item.build, deadline=deadline) for arm, item in arms.items()}
            results = {arm: job.result() for arm, job in jobs.items()}
        for arm, result in results.items():
            refuse_build(arm, result)
        refuse_outputs(results[Arm.BASE], results[Arm.CANDIDATE], changed=self.patch.changed)

    def report(
        self, provenance: Provenance, log_path: str, reason: Reason, detail: str
    ) -> InstanceReport:
        """Report an instance that has no judged samples."""
        return InstanceReport(
            instance_id=self.record.instance_id,
            model=self.prediction.model_name_or_path,
            outcome=reason.outcome,
            reason=reason,
            detail=detail,
            log_path=log_path,
            criteria=self.settings.criteria,
            decides=self.settings.decides,
            patch=self.patch,
            arm=Arm.CANDIDATE,
            rounds_done=self.rounds_done if self.samples else 0,
            early_stop=self.settings.early_stop,
            stopped=self.stopped,
            repeated=tuple(self.chance.repeated),
            order_seed=self.seed,
            classes=(),
            overall=None,
            phases=self.watch.phases,
            provenance=provenance,
            setting=self.setting,
            jvms=self.jvms if self.samples else (),
            own=self.own_tests if self.samples else (),
        )
