"""How an instance goes: the order of its steps and rounds, what it keeps, how it stops."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import ContentError, SandboxError
from jeto_bench.predictions.entry import make_prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import JETO
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.patching import ApplyReason, PatchResult, Strategy
from jeto_evaluate.reasons import Reason
from jeto_evaluate.rules import Decider
from jeto_evaluate.run import rounds as rounds_module
from jeto_evaluate.run.arm import ArmSession, BuildResult, RoundOutput
from jeto_evaluate.run.fake import (
    FAKE_PROVENANCE,
    FAKE_SETTING,
    FakeArm,
    FakeArms,
    FakeClass,
    FakeRound,
    FakeScript,
)
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.schedule import instance_seed, pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.steps import ArmFactory
from jeto_evaluate.samples import Arm, Samples

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
PREDICTION = make_prediction(
    instance_id=RECORD.instance_id, model="m", patch=RECORD.patch, line=None
)
JOIN, TEXT = RECORD.test_classes
SETTINGS = RunSettings(run_id="r", criteria=replace(JETO, rounds=6), decides=Decider.JETO, seed=7)


def script(
    join_ms: int,
    *,
    patch: PatchResult | None = None,
    build: BuildResult | None = None,
    rounds: Mapping[int, FakeRound] | None = None,
) -> FakeScript:
    classes = {JOIN: FakeClass(milliseconds=join_ms), TEXT: FakeClass(milliseconds=200)}
    made = FakeScript(round=FakeRound(classes=classes), build=build, rounds=rounds or {})
    return made if patch is None else replace(made, patch=patch)


def fake_arms(base: FakeScript | None = None, candidate: FakeScript | None = None) -> FakeArms:
    return FakeArms(
        scripts={Arm.BASE: base or script(800), Arm.CANDIDATE: candidate or script(400)}
    )


def play(
    arms: FakeArms,
    *,
    settings: RunSettings = SETTINGS,
    progress: Callable[[str], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> Evaluation:
    return run_instance(
        RECORD,
        PREDICTION,
        factory=arms,
        settings=settings,
        provenance=FAKE_PROVENANCE,
        log_path="run_instance.log",
        progress=progress,
        stop=stop,
    )


def samples_of(done: Evaluation) -> Samples:
    assert done.samples is not None
    return done.samples


def test_fake_arms_stand_for_real_ones() -> None:
    arms = fake_arms()
    factory: ArmFactory = arms
    session: ArmSession = arms.open(RECORD, Arm.BASE, "")
    assert isinstance(session, FakeArm)
    assert factory.prepare(RECORD) == FAKE_SETTING


def test_steps_run_in_their_order_and_base_shows_first_that_the_environment_works() -> None:
    """field.md rows 24 and 64: base first; compiled once; a warm-up round is run and discarded."""
    said: list[str] = []
    arms = fake_arms()
    play(arms, progress=said.append)
    assert said[:7] == [
        "image",
        "start of base",
        "start of candidate",
        "apply",
        "build",
        "warm-up of base",
        "warm-up of candidate",
    ]
    assert len(said) == 7 + 2 * 6
    base, candidate = arms.opened
    assert (base.arm, candidate.arm) == (Arm.BASE, Arm.CANDIDATE)
    assert (base.builds, candidate.builds) == (1, 1)
    assert (base.patches, candidate.patches) == ([], [PREDICTION.patch])
    assert base.classes == candidate.classes == [RECORD.test_classes] * 7


def test_pairs_run_back_to_back_in_the_stored_order() -> None:
    """field.md rows 56 and 57: interleaved, balanced, from a seed that the report keeps."""
    arms = fake_arms()
    done = play(arms)
    seed = instance_seed(7, RECORD.instance_id)
    planned = [arm for pair in pair_order(6, seed) for arm in pair]
    assert arms.order == [Arm.BASE, Arm.CANDIDATE, *planned]
    measured = samples_of(done).rounds
    assert [item.arm for item in measured] == arms.order
    base, candidate = (arm.seeds for arm in arms.opened)
    assert base == candidate
    assert len(set(base)) == len(base)
    assert [item.round for item in measured] == [number for n in range(7) for number in (n, n)]
    assert [item.position for item in measured] == [0, 1] * 7
    assert [item.started_at for item in measured] == sorted(item.started_at for item in measured)
    assert samples_of(done).order_seed == done.report.order_seed == seed


def test_the_report_tells_what_was_measured_and_where() -> None:
    done = play(fake_arms())
    report = done.report
    assert (report.outcome, report.reason) == (Outcome.IMPROVED, Reason.FASTER)
    assert report.setting == FAKE_SETTING
    assert report.provenance == FAKE_PROVENANCE
    assert report.log_path == "run_instance.log"
    assert report.rounds_done == 6
    assert report.improved_names == (JOIN,)
    assert [item.median_speedup for item in report.classes if item.improved.significant] == [2.0]
    assert [item.phase for item in report.phases] == [
        "start", "apply", "build", "warm-up", "rounds",
    ]  # fmt: skip
    first = samples_of(done).rounds[0]
    assert first.wall_ms == 800 + 200 + 500
    assert {item.test_class: item.milliseconds for item in first.classes} == {JOIN: 800, TEXT: 200}


def test_names_that_change_in_base_too_are_compared_by_count() -> None:
    """field.md row 55: the candidate is blamed for other names only after base has run twice."""

    def named(name: str) -> FakeRound:
        classes = {
            JOIN: FakeClass(milliseconds=800, cases=(name,)),
            TEXT: FakeClass(milliseconds=9),
        }
        return FakeRound(classes=classes)

    base = FakeScript(round=named("a"), rounds={1: named("b"), 4: named("c")})
    arms = fake_arms(base=base, candidate=FakeScript(round=named("d")))
    done = play(arms)
    assert done.report.reason is Reason.NO_SIGNIFICANT_CLASS
    assert arms.order[:3] == [Arm.BASE, Arm.CANDIDATE, Arm.BASE]
    assert len(samples_of(done).rounds) == 2 * 7
    stable = fake_arms(base=FakeScript(round=named("a")), candidate=FakeScript(round=named("d")))
    assert play(stable).report.reason is Reason.UNSCHEDULED_REPORT


def test_of_several_warm_up_rounds_the_last_is_kept() -> None:
    arms = fake_arms(base=script(800, rounds={0: script(1600).round}))
    settings = replace(SETTINGS, criteria=replace(SETTINGS.criteria, warmup_rounds=2))
    done = play(arms, settings=settings)
    assert len(arms.order) == 2 * (2 + 6)
    warm = [item for item in samples_of(done).rounds if item.round == 0]
    assert [(item.arm, item.classes[0].milliseconds) for item in warm] == [
        (Arm.BASE, 800),
        (Arm.CANDIDATE, 400),
    ]


def test_what_was_left_out_of_the_patch_is_listed() -> None:
    applied = PatchResult(
        applied=True,
        strategy=Strategy.TOLERANT,
        changed=("A.java",),
        junk_paths=("target/x",),
        ignored_test_edits=("src/test/T.java",),
        protected_path_edits=("pom.xml",),
    )
    facts = play(fake_arms(candidate=script(400, patch=applied))).report.patch
    assert (facts.strategy, facts.changed) == ("tolerant", ("A.java",))
    assert facts.junk_paths == ("target/x",)
    assert facts.ignored_test_edits == ("src/test/T.java",)
    assert facts.protected_path_edits == ("pom.xml",)
    assert facts.raw_sha256 == PREDICTION.raw_sha256


def test_without_a_change_in_bytecode_nothing_is_timed() -> None:
    arms = fake_arms()
    outputs = arms.open(RECORD, Arm.BASE, "").build(deadline=1)
    arms = fake_arms(base=script(800, build=outputs), candidate=script(400, build=outputs))
    done = play(arms)
    assert done.report.reason is Reason.NO_BYTECODE_CHANGE
    assert (done.samples, arms.order, done.report.rounds_done) == (None, [], 0)


def test_a_patch_that_does_not_apply_costs_no_build() -> None:
    refused = PatchResult(applied=False, reason=ApplyReason.DOES_NOT_APPLY, detail="A.java:3")
    arms = fake_arms(candidate=script(400, patch=refused))
    report = play(arms).report
    assert report.detail == "A.java:3"
    assert [item.builds for item in arms.opened] == [0, 0]


def test_forged_times_keep_their_samples_but_carry_no_verdict() -> None:
    """field.md row 15: what the code under test can write is held against our own clock."""
    forged = replace(script(400).round, wall_ms=1500)
    done = play(fake_arms(candidate=FakeScript(round=forged)))
    assert done.report.outcome is Outcome.TAMPERED
    assert "saving of 400 ms per round" in done.report.detail
    assert done.report.classes == ()
    assert len(samples_of(done).rounds) == 14


def test_bytes_that_are_no_text_do_not_cost_an_instance(caplog: pytest.LogCaptureFixture) -> None:
    """field.md row 27: byte 0x80 in a log and in a report; graded from the XML all the same."""
    report = FakeClass(milliseconds=400).report(JOIN, "3.2.5")
    noisy = report.replace(b"</testsuite>", b"<system-out>\x80\xc3</system-out></testsuite>")
    odd = replace(script(400).round, files={f"TEST-{JOIN}.xml": noisy}, output=b"\x80" * 10)
    assert play(fake_arms(candidate=FakeScript(round=odd))).report.reason is Reason.FASTER
    with caplog.at_level(logging.INFO):
        failing = replace(odd, exit_code=1)
        report_of = play(fake_arms(candidate=FakeScript(round=failing))).report
    assert report_of.reason is Reason.ROUND_FAILED
    assert "\ufffd" in report_of.detail


def test_processes_that_a_round_left_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """field.md row 76: they are gone by then, and the user is told."""
    left = replace(script(400).round, leftovers=("java -jar spin.jar",))
    play(fake_arms(candidate=script(400, rounds={2: left})))
    assert "round 2 of candidate left processes: java -jar spin.jar" in caplog.text


def test_a_missing_class_is_told_with_the_end_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """field.md row 75: the fork died; no report, and the reason stands in what it printed."""
    died = FakeRound(
        classes={TEXT: FakeClass(milliseconds=200)},
        exit_code=1,
        output=b"The forked VM terminated without saying properly goodbye",
    )
    with caplog.at_level(logging.INFO):
        report = play(fake_arms(candidate=script(400, rounds={1: died}))).report
    assert report.reason is Reason.MISSING_CLASS
    assert JOIN in report.detail
    assert "without saying properly goodbye" in caplog.text


def test_a_fault_of_the_harness_is_told_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    arms = fake_arms(base=script(800, rounds={1: FakeRound(error=KeyError("lost"))}))
    report = play(arms).report
    assert (report.outcome, report.reason) == (Outcome.INFRA_ERROR, Reason.HARNESS_ERROR)
    assert report.detail == "KeyError: 'lost'"
    assert "Traceback" in caplog.text
    assert all(item.closed for item in arms.opened)


def test_orders_that_cannot_be_judged_are_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 57: should all of base's first places come together, nothing is judged."""
    always = tuple([(Arm.BASE, Arm.CANDIDATE)] * 6)
    monkeypatch.setattr(rounds_module, "pair_order", lambda *_: always)
    assert play(fake_arms()).report.reason is Reason.SAMPLES_INVALID


