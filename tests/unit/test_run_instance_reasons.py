"""Every way in which an instance can end, each brought about by arms that follow a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import EngineError, ImageError, ImageMismatchError, SandboxError
from jeto_bench.predictions import PatchState
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO, Criteria
from jeto_evaluate.outcomes import GRADED, Outcome
from jeto_evaluate.patching import ApplyReason, PatchResult
from jeto_evaluate.reasons import Reason
from jeto_evaluate.rules import Decider
from jeto_evaluate.run import steps
from jeto_evaluate.run.arm import BuildResult
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.run.expectation import Expectation
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm
from jeto_evaluate.surefire import read_round

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
PREDICTION = make_prediction(
    instance_id=RECORD.instance_id, model="m", patch=RECORD.patch, line=None
)
JOIN, TEXT = RECORD.test_classes
EIGHT = replace(JETO, rounds=8)
OUTPUTS = {
    "./core/target/classes/acme/Text.class": "1",
    "./cli/target/classes/acme/Main.class": "2",
}


def fake_round(
    join_ms: int = 900,
    text_ms: int = 300,
    *,
    join: FakeClass | None = None,
    files: Mapping[str, bytes] | None = None,
) -> FakeRound:
    ordinary = FakeClass(milliseconds=join_ms, cases=("joins", "splits"))
    classes = {JOIN: join or ordinary, TEXT: FakeClass(milliseconds=text_ms)}
    return FakeRound(classes=classes, files=files or {})


def built(*, ok: bool = True, timed_out: bool = False, oom_killed: bool = False) -> BuildResult:
    return BuildResult(
        ok=ok,
        seconds=1.0,
        output=b"[INFO] compiling\n[ERROR] Text.java:[3,1] ';' expected\n",
        timed_out=timed_out,
        oom_killed=oom_killed,
        outputs=OUTPUTS if ok else {},
    )


ORDINARY = FakeScript(round=fake_round())


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What the two arms do; an ordinary instance, same times in both, where nothing is said."""

    base: FakeScript = ORDINARY
    candidate: FakeScript = ORDINARY
    criteria: Criteria = EIGHT
    prepared: Exception | None = None
    refused: Mapping[Arm, Exception] = field(default_factory=dict)

    def arms(self) -> FakeArms:
        scripts = {Arm.BASE: self.base, Arm.CANDIDATE: self.candidate}
        if self.prepared is not None:
            return FakeArms(scripts=scripts, setting=self.prepared, refused=self.refused)
        return FakeArms(scripts=scripts, refused=self.refused)

    def play(self, arms: FakeArms | None = None) -> Evaluation:
        return run_instance(
            RECORD,
            PREDICTION,
            factory=arms or self.arms(),
            settings=RunSettings(
                run_id="r",
                criteria=self.criteria,
                decides=Decider.JETO,
                deadlines=Deadlines(round=0.01),
            ),
            provenance=FAKE_PROVENANCE,
        )


def candidate_round(at: int, changed: FakeRound) -> Scene:
    """The candidate's round ``at`` differs; 0 is the warm-up."""
    return Scene(candidate=FakeScript(round=fake_round(), rounds={at: changed}))


def base_round(at: int, changed: FakeRound) -> Scene:
    return Scene(base=FakeScript(round=fake_round(), rounds={at: changed}))


def candidate_applies(reason: ApplyReason, detail: str = "why") -> Scene:
    result = PatchResult(applied=False, reason=reason, detail=detail)
    return Scene(candidate=FakeScript(patch=result, round=fake_round()))


def candidate_builds(result: BuildResult | Exception) -> Scene:
    return Scene(candidate=FakeScript(build=result, round=fake_round()))


def base_builds(result: BuildResult | Exception) -> Scene:
    return Scene(base=FakeScript(build=result, round=fake_round()))


def without(name: str) -> FakeRound:
    whole = fake_round()
    return replace(whole, classes={key: item for key, item in whole.classes.items() if key != name})


