"""A run of many instances: slots, files, deadlines, interruption, going on from before."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import InfrastructureError, Interrupted, UsageError
from jeto_bench.predictions import Prediction
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports import InstanceReport
from jeto_evaluate.reports.write import instance_paths, read_instance_report
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.fake import (
    FAKE_PROVENANCE,
    FAKE_SETTING,
    FakeArms,
    FakeClass,
    FakeRound,
    FakeScript,
)
from jeto_evaluate.run.jobs import Job, dataset_hash, finished_before, kept_reports
from jeto_evaluate.run.progress import RunProgress
from jeto_evaluate.run.run import Runner
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_evaluate.samples import Arm, Samples
from jeto_evaluate.samples_io import read_samples, write_samples

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
SETTINGS = RunSettings(run_id="r", criteria=replace(JETO, rounds=6), decides=Decider.JETO)
NAMES = ("acme__lib-1", "acme__lib-2", "acme__lib-3")


@dataclass
class Told:
    """Remembers what it was told; satisfies ``RunProgress``."""

    logs: Path
    steps: list[tuple[str, str]] = field(default_factory=list)
    outcomes: list[tuple[str, str]] = field(default_factory=list)
    on_disk: list[int] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def step(self, instance_id: str, step: str) -> None:
        self.steps.append((instance_id, step))
        if step == "image":
            self.on_disk.append(len(list(self.logs.rglob("report.json"))))

    def done(self, instance_id: str, outcome: str) -> None:
        self.outcomes.append((instance_id, outcome))


def script(milliseconds: int) -> FakeScript:
    classes = {name: FakeClass(milliseconds=milliseconds) for name in RECORD.test_classes}
    return FakeScript(round=FakeRound(classes=classes))


HANGING = FakeScript(round=FakeRound(hangs=True))


def slot(base: FakeScript | None = None, candidate: FakeScript | None = None) -> FakeArms:
    return FakeArms(
        scripts={Arm.BASE: base or script(800), Arm.CANDIDATE: candidate or script(400)}
    )


def prediction(name: str, patch: str | None = RECORD.patch) -> Prediction:
    return make_prediction(instance_id=name, model="m", patch=patch, line=None)


def job(logs: Path, name: str = NAMES[0], patch: str | None = RECORD.patch) -> Job:
    return Job(
        record=replace(RECORD, instance_id=name),
        prediction=prediction(name, patch),
        paths=instance_paths(logs, run_id="r", model="m", instance_id=name),
    )


def runner(
    logs: Path,
    *slots: FakeArms,
    progress: RunProgress | None = None,
    settings: RunSettings = SETTINGS,
) -> Runner:
    def kill() -> None:
        for item in slots:
            item.kill()

    return Runner(
        slots=slots,
        settings=settings,
        provenance=FAKE_PROVENANCE,
        progress=progress or Told(logs),
        logs=logs,
        kill=kill,
    )


def outcomes(reports: Sequence[InstanceReport]) -> list[tuple[str, Reason]]:
    return [(item.instance_id, item.reason) for item in reports]


def test_each_report_is_on_disk_before_the_next_job_begins(tmp_path: Path) -> None:
    told = Told(tmp_path)
    jobs = [job(tmp_path, name) for name in NAMES]
    reports = runner(tmp_path, slot(), progress=told).run(jobs)
    assert outcomes(reports) == [(name, Reason.FASTER) for name in NAMES]
    assert told.on_disk == [0, 1, 2]
    assert told.outcomes[0] == (NAMES[0], "improved (faster), JoinTest 2.00 times as fast")


def test_the_files_of_an_instance_are_complete(tmp_path: Path) -> None:
    one = job(tmp_path)
    (report,) = runner(tmp_path, slot()).run([one])
    assert read_instance_report(one.paths.report) == report
    assert one.paths.patch.read_bytes() == one.prediction.patch
    assert len(read_samples(one.paths.samples).rounds) == 2 * 7
    assert "improved (faster)" in one.paths.log.read_text(encoding="utf-8")
    assert report.log_path == str(one.paths.log)
    assert not list(tmp_path.rglob("*.part"))


def test_samples_of_an_earlier_run_do_not_stay_beside_a_new_report(tmp_path: Path) -> None:
    one = job(tmp_path)
    runner(tmp_path, slot()).run([one])
    (report,) = runner(tmp_path, slot(base=HANGING), settings=hurried(0.01)).run([one])
    assert report.reason is Reason.BASE_TIMED_OUT
    assert not one.paths.samples.exists()


def hurried(seconds: float) -> RunSettings:
    return replace(SETTINGS, deadlines=Deadlines(round=seconds))


def test_two_slots_are_never_used_by_two_instances_at_once(tmp_path: Path) -> None:
    slots = (slot(), slot())
    reports = runner(tmp_path, *slots).run([job(tmp_path, f"acme__lib-{n}") for n in range(8)])
    assert len(reports) == 8
    for item in slots:
        rounds = [len(arm.classes) for arm in item.opened]
        assert rounds == [7] * len(item.opened)
        # Base's warm-up comes first in every instance: no two are mixed on one slot.
        starts = item.order[:: 2 * 7]
        assert starts == [Arm.BASE] * len(starts)
    assert sum(len(item.opened) for item in slots) == 16


def test_each_instance_has_a_log_of_its_own(tmp_path: Path) -> None:
    jobs = [job(tmp_path, name) for name in NAMES]
    runner(tmp_path, slot(), slot()).run(jobs)
    for one in jobs:
        text = one.paths.log.read_text(encoding="utf-8")
        assert [name for name in NAMES if name in text] == [one.record.instance_id]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_and_keeps_what_is_finished(tmp_path: Path, number: int) -> None:
    """field.md row 37: no container is left, no half-written file, the status says so."""

    class Killer(Told):
        def step(self, instance_id: str, step: str) -> None:
            super().step(instance_id, step)
            if instance_id == NAMES[1] and step == "round 2 of base":
                os.kill(os.getpid(), number)
                assert arms.killed.wait(30)

    before = signal.getsignal(number)
    arms = slot()
    told = Killer(tmp_path)
    with pytest.raises(Interrupted, match="1 of 3 instances were finished") as stopped:
        runner(tmp_path, arms, progress=told).run([job(tmp_path, name) for name in NAMES])
    assert stopped.value.exit_code == 130
    assert [path.parent.name for path in tmp_path.rglob("report.json")] == [NAMES[0]]
    assert not list(tmp_path.rglob("*.part"))
    assert all(arm.closed for arm in arms.opened)
    assert signal.getsignal(number) is before


def test_a_worker_that_waits_for_its_container_is_freed(tmp_path: Path) -> None:
    """field.md row 38: an endless loop in a test does not hold the run."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    arms = slot(candidate=HANGING)
    with pytest.raises(Interrupted, match="0 of 1"):
        runner(tmp_path, arms).run([job(tmp_path)])
    assert arms.killed.is_set()
    assert all(arm.closed for arm in arms.opened)


