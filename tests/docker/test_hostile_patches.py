"""Patches that want a false verdict, the blame on the harness, or to outlive a round.

The attacks are Java in ``hostile/java``, compiled into one candidate; a file in its container names
the one to run. Arms are built once and used again while they live.
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import docker
import pytest

from jeto_bench.errors import ContentError
from jeto_bench.predictions.entry import make_prediction
from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import JETO
from jeto_evaluate.engine.container import RUN_LABEL, ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.patching import PatchResult
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.decode import instance_report
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.reports.provenance import Setting
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.arm import BuildResult, RoundOutput
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.instance import run_instance
from jeto_evaluate.run.maven_arm import MavenArm
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_evaluate.samples import Arm
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import User

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROJECT = ROOT / "build" / "mini" / "textmill" / "project"
MAIN = "src/main/java/io/jetobench/textmill"
INDENTER = "io.jetobench.textmill.IndenterTest"
RUN = "test-hostile"
PROVENANCE = instance_report(
    (ROOT / "tests" / "golden" / "reports" / "instance.json").read_bytes(), source="golden"
).provenance
NOT_FASTER = {Outcome.NO_IMPROVEMENT, Outcome.REGRESSED}
BROKEN = {Outcome.TESTS_FAILED, Outcome.TIMED_OUT}

PROBE = r"""
leak() { echo "LEAK: $*"; }
for file in $(find /jeto/repo -name '*.class' | head -n 2) /jeto/repo/pom.xml \
    /opt/jeto/bin/conductor.pl /opt/jeto/lib/jeto-launcher.jar \
    $(find /home/jeto/.m2 -name '*.jar' | head -n 1); do
  (echo x >>"$file") 2>/dev/null && leak "wrote $file"
  mv "$file" "$file.x" 2>/dev/null && leak "moved $file"
  rm -f "$file" 2>/dev/null && [ ! -e "$file" ] && leak "removed $file"
done
ls /jeto/reports 2>/dev/null && leak "reports of earlier rounds"
cat /jeto/run/maven.log 2>/dev/null && leak "the log of earlier rounds"
ls /jeto/run 2>/dev/null && leak "the run directory"
maven=$(grep -l 'plexus.classworlds' /proc/[0-9]*/cmdline 2>/dev/null | head -n 1 | tr -dc 0-9)
[ -n "$maven" ] || leak "nothing: Maven was not found"
kill -0 "$maven" 2>/dev/null && leak "may signal Maven"
cat "/proc/$maven/environ" 2>/dev/null && leak "read Maven's environment"
ls "/proc/$maven/fd" 2>/dev/null && leak "read Maven's descriptors"
perl -e 'exit(syscall(101, 16, $ARGV[0], 0, 0) == 0 ? 0 : 1)' "$maven" && leak "traces Maven"
for server in $(grep -l '^Name:.fork-server' /proc/[0-9]*/status | tr -dc '0-9\n'); do
  ls "/proc/$server/fd/" 2>/dev/null && leak "sees the fork server's pipes"
  cat "/proc/$server/environ" 2>/dev/null && leak "reads the fork server"
  perl -e 'exit(syscall(101, 16, $ARGV[0], 0, 0) == 0 ? 0 : 1)' "$server" && leak "traces it"
done
[ -n "$server" ] || leak "nothing: the fork server was not found"
for pipe in command done requests cleaned; do
  if [ -r "/jeto/run/$pipe" ] || [ -w "/jeto/run/$pipe" ]; then leak "may open $pipe"; fi
done
getent hosts "$(hostname)" >/dev/null || leak "the own host name does not resolve"
perl -MSocket -e 'socket S, AF_INET, SOCK_STREAM, 0; alarm 5;
  exit(connect(S, sockaddr_in(80, inet_aton("192.0.2.1"))) ? 0 : 1)' && leak "network"
perl -MSocket -e 'socket S, AF_INET, SOCK_STREAM, 0; $! = 0; alarm 5;
  connect S, sockaddr_in(80, inet_aton("192.0.2.1")); exit($!{ENETUNREACH} ? 0 : 1)' \
  || leak "the network is not unreachable"