FAILING = fake_round(
    join=FakeClass(milliseconds=900, cases=("joins", "splits"), failed=frozenset({"splits"}))
)
ONE_CASE = fake_round(join=FakeClass(milliseconds=900, cases=("joins",)))
THREE_CASES = fake_round(join=FakeClass(milliseconds=900, cases=("joins", "splits", "new")))
SKIPPING = fake_round(
    join=FakeClass(milliseconds=900, cases=("joins", "splits"), skipped=frozenset({"splits"}))
)
TRUNCATED = fake_round(files={f"core/TEST-{JOIN}.xml": b"<testsuite name="})
AMBIGUOUS = fake_round(
    files={
        f"TEST-{TEXT}.xml": f'<testsuite name="{TEXT}" time="1,234"><testcase name="works" '
        f'classname="{TEXT}" time="1,234"/></testsuite>'.encode()
    }
)
UNSCHEDULED = fake_round(
    files={"TEST-acme.Made.xml": FakeClass(milliseconds=1).report("acme.Made", "3.2.5")}
)
HANGING = replace(fake_round(), hangs=True, wall_ms=600_000)
INTRUDER = built()
INTRUDER = replace(INTRUDER, outputs={**OUTPUTS, "./core/target/classes/org/junit/Test.class": "3"})