def test_the_runs_deadline_gives_every_instance_a_report(tmp_path: Path) -> None:
    """field.md row 38: the last instance cannot hold the run."""
    settings = replace(SETTINGS, deadlines=Deadlines(run=0.3))
    arms = slot(candidate=HANGING)
    jobs = [job(tmp_path, NAMES[0]), job(tmp_path, NAMES[1]), job(tmp_path, NAMES[2], patch=" ")]
    reports = runner(tmp_path, arms, settings=settings).run(jobs)
    assert outcomes(reports) == [
        (NAMES[0], Reason.RUN_DEADLINE),
        (NAMES[1], Reason.RUN_DEADLINE),
        (NAMES[2], Reason.PATCH_EMPTY),
    ]
    assert read_instance_report(jobs[0].paths.report).reason is Reason.RUN_DEADLINE


def test_a_full_disk_ends_the_run_as_trouble_of_the_harness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured for hours and lost: the rest is not measured, and earlier reports are kept."""

    def write(path: Path, samples: Samples) -> None:
        if NAMES[1] in str(path):
            raise OSError(28, "No space left on device")
        write_samples(path, samples)

    monkeypatch.setattr("jeto_evaluate.run.run.write_samples", write)
    told = Told(tmp_path)
    with pytest.raises(InfrastructureError, match=r"acme__lib-2 .* No space left"):
        runner(tmp_path, slot(), progress=told).run([job(tmp_path, name) for name in NAMES])
    assert [path.parent.name for path in tmp_path.rglob("report.json")] == [NAMES[0]]
    assert told.outcomes == [(NAMES[0], told.outcomes[0][1])]


def kept(one: Job, *, settings: RunSettings = SETTINGS) -> bool:
    provenance = replace(FAKE_PROVENANCE, started_at="2030-01-01T00:00:00+00:00")
    earlier = finished_before(one, settings, provenance, FAKE_SETTING.image_id)
    return earlier is not None and not earlier.changed


STRICTER = replace(SETTINGS.criteria, alpha=Fraction(1, 100))


class TestGoingOn:
    """field.md row 106: what was done stays done, and nothing else counts as done."""

    def test_the_same_evaluation_is_not_repeated(self, tmp_path: Path) -> None:
        one = job(tmp_path)
        assert not kept(one)
        runner(tmp_path, slot()).run([one])
        assert kept(one)

    def test_a_changed_patch_under_the_same_run_name_is_evaluated(self, tmp_path: Path) -> None:
        runner(tmp_path, slot()).run([job(tmp_path)])
        assert not kept(job(tmp_path, patch=RECORD.patch + "\n"))
        assert not kept(job(tmp_path, patch=None))
        other = job(tmp_path, patch=RECORD.patch + "\n")
        earlier = finished_before(other, SETTINGS, FAKE_PROVENANCE, FAKE_SETTING.image_id)
        assert earlier is not None
        assert (earlier.changed, earlier.to_be_lost) == (("patch",), False)

    def test_a_report_cut_in_half_counts_for_nothing(self, tmp_path: Path) -> None:
        one = job(tmp_path)
        runner(tmp_path, slot()).run([one])
        data = one.paths.report.read_bytes()
        for end in (0, 1, len(data) // 2, len(data) - 2):
            one.paths.report.write_bytes(data[:end])
            assert not kept(one)

    @pytest.mark.parametrize("arm", [Arm.BASE, Arm.CANDIDATE])
    def test_trouble_and_passed_deadlines_are_tried_again(self, tmp_path: Path, arm: Arm) -> None:
        one = job(tmp_path)
        arms = FakeArms(scripts={Arm.BASE: script(800), Arm.CANDIDATE: script(400), arm: HANGING})
        (report,) = runner(tmp_path, arms, settings=hurried(0.01)).run([one])
        assert report.outcome is (Outcome.INFRA_ERROR if arm is Arm.BASE else Outcome.TIMED_OUT)
        assert not kept(one)

    @pytest.mark.parametrize(
        ("settings", "changed"),
        [
            (replace(SETTINGS, criteria=replace(SETTINGS.criteria, rounds=7)), "rounds"),
            (
                replace(SETTINGS, criteria=replace(SETTINGS.criteria, alpha=Fraction(1, 100))),
                "criteria",
            ),
            (replace(SETTINGS, seed=1), "seed"),
            (replace(SETTINGS, memory_bytes=1 << 30), "memory limit"),
        ],
    )
    def test_other_settings_are_another_evaluation(
        self, tmp_path: Path, settings: RunSettings, changed: str
    ) -> None:
        one = job(tmp_path)
        runner(tmp_path, slot()).run([one])
        earlier = finished_before(one, settings, FAKE_PROVENANCE, FAKE_SETTING.image_id)
        assert earlier is not None
        assert (earlier.changed, earlier.to_be_lost) == ((changed,), True)

    def test_another_image_host_or_dataset_is_another_evaluation(self, tmp_path: Path) -> None:
        one = job(tmp_path)
        runner(tmp_path, slot()).run([one])
        earlier = finished_before(one, SETTINGS, FAKE_PROVENANCE, "sha256:other")
        assert earlier is not None
        assert earlier.changed == ("image",)
        for other in (
            replace(FAKE_PROVENANCE, host=replace(FAKE_PROVENANCE.host, cores=99)),
            replace(FAKE_PROVENANCE, dataset=replace(FAKE_PROVENANCE.dataset, sha256="f" * 64)),
            replace(FAKE_PROVENANCE, harness_version="9.9.9"),
            replace(FAKE_PROVENANCE, harness_commit="f" * 40),
            replace(FAKE_PROVENANCE, policy=("network=bridge",)),
        ):
            earlier = finished_before(one, SETTINGS, other, FAKE_SETTING.image_id)
            assert earlier is not None
            assert len(earlier.changed) == 1


def test_what_was_measured_otherwise_is_not_lost_unasked(tmp_path: Path) -> None:
    one, other = job(tmp_path, NAMES[0]), job(tmp_path, NAMES[1])
    runner(tmp_path, slot()).run([one, other])
    settings = replace(SETTINGS, seed=1)

    def keep(settings: RunSettings, *jobs: Job, overwrite: bool = False) -> list[str]:
        found = kept_reports(
            jobs,
            settings,
            FAKE_PROVENANCE,
            image_id=lambda _: FAKE_SETTING.image_id,
            overwrite=overwrite,
        )
        return [report.instance_id for report in found.values()]

    assert keep(SETTINGS, one, other) == list(NAMES[:2])
    with pytest.raises(UsageError, match=r"measured 2 of these .* changed since: seed"):
        keep(settings, one, other)
    assert keep(settings, one, overwrite=True) == []
    assert keep(SETTINGS, job(tmp_path, NAMES[0], patch=RECORD.patch + "\n"), other) == [NAMES[1]]


def test_the_datasets_hash_is_that_of_its_content() -> None:
    other = replace(RECORD, instance_id="acme__lib-9")
    assert dataset_hash([RECORD, other]) == dataset_hash([other, RECORD])
    assert dataset_hash([RECORD]) != dataset_hash([replace(RECORD, hints_text="x")])
