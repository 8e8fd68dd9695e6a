"""Why an identified ETIP does not become executable: one reason each. Pure."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["DropReason", "Dropped"]


class DropReason(StrEnum):
    """The one reason; in the order of the steps."""

    NO_CLONE = "no_clone"
    CLONE_INCOMPLETE = "clone_incomplete"
    """The clone lacks the base commit, or the content of a file of it."""
    TOUCHES_BUILD = "touches_build"
    """The patch changes build files: what would differ is the build, not the code."""
    BROKEN_POM = "broken_pom"
    NO_ROOT_POM = "no_root_pom"
    OUTSIDE_REACTOR = "outside_reactor"
    """A changed file is in a module that the root POM does not build, or in none."""
    NO_WRAPPER = "no_wrapper"
    NO_MAVEN_VERSION = "no_maven_version"
    """The wrapper does not pin a version of Apache Maven."""
    NO_JDK = "no_jdk"
    """It wants a newer JDK than there are images of."""
    PARALLEL_TESTS = "parallel_tests"
    MAVEN_NOT_FETCHED = "maven_not_fetched"
    WRONG_JDK = "wrong_jdk"
    NO_TOOLCHAIN = "no_toolchain"
    HTTP_REPOSITORY = "build_http_repo"
    SNAPSHOT_DEPENDENCY = "snapshot_dependency"
    UNRESOLVED_DEPENDENCY = "unresolved_dependency"
    OUT_OF_MEMORY = "build_out_of_memory"
    TEST_JVM_DIED = "test_jvm_died"
    COMPILE_FAILED = "compile_failed"
    PLUGIN_FAILED = "plugin_failed"
    BUILD_FAILED = "build_failed"
    BUILD_DEADLINE = "build_deadline"
    REFERENCE_NOT_APPLIED = "reference_not_applied"
    HARNESS_STEP = "harness_step_failed"
    """A step of ours failed while the image was made: it says nothing of the project."""
    TOO_FEW_TESTS = "too_few_tests"
    NO_OWN_TESTS = "no_own_tests"
    """No test class that came with the fix passes with it every time."""
    NOT_PROVED = "not_proved"
    """The image does not hold what an image must, offline."""
    NO_BYTECODE_CHANGE = "patch_no_bytecode_change"
    """The compiled classes of base and reference are the same: nothing can be faster."""
    NOT_MEASURED = "not_measured"
    """The reference could not be measured against base."""


class Dropped(Exception):  # noqa: N818  # an outcome, not a fault
    """An ETIP has its reason; later steps are not run.

    Attributes:
        reason: Why.
        detail: What happened in this case.
    """

    def __init__(self, reason: DropReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