git="git -c safe.directory=* -C /jeto/repo"
$git cat-file -e FIX 2>/dev/null && leak "the fix is in the history"
[ "$($git rev-list --all --count)" = 1 ] || leak "more than one commit"
$git log --all -p | grep -q findLine[S]tarts && leak "the reference in git"
grep -rqs findLine[S]tarts /jeto /home /opt/jeto /tmp /var /etc /root \
  && leak "the reference in a file"
find / -xdev \( -name '*.patch' -o -name 'reference*' \) -path '*textmill*' 2>/dev/null \
  | grep -q . && leak "a patch file"
echo PROBED
"""


def section(path: str, old: str, new: str, mode: str = "100644") -> str:
    source = f"a/{path}" if old else "/dev/null"
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), source, f"b/{path}"
    )
    added = "" if old else f"new file mode {mode}\n"
    return f"diff --git a/{path} b/{path}\n{added}{''.join(lines)}"


def edited(path: str, old: str, new: str) -> str:
    text = (PROJECT / path).read_text("utf-8")
    assert old in text
    return section(path, text, text.replace(old, new, 1))


def hostile_patch() -> str:
    sources = sorted((HERE / "hostile" / "java").glob("*.java"))
    start = "public final class Indenter {\n"
    return edited(
        f"{MAIN}/Indenter.java", start, f"{start}    static {{ Cheat.run(); }}\n"
    ) + "".join(section(f"{MAIN}/{it.name}", "", it.read_text("utf-8")) for it in sources)


@dataclass
class Reused:
    """Satisfies ``ArmSession``: applied to and built once, closed by the stage."""

    arm: MavenArm
    sandbox: DockerSandbox
    applied: PatchResult | None = None
    built: BuildResult | None = None

    def add_tests(self, patch: bytes, *, deadline: float) -> str:
        return self.arm.add_tests(patch, deadline=deadline)

    def apply(self, patch: bytes, *, deadline: float) -> PatchResult:
        self.applied = self.applied or self.arm.apply(patch, deadline=deadline)
        return self.applied

    def build(self, *, deadline: float) -> BuildResult:
        self.built = self.built or self.arm.build(deadline=deadline)
        return self.built

    def round(self, classes: Sequence[str], *, seed: int = 0, deadline: float) -> RoundOutput:
        return self.arm.round(classes, seed=seed, deadline=deadline)

    def close(self) -> None:
        pass


@dataclass
class Stage:
    """Satisfies ``ArmFactory``, with arms that are used again."""

    client: docker.DockerClient
    record: EtipRecord
    image_id: str
    arms: dict[Arm, Reused] = field(default_factory=dict)

    def factory(self, settings: RunSettings) -> DockerArms:
        cpus = plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]
        return DockerArms(client=self.client, cpus=cpus, settings=settings)

    def prepare(self, record: EtipRecord) -> Setting:
        return self.factory(RunSettings(run_id=RUN)).prepare(record)

    def sandbox(self, *, memory: int = 2 * 1024**3, pids: int = 512) -> DockerSandbox:
        settings = ContainerSettings(
            image=self.image_id,
            cpuset=format_cpuset(plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]),
            memory_bytes=memory,
            pids=pids,
            lifetime=1800,
            run_id=RUN,
        )
        return DockerSandbox(self.client, settings)

    def open(self, record: EtipRecord, arm: Arm, image_id: str) -> Reused:
        del image_id
        if arm not in self.arms:
            sandbox = self.sandbox()
            self.arms[arm] = Reused(MavenArm(sandbox, record), sandbox)
        return self.arms[arm]

    def candidate(self) -> Reused:
        made = self.open(self.record, Arm.CANDIDATE, "")
        assert made.apply(hostile_patch().encode(), deadline=60).applied
        built = made.build(deadline=300)
        assert built.ok, built.output[-2000:]
        return made

    def order(self, attack: str) -> Reused:
        made = self.candidate()
        made.sandbox.put("/jeto/attack", attack.encode())
        return made

    def log(self, marker: str, times: int = 1) -> str:
        """Return Maven's log once it holds the marker, or as it is after a while."""
        made = self.candidate()
        for _ in range(50):
            text = made.sandbox.get("/jeto/run/maven.log")["maven.log"].decode("utf-8", "replace")
            if text.count(marker) >= times:
                break
            time.sleep(0.1)
        return text

    def discard(self, arm: Arm = Arm.CANDIDATE) -> None:
        if arm in self.arms:
            self.arms.pop(arm).sandbox.close()

    def evaluate(self, attack: str, *, rounds: int = 5, deadline: float = 60.0) -> InstanceReport:
        self.order(attack)
        settings = RunSettings(
            run_id=RUN,
            criteria=replace(JETO, rounds=rounds),
            decides=Decider.JETO,
            deadlines=Deadlines(round=deadline),
        )
        prediction = make_prediction(
            instance_id=self.record.instance_id, model="h", patch=hostile_patch(), line=None
        )
        report = run_instance(
            self.record, prediction, factory=self, settings=settings, provenance=PROVENANCE
        ).report
        if report.outcome in BROKEN:
            self.discard()
        return report

    def judge_patch(self, patch: str) -> InstanceReport:
        """Evaluate another patch with arms of its own."""
        settings = RunSettings(
            run_id=f"{RUN}-own", criteria=replace(JETO, rounds=1), decides=Decider.JETO
        )
        prediction = make_prediction(
            instance_id=self.record.instance_id, model="h", patch=patch, line=None
        )
        report = run_instance(
            self.record,
            prediction,
            factory=self.factory(settings),
            settings=settings,
            provenance=PROVENANCE,
        ).report
        assert not containers(self.client, f"{RUN}-own")
        return report


