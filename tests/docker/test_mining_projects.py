"""``jeto-mine execute`` on layouts, frameworks and obstacles of real projects.

Through the real engine and the real Maven; only the measurement is played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import docker
import pytest
from toy_projects import (
    JUNIT3,
    JUNIT4,
    JUNIT5,
    MAIN,
    SUM,
    TESTNG,
    Toy,
    dependency,
    git,
    java_test,
    make_toy,
    pom,
    project,
)

from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import JETO
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.fake import FAKE_PROVENANCE
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_mine.executable.execute import Executed, Execution
from jeto_mine.executable.reasons import Dropped, DropReason
from jeto_mine.executable.workbench import DockerWorkbench

Mine = Callable[..., Executed]


def reason(mine: Mine, toy: Toy) -> Dropped:
    with pytest.raises(Dropped) as caught:
        mine(toy)
    return caught.value


def test_only_the_changed_module_of_a_nested_build_is_tested(mine: Mine, tmp_path: Path) -> None:
    """field.md row 80: a shared parent beside the modules, and a sibling whose tests would fail."""
    parent = (
        "<parent><groupId>toy</groupId><artifactId>shared</artifactId><version>1</version>"
        "<relativePath>../../shared/pom.xml</relativePath></parent>"
    )
    listed = "<modules><module>{}</module></modules><packaging>pom</packaging>"
    toy = make_toy(
        tmp_path,
        "nested",
        {
            "pom.xml": pom("root", inside=listed.format("shared</module><module>libs")),
            "shared/pom.xml": pom("shared", inside="<packaging>pom</packaging>"),
            "libs/pom.xml": pom("libs", inside=listed.format("api</module><module>core")),
            "libs/api/pom.xml": pom("api", parent=parent),
            "libs/api/src/main/java/toy/Api.java": "package toy;\n\npublic class Api {}\n",
            "libs/api/src/test/java/toy/ApiTest.java": java_test("ApiTest", "throw new Error();"),
            "libs/core/pom.xml": pom("core", parent=parent, needs=dependency("toy", "api", "1")),
            f"libs/core/{MAIN}": SUM,
            "libs/core/src/test/java/toy/SumTest.java": java_test(
                "SumTest", "new Api(); Sum.of(9);"
            ),
        },
        main=f"libs/core/{MAIN}",
        added="libs/core/src/main/java/toy/Added.java",
    )
    done = mine(toy)
    assert done.record.modules == ("libs/core",)
    assert done.record.test_classes == ("toy.SumTest",)
    assert done.record.quarantined_tests == ()
    log = tmp_path / "logs" / f"{toy.record.instance_id}.build.log"
    assert "ApiTest" not in log.read_text()


@pytest.mark.parametrize(
    ("framework", "surefire", "level", "test"),
    [
        (
            JUNIT3,
            "2.12.4",
            "1.6",
            (
                "public class SumTest extends junit.framework.TestCase {\n"
                "  public void testSum() { Sum.of(10); }\n}\n"
            ),
        ),
        (
            JUNIT4,
            "2.22.2",
            "8",
            "public class SumTest {\n  @org.junit.Test public void sum() { Sum.of(10); }\n}\n",
        ),
        (
            TESTNG,
            "3.0.0-M5",
            "11",
            (
                "public class SumTest {\n"
                "  @org.testng.annotations.Test public void sum() { Sum.of(10); }\n}\n"
            ),
        ),
        (
            JUNIT5,
            "3.5.2",
            "17",
            "class SumTest {\n  @org.junit.jupiter.api.Test void sum() { Sum.of(10); }\n}\n",
        ),
    ],
    ids=["junit3", "junit4", "testng", "junit5"],
)
def test_every_framework_with_the_jdk_that_its_level_wants(
    mine: Mine,
    tmp_path: Path,
    *,
    framework: tuple[str, str, str],
    surefire: str,
    level: str,
    test: str,
) -> None:
    """field.md row 88: the JDK comes from the compiler's level, and why is kept."""
    built = pom(level=level, framework=framework, surefire=surefire)
    files = {
        "pom.xml": built,
        MAIN: SUM,
        "src/test/java/toy/SumTest.java": f"package toy;\n\n{test}",
    }
    done = mine(make_toy(tmp_path, framework[1], files))
    assert done.record.test_classes == ("toy.SumTest",)
    assert done.record.java_version == (8 if level == "1.6" else int(level))
    assert any(level in item.what for item in done.plan.jdks.evidence)


