"""An arm in a Docker container, with a Maven that stays alive between its rounds.

A round must not pay for what does not change between rounds. The arm is compiled once; one Maven,
started with the arm, runs the test phase once per round (``launcher/``), and Surefire forks the
test JVM exactly as in ``mvn test``: same class path, same JVM arguments, same classes. The forked
JVM runs as another user than Maven, so code under test can change neither reports, nor compiled
classes, nor Maven itself; what it wrote elsewhere is removed after each round.
"""

from __future__ import annotations

import logging
import re
import shlex
import tarfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jeto_bench.errors import ContentError, SandboxError
from jeto_bench.records import EtipRecord
from jeto_evaluate.patching import PatchResult, apply_patch, policy_for
from jeto_evaluate.run.arm import BuildResult, RoundOutput
from jeto_evaluate.sandbox.archive import read_archive
from jeto_evaluate.sandbox.conversation import Conversation
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import ExecResult, User

__all__ = ["SKIPPED_CHECKS", "MavenArm", "maven_arguments"]

_LOG = logging.getLogger(__name__)

REPO: Final = "/jeto/repo"
_RUN: Final = "/jeto/run"
_REPORTS: Final = "/jeto/reports"
_MAVEN: Final = "/opt/jeto/maven"
_LOG_TAIL: Final = 200_000
_START_DEADLINE: Final = 120.0
_GRACE: Final = 1.0
_KILL_WAIT: Final = 10.0
_NAMED: Final = 20

SKIPPED_CHECKS: Final = (
    "-Djacoco.skip=true",
    "-Dcobertura.skip=true",
    "-Dcheckstyle.skip=true",
    "-Dpmd.skip=true",
    "-Dcpd.skip=true",
    "-Dspotbugs.skip=true",
    "-Dfindbugs.skip=true",
    "-Dlicense.skip=true",
    "-Drat.skip=true",
    "-Denforcer.skip=true",
    "-Danimal.sniffer.skip=true",
    "-Djapicmp.skip=true",
    "-Drevapi.skip=true",
    "-Dspotless.check.skip=true",
    "-Dspotless.apply.skip=true",
    "-Dmaven.javadoc.skip=true",
    "-Dmaven.source.skip=true",
    "-Dgpg.skip=true",
    "-Dsort.skip=true",
    "-Dmaven.gitcommitid.skip=true",
)
"""Checks that neither compile nor test, off in every arm, when building and in every round."""

