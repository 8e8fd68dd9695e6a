"""Measuring base against itself, exactly as a prediction is measured against base."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.calibration import CalibratedInstance, calibrated
from jeto_evaluate.patching import ApplyReason
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.run.rounds import measure
from jeto_evaluate.run.schedule import instance_seed
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.steps import ArmFactory
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, Samples

__all__ = ["calibrate_instance"]


def calibrate_instance(
    record: EtipRecord,
    *,
    factory: ArmFactory,
    settings: RunSettings,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[CalibratedInstance, Samples]:
    """Measure a record's base in two arms and judge the one against the other.

    Args:
        record: The ETIP; its patch is applied in the arm of the reference alone.
        factory: Makes the arms.
        settings: As for an evaluation, with the reference or without.
        progress: Called with the name of every step.

    Raises:
        ImageError: The image is missing, or base does not build or pass its tests in it.
        SandboxError: The engine failed.
        SamplesError: Rounds that must not be judged.
    """
    watch = Stopwatch(settings.deadlines.instance)
    seed = instance_seed(settings.seed, record.instance_id)
    progress("image")
    setting = factory.prepare(record)
    with ExitStack() as stack:
        arms: dict[Arm, ArmSession] = {}
        for arm in settings.arms:
            progress(f"start and build of {arm}")
            arms[arm] = factory.open(record, arm, setting.image_id)
            stack.callback(arms[arm].close)
            if arm is Arm.REFERENCE:
                _apply_reference(arms[arm], record, watch.within(settings.deadlines.apply))
            built = arms[arm].build(deadline=watch.within(settings.deadlines.build))
            if not built.ok:
                raise ImageError(
                    f"{record.instance_id}: {arm} does not build: {built.output[-500:]!r}"
                )
        try:
            measured = measure(
                arms,
                record.test_classes,
                settings=settings,
                seed=seed,
                watch=watch,
                checkpoint=progress,
            )
        except InstanceEnded as ended:
            raise ImageError(f"{record.instance_id}: {ended.reason}: {ended.detail}") from ended
    samples = Samples(instance_id=record.instance_id, order_seed=seed, rounds=measured.rounds)
    return calibrated(record.instance_id, setting, samples, settings.rules), samples


def _apply_reference(session: ArmSession, record: EtipRecord, deadline: float) -> None:
    result = session.apply(record.patch.encode("utf-8", "surrogateescape"), deadline=deadline)
    if result.reason is not ApplyReason.NONE:
        raise ImageError(f"{record.instance_id}: the reference does not apply: {result.detail}")
