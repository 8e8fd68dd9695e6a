from __future__ import annotations

from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_evaluate.patching import PathClass, classify, policy_for

TEST_PATCH = """\
diff --git a/checks/LaterCheck.java b/checks/LaterCheck.java
new file mode 100644
--- /dev/null
+++ b/checks/LaterCheck.java
@@ -0,0 +1 @@
+class LaterCheck {}
"""


def record(*, changed_files: tuple[str, ...] = (), test_patch: str = "") -> EtipRecord:
    return EtipRecord(
        instance_id="acme__x-1",
        repo="acme/x",
        base_commit="0" * 40,
        fix_commits=(),
        pull_number=1,
        issue_number=None,
        created_at="",
        problem_statement="",
        hints_text="",
        commit_message="",
        patch="",
        test_patch=test_patch,
        changed_files=changed_files,
        modules=(".",),
        java_version=17,
        maven_version="3.9.9",
        image="",
        image_digest="",
        test_command="",
        test_classes=(),
        quarantined_tests=(),
        detector_tests=(),
        tier=Tier.EXECUTABLE,
        verification=Verification(),
        repo_stars=None,
        repo_license="",
        dataset_version="",
    )


def test_tests_of_the_fix_are_protected_before_they_exist() -> None:
    """field.md row 13: a file planted where the grader's tests will lie."""
    policy = policy_for(record(test_patch=TEST_PATCH))
    assert classify("checks/LaterCheck.java") is PathClass.SOURCE
    assert classify("checks/LaterCheck.java", policy) is PathClass.TEST


def test_code_that_the_reference_changes_is_free_whatever_its_module_is_called() -> None:
    changed = ("x-test/src/main/java/p/A.java", "core/src/p/testing/B.java", "src/main/java/C.java")
    policy = policy_for(record(changed_files=changed))
    assert policy.source_roots == ("core/src/p/testing", "x-test/src/main")
    assert {classify(path, policy) for path in changed} == {PathClass.SOURCE}
    assert classify("x-test/src/test/java/p/ATest.java", policy) is PathClass.TEST


def test_ordinary_record_adds_nothing() -> None:
    policy = policy_for(record(changed_files=("src/main/java/C.java",)))
    assert (policy.source_roots, policy.must_be_absent) == ((), ())