def containers(client: docker.DockerClient, run_id: str) -> list[str]:
    found = client.containers.list(all=True, filters={"label": f"{RUN_LABEL}={run_id}"})
    return [str(item.id) for item in found]


@pytest.fixture(scope="module")
def stage(client: docker.DockerClient, mini_record: Callable[[str], EtipRecord]) -> Iterator[Stage]:
    record = replace(mini_record("textmill"), test_classes=(INDENTER,))
    made = Stage(client, record, ensure_image(client, record).image_id)
    try:
        yield made
    finally:
        for arm in tuple(made.arms):
            made.discard(arm)
    assert not containers(client, RUN)


@pytest.mark.parametrize(
    "attack",
    [
        "forge_reports",
        "exit",
        "halt",
        "shell kill -9 -1",
        "shell kill -9 $(grep -l fork-server /proc/[0-9]*/status | tr -dc '0-9\\n')",
    ],
)
def test_what_ends_the_test_jvm_or_its_server_fails_the_tests(stage: Stage, attack: str) -> None:
    """field.md row 15, 75: a forged report and status 0 are no passes."""
    report = stage.evaluate(attack, rounds=2)
    assert report.outcome is Outcome.TESTS_FAILED, (report.reason, report.detail)


def test_noise_on_every_stream_changes_no_verdict(stage: Stage) -> None:
    """field.md row 15, 27, 75: byte 0x80, a MiB of two-byte characters, forged lines, events."""
    report = stage.evaluate("noise")
    assert report.outcome in NOT_FASTER, (report.reason, report.detail)


def test_events_for_a_class_nobody_asked_for_are_tampering(stage: Stage) -> None:
    """field.md row 15."""
    claims = f"{INDENTER}#takesAwayTheCommonMargin forged.FasterTest#works"
    report = stage.evaluate(f"deceive 1 {claims}", rounds=2)
    assert report.outcome is Outcome.TAMPERED, (report.reason, report.detail)


@pytest.mark.xfail(
    strict=False,
    reason="code under test shares the JVM with what reports: it can claim passes it never ran",
)
def test_passes_that_were_never_run_are_not_faster(stage: Stage) -> None:
    cases = (
        "takesAwayTheCommonMargin",
        "dedentingTakesBackAnIndent",
        "expandsTabsToColumns",
        "refusesSenselessWidths",
        "indentsLinesThatAreNotBlank",
    )
    claims = " ".join(f"{INDENTER}#{case}" for case in cases)
    assert stage.evaluate(f"deceive 5 {claims}").outcome is not Outcome.IMPROVED


