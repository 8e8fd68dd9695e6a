"""One reason for a failed build, told from Maven's words (field.md rows 87, 88, 89, 91)."""

from __future__ import annotations

import pytest

from jeto_mine.executable.build_failure import build_failure
from jeto_mine.executable.reasons import DropReason

GOAL = "[ERROR] Failed to execute goal org.example:x-maven-plugin:1:run (default) on project a: "


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{GOAL}Fatal error compiling: invalid target release: 17", DropReason.WRONG_JDK),
        ("[ERROR] error: release version 21 not supported", DropReason.WRONG_JDK),
        ("[ERROR] Source option 5 is no longer supported. Use 7 or later.",
         DropReason.WRONG_JDK),
        ("[ERROR] A.java:[3,20] package javax.xml.bind does not exist", DropReason.WRONG_JDK),
        ("[ERROR] Detected JDK Version: 1.8.0-4 is not in the allowed range [11,).",
         DropReason.WRONG_JDK),
        ("[ERROR] Unsupported class file major version 61", DropReason.WRONG_JDK),
        ("Error: Could not create the Java Virtual Machine. Unrecognized option: --add-opens",
         DropReason.WRONG_JDK),
        (f"{GOAL}Cannot find matching toolchain definitions", DropReason.NO_TOOLCHAIN),
        ("[ERROR] Could not transfer artifact a:b:pom:1 from/to maven-default-http-blocker",
         DropReason.HTTP_REPOSITORY),
        ("[ERROR] Non-resolvable parent POM for a:b:1: Could not find artifact p:q:pom:2-SNAPSHOT",
         DropReason.SNAPSHOT_DEPENDENCY),
        ("[ERROR] Could not find artifact a:b:jar:1.0 in central",
         DropReason.UNRESOLVED_DEPENDENCY),
        ("[ERROR] Malformed POM /x/pom.xml", DropReason.BROKEN_POM),
        ("[ERROR] java.lang.OutOfMemoryError: Java heap space", DropReason.OUT_OF_MEMORY),
        (f"{GOAL}The forked VM terminated without saying properly goodbye",
         DropReason.TEST_JVM_DIED),
        (f"{GOAL}Compilation failure", DropReason.COMPILE_FAILED),
        (f"{GOAL}something else", DropReason.PLUGIN_FAILED),
        ("[ERROR] what", DropReason.BUILD_FAILED),
    ],
)  # fmt: skip
def test_the_reason_and_the_line_that_says_so(line: str, reason: DropReason) -> None:
    found = build_failure(f"[INFO] Building\n{line}\n[INFO] BUILD FAILURE\n")
    assert (found.reason, found.detail) == (reason, line)


def test_a_missing_snapshot_is_told_before_the_dependency_and_the_goal() -> None:
    log = f"{GOAL}Could not resolve dependencies: Could not find artifact a:b:jar:1-SNAPSHOT"
    assert build_failure(log).reason is DropReason.SNAPSHOT_DEPENDENCY


def test_what_tests_print_is_not_mavens_word() -> None:
    log = "java.lang.OutOfMemoryError: expected\n[ERROR] COMPILATION ERROR :\n"
    assert build_failure(log).reason is DropReason.COMPILE_FAILED


@pytest.mark.parametrize(
    ("line", "another"),
    [
        ("[ERROR] COMPILATION ERROR :", True),
        ("[ERROR] error: release version 21 not supported", True),
        ("[ERROR] Could not find artifact a:b:jar:1.0 in central", False),
        ("[ERROR] Malformed POM /x/pom.xml", False),
    ],
)
def test_whether_another_jdk_may_help(line: str, *, another: bool) -> None:
    assert build_failure(line).another_jdk is another


def test_a_log_without_errors_gives_its_last_line_cut_to_a_line() -> None:
    found = build_failure("sh: mvn: not found" + "!" * 1000 + "\n\n")
    assert found.reason is DropReason.BUILD_FAILED
    assert len(found.detail) == 300
    assert build_failure("").detail == ""