@pytest.mark.parametrize(
    "at", ["image", "start of candidate", "build", "warm-up of base", "round 4 of candidate"]
)
def test_a_stop_ends_the_instance_before_its_next_step(at: str) -> None:
    stop = threading.Event()
    said: list[str] = []

    def progress(step: str) -> None:
        said.append(step)
        if step == at:
            stop.set()

    arms = fake_arms()
    done = play(arms, progress=progress, stop=stop)
    assert done.report.reason is Reason.INTERRUPTED
    assert said[-1] == at
    assert done.samples is None
    assert all(item.closed for item in arms.opened)


def test_whatever_a_stop_breaks_is_no_fault_of_the_patch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Maven that is gone with its container looks like one that the tests ended."""
    stop = threading.Event()

    arms = fake_arms()
    opened = arms.open

    def fail(classes: Sequence[str], *, seed: int, deadline: float) -> RoundOutput:
        del classes, seed, deadline
        stop.set()
        raise ContentError("the resident Maven is gone")

    def breaks(record: EtipRecord, arm: Arm, image_id: str) -> ArmSession:
        session = opened(record, arm, image_id)
        if arm is Arm.CANDIDATE:
            monkeypatch.setattr(session, "round", fail)
        return session

    monkeypatch.setattr(arms, "open", breaks)
    assert play(arms, stop=stop).report.reason is Reason.INTERRUPTED


def test_a_container_killed_by_the_stop_is_no_fault_of_the_engine() -> None:
    stop = threading.Event()
    hanging = FakeScript(round=FakeRound(hangs=True))
    arms = fake_arms(base=hanging)

    def kill() -> None:
        stop.set()
        arms.kill()

    def progress(step: str) -> None:
        if step == "warm-up of base":
            threading.Timer(0.02, kill).start()

    assert play(arms, progress=progress, stop=stop).report.reason is Reason.INTERRUPTED


def test_arms_are_closed_even_if_the_process_is_told_to_end() -> None:
    def progress(step: str) -> None:
        if step == "build":
            raise KeyboardInterrupt

    arms = fake_arms()
    with pytest.raises(KeyboardInterrupt):
        play(arms, progress=progress)
    assert [item.closed for item in arms.opened] == [True, True]


def test_base_is_closed_if_the_candidate_does_not_start() -> None:
    arms = FakeArms(
        scripts={Arm.BASE: script(1), Arm.CANDIDATE: script(1)},
        refused={Arm.CANDIDATE: SandboxError("no room")},
    )
    assert play(arms).report.detail == "no room"
    assert [item.closed for item in arms.opened] == [True]


def test_the_first_of_mavens_errors_is_the_detail() -> None:
    passed = fake_arms().open(RECORD, Arm.BASE, "").build(deadline=1)
    output = b"[INFO] x\n[ERROR] A.java:[3,1] ';' expected\n[ERROR] more\n\x80"
    failed = replace(passed, ok=False, output=output)
    report = play(fake_arms(candidate=script(400, build=failed))).report
    assert report.detail == "A.java:[3,1] ';' expected"


def test_output_of_one_module_does_not_hide_anothers() -> None:
    """Two modules may hold the same path; a change in the first is seen beside the second."""
    service = "target/classes/META-INF/services/org.junit.platform.launcher.TestExecutionListener"
    passed = fake_arms().open(RECORD, Arm.BASE, "").build(deadline=1)
    base = replace(passed, outputs={f"./{m}/{service}": "1" for m in ("a", "z")})
    changed = replace(base, outputs={**base.outputs, f"./a/{service}": "2"})
    arms = fake_arms(base=script(800, build=base), candidate=script(400, build=changed))
    assert play(arms).report.reason is Reason.SHADOWING_CLASS
