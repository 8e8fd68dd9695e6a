"""What an arm asks of its container, and what it makes of the answers."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.errors import ContentError, SandboxError
from jeto_evaluate.run import fork_server as fork_server_module
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.maven_arm import MavenArm, maven_arguments
from jeto_evaluate.sandbox.conversation import Conversation
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import ExecResult, User

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
PASSED = ExecResult(exit_code=0, seconds=1.2344, output=b"")
UNCLEAN = ExecResult(exit_code=0, seconds=1.0, output=b"unclean\nreports\n")


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
    server: int = 0
    closed: bool = False

    def exec(
        self,
        argv: Sequence[str],
        *,
        deadline: float,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        assert deadline > 0
        del cwd, env
        return self._answer(*argv)

    def _answer(self, *words: str) -> ExecResult:
        self.asked.append(words)
        for name, answer in self.answers.items():
            if any(name in word for word in words):
                return answer
        return PASSED

    def spawn(self, argv: Sequence[str], *, user: User, cwd: str | None = None) -> int:
        del cwd
        self.spawned.append((user, tuple(argv)))
        self.server = 1000 + len(self.spawned)
        return self.server

    def open(self, argv: Sequence[str], *, user: User) -> Conversation:
        self.spawned.append((user, tuple(argv)))
        return cast("Conversation", self)

    def ask(self, conversation: object, question: str, *, deadline: float) -> ExecResult:
        assert conversation is self
        assert deadline > 0
        return self._answer(question)

    def put(self, path: str, data: bytes) -> None:
        self.writes += 1
        self.written[path] = data

    def get(self, path: str) -> Mapping[str, bytes]:
        return self.files.get(path, {})

    def processes(self, user: User) -> dict[int, str]:
        """Name the fork server while it lives, and besides what ``alive`` says next."""
        assert user is User.RUNNER
        server = {self.server: "fork-server"} if self.server else {}
        return server | dict(enumerate(self.alive.pop(0) if self.alive else ()))

    def kill_all(self, user: User) -> None:
        if user is User.RUNNER:
            self.kills += 1
            self.server = 0
        self.builders_killed += user is User.JETO

    def close(self) -> None:
        self.closed = True


def archive(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as made:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def arm(sandbox: ScriptedSandbox) -> MavenArm:
    made = MavenArm(cast("DockerSandbox", sandbox), RECORD)
    session: ArmSession = made
    assert session is made
    return made


def built(sandbox: ScriptedSandbox) -> MavenArm:
    """Return an arm that is ready for rounds, and forget how it became so."""
    made = arm(sandbox)
    assert made.build(deadline=9).ok
    sandbox.asked.clear()
    sandbox.spawned.clear()
    sandbox.builders_killed = 0
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
    (user, server), (owner, _), (tests_user, _), *rest = sandbox.spawned
    assert sandbox.asked[0][1:] == (*arguments, "test-compile")
    assert server[-len(arguments) - 1 :] == (*arguments, "test")
    assert (user, owner, tests_user) == (User.JETO, User.JETO, User.RUNNER)
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
    reports = archive({"./m/TEST-a.xml": b"<testsuite/>"})
    said = replace(PASSED, output=b"cpu 2345\nreports\n" + reports)
    sandbox = ScriptedSandbox(answers={"/jeto/reports/0002": said})
    session = built(sandbox)
    first = session.round(["a.ATest", "b.BTest"], deadline=9)
    second = session.round(["a.ATest", "b.BTest"], seed=7, deadline=9)
    assert (first.cpu_ms, second.cpu_ms) == (None, 2345)
    assert (first.files, second.files) == ({}, {"m/TEST-a.xml": b"<testsuite/>"})
    assert (second.exit_code, second.wall_ms, second.output) == (0, 1234, b"")
    assert sandbox.written == {"/jeto/run/classes": b"a.ATest\nb.BTest\n"}
    assert sandbox.writes == 1
    assert not sandbox.spawned
    assert sandbox.asked[0] == ("round /jeto/reports/0001 /jeto/run/classes 0",)
    assert ("round /jeto/reports/0002 /jeto/run/classes 7",) in sandbox.asked


def test_a_round_that_fails_brings_the_end_of_mavens_log() -> None:
    answers = {"round ": replace(PASSED, exit_code=1)}
    files = {"/jeto/run/maven.log": {"maven.log": b"the end"}}
    output = built(ScriptedSandbox(answers=answers, files=files)).round(["A"], deadline=9)
    assert (output.exit_code, output.output) == (1, b"the end")


def test_processes_that_a_round_left_are_killed_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 76: a thread that never ends; the killed process may take a while to go."""
    monkeypatch.setattr(fork_server_module, "_GRACE", 0.0)
    sandbox = ScriptedSandbox(
        answers={"round ": UNCLEAN}, alive=[("java",), ("java",), ("java",), ()]
    )
    session = built(sandbox)
    output = session.round(["A"], deadline=9)
    assert output.leftovers == ("java",)
    assert sandbox.kills >= 1
    # The server was killed too; another one is there before the other arm's round.
    assert [user for user, _ in sandbox.spawned] == [User.RUNNER]
    assert sandbox.asked[-1] == ("serve",)


