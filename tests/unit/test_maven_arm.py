"""What an arm asks of its container, and what it makes of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import ContentError, SandboxError
from jeto_evaluate.run import maven_arm as maven_arm_module
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.maven_arm import MavenArm, maven_arguments
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import ExecResult, User

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
PASSED = ExecResult(exit_code=0, seconds=1.2344, output=b"")


@dataclass
class ScriptedSandbox:
    """Answers by the name of the script or program, and remembers what was asked."""

    answers: Mapping[str, ExecResult] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    alive: list[tuple[str, ...]] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)
    spawned: list[tuple[User, tuple[str, ...]]] = field(default_factory=list)
    written: dict[str, bytes] = field(default_factory=dict)
    writes: int = 0
    kills: int = 0
    builders_killed: int = 0
    closed: bool = False

    def exec(
        self, argv: Sequence[str], *, deadline: float, cwd: str | None = None, ends: bool = False
    ) -> ExecResult:
        assert deadline > 0
        assert ends == ("/opt/jeto/bin/round.sh" in argv)
        del cwd
        self.asked.append(tuple(argv))
        for name, answer in self.answers.items():
            if any(name in word for word in argv):
                return answer
        return PASSED

    def spawn(self, argv: Sequence[str], *, user: User, cwd: str | None = None) -> None:
        del cwd
        self.spawned.append((user, tuple(argv)))

    def put(self, path: str, data: bytes) -> None:
        self.writes += 1
        self.written[path] = data

    def get(self, path: str) -> Mapping[str, bytes]:
        return self.files.get(path, {})

    def processes(self, user: User) -> tuple[str, ...]:
        assert user is User.RUNNER
        return self.alive.pop(0) if self.alive else ()

    def kill_all(self, user: User) -> None:
        self.kills += user is User.RUNNER
        self.builders_killed += user is User.JETO

    def close(self) -> None:
        self.closed = True


def arm(sandbox: ScriptedSandbox) -> MavenArm:
    made = MavenArm(cast("DockerSandbox", sandbox), RECORD)
    session: ArmSession = made
    assert session is made
    return made


def test_build_and_rounds_share_their_arguments_and_set_no_jvm_argument_property() -> None:
    """field.md row 83: coverage is skipped; ``argLine`` stays what the project makes of it."""
    arguments = maven_arguments(("core", "cli"))
    assert arguments[-3:] == ("-pl", "core,cli", "-am")
    assert {"-o", "-Djacoco.skip=true", "-Dcobertura.skip=true"} <= set(arguments)
    assert not [item for item in arguments if "argLine" in item]
    assert "-pl" not in maven_arguments((".",))
    sandbox = ScriptedSandbox()
    arm(sandbox).build(deadline=9)
    (user, server), *rest = sandbox.spawned
    assert sandbox.asked[0][1:] == (*arguments, "test-compile")
    assert server[-len(arguments) - 1 :] == (*arguments, "test")
    assert user is User.JETO
    assert not rest
    # What the build left running would take time from base's rounds.
    assert sandbox.builders_killed == 1


def test_the_builds_outputs_are_hashed_by_path() -> None:
    digest = "a" * 64
    listing = f"{digest}  ./core/target/classes/A.class\n\\{digest}  ./x\\ny.class\nnoise\n"
    sandbox = ScriptedSandbox(files={"/jeto/run/outputs": {"outputs": listing.encode()}})
    outputs = arm(sandbox).build(deadline=9).outputs
    assert outputs == {"./core/target/classes/A.class": digest, "./x\\ny.class": digest}


def test_a_build_that_fails_starts_no_maven() -> None:
    failed = replace(PASSED, exit_code=1, output=b"[ERROR] x")
    sandbox = ScriptedSandbox(answers={"test-compile": failed})
    result = arm(sandbox).build(deadline=9)
    assert (result.ok, result.output, result.outputs) == (False, b"[ERROR] x", {})
    assert not sandbox.spawned


def test_a_tree_that_cannot_be_opened_is_trouble_of_the_harness() -> None:
    sandbox = ScriptedSandbox(answers={"chmod 1777": replace(PASSED, exit_code=1)})
    with pytest.raises(SandboxError, match="cannot open the tree"):
        arm(sandbox).build(deadline=9)


def test_each_round_writes_into_a_directory_of_its_own() -> None:
    """field.md row 15: no report of an earlier round can be taken for one of this round."""
    found = {"/jeto/reports/0002": {"TEST-a.xml": b"<testsuite/>"}}
    sandbox = ScriptedSandbox(files=found)
    session = arm(sandbox)
    first = session.round(["a.ATest", "b.BTest"], deadline=9)
    second = session.round(["a.ATest", "b.BTest"], deadline=9)
    assert (first.files, second.files) == ({}, found["/jeto/reports/0002"])
    assert (second.exit_code, second.wall_ms, second.output) == (0, 1234, b"")
    assert sandbox.written == {"/jeto/run/classes": b"a.ATest\nb.BTest\n"}
    assert sandbox.writes == 1
    assert [user for user, _ in sandbox.spawned] == [User.RUNNER, User.RUNNER]


def test_a_round_that_fails_brings_the_end_of_mavens_log() -> None:
    answers = {"round.sh": replace(PASSED, exit_code=1)}
    files = {"/jeto/run/maven.log": {"maven.log": b"the end"}}
    output = arm(ScriptedSandbox(answers=answers, files=files)).round(["A"], deadline=9)
    assert (output.exit_code, output.output) == (1, b"the end")


def test_processes_that_a_round_left_are_killed_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 76: a thread that never ends; the killed process may take a while to go."""
    monkeypatch.setattr(maven_arm_module, "_GRACE", 0.0)
    spin, server = "java", "fork-server"
    sandbox = ScriptedSandbox(alive=[(spin, server), (spin,), (spin,), ()])
    output = arm(sandbox).round(["A"], deadline=9)
    assert output.leftovers == (spin,)
    assert sandbox.kills >= 1