SCENES: dict[str, tuple[Reason, Scene]] = {
    # The prediction is never blamed for these.
    "no engine": (Reason.ENGINE_FAILED, Scene(prepared=EngineError("gone"))),
    "no image": (Reason.IMAGE_MISSING, Scene(prepared=ImageError("no such image"))),
    "the wrong image": (Reason.IMAGE_MISMATCH, Scene(prepared=ImageMismatchError("another"))),
    "base does not start": (
        Reason.SANDBOX_DIED,
        Scene(refused={Arm.BASE: SandboxError("refused")}),
    ),
    "candidate does not start": (
        Reason.SANDBOX_DIED,
        Scene(refused={Arm.CANDIDATE: SandboxError("refused")}),
    ),
    "container dies while applying": (
        Reason.SANDBOX_DIED,
        Scene(candidate=FakeScript(patch=SandboxError("died"))),
    ),
    "container dies while building": (Reason.SANDBOX_DIED, candidate_builds(SandboxError("died"))),
    "container dies in a round": (
        Reason.SANDBOX_DIED,
        candidate_round(3, FakeRound(error=SandboxError("died"))),
    ),
    "base does not build": (Reason.BASE_BUILD_FAILED, base_builds(built(ok=False))),
    "base builds too long": (
        Reason.BASE_TIMED_OUT,
        base_builds(built(ok=False, timed_out=True)),
    ),
    "base's build takes too much memory": (
        Reason.BASE_OOM,
        base_builds(built(ok=False, oom_killed=True)),
    ),
    "base fails at once": (Reason.BASE_FAILED, base_round(0, FAILING)),
    "base fails later, and when the pair is run again": (
        Reason.BASE_FAILED,
        Scene(base=FakeScript(round=fake_round(), rounds=dict.fromkeys(range(5, 9), FAILING))),
    ),
    "base lacks a class": (Reason.BASE_FAILED, base_round(0, without(JOIN))),
    "base lacks a class later": (Reason.BASE_FAILED, base_round(5, without(JOIN))),
    "base runs nothing": (Reason.BASE_FAILED, base_round(0, FakeRound())),
    "base lacks a case later": (Reason.BASE_FAILED, base_round(2, ONE_CASE)),
    "base skips a case later": (Reason.BASE_FAILED, base_round(2, SKIPPING)),
    "base lacks a class when a candidate's case is in doubt": (
        Reason.BASE_FAILED,
        Scene(
            base=FakeScript(round=fake_round(), rounds={1: without(JOIN)}),
            candidate=FakeScript(round=ONE_CASE),
        ),
    ),
    "base fails when a candidate's case is in doubt": (
        Reason.BASE_FAILED,
        Scene(
            base=FakeScript(round=fake_round(), rounds={1: FAILING}),
            candidate=FakeScript(round=ONE_CASE),
        ),
    ),
    "base hangs when a candidate's case is in doubt": (
        Reason.BASE_TIMED_OUT,
        Scene(
            base=FakeScript(round=fake_round(), rounds={1: HANGING}),
            candidate=FakeScript(round=ONE_CASE),
        ),
    ),
    "base's report is cut": (Reason.BASE_FAILED, base_round(0, TRUNCATED)),
    "base ends with an error": (
        Reason.BASE_FAILED,
        base_round(1, replace(fake_round(), exit_code=1)),
    ),
    "base's JVM is sized otherwise later": (
        Reason.BASE_FAILED,
        Scene(
            base=FakeScript(
                round=replace(fake_round(), seen=True),
                rounds={3: replace(fake_round(), seen=True, processors=1)},
            ),
            candidate=FakeScript(round=replace(fake_round(), seen=True)),
        ),
    ),
    "base hangs": (Reason.BASE_TIMED_OUT, base_round(0, HANGING)),
    "base's round takes too much memory": (
        Reason.BASE_OOM,
        base_round(1, replace(fake_round(), oom_killed=True, exit_code=1)),
    ),
    "another Surefire in base": (
        Reason.SUREFIRE_MISMATCH,
        base_round(1, replace(fake_round(), surefire="2.22.2")),
    ),
    "another Surefire in the candidate": (
        Reason.UNSCHEDULED_REPORT,
        candidate_round(0, replace(fake_round(), surefire="2.22.2")),
    ),
    "a fault of ours": (Reason.HARNESS_ERROR, candidate_builds(ZeroDivisionError("oops"))),
    # The prediction is at fault.
    "not a diff": (Reason.PATCH_MALFORMED, candidate_applies(ApplyReason.MALFORMED)),
    "a link": (Reason.PATCH_UNSAFE_PATH, candidate_applies(ApplyReason.SYMLINK)),
    "a submodule": (Reason.PATCH_UNSAFE_PATH, candidate_applies(ApplyReason.SUBMODULE)),
    "context differs": (Reason.PATCH_NOT_APPLIED, candidate_applies(ApplyReason.DOES_NOT_APPLY)),
    "applied in name only": (
        Reason.PATCH_NOT_APPLIED,
        candidate_applies(ApplyReason.PATCH_NOT_APPLIED),
    ),
    "applied elsewhere": (
        Reason.PATCH_NOT_APPLIED,
        candidate_applies(ApplyReason.UNEXPECTED_CHANGE),
    ),
    "applying hangs": (Reason.DEADLINE_APPLY, candidate_applies(ApplyReason.TIMED_OUT)),
    "does not compile": (Reason.COMPILE_FAILED, candidate_builds(built(ok=False))),
    "compiles too long": (
        Reason.DEADLINE_BUILD,
        candidate_builds(built(ok=False, timed_out=True)),
    ),
    "compiling takes too much memory": (
        Reason.BUILD_OOM,
        candidate_builds(built(ok=False, oom_killed=True)),
    ),
    "a test fails": (Reason.TEST_FAILURE, candidate_round(0, FAILING)),
    "a test fails in the last round": (Reason.TEST_FAILURE, candidate_round(8, FAILING)),
    "a class is missing": (Reason.MISSING_CLASS, candidate_round(1, without(TEXT))),
    "no report at all": (Reason.MISSING_CLASS, candidate_round(1, FakeRound(exit_code=1))),
    "a case is missing": (Reason.MISSING_CASE, candidate_round(1, ONE_CASE)),
    "a case is skipped": (Reason.SKIPPED_CASE, candidate_round(1, SKIPPING)),
    "a report is cut": (Reason.REPORT_UNREADABLE, candidate_round(1, TRUNCATED)),
    "a time has two readings": (Reason.REPORT_UNREADABLE, candidate_round(1, AMBIGUOUS)),
    "the run fails, its reports do not": (
        Reason.ROUND_FAILED,
        candidate_round(1, replace(fake_round(), exit_code=1)),
    ),
    "a round takes too much memory": (
        Reason.OOM,
        candidate_round(1, replace(fake_round(), oom_killed=True, exit_code=1)),
    ),
    "a round hangs": (Reason.DEADLINE_ROUND, candidate_round(1, HANGING)),
    "a report nobody asked for": (Reason.UNSCHEDULED_REPORT, candidate_round(1, UNSCHEDULED)),
    "a case nobody asked for": (Reason.UNSCHEDULED_REPORT, candidate_round(1, THREE_CASES)),
    "times are forged": (
        Reason.FORGED_TIME,
        Scene(candidate=FakeScript(round=replace(fake_round(100, 300), wall_ms=1700))),
    ),
    "the agent saw other tests": (
        Reason.AGENT_CONTRADICTED,
        Scene(
            base=FakeScript(round=replace(fake_round(), seen=True)),
            candidate=FakeScript(
                round=replace(fake_round(100, 100), files={"agent-9.jsonl": b"forged\n"}, seen=True)
            ),
        ),
    ),
    "the candidate's JVM is sized otherwise": (
        Reason.AGENT_CONTRADICTED,
        Scene(
            base=FakeScript(round=replace(fake_round(), seen=True)),
            candidate=FakeScript(round=replace(fake_round(500, 300), seen=True, processors=4)),
        ),
    ),
    "no agent ran in the candidate": (
        Reason.FASTER,
        Scene(
            base=FakeScript(round=replace(fake_round(), seen=True)),
            candidate=FakeScript(round=fake_round(500, 300)),
        ),
    ),
    "the agent saw other tests in base too": (
        Reason.FASTER,
        Scene(
            base=FakeScript(round=replace(fake_round(), files={"agent-9.jsonl": b"x\n"})),
            candidate=FakeScript(
                round=replace(fake_round(500, 300), files={"agent-9.jsonl": b"x\n"})
            ),
        ),
    ),
    "a class shadows the framework": (
        Reason.SHADOWING_CLASS,
        replace(candidate_builds(INTRUDER), base=FakeScript(build=built(), round=fake_round())),
    ),
    # Measured, or equal to base.
    "slower": (Reason.SLOWER, Scene(candidate=FakeScript(round=fake_round(900, 400)))),
    "faster": (Reason.FASTER, Scene(candidate=FakeScript(round=fake_round(500, 300)))),
    "faster and slower": (Reason.FASTER, Scene(candidate=FakeScript(round=fake_round(500, 400)))),
    "as fast": (Reason.NO_SIGNIFICANT_CLASS, Scene()),
    "same classes": (
        Reason.NO_BYTECODE_CHANGE,
        Scene(
            base=FakeScript(build=built(), round=fake_round()),
            candidate=FakeScript(build=built(), round=fake_round(1, 1)),
        ),
    ),
    "only tests changed": (Reason.PATCH_IGNORED, candidate_applies(ApplyReason.NOTHING_LEFT)),
    "below the floor": (Reason.BELOW_FLOOR, Scene(criteria=replace(EIGHT, floor_ms=1000))),
    "no class is long enough": (
        Reason.UNRESOLVED,
        Scene(
            base=FakeScript(round=fake_round(0, 0)), candidate=FakeScript(round=fake_round(0, 0))
        ),
    ),
    "too few rounds": (Reason.TOO_FEW_ROUNDS, Scene(criteria=replace(JETO, rounds=2))),
}
ELSEWHERE = {
    Reason.NO_PREDICTION: "test_without_a_patch_no_arm_is_started",
    Reason.PATCH_MISSING: "test_without_a_patch_no_arm_is_started",
    Reason.PATCH_EMPTY: "test_without_a_patch_no_arm_is_started",
    Reason.PATCH_UNENCODABLE: "test_without_a_patch_no_arm_is_started",
    Reason.INTERRUPTED: "test_run_instance.py",
    Reason.SAMPLES_INVALID: "test_run_instance.py",
    Reason.DEADLINE_INSTANCE: "test_the_instance_deadline_is_blamed_on_who_used_the_time",
    Reason.RUN_DEADLINE: "test_runner.py",
    Reason.TOO_NOISY: "test_robust_judging.py",
    Reason.NO_DETECTORS: "test_confirmation.py",
    Reason.REFERENCE_FAILED: "test_reference_arm.py",
    Reason.TESTS_NOT_ADDED: "test_own_tests.py",
}


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_ends_in_its_reason_with_all_arms_closed(name: str) -> None:
    """field.md rows 24, 75 and 79: base's trouble is ours, the candidate's is its own.

    A round that lacks a class or a case fails; it never counts as fast.
    """
    reason, scene = SCENES[name]
    arms = scene.arms()
    report = scene.play(arms).report
    assert (report.outcome, report.reason) == (reason.outcome, reason), report.detail
    assert all(arm.closed for arm in arms.opened)
    timed = reason in {
        Reason.FASTER, Reason.SLOWER, Reason.NO_SIGNIFICANT_CLASS, Reason.BELOW_FLOOR,
        Reason.UNRESOLVED, Reason.TOO_FEW_ROUNDS,
    }  # fmt: skip
    assert bool(report.classes) == timed


