"""An arm in a Docker container, with a Maven that stays alive between its rounds.

A round must not pay for what does not change between rounds. The arm is compiled once; one Maven,
started with the arm, runs the test phase once per round (``launcher/``), and Surefire forks the
test JVM exactly as in ``mvn test``: same class path, same JVM arguments, same classes. The forked
JVM runs as another user than Maven, so code under test can change neither reports, nor compiled
classes, nor Maven itself; what it wrote elsewhere is removed after each round.
"""

from __future__ import annotations

import logging
import shlex
import time
from collections.abc import Sequence
from typing import Final

from jeto_bench.errors import ContentError, SandboxError
from jeto_bench.records import EtipRecord
from jeto_evaluate.patching import PatchResult, apply_patch, policy_for
from jeto_evaluate.run.answers import parse_hashes, parse_round
from jeto_evaluate.run.arm import BuildResult, RoundOutput
from jeto_evaluate.run.fork_server import RUN, ForkServer
from jeto_evaluate.sandbox.conversation import Conversation
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import ExecResult, User
from jeto_evaluate.skipped_checks import SKIPPED_CHECKS

__all__ = ["MavenArm", "maven_arguments"]

_LOG = logging.getLogger(__name__)

REPO: Final = "/jeto/repo"
_REPORTS: Final = "/jeto/reports"
_TESTS: Final = "/jeto/tests.patch"
_ADD_TESTS: Final = (
    "git update-index -q --refresh;"
    f" git apply --whitespace=nowarn --index {_TESTS} && git commit -q --amend --no-edit"
    f" && rm -f {_TESTS}"
)
_MAVEN: Final = "/opt/jeto/maven"
_LOG_TAIL: Final = 200_000
# A compiler that runs once is done sooner without the optimising compiler.
_BUILD_JVM: Final = "-XX:TieredStopAtLevel=1 -Xshare:auto"
_START_DEADLINE: Final = 120.0

# Directories stay open for files that tests create; the sticky bit keeps the user of the tests
# from changing or removing what is there. Reports are closed to that user: what tests print would
# come back to them in a later round.
_OPEN_TREE: Final = (
    f"mkdir -m 700 {_REPORTS} && mkdir -m 711 {RUN} && cd {RUN}"
    " && mkfifo -m 600 command done requests cleaned"
    f" && find {REPO} -name .git -prune -o -type d -exec chmod 1777 {{}} +"
)
_HASHES: Final = (
    f"cd {REPO} && find . -path '*/target/classes/*' -type f -print0"
    f" | sort -z | xargs -0 -r sha256sum >{RUN}/outputs"
)


def maven_arguments(modules: tuple[str, ...]) -> tuple[str, ...]:
    """Arguments shared by the build and the rounds of every arm.

    Args:
        modules: Modules whose tests are measured; ``.`` alone for the root.
    """
    chosen = () if modules == (".",) else ("-pl", ",".join(modules), "-am")
    return ("-B", "-o", *SKIPPED_CHECKS, *chosen)


