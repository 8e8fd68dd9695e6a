"""What a project sets for its tests, against what a round needs and what it must leave alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import docker
import pytest

from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.maven_arm import MavenArm
from jeto_evaluate.sandbox.docker import DockerSandbox

REPO = "/jeto/repo"
POM = f"{REPO}/pom.xml"
ARGUMENTS = "<argLine>-XX:TieredStopAtLevel=1 -XX:+UseSerialGC</argLine>"
SWITCH = "junit.jupiter.execution.parallel"
CONCURRENT = f"{SWITCH}.enabled = true\n{SWITCH}.mode.default = concurrent\n"
TEST = """\
package probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;

class ProbeTest {
    @Test
    void first() {
        check();
    }

    @Test
    void second() {
        check();
    }

    private void check() {
        CHECK
    }
}
"""


@pytest.fixture
def container(
    client: docker.DockerClient, mini_record: Callable[[str], EtipRecord]
) -> Iterator[tuple[DockerSandbox, EtipRecord]]:
    record = mini_record("ledgerline")
    settings = ContainerSettings(
        image=ensure_image(client, record).image_id,
        cpuset=format_cpuset(plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]),
        memory_bytes=4 * 1024**3,
        run_id="test-settings",
    )
    with DockerSandbox(client, settings) as made:
        yield made, record


def lay(sandbox: DockerSandbox, *, check: str, surefire: str = "", properties: str = "") -> None:
    """Add a probe to the tests, and settings to the POM."""
    sandbox.put(f"{REPO}/src/test/java/probe/ProbeTest.java", TEST.replace("CHECK", check).encode())
    pom = sandbox.get(POM)["pom.xml"].decode()
    assert pom.count(ARGUMENTS) == pom.count("<properties>") == 1
    pom = pom.replace(ARGUMENTS, surefire)
    pom = pom.replace("<properties>", f"<properties>{properties}")
    sandbox.put(POM, pom.encode())


def plain(sandbox: DockerSandbox) -> int | None:
    argv = ["./mvnw", "-B", "-o", "-Dtest=ProbeTest", "test"]
    return sandbox.exec(argv, deadline=300, cwd=REPO).exit_code


@pytest.mark.parametrize("through", ["properties file", "plugin"])
def test_tests_of_a_concurrent_project_run_one_after_another(
    container: tuple[DockerSandbox, EtipRecord], through: str
) -> None:
    """field.md row 72: found in either place, switched off; else times are summed over threads."""
    sandbox, record = container
    parameters = f"<configurationParameters>{CONCURRENT}</configurationParameters>"
    configured = f"<forkCount>2</forkCount><properties>{parameters}</properties>"
    lay(
        sandbox,
        check='assertEquals("main", Thread.currentThread().getName());',
        surefire=configured if through == "plugin" else "",
    )
    if through == "properties file":
        sandbox.put(f"{REPO}/src/test/resources/junit-platform.properties", CONCURRENT.encode())
    # Without the harness the probe sees JUnit's workers, so that passing below means something.
    assert plain(sandbox) == 1
    arm = MavenArm(sandbox, record)
    assert arm.build(deadline=300).ok
    output = arm.round(("probe.ProbeTest",), deadline=120)
    assert output.exit_code == 0, output.output[-3000:]


def test_the_projects_own_jvm_arguments_reach_the_tests(
    container: tuple[DockerSandbox, EtipRecord],
) -> None:
    """field.md row 83: ``argLine`` is what the project makes of it, coverage skipped."""
    sandbox, record = container
    lay(
        sandbox,
        check='assertEquals("1", System.getProperty("probe"));'
        " assertEquals(true, Runtime.getRuntime().maxMemory() <= 1L << 30);",
        surefire="<argLine>-Xmx1g ${argLine}</argLine>",
        properties="<argLine>-Dprobe=1</argLine>",
    )
    arm = MavenArm(sandbox, record)
    assert arm.build(deadline=300).ok
    output = arm.round(("probe.ProbeTest",), deadline=120)
    assert output.exit_code == 0, output.output[-3000:]


def test_coverage_is_off_whatever_the_project_says(
    container: tuple[DockerSandbox, EtipRecord],
) -> None:
    """field.md row 83: a literal ``skip`` wins over ``jacoco.skip``.

    The plugin is not in the image: a round that does not leave it out fails to resolve it.
    """
    sandbox, record = container
    execution = (
        "<execution><id>late</id><phase>test</phase><goals><goal>prepare-agent</goal></goals>"
        "<configuration><propertyName>coverage</propertyName></configuration></execution>"
    )
    plugin = (
        "<plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId>"
        "<version>0.8.8</version><configuration><skip>false</skip></configuration>"
        f"<executions>{execution}</executions></plugin>"
    )
    lay(
        sandbox,
        check='assertEquals("1", System.getProperty("probe"));',
        surefire="<argLine>@{coverage} ${argLine} -Dprobe=1</argLine>",
    )
    pom = sandbox.get(POM)["pom.xml"].decode()
    assert pom.count("</pluginManagement>") == 1
    active = f"</pluginManagement><plugins>{plugin}</plugins>"
    sandbox.put(POM, pom.replace("</pluginManagement>", active).encode())
    arm = MavenArm(sandbox, record)
    assert arm.build(deadline=300).ok
    output = arm.round(("probe.ProbeTest",), deadline=120)
    assert output.exit_code == 0, output.output[-3000:]