@pytest.mark.parametrize("name", [name for name in SCENES if name.startswith("base")])
def test_trouble_of_base_is_never_the_predictions(name: str) -> None:
    """field.md row 24: causal, not textual; the instance leaves the denominator."""
    report = SCENES[name][1].play().report
    assert report.outcome is Outcome.INFRA_ERROR
    assert report.outcome not in GRADED


def test_every_reason_is_brought_about_somewhere() -> None:
    reached = {reason for reason, _ in SCENES.values()}
    assert reached | ELSEWHERE.keys() == set(Reason)


@pytest.mark.parametrize(
    ("patch", "line", "state", "reason"),
    [
        (None, None, PatchState.MISSING, Reason.NO_PREDICTION),
        (None, 1, PatchState.MISSING, Reason.PATCH_MISSING),
        (" \n", 1, PatchState.EMPTY, Reason.PATCH_EMPTY),
        ("\ud800", 1, PatchState.UNENCODABLE, Reason.PATCH_UNENCODABLE),
    ],
)
def test_without_a_patch_no_arm_is_started(
    patch: str | None, line: int | None, state: PatchState, reason: Reason
) -> None:
    """field.md rows 11 and 21: a state of the prediction, known before anything is started."""
    given = make_prediction(instance_id=RECORD.instance_id, model="m", patch=patch, line=line)
    assert given.state is state
    arms = Scene(prepared=AssertionError("asked for an image")).arms()
    report = run_instance(
        RECORD,
        given,
        factory=arms,
        settings=RunSettings(run_id="r"),
        provenance=FAKE_PROVENANCE,
    ).report
    assert report.reason is reason
    assert report.setting is None
    assert not arms.opened