class MavenArm:
    """See the module's text. Satisfies ``ArmSession``."""

    def __init__(self, sandbox: DockerSandbox, record: EtipRecord) -> None:
        self._sandbox = sandbox
        self._arguments = maven_arguments(record.modules)
        self._policy = policy_for(record)
        self._rounds = 0
        self._classes: tuple[str, ...] | None = None
        self._conductor: Conversation | None = None
        self._fork_server: ForkServer | None = None

    def add_tests(self, patch: bytes, *, deadline: float) -> str:
        """Add the fix's own tests; see ``ArmSession.add_tests``.

        They become part of the commit: a patch that is applied later finds them protected.
        """
        self._sandbox.put(_TESTS, patch)
        done = self._sandbox.exec(["sh", "-c", _ADD_TESTS], deadline=deadline, cwd=REPO)
        return "" if done.ok else done.output[-500:].decode("utf-8", "replace").strip() or "late"

    def apply(self, patch: bytes, *, deadline: float) -> PatchResult:
        """Apply a patch; see ``ArmSession.apply``."""
        return apply_patch(self._sandbox, patch, record_policy=self._policy, deadline=deadline)

    def build(self, *, deadline: float) -> BuildResult:
        """Compile once and start the resident Maven; see ``ArmSession.build``."""
        built = self._sandbox.exec(
            [f"{_MAVEN}/bin/mvn", *self._arguments, "test-compile"],
            deadline=deadline,
            cwd=REPO,
            env={"MAVEN_OPTS": _BUILD_JVM},
        )
        if not built.ok:
            return _build_result(built, {})
        self._sandbox.kill_all(User.JETO)
        self._must(["sh", "-c", _OPEN_TREE], "open the tree")
        self._must(["sh", "-c", _HASHES], "hash the compiled classes")
        outputs = parse_hashes(self._sandbox.get(f"{RUN}/outputs").get("outputs", b""))
        self._sandbox.spawn(
            ["sh", "/opt/jeto/bin/maven-server.sh", _MAVEN, REPO, *self._arguments, "test"],
            user=User.JETO,
            cwd=REPO,
        )
        self._conductor = self._sandbox.open(
            ["perl", "/opt/jeto/bin/conductor.pl", RUN], user=User.JETO
        )
        self._fork_server = ForkServer(self._sandbox, self._conductor)
        return _build_result(built, outputs)

    def round(self, classes: Sequence[str], *, seed: int = 0, deadline: float) -> RoundOutput:
        """Run the classes once; see ``ArmSession.round``."""
        if self._conductor is None or self._fork_server is None:
            raise SandboxError("a round of an arm that is not built")
        try:
            return self._round(self._conductor, self._fork_server, classes, seed, deadline)
        except ContentError:
            raise
        except SandboxError:
            self._sandbox.refuse_content()
            raise

    def _round(
        self,
        conductor: Conversation,
        fork_server: ForkServer,
        classes: Sequence[str],
        seed: int,
        deadline: float,
    ) -> RoundOutput:
        if tuple(classes) != self._classes:
            self._sandbox.put(f"{RUN}/classes", "".join(f"{c}\n" for c in classes).encode())
            self._classes = tuple(classes)
        fork_server.ensure()
        self._rounds += 1
        reports = f"{_REPORTS}/{self._rounds:04d}"
        started_at = time.time()
        order = f"round {reports} {RUN}/classes {seed}"
        ended = self._sandbox.ask(conductor, order, deadline=deadline)
        if ended.exit_code not in {0, 1, None} and not ended.oom_killed:
            raise ContentError(f"the resident Maven is gone: {self._log()[-2000:]!r}")
        said = parse_round(ended)
        killed = () if ended.timed_out else fork_server.kill_leftovers(clean=said.clean)
        if self._rounds == 1:
            commands = self._sandbox.get(f"{RUN}/jvm-commands").get("jvm-commands", b"")
            _LOG.info("command lines of the test JVMs:\n%s", commands.decode("utf-8", "replace"))
        return RoundOutput(
            exit_code=ended.exit_code,
            started_at=started_at,
            # Without the clean-up, which code under test can put off.
            wall_ms=round(ended.seconds * 1000) if said.wall_ms is None else said.wall_ms,
            cpu_ms=said.cpu_ms,
            files=said.files,
            output=b"" if ended.ok else self._log(),
            timed_out=ended.timed_out,
            oom_killed=ended.oom_killed,
            leftovers=said.left + killed,
        )

    def close(self) -> None:
        """Remove the container."""
        self._sandbox.close()

    def _log(self) -> bytes:
        # Not by a command: the container may have ended.
        return self._sandbox.get(f"{RUN}/maven.log").get("maven.log", b"")[-_LOG_TAIL:]

    def _must(self, argv: Sequence[str], what: str) -> ExecResult:
        result = self._sandbox.exec(argv, deadline=_START_DEADLINE)
        if not result.ok:
            raise SandboxError(f"cannot {what}: {shlex.join(argv)}: {result.output[-500:]!r}")
        return result


def _build_result(built: ExecResult, outputs: dict[str, str]) -> BuildResult:
    return BuildResult(
        ok=built.ok,
        seconds=built.seconds,
        output=built.output,
        timed_out=built.timed_out,
        oom_killed=built.oom_killed,
        outputs=outputs,
    )