def test_a_level_that_says_too_little_is_found_out_by_the_ladder(
    mine: Mine, tmp_path: Path
) -> None:
    """field.md row 88: level 8, and a method that the JDK has since 11."""
    files = project(**{"src/test/java/toy/SumTest.java": java_test("SumTest", '" ".isBlank();')})
    done = mine(make_toy(tmp_path, "ladder11", files))
    assert done.record.java_version == 11
    assert done.failed_jdks == ((8, "compile_failed"),)
    log = (tmp_path / "logs" / f"{done.record.instance_id}.build.log").read_text()
    assert [f"with JDK {jdk}\n" in log for jdk in (8, 11, 17)] == [True, True, False]


def test_a_demand_for_a_toolchain_is_met(mine: Mine, tmp_path: Path) -> None:
    """field.md row 89: a toolchain goal for 1.8."""
    chain = """<plugin><artifactId>maven-toolchains-plugin</artifactId><version>3.2.0</version>
      <executions><execution><goals><goal>toolchain</goal></goals></execution></executions>
      <configuration><toolchains><jdk><version>1.8</version></jdk></toolchains></configuration>
    </plugin>"""
    done = mine(
        make_toy(tmp_path, "toolchain", project("SumTest", **{"pom.xml": pom(plugins=chain)}))
    )
    assert done.record.java_version == 8
    assert done.record.test_classes == ("toy.SumTest",)


def test_checks_that_cannot_pass_in_a_bare_tree_are_skipped(mine: Mine, tmp_path: Path) -> None:
    """field.md row 90: a plugin that wants git's history, and one that forbids this compiler."""
    checks = """<plugin><groupId>io.github.git-commit-id</groupId>
      <artifactId>git-commit-id-maven-plugin</artifactId><version>6.0.0</version>
      <executions><execution><goals><goal>revision</goal></goals></execution></executions></plugin>
    <plugin><artifactId>maven-enforcer-plugin</artifactId><version>3.4.1</version>
      <executions><execution><goals><goal>enforce</goal></goals></execution></executions>
      <configuration><rules><requireFilesExist><files><file>LICENSE</file></files>
      </requireFilesExist></rules></configuration></plugin>"""
    built = pom(level="11", plugins=checks)
    done = mine(make_toy(tmp_path, "checks", project("SumTest", **{"pom.xml": built})))
    assert done.record.test_classes == ("toy.SumTest",)


FAILING: Final = {
    "NetworkTest": (
        'new java.net.Socket("host.example", 80).close();',
        "needs_network",
    ),
    "ContainerTest": (
        'throw new IllegalStateException("Could not find a valid Docker environment");',
        "needs_docker",
    ),
    "ZoneTest": (
        (
            'if (!java.time.ZoneId.systemDefault().getId().equals("Asia/Tokyo"))'
            ' throw new AssertionError("wrong time zone");'
        ),
        "needs_time_zone",
    ),
    "RootTest": ('new java.io.FileOutputStream("/etc/toy").close();', "needs_root"),
    "ResourceTest": ('new java.io.FileInputStream("none.txt").close();', "missing_resource"),
    "FlakyTest": (
        (
            'java.io.File flag = new java.io.File("/tmp/toy-flag");'
            " if (flag.createNewFile()) return; flag.delete();"
            ' throw new AssertionError("now and then");'
        ),
        "flaky",
    ),
    "BrokenTest": ('throw new AssertionError("always");', "fails"),
}


def test_classes_that_cannot_count_are_left_out_one_by_one(mine: Mine, tmp_path: Path) -> None:
    """field.md rows 44 and 45: zone and containers, beside the network, root, files and chance."""
    tests = {
        f"src/test/java/toy/{name}.java": java_test(name, body)
        for name, (body, _) in FAILING.items()
    }
    good = [f"Good{number}Test" for number in range(len(FAILING) + 1)]
    done = mine(make_toy(tmp_path, "quarantine", project(*good, **tests)))
    assert {item.test_class: item.reason for item in done.record.quarantined_tests} == {
        f"toy.{name}": why for name, (_, why) in FAILING.items()
    }
    assert done.record.test_classes == tuple(f"toy.{name}" for name in good)


def test_too_few_classes_left_are_a_reason(mine: Mine, tmp_path: Path) -> None:
    tests = {
        f"src/test/java/toy/{name}.java": java_test(name, FAILING["BrokenTest"][0])
        for name in ("OneTest", "TwoTest", "ThreeTest")
    }
    found = reason(mine, make_toy(tmp_path, "few", project("SumTest", **tests)))
    assert found.reason is DropReason.TOO_FEW_TESTS
    assert "3 of 4" in found.detail