# Directories stay open for files that tests create; the sticky bit keeps the user of the tests
# from changing or removing what is there. Reports are closed to that user: what tests print would
# come back to them in a later round.
_OPEN_TREE: Final = (
    f"mkdir -m 700 {_REPORTS} && mkdir -m 711 {_RUN} && cd {_RUN}"
    " && mkfifo -m 600 command done requests cleaned"
    f" && find {REPO} -name .git -prune -o -type d -exec chmod 1777 {{}} +"
)
_HASHES: Final = (
    f"cd {REPO} && find . -path '*/target/classes/*' -type f -print0"
    f" | sort -z | xargs -0 -r sha256sum >{_RUN}/outputs"
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
        self._fork_server: int | None = None

    def apply(self, patch: bytes, *, deadline: float) -> PatchResult:
        """Apply a patch; see ``ArmSession.apply``."""
        return apply_patch(self._sandbox, patch, record_policy=self._policy, deadline=deadline)

    def build(self, *, deadline: float) -> BuildResult:
        """Compile once and start the resident Maven; see ``ArmSession.build``."""
        built = self._sandbox.exec(
            [f"{_MAVEN}/bin/mvn", *self._arguments, "test-compile"], deadline=deadline, cwd=REPO
        )
        if not built.ok:
            return _build_result(built, {})
        self._sandbox.kill_all(User.JETO)
        self._must(["sh", "-c", _OPEN_TREE], "open the tree")
        self._must(["sh", "-c", _HASHES], "hash the compiled classes")
        outputs = _parse_hashes(self._sandbox.get(f"{_RUN}/outputs").get("outputs", b""))
        self._sandbox.spawn(
            ["sh", "/opt/jeto/bin/maven-server.sh", _MAVEN, REPO, *self._arguments, "test"],
            user=User.JETO,
            cwd=REPO,
        )
        self._conductor = self._sandbox.open(
            ["perl", "/opt/jeto/bin/conductor.pl", _RUN], user=User.JETO
        )
        self._start_fork_server(self._conductor)
        return _build_result(built, outputs)

    def round(self, classes: Sequence[str], *, deadline: float) -> RoundOutput:
        """Run the classes once; see ``ArmSession.round``."""
        if self._conductor is None:
            raise SandboxError("a round of an arm that is not built")
        try:
            return self._round(self._conductor, classes, deadline)
        except ContentError:
            raise
        except SandboxError:
            self._sandbox.refuse_crowd()
            raise

    def _round(
        self, conductor: Conversation, classes: Sequence[str], deadline: float
    ) -> RoundOutput:
        if tuple(classes) != self._classes:
            self._sandbox.put(f"{_RUN}/classes", "".join(f"{c}\n" for c in classes).encode())
            self._classes = tuple(classes)
        if self._fork_server is None:
            self._start_fork_server(conductor)
        self._rounds += 1
        reports = f"{_REPORTS}/{self._rounds:04d}"
        started_at = time.time()
        ended = self._sandbox.ask(conductor, f"round {reports} {_RUN}/classes", deadline=deadline)
        if ended.exit_code not in {0, 1, None} and not ended.oom_killed:
            raise ContentError(f"the resident Maven is gone: {self._log()[-2000:]!r}")
        said = _parse_round(ended)
        killed = () if ended.timed_out else self._kill_leftovers(clean=said.clean)
        if self._rounds == 1:
            commands = self._sandbox.get(f"{_RUN}/jvm-commands").get("jvm-commands", b"")
            _LOG.info("command lines of the test JVMs:\n%s", commands.decode("utf-8", "replace"))
        return RoundOutput(
            exit_code=ended.exit_code,
            started_at=started_at,
            wall_ms=round(ended.seconds * 1000),
            files=said.files,
            output=b"" if ended.ok else self._log(),
            timed_out=ended.timed_out,
            oom_killed=ended.oom_killed,
            leftovers=said.left + killed,
        )

    def close(self) -> None:
        """Remove the container."""
        if self._conductor is not None:
            self._conductor.close()
        self._sandbox.close()

    def _start_fork_server(self, conductor: Conversation) -> None:
        """Let in the tests' user, of whom no other process may be there by now."""
        self._fork_server = self._sandbox.spawn(
            ["perl", "/opt/jeto/bin/fork-server.pl", "/opt/jdk/bin/java", _RUN],
            user=User.RUNNER,
        )
        if not self._sandbox.ask(conductor, "serve", deadline=_START_DEADLINE).ok:
            raise ContentError("what the rounds before left cannot be removed")

    def _kill_leftovers(self, *, clean: bool) -> tuple[str, ...]:
        """Look from outside at what the fork server left; whoever is there is killed, and it too.

        Args:
            clean: The fork server said that it has cleaned up.
        """
        left = self._still_running(_GRACE if clean else 0)
        if clean and not left and self._fork_server is not None:
            return ()
        self._fork_server = None
        until = time.monotonic() + _KILL_WAIT
        still = True
        # Once is not enough: a large process takes time to die, and a busy one may have forked.
        while still and time.monotonic() < until:
            self._sandbox.kill_all(User.RUNNER)
            still = bool(self._still_running(0.2))
        if still:
            raise ContentError("processes of the round cannot be killed")
        return left[:_NAMED]

    def _still_running(self, wait: float) -> tuple[str, ...]:
        """Return the processes of the tests' user that do not end within ``wait`` seconds."""
        until = time.monotonic() + wait
        while True:
            found = self._sandbox.processes(User.RUNNER)
            if self._fork_server not in found:
                self._fork_server = None
            left = tuple(name for pid, name in found.items() if pid != self._fork_server)
            if not left or time.monotonic() >= until:
                return left
            time.sleep(0.01)

    def _log(self) -> bytes:
        # Not by a command: the container may have ended.
        return self._sandbox.get(f"{_RUN}/maven.log").get("maven.log", b"")[-_LOG_TAIL:]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    """What ``conductor.pl`` says of a round.

    Attributes:
        left: Names of processes that were still running.
        clean: The fork server has removed everything.
        files: The reports.
    """

    left: tuple[str, ...]
    clean: bool
    files: dict[str, bytes]


def _parse_round(ended: ExecResult) -> _Said:
    head, _, archive = (b"\n" + ended.output).partition(b"\nreports\n")
    lines = head.decode("utf-8", "replace").split("\n")
    left = [line.removeprefix("left ") for line in lines if line.startswith("left ")]
    try:
        files = read_archive(archive) if archive and ended.exit_code in {0, 1} else {}
    except tarfile.TarError as error:
        raise ContentError(f"the round's reports are damaged: {error}") from error
    return _Said(left=tuple(left[:_NAMED]), clean="unclean" not in lines, files=files)


def _parse_hashes(listing: bytes) -> dict[str, str]:
    r"""Read ``sha256sum`` output; a name with special characters begins its line with ``\``."""
    lines = listing.decode("utf-8", "surrogateescape").splitlines()
    found = [re.fullmatch(r"\\?([0-9a-f]{64}) [ *](.+)", line) for line in lines]
    return {match[2]: match[1] for match in found if match}
