"""The closed list of reasons behind the outcomes."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from jeto_evaluate.outcomes import Outcome

__all__ = ["Reason", "reason_table"]


class Reason(StrEnum):
    """Why an instance has its outcome; every reason belongs to exactly one outcome.

    A report carries one reason code; what happened in this case (paths, names, the tail of a log)
    stands in its ``detail``.

    Attributes:
        outcome: The outcome that this reason leads to.
        description: One line for the table in the README.
    """

    outcome: Outcome
    description: str

    def __new__(cls, code: str, outcome: Outcome | None = None, description: str = "") -> Self:
        """Make one member; ``Reason(code)`` looks one up and never comes here."""
        if outcome is None or not description:
            raise TypeError(f"reason {code} needs an outcome and a description")
        member = str.__new__(cls, code)
        member._value_ = code
        member.outcome = outcome
        member.description = description
        return member

    ENGINE_FAILED = "engine_failed", Outcome.INFRA_ERROR, "the container engine refused or is gone"
    REFERENCE_FAILED = (
        "reference_failed",
        Outcome.INFRA_ERROR,
        "the developers' own patch does not apply, build or pass its tests here",
    )
    IMAGE_MISSING = "image_missing", Outcome.INFRA_ERROR, "no image, and none could be pulled"
    IMAGE_MISMATCH = "image_mismatch", Outcome.INFRA_ERROR, "the image is not the record's"
    SANDBOX_DIED = "sandbox_died", Outcome.INFRA_ERROR, "a container ended or could not be driven"
    BASE_BUILD_FAILED = "base_build_failed", Outcome.INFRA_ERROR, "base does not build"
    BASE_FAILED = "base_failed", Outcome.INFRA_ERROR, "base fails its tests or lacks expected ones"
    TESTS_NOT_ADDED = (
        "tests_not_added",
        Outcome.INFRA_ERROR,
        "the tests that came with the fix cannot be added to base",
    )
    BASE_TIMED_OUT = "base_timed_out", Outcome.INFRA_ERROR, "base passed a deadline"
    BASE_OOM = "base_oom", Outcome.INFRA_ERROR, "base was killed for memory"
    SUREFIRE_MISMATCH = (
        "surefire_mismatch",
        Outcome.INFRA_ERROR,
        "the arms ran under different Surefire versions",
    )
    SAMPLES_INVALID = (
        "samples_invalid",
        Outcome.INFRA_ERROR,
        "the samples lack rounds or classes, or the order is not balanced",
    )
    RUN_DEADLINE = "run_deadline", Outcome.INFRA_ERROR, "the run's deadline passed before this one"
    INTERRUPTED = "interrupted", Outcome.INFRA_ERROR, "the user or the system stopped the run"
    HARNESS_ERROR = "harness_error", Outcome.INFRA_ERROR, "a fault of the harness; see the log"

    NO_PREDICTION = "no_prediction", Outcome.MISSING, "asked for, but no prediction was submitted"
    PATCH_MISSING = "patch_missing", Outcome.MISSING, "the prediction's patch is null or absent"

    PATCH_EMPTY = "patch_empty", Outcome.EMPTY_PATCH, "the patch is empty or white space"

    PATCH_UNENCODABLE = (
        "patch_unencodable",
        Outcome.APPLY_FAILED,
        "the patch holds characters that no file can (lone surrogates)",
    )
    PATCH_MALFORMED = "patch_malformed", Outcome.APPLY_FAILED, "the patch is not a unified diff"
    PATCH_UNSAFE_PATH = (
        "patch_unsafe_path",
        Outcome.APPLY_FAILED,
        "the patch names a path outside the tree or inside .git",
    )
    PATCH_NOT_APPLIED = (
        "patch_not_applied",
        Outcome.APPLY_FAILED,
        "the patch does not apply to base, or applied without changing what it names",
    )

    COMPILE_FAILED = "compile_failed", Outcome.BUILD_FAILED, "the candidate does not build"
    BUILD_OOM = "build_oom", Outcome.BUILD_FAILED, "the candidate's build was killed for memory"

    TEST_FAILURE = "test_failure", Outcome.TESTS_FAILED, "a test fails or errs in the candidate"
    MISSING_CLASS = "missing_class", Outcome.TESTS_FAILED, "an expected test class has no report"
    MISSING_CASE = "missing_case", Outcome.TESTS_FAILED, "an expected test case did not run"
    SKIPPED_CASE = "skipped_case", Outcome.TESTS_FAILED, "a case that base runs is skipped"
    REPORT_UNREADABLE = "report_unreadable", Outcome.TESTS_FAILED, "a class's report is not XML"
    ROUND_FAILED = (
        "round_failed",
        Outcome.TESTS_FAILED,
        "the test run ended with an error, endless output or processes that cannot be killed",
    )
    OOM = "oom", Outcome.TESTS_FAILED, "the candidate's tests were killed for memory"

    DEADLINE_APPLY = "deadline_apply", Outcome.TIMED_OUT, "applying the patch took too long"
    DEADLINE_BUILD = "deadline_build", Outcome.TIMED_OUT, "the candidate's build took too long"
    DEADLINE_ROUND = "deadline_round", Outcome.TIMED_OUT, "a round of the candidate took too long"
    DEADLINE_INSTANCE = (
        "deadline_instance",
        Outcome.TIMED_OUT,
        "the candidate used up the instance's time",
    )

    UNSCHEDULED_REPORT = (
        "unscheduled_report",
        Outcome.TAMPERED,
        "a report for a class or case that was not scheduled, or written at the wrong time",
    )
    FORGED_TIME = (
        "forged_time",
        Outcome.TAMPERED,
        "reported times do not fit the harness's own clock",
    )
    AGENT_CONTRADICTED = (
        "agent_contradicted",
        Outcome.TAMPERED,
        "what the agent in the test JVM saw, as it did in base, is not what the reports say",
    )
    SHADOWING_CLASS = (
        "shadowing_class",
        Outcome.TAMPERED,
        "the build puts classes or settings where they reach into what measures",
    )

    SLOWER = "slower", Outcome.REGRESSED, "slower in a class, faster in none"
    NO_SIGNIFICANT_CLASS = (
        "no_significant_class",
        Outcome.NO_IMPROVEMENT,
        "no class is faster or slower under the criteria",
    )
    NO_BYTECODE_CHANGE = (
        "no_bytecode_change",
        Outcome.NO_IMPROVEMENT,
        "the compiled classes equal base's, so nothing was timed",
    )
    PATCH_IGNORED = (
        "patch_ignored",
        Outcome.NO_IMPROVEMENT,
        "the patch touches only tests, build files or build output, so nothing was timed",
    )
    BELOW_FLOOR = "below_floor", Outcome.NOT_MEASURABLE, "every class is below the criteria's floor"
    UNRESOLVED = "unresolved", Outcome.NOT_MEASURABLE, "no class is long enough for the clock"
    NO_DETECTORS = (
        "no_detectors",
        Outcome.NOT_MEASURABLE,
        "only detectors were to be measured, and the record has none",
    )
    TOO_NOISY = (
        "too_noisy",
        Outcome.NOT_MEASURABLE,
        "no class is quiet enough here for a change to be seen",
    )
    TOO_FEW_ROUNDS = (
        "too_few_rounds",
        Outcome.NOT_MEASURABLE,
        "so few rounds cannot be significant",
    )
    FASTER = "faster", Outcome.IMPROVED, "faster in at least one class"


def reason_table() -> str:
    """Return the outcomes and reasons as a Markdown table, ending in a line feed."""
    lines = ["| outcome | reason | meaning |", "|---|---|---|"]
    lines += [
        f"| `{outcome}` | `{reason}` | {reason.description} |"
        for outcome in Outcome
        for reason in Reason
        if reason.outcome is outcome
    ]
    return "\n".join(lines) + "\n"