def test_a_snapshot_that_nobody_has_is_a_reason(mine: Mine, tmp_path: Path) -> None:
    """field.md row 91: snapshot dependencies disappear."""
    built = pom(needs=dependency("toy.absent", "lib", "2-SNAPSHOT"))
    found = reason(mine, make_toy(tmp_path, "snapshot", project("SumTest", **{"pom.xml": built})))
    assert found.reason is DropReason.SNAPSHOT_DEPENDENCY
    assert "lib" in found.detail


def test_a_plain_http_repository_is_asked_by_https_and_else_a_reason(
    mine: Mine, tmp_path: Path
) -> None:
    """field.md row 87: one HTTP repository, which does not answer by HTTPS either."""
    built = pom(
        needs=dependency("toy.absent", "lib", "2"),
        inside="<repositories><repository><id>old</id><url>http://old.example/maven</url>"
        "</repository></repositories>",
    )
    found = reason(mine, make_toy(tmp_path, "http", project("SumTest", **{"pom.xml": built})))
    assert found.reason is DropReason.HTTP_REPOSITORY
    assert "https://old.example/maven" in found.detail


def test_a_missing_blob_is_a_reason(mine: Mine, tmp_path: Path) -> None:
    toy = make_toy(tmp_path, "blob", project("SumTest", **{"src/test/resources/big.txt": "big\n"}))
    blob = git(toy.clone, "rev-parse", f"{toy.record.base_commit}:src/test/resources/big.txt")
    (toy.clone / ".git/objects" / blob[:2] / blob[2:].strip()).unlink()
    found = reason(mine, toy)
    assert found.reason is DropReason.CLONE_INCOMPLETE
    assert "big.txt" in found.detail


EXTENSION: Final = (
    "<extensions><extension><groupId>kr.motd.maven</groupId>"
    "<artifactId>os-maven-plugin</artifactId><version>1.7.1</version></extension></extensions>"
)


@pytest.fixture
def measured(client: docker.DockerClient, tmp_path: Path) -> Mine:
    """Make a project executable, with six pairs really measured, and remove its image."""

    def run(record: EtipRecord) -> Executed:
        bench = DockerWorkbench(
            client=client,
            clones=tmp_path,
            cpus=plan_cpus(usable_cores(), slots=1, cpus=None).sets[0],
            settings=RunSettings(
                run_id="test-measured",
                criteria=replace(JETO, rounds=6),
                deadlines=Deadlines(own_test=5),
            ),
            provenance=FAKE_PROVENANCE,
            logs=tmp_path / "logs",
            origin="",
        )
        try:
            return Execution(workbench=bench, without_wrapper=True).run(record)
        finally:
            for image in client.images.list(image_name(record)):
                client.images.remove(str(image.id), force=True)

    return run


def test_a_project_that_extends_maven_is_measured(measured: Mine, tmp_path: Path) -> None:
    """Beside an extension, Maven's own components are in another class loader than ours.

    It was built and proved, and then no round of it ran.
    """
    files = project("SumTest", **{".mvn/extensions.xml": EXTENSION})
    done = measured(make_toy(tmp_path, "extended", files).record)
    assert done.record.test_classes == ("toy.SumTest",)
    assert done.measured.report.rounds_done == 6


def test_tests_that_came_with_the_fix_are_put_on_both_arms(measured: Mine, tmp_path: Path) -> None:
    """On base theirs never ends: it is cut off, and the class tells the versions apart."""
    endless = "while (Sum.of(3) != 3) { Thread.sleep(5); }"
    toy = make_toy(tmp_path, "own", project("SumTest"))
    test = java_test("SlowTest", endless)
    lines = "".join(f"+{line}\n" for line in test.splitlines())
    patch = (
        "diff --git a/src/test/java/toy/SlowTest.java b/src/test/java/toy/SlowTest.java\n"
        "new file mode 100644\n--- /dev/null\n+++ b/src/test/java/toy/SlowTest.java\n"
        f"@@ -0,0 +1,{len(test.splitlines())} @@\n{lines}"
    )
    done = measured(replace(toy.record, test_patch=patch))
    assert done.record.test_classes == ("toy.SlowTest", "toy.SumTest")
    (own,) = done.measured.report.own
    assert all(pair.base.censored and not pair.other.censored for pair in own.pairs)
    assert {item.test_class for item in done.record.detector_tests} == {"toy.SlowTest"}
