"""A round of the resident Maven against `./mvnw test`: same JVM, class path, classes and cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import docker
import pytest

from jeto_bench.records import EtipRecord
from jeto_evaluate.agent_times import read_agent, with_agent
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.maven_arm import MavenArm
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.sandbox.protocol import User
from jeto_evaluate.skipped_checks import SKIPPED_CHECKS
from jeto_evaluate.surefire import case_id, class_times, read_round

WATCHER = r"""
mkdir -p /tmp/seen
while :; do
  for file in /jeto/repo/target/surefire/surefire*tmp /jeto/repo/*/target/surefire/surefire*tmp \
      $(grep -la surefirebooter /proc/[0-9]*/cmdline 2>/dev/null); do
    [ -f "$file" ] && cp -n "$file" "/tmp/seen/$(echo "$file" | tr / _)" 2>/dev/null
  done
  sleep 0.01
done
"""
AGENT = (
    "-agentlib:instrument=/opt/jeto/lib/jeto-agent.jar=",
    "-Djeto.agent=/opt/jeto/lib/jeto-agent.jar=",
    "-Xbootclasspath/p:/opt/jeto/lib/jeto-hooks/",
)
TRIES = 4  # a short fork can slip between two looks of the watcher
# What says how the JVM is started and what it runs; the rest names temporary files and the harness.
DECIDES = re.compile(
    r"(?:classPathUrl|surefireClassPathUrl|tc|providerConfiguration|dirscanner\.entry)\.?\d*"
    r"|(?:enableAssertions|useSystemClassLoader|useManifestOnlyJar|childDelegation"
    r"|failIfNoTests|forkTestSet|providerName|isTrimStackTrace|testClassesDirectory"
    r"|requestedTest.*|preferTestsFromInStream)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Launch:
    """How the test JVMs of one run were started and what they ran, sorted, without temporaries."""

    commands: tuple[str, ...]
    properties: tuple[str, ...]
    classes: tuple[str, ...]
    cases: tuple[str, ...]

    def with_(self, other: Launch) -> Launch:
        """Add what another look saw of the same launch."""
        return Launch(
            commands=tuple(sorted({*self.commands, *other.commands})),
            properties=tuple(sorted({*self.properties, *other.properties})),
            classes=other.classes,
            cases=other.cases,
        )


NOTHING = Launch(commands=(), properties=(), classes=(), cases=())


@pytest.fixture
def sandbox(
    client: docker.DockerClient, mini_record: Callable[[str], EtipRecord], slug: str
) -> Iterator[tuple[DockerSandbox, EtipRecord]]:
    record = mini_record(slug)
    settings = ContainerSettings(
        image=ensure_image(client, record).image_id,
        cpuset=format_cpuset(plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]),
        memory_bytes=4 * 1024**3,
        run_id="test-equivalence",
    )
    with DockerSandbox(client, settings) as made:
        yield made, record


def seen(sandbox: DockerSandbox, reports: Mapping[str, bytes]) -> Launch:
    """Collect what the watcher saw since it was last asked."""
    files = sandbox.get("/tmp/seen")  # noqa: S108  # a path in the container
    assert sandbox.exec(["sh", "-c", "rm -f /tmp/seen/*"], deadline=10).ok
    commands = set()
    for name, data in files.items():
        words = data.decode().split("\0")
        if name.endswith("_cmdline") and words[0].endswith("/java"):
            given = [word for word in words[1:] if not word.startswith(AGENT)]
            commands.add(" ".join(_without_temporaries(word) for word in given))
    properties = {
        _without_temporaries(line)
        for name, data in files.items()
        if name.endswith("tmp")
        for line in data.decode().splitlines()
        if DECIDES.fullmatch(line.partition("=")[0])
    }
    report = read_round(xml(reports))
    return Launch(
        commands=tuple(sorted(commands)),
        properties=tuple(sorted(properties)),
        classes=tuple(item.test_class for item in report.classes),
        cases=tuple(sorted(case_id(case) for item in report.classes for case in item.cases)),
    )


def xml(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if "TEST-" in path and path.endswith("xml")}


def _without_temporaries(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[\d-]+_\d+|(?<=surefire)booter[\d-]+|[_\d-]{6,}", "*", text)


@pytest.mark.parametrize("slug", ["textmill", "cargoboard"])
def test_a_round_launches_what_mvnw_test_launches(
    sandbox: tuple[DockerSandbox, EtipRecord],
) -> None:
    """Issue: an equivalent launch has the same classes, cases, JVM arguments and class path."""
    container, record = sandbox
    arm = MavenArm(container, record)
    assert arm.build(deadline=300).ok
    # Not earlier: after the build nothing of its user may go on.
    container.spawn(["sh", "-c", WATCHER], user=User.JETO)
    ours, theirs = NOTHING, NOTHING
    for _ in range(TRIES):
        ours = ours.with_(by_resident_maven(container, arm, record))
        theirs = theirs.with_(by_wrapper(container, record))
        if ours == theirs:
            break
    assert ours.commands
    assert ours.properties
    assert ours.commands == theirs.commands
    assert ours.properties == theirs.properties
    assert ours.classes == theirs.classes == record.test_classes
    assert ours.cases == theirs.cases


def by_resident_maven(container: DockerSandbox, arm: MavenArm, record: EtipRecord) -> Launch:
    output = arm.round(record.test_classes, deadline=300)
    assert output.exit_code == 0, output.output[-3000:]
    # The one thing that a round adds; what it measures agrees with the reports.
    reported = class_times(read_round(xml(output.files)))
    held = with_agent(reported, read_agent(output.files))
    assert not held.problem
    assert all(entry.agent for entry in held.classes)
    return seen(container, output.files)


def by_wrapper(container: DockerSandbox, record: EtipRecord) -> Launch:
    plain = container.exec(
        ["./mvnw", "-B", "-o", *SKIPPED_CHECKS, "-Dsurefire.runOrder=alphabetical", "test"],
        deadline=300,
        cwd="/jeto/repo",
    )
    assert plain.ok, plain.output[-3000:]
    reports = {
        f"{module}/{path}": data
        for module in record.modules
        for path, data in container.get(f"/jeto/repo/{module}/target/surefire-reports").items()
    }
    return seen(container, reports)