@pytest.mark.parametrize(
    ("base_wall", "candidate_wall", "reason"),
    [(900, 1200, Reason.DEADLINE_INSTANCE), (1200, 900, Reason.BASE_TIMED_OUT)],
)
def test_the_instance_deadline_is_blamed_on_who_used_the_time(
    monkeypatch: pytest.MonkeyPatch, base_wall: int, candidate_wall: int, reason: Reason
) -> None:
    """field.md row 38: one deadline over all steps, besides that of each step."""
    now = 0.0

    def clock() -> float:
        return now

    def progress(step: str) -> None:
        nonlocal now
        now = 20_000.0 if step.startswith("round 3") else now

    monkeypatch.setattr(steps, "Stopwatch", partial(Stopwatch, clock=clock))
    base, candidate = (
        FakeScript(round=replace(fake_round(), wall_ms=wall))
        for wall in (base_wall, candidate_wall)
    )
    report = run_instance(
        RECORD,
        PREDICTION,
        factory=Scene(base=base, candidate=candidate).arms(),
        settings=RunSettings(run_id="r", criteria=EIGHT, decides=Decider.JETO),
        provenance=FAKE_PROVENANCE,
        progress=progress,
    ).report
    assert report.reason is reason


def test_base_that_runs_nothing_tells_what_maven_said() -> None:
    """A project whose Maven stopped at once was told as a list of all its test classes."""
    silent = FakeRound(exit_code=1, output=b"[ERROR] no builder of that name")
    report = run_instance(
        RECORD,
        PREDICTION,
        factory=base_round(0, silent).arms(),
        settings=RunSettings(run_id="r"),
        provenance=FAKE_PROVENANCE,
    ).report
    assert report.reason is Reason.BASE_FAILED
    assert report.detail.endswith("; status 1; [ERROR] no builder of that name")
    assert JOIN in report.detail


def test_of_many_missing_classes_a_few_are_named() -> None:
    wanted = Expectation([f"toy.T{number}Test" for number in range(9)])
    with pytest.raises(InstanceEnded, match=r"toy.T0Test, toy.T1Test, toy.T2Test and 6 more$"):
        wanted.learn(read_round({}), "warm-up")