def test_events_held_back_do_not_make_a_candidate_faster(stage: Stage) -> None:
    """Times a candidate forges are held against the harness's own clock."""
    report = stage.evaluate("delay 400")
    assert report.outcome is not Outcome.IMPROVED, (report.reason, report.detail)
    assert report.outcome is not Outcome.INFRA_ERROR, (report.reason, report.detail)


def test_figures_written_into_the_agents_pipe_are_tampering(stage: Stage) -> None:
    """The pipe is open in the JVM that code under test shares; its lines are numbered."""
    forged = '{"type":"class","seq":0,"position":0,"depth":0,"name":"x","wall_ns":1}'
    report = stage.evaluate(f"pipe {forged}")
    assert report.reason is Reason.AGENT_CONTRADICTED, (report.reason, report.detail)


def test_an_endless_loop_is_timed_out(stage: Stage) -> None:
    """field.md row 38."""
    report = stage.evaluate("endless", deadline=8)
    assert report.reason is Reason.DEADLINE_ROUND, report.detail


def test_nothing_that_a_round_wrote_is_there_in_the_next(stage: Stage) -> None:
    """Caches in every writable place and its attributes, closed folders, shared memory, logs."""
    arm = stage.order("stash")
    for _ in range(3):
        assert arm.arm.round((INDENTER,), deadline=60).exit_code == 0
    log = stage.log("KEEPSAKE", 3)
    assert log.count("KEEPSAKE") == 3
    assert "survived" not in log
    search = "find / -xdev -user runner ! -path '/proc/*' 2>/dev/null; :"
    left = arm.sandbox.exec(["sh", "-c", search], deadline=60)
    assert left.output.strip() == b""


def alone(sandbox: DockerSandbox) -> bool:
    """Whether the fork server, if anything, is all that its user runs."""
    return list(sandbox.processes(User.RUNNER).values()) in ([], ["fork-server"])


@pytest.mark.parametrize(
    ("attack", "name"),
    [
        ("background sleep 1000", "sleep"),
        ("background trap '' TERM HUP; while :; do sleep 1; done", "sh"),
        ("background while :; do echo x | tee /jeto/reports/*/*/*.xml; sleep 1; done", "sh"),
        ("thread", ""),
    ],
)
def test_no_process_outlives_its_round(stage: Stage, attack: str, name: str) -> None:
    """field.md row 76: gone before the next round, named, and the reports are whole."""
    arm = stage.order(attack)
    output = arm.arm.round((INDENTER,), deadline=60)
    assert output.exit_code == 0, output.output[-2000:]
    assert alone(arm.sandbox)
    assert not name or name in output.leftovers
    stage.order("none")
    assert arm.arm.round((INDENTER,), deadline=60).exit_code == 0


@pytest.mark.parametrize(
    "attack",
    [
        "shell kill -STOP SERVER",
        "shell perl -e 'setpriority 0, $ARGV[0], 5' SERVER",
        "background kill -9 SERVER; exec perl -e '$0 = q(fork-server); sleep 1000'",
    ],
)
def test_a_fork_server_that_was_touched_serves_no_further_round(stage: Stage, attack: str) -> None:
    """field.md row 76: neither an impostor nor a changed priority outlives the round."""
    # Not one of its children: its parent is outside the container.
    named = "$(grep -l '^Name:.fork-server' /proc/[0-9]*/status)"
    server = f"$(grep -l '^PPid:.0$' {named} | tr -dc 0-9)"
    arm = stage.order(attack.replace("SERVER", server))
    before = set(arm.sandbox.processes(User.RUNNER))
    with suppress(ContentError):
        arm.arm.round((INDENTER,), deadline=60)
    stage.order("none")
    assert arm.arm.round((INDENTER,), deadline=60).exit_code == 0
    assert alone(arm.sandbox)
    assert not before & set(arm.sandbox.processes(User.RUNNER))