def test_a_fork_server_that_did_not_clean_up_is_replaced() -> None:
    """field.md row 76: another one cleans up before it serves the next round."""
    sandbox = ScriptedSandbox(answers={"round /jeto/reports/0001": UNCLEAN})
    session = built(sandbox)
    session.round(["A"], deadline=9)
    assert sandbox.kills == 1
    for _ in range(2):
        session.round(["A"], deadline=9)
    assert [user for user, _ in sandbox.spawned] == [User.RUNNER]
    assert sandbox.kills == 1


def test_what_no_fork_server_can_remove_is_the_doing_of_what_runs_in_the_arm() -> None:
    sandbox = ScriptedSandbox()
    session = built(sandbox)
    sandbox.answers = {"round ": UNCLEAN, "serve": replace(PASSED, exit_code=1)}
    with pytest.raises(ContentError, match="cannot be removed"):
        session.round(["A"], deadline=9)


def test_an_arm_that_is_not_built_has_no_rounds() -> None:
    with pytest.raises(SandboxError, match="not built"):
        arm(ScriptedSandbox()).round(["A"], deadline=9)


def test_a_round_that_passes_its_deadline_brings_the_log_of_the_ended_container() -> None:
    """field.md row 38: nothing that is started inside afterwards could hold the run."""
    late = replace(PASSED, exit_code=None, timed_out=True)
    files = {"/jeto/run/maven.log": {"maven.log": b"the end"}}
    sandbox = ScriptedSandbox(answers={"round ": late}, files=files, alive=[("java",)])
    output = built(sandbox).round(["A"], deadline=9)
    assert (output.timed_out, output.exit_code, output.output) == (True, None, b"the end")
    assert [asked for (asked,) in sandbox.asked] == ["round /jeto/reports/0001 /jeto/run/classes 0"]
    assert sandbox.alive == [("java",)]


def test_a_process_that_cannot_be_killed_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """field.md row 76: no process remains before the next round."""
    monkeypatch.setattr(fork_server_module, "_KILL_WAIT", 0.3)

    class Undead(ScriptedSandbox):
        def processes(self, user: User) -> dict[int, str]:
            return {1: f"undead of {user}"}

    sandbox = Undead(answers={"round ": UNCLEAN})
    with pytest.raises(ContentError, match="cannot be killed"):
        built(sandbox).round(["A"], deadline=9)
    assert sandbox.kills > 1


def test_a_maven_that_is_gone_is_the_doing_of_what_runs_in_the_arm() -> None:
    sandbox = ScriptedSandbox(answers={"round ": replace(PASSED, exit_code=99)})
    with pytest.raises(ContentError, match="resident Maven is gone"):
        built(sandbox).round(["A"], deadline=9)
    oom = replace(PASSED, exit_code=99, oom_killed=True)
    assert built(ScriptedSandbox(answers={"round ": oom})).round(["A"], deadline=9).oom_killed


def test_a_round_names_the_processes_that_it_found_running() -> None:
    """field.md row 76: the fork server kills them before the harness looks."""
    said = replace(PASSED, output=b"wall 87\nleft sleep\nleft sh\xff\nreports\n")
    output = built(ScriptedSandbox(answers={"round ": said})).round(["A"], deadline=9)
    assert output.leftovers == ("sleep", "sh\ufffd")
    assert output.files == {}
    # What the fork server takes to clean up is not the tests' time.
    assert output.wall_ms == 87


def test_reports_that_arrive_damaged_are_not_read_in_part() -> None:
    said = replace(PASSED, output=b"reports\n" + archive({"./TEST-a.xml": b"<a/>"})[:700])
    with pytest.raises(ContentError, match="damaged"):
        built(ScriptedSandbox(answers={"round ": said})).round(["A"], deadline=9)


def test_trouble_in_a_container_full_of_processes_is_no_trouble_of_the_engine() -> None:
    class Crowded(ScriptedSandbox):
        def processes(self, user: User) -> dict[int, str]:
            raise SandboxError(f"cannot list the processes of {user}")

        def refuse_content(self) -> None:
            raise ContentError("it holds 2048 processes and threads")

    with pytest.raises(ContentError, match="2048"):
        built(Crowded(answers={"round ": UNCLEAN})).round(["A"], deadline=9)


def test_closing_gives_the_container_back() -> None:
    sandbox = ScriptedSandbox()
    built(sandbox).close()
    assert sandbox.closed