def test_a_round_that_passes_its_deadline_brings_the_log_of_the_ended_container() -> None:
    """field.md row 38: nothing that is started inside afterwards could hold the run."""
    late = replace(PASSED, exit_code=None, timed_out=True)
    files = {"/jeto/run/maven.log": {"maven.log": b"the end"}}
    sandbox = ScriptedSandbox(answers={"round.sh": late}, files=files, alive=[("java",)])
    output = arm(sandbox).round(["A"], deadline=9)
    assert (output.timed_out, output.exit_code, output.output) == (True, None, b"the end")
    assert not [asked for asked in sandbox.asked if "round.sh" not in asked[-3]]
    assert sandbox.alive == [("java",)]


def test_a_round_whose_processes_end_by_themselves_left_nothing() -> None:
    sandbox = ScriptedSandbox(alive=[("java Surefire",), ("java Surefire",), ()])
    assert arm(sandbox).round(["A"], deadline=9).leftovers == ()
    assert sandbox.kills == 0


def test_a_process_that_cannot_be_killed_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 76: no process remains before the next round."""
    monkeypatch.setattr(maven_arm_module, "_KILL_WAIT", 0.3)

    class Undead(ScriptedSandbox):
        def processes(self, user: User) -> tuple[str, ...]:
            return (f"undead of {user}",)

    sandbox = Undead()
    with pytest.raises(ContentError, match="cannot be killed"):
        arm(sandbox).round(["A"], deadline=9)
    assert sandbox.kills > 1


def test_a_maven_that_is_gone_is_the_doing_of_what_runs_in_the_arm() -> None:
    sandbox = ScriptedSandbox(answers={"round.sh": replace(PASSED, exit_code=99)})
    with pytest.raises(ContentError, match="resident Maven is gone"):
        arm(sandbox).round(["A"], deadline=9)
    oom = replace(PASSED, exit_code=99, oom_killed=True)
    assert arm(ScriptedSandbox(answers={"round.sh": oom})).round(["A"], deadline=9).oom_killed


def test_a_round_names_the_processes_that_it_found_running() -> None:
    """field.md row 76: the fork server kills them before the harness looks."""
    said = replace(PASSED, output=b"sleep\nsh\xff\n")
    output = arm(ScriptedSandbox(answers={"round.sh": said})).round(["A"], deadline=9)
    assert output.leftovers == ("sleep", "sh\ufffd")


def test_trouble_in_a_container_full_of_processes_is_no_trouble_of_the_engine() -> None:
    class Crowded(ScriptedSandbox):
        def get(self, path: str) -> Mapping[str, bytes]:
            raise SandboxError(f"cannot read {path}")

        def refuse_crowd(self) -> None:
            raise ContentError("it holds 2048 processes and threads")

    with pytest.raises(ContentError, match="2048"):
        arm(Crowded()).round(["A"], deadline=9)


def test_closing_gives_the_container_back() -> None:
    sandbox = ScriptedSandbox()
    arm(sandbox).close()
    assert sandbox.closed
