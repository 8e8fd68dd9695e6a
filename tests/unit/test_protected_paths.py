from __future__ import annotations

import pytest

from jeto_evaluate.patching import (
    PathClass,
    ProtectedPolicy,
    classify,
    output_intruders,
    same_outputs,
)

FREE = """
src/main/java/org/acme/Foo.java
modules/core/src/main/java/org/acme/test/Harness.java
src/main/java/org/acme/target/Target.java
src/main/java/org/acme/build/Pom.java
src/main/java/org/acme/gradle/Settings.java
src/main/java/org/acme/SurefireReader.java
src/main/resources/logback.xml
src/main/resources/META-INF/services/org.acme.Plugin
src/main/resources/META-INF/services/java.nio.file.spi.FileSystemProvider
src/main/kotlin/A.kt
src/java/org/acme/Latest.java
source/org/acme/Contest.java
README.md
src/main
"""
TESTS = """
src/test/java/FooTest.java
src/test/resources/big.json
src/test/resources/projects/a/src/main/java/X.java
modules/core/src/test/java/FooTest.java
src/it/simple/verify.groovy
src/integration-test/java/X.java
src/integrationTest/java/X.java
src/testFixtures/java/X.java
src/componentTest/java/X.java
test/org/acme/X.java
tests/data.bin
core-tests/src/main/java/X.java
test-utils/src/main/java/Loops.java
SRC/TEST/java/X.java
src/test
"""
BUILD = """
pom.xml
core/pom.xml
src/main/resources/pom.xml
POM.xml
pom.groovy
.mvn/jvm.config
.mvn/extensions.xml
.mvn/wrapper/maven-wrapper.properties
core/.mvn/maven.config
mvnw
mvnw.cmd
.mavenrc
build.gradle
core/build.gradle.kts
gradle/wrapper/gradle-wrapper.properties
lombok.config
src/main/java/org/acme/lombok.config
JDK_JAVA_OPTIONS
JAVA_TOOL_OPTIONS
lib/x.jar
checkstyle.xml
.gitattributes
core/.gitattributes
src/main/.gitignore
.gitmodules
src/main/resources/META-INF/services/javax.annotation.processing.Processor
src/main/java/META-INF/services/com.sun.source.util.Plugin
src/main/resources/META-INF/services/org.codehaus.groovy.transform.ASTTransformation
src/main/resources/META-INF/plexus/components.xml
"""
TEST_CONFIG = """
src/main/resources/junit-platform.properties
junit-platform.properties
testng.xml
src/main/resources/testng-fast.xml
src/main/resources/META-INF/services/org.junit.platform.engine.TestEngine
src/main/resources/META-INF/services/org.testng.ITestNGListener
src/main/resources/mockito-extensions/org.mockito.plugins.MockMaker
src/main/resources/logback-test.xml
src/main/resources/log4j2-test.properties
src/main/resources/jacoco-agent.properties
surefire.properties
"""
JUNK = """
target/classes/x.properties
core/target/surefire-reports/TEST-a.xml
src/main/resources/org/junit/Assert.class
.idea/workspace.xml
core.iml
src/main/java/Foo.java.orig
src/main/java/Foo.java.rej
.DS_Store
"""
TABLE = [
    (path, kind)
    for text, kind in (
        (FREE, PathClass.SOURCE),
        (TESTS, PathClass.TEST),
        (BUILD, PathClass.BUILD),
        (TEST_CONFIG, PathClass.TEST_CONFIG),
        (JUNK, PathClass.JUNK),
    )
    for path in text.split()
]


@pytest.mark.parametrize(("path", "kind"), TABLE, ids=[path for path, _ in TABLE])
def test_class_of_a_path(path: str, kind: PathClass) -> None:
    """field.md row 14: whatever something loads by itself is not free, wherever it lies."""
    assert classify(path) is kind


def test_record_names_tests_that_no_rule_knows() -> None:
    """field.md row 13: an explicit list from the record, paths that must be absent included."""
    policy = ProtectedPolicy(paths=("checks",), must_be_absent=("src/main/java/LaterTest.java",))
    assert classify("checks/X.java", policy) is PathClass.TEST
    assert classify("checks2/X.java", policy) is PathClass.SOURCE
    assert classify("src/main/java/LaterTest.java", policy) is PathClass.TEST


def test_record_frees_a_module_that_only_sounds_like_tests() -> None:
    policy = ProtectedPolicy(source_roots=("spring-test/src/main",))
    assert classify("spring-test/src/main/java/X.java", policy) is PathClass.SOURCE
    assert classify("spring-test/src/test/java/X.java", policy) is PathClass.TEST
    assert classify("spring-test/src/main/resources/testng.xml", policy) is PathClass.TEST_CONFIG


def outputs(*paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, "hash")


def test_class_that_replaces_a_framework_s_is_named() -> None:
    """field.md row 15: ``package org.j\\u0075nit...`` in any file compiles to this path."""
    base = outputs("org/acme/A.class")
    found = output_intruders(base, base | outputs("org/acme/B.class", "org/junit/Assert.class"))
    assert found == ("org/junit/Assert.class",)


def test_service_file_that_a_processor_generates_is_named() -> None:
    """field.md row 14: no path of the patch shows it, the build's output does."""
    listener = "META-INF/services/org.junit.platform.launcher.TestExecutionListener"
    base = outputs("org/acme/A.class", "META-INF/services/org.acme.Spi")
    assert output_intruders(base, base | outputs(listener)) == (listener,)
    with_listener = base | outputs(listener)
    assert output_intruders(with_listener, with_listener) == ()
    assert output_intruders(with_listener, with_listener | {listener: "other"}) == (listener,)


def test_framework_under_test_may_grow() -> None:
    base = outputs("org/junit/Assert.class")
    assert output_intruders(base, base | outputs("org/junit/Assert$1.class")) == ()
    grown = base | outputs("org/testng/A.class")
    assert output_intruders(base, grown) == ("org/testng/A.class",)


def test_same_output_is_no_change() -> None:
    """field.md row 97: a patch that only edits a comment."""
    base = outputs("org/acme/A.class")
    assert same_outputs(base, dict(base))
    assert not same_outputs(base, {"org/acme/A.class": "other"})