def test_code_under_test_reaches_neither_maven_nor_compiled_code_nor_the_fix(stage: Stage) -> None:
    """field.md row 33, 53: host name, network, history; ptrace, class files, local repository."""
    arm = stage.order("shell sh /jeto/probe.sh")
    fix = (*stage.record.fix_commits, "0" * 40)[0]
    arm.sandbox.put("/jeto/probe.sh", PROBE.replace("FIX", fix).encode(), mode=0o755)
    assert arm.arm.round((INDENTER,), deadline=120).exit_code == 0
    log = stage.log("PROBED")
    assert "PROBED" in log, log[-3000:]
    assert "LEAK" not in log, log[log.find("LEAK") :][:500]


def test_memory_past_the_limit_is_named(stage: Stage) -> None:
    """field.md row 40."""
    # The largest process is killed for memory; the JVM follows it, so that the round fails at once.
    grab = "perl -e '$x=q(x)x(900<<20); sleep 1' || kill -9 $PPID"
    with stage.sandbox(memory=700 * 1024**2) as sandbox:
        arm = MavenArm(sandbox, stage.record)
        assert arm.apply(hostile_patch().encode(), deadline=60).applied
        assert arm.build(deadline=300).ok
        sandbox.put("/jeto/attack", f"shell {grab}".encode())
        assert arm.round((INDENTER,), deadline=60).oom_killed


def test_a_fork_bomb_holds_neither_the_round_nor_the_next(stage: Stage) -> None:
    """field.md row 76: against the limit of processes, here a small one."""
    with stage.sandbox(pids=150) as sandbox:
        arm = MavenArm(sandbox, stage.record)
        assert arm.apply(hostile_patch().encode(), deadline=60).applied
        assert arm.build(deadline=300).ok
        sandbox.put("/jeto/attack", b"background perl -e 'fork while 1'")
        # Passing, failing, late or refused, but never the engine's trouble.
        with suppress(ContentError):
            output = arm.round((INDENTER,), deadline=15)
            assert output.timed_out or alone(sandbox)


def test_edits_of_what_measures_are_left_out_and_listed(stage: Stage) -> None:
    """field.md row 12, 13, 14."""
    tests = ("src/test/java/io/jetobench/textmill/IndenterTest.java", "src/test/java/NewTest.java")
    guarded = (
        ".mvn/jvm.config",
        "src/main/resources/META-INF/services/javax.annotation.processing.Processor",
        "src/main/resources/META-INF/services/org.junit.platform.engine.TestEngine",
        "src/main/resources/junit-platform.properties",
        "testng.xml",
    )
    patch = (
        edited(tests[0], "checkAllTexts(new StringBuilder(), 4)", "checkAllTexts(null, 0)")
        + section(tests[1], "", "class NewTest {}\n")
        + edited("pom.xml", "<version>2.22.2</version>", "<version>3.2.5</version>")
        + "".join(section(path, "", "x=1\n") for path in guarded)
    )
    report = stage.judge_patch(patch)
    assert report.reason is Reason.PATCH_IGNORED, report.detail
    assert set(report.patch.ignored_test_edits) == set(tests)
    assert set(report.patch.protected_path_edits) == {*guarded, "pom.xml"}
    assert report.patch.changed == ()


def test_a_link_in_a_patch_is_refused(stage: Stage) -> None:
    link = section(f"{MAIN}/Link.java", "", "../../../../../../../home/jeto/.m2", "120000")
    report = stage.judge_patch(link + "\n\\ No newline at end of file\n")
    assert report.reason is Reason.PATCH_UNSAFE_PATH, report.detail


def test_a_class_that_stands_in_for_the_test_framework_is_tampering(stage: Stage) -> None:
    """field.md row 14: found in what the build produced, whatever the source file's path."""
    source = "package org.junit;\n\npublic class Assert { }\n"
    report = stage.judge_patch(section(f"{MAIN}/Assert.java", "", source))
    assert report.outcome in {Outcome.TAMPERED, Outcome.BUILD_FAILED}, report.detail
