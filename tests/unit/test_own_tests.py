"""Tests that came with a fix: put on every arm, alone, and cut off where base would never end."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import EtipRecord
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.own_tests import is_time_out, other_classes, own_classes
from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.arm import RoundOutput
from jeto_evaluate.run.fake import (
    FAKE_PROVENANCE,
    FakeArm,
    FakeArms,
    FakeClass,
    FakeRound,
    FakeScript,
)
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm
from jeto_evaluate.surefire import CaseResult, CaseStatus

GOLDEN = Path(__file__).parents[1] / "golden"
FIRST = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
OWN = "acme.io.SlowTest"
OLD = ("acme.io.ReaderTest", "acme.io.WriterTest")
FILE = "core/src/test/java/acme/io/SlowTest.java"
TEST_PATCH = f"""diff --git a/{FILE} b/{FILE}
new file mode 100644
--- /dev/null
+++ b/{FILE}
@@ -0,0 +1,1 @@
+class SlowTest {{}}
diff --git a/core/src/test/resources/big.txt b/core/src/test/resources/big.txt
new file mode 100644
--- /dev/null
+++ b/core/src/test/resources/big.txt
@@ -0,0 +1,1 @@
+big
"""
RECORD = replace(
    FIRST, test_classes=(*OLD, OWN), test_patch=TEST_PATCH, detector_tests=(), quarantined_tests=()
)


def case(status: CaseStatus, message: str = "") -> CaseResult:
    return CaseResult(test_class=OWN, name="works", milliseconds=1, status=status, message=message)


def test_classes_of_the_test_patch_are_the_fixs_own() -> None:
    assert own_classes(RECORD) == (OWN,)
    assert other_classes(RECORD) == OLD
    assert own_classes(replace(RECORD, test_patch="")) == ()
    assert own_classes(replace(RECORD, test_classes=OLD)) == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("test timed out after 5000 milliseconds", True),
        ("works() timed out after 5 seconds", True),
        ("execution exceeded timeout of 100 ms by 3 ms", True),
        ("Method toy.T.works() didn't finish within the time-out 100", True),
        ("expected: <1> but was: <2>", False),
        ("", False),
    ],
)
def test_a_time_limit_is_told_from_a_wrong_result(message: str, *, expected: bool) -> None:
    assert is_time_out([case(CaseStatus.FAILED, message)]) is expected
    assert not is_time_out([])
    assert not is_time_out([case(CaseStatus.FAILED, message), case(CaseStatus.ERROR, "NPE")])


@dataclass
class Played:
    """How an arm's launches of the fix's own test end: seconds, and what the test says."""

    seconds: float = 1.0
    hangs: bool = False
    message: str = ""
    skipped: bool = False
    gone: bool = False


class OwnArm(FakeArm):
    """A fake arm whose own test is as played."""

    def __init__(self, arm: Arm, script: FakeScript, owner: OwnArms) -> None:
        super().__init__(arm, script, owner)
        self._played = owner.played[arm]
        self._ended = False

    def round(self, classes: Sequence[str], *, seed: int = 0, deadline: float) -> RoundOutput:
        if tuple(classes) != (OWN,):
            return super().round(classes, seed=seed, deadline=deadline)
        assert self.tests == [TEST_PATCH.encode()]
        assert self.builds == 1
        assert not self._ended, "an arm that was cut off has no container"
        self.classes.append(tuple(classes))
        played = self._played
        made = FakeClass(
            milliseconds=10,
            failed=frozenset({"works"} if played.message else ()),
            skipped=frozenset({"works"} if played.skipped else ()),
            message=played.message,
        )
        files = FakeRound(classes={} if played.gone else {OWN: made}).result(
            started_at=0.0, timed_out=False
        )
        self._ended = played.hangs
        return replace(
            files,
            exit_code=None if played.hangs else int(bool(played.message)),
            wall_ms=round(1000 * (deadline if played.hangs else played.seconds)),
            timed_out=played.hangs,
        )


class OwnArms(FakeArms):
    """Makes such arms."""

    def __init__(self, **played: Played) -> None:
        classes = {name: FakeClass(milliseconds=100) for name in OLD}
        script = FakeScript(round=FakeRound(classes=classes, seen=True))
        super().__init__(scripts=dict.fromkeys(Arm, script))
        self.played = {Arm.BASE: played["base"], Arm.CANDIDATE: played["candidate"]}

    def open(self, record: EtipRecord, arm: Arm, image_id: str) -> FakeArm:
        del record, image_id
        self.opened.append(OwnArm(arm, self._scripts[arm], self))
        return self.opened[-1]


def evaluated(base: Played, candidate: Played) -> tuple[Evaluation, OwnArms]:
    arms = OwnArms(base=base, candidate=candidate)
    found = run_instance(
        RECORD,
        gold_predictions([RECORD]).predictions[0],
        factory=arms,
        settings=RunSettings(run_id="own"),
        provenance=FAKE_PROVENANCE,
        stop=threading.Event(),
    )
    return found, arms


def test_a_base_that_never_ends_is_slower_than_what_ends() -> None:
    """Cut off at the limit, in an arm that is made anew each time."""
    found, arms = evaluated(Played(hangs=True), Played(seconds=2.0))
    report = found.report
    assert (report.outcome, report.improved_names) == (Outcome.IMPROVED, (OWN,))
    (own,) = report.own
    assert {pair.base.censored for pair in own.pairs} == {True}
    assert own.speedup_at_least == 15.0
    assert own.improved.wins == len(own.pairs) < own.planned  # decided before all were run
    bases = [arm for arm in arms.opened if arm.arm is Arm.BASE]
    assert len(bases) == len(own.pairs)
    assert all(arm.closed for arm in arms.opened)


def test_a_time_limit_of_the_test_itself_is_a_time_too() -> None:
    limit = Played(seconds=5.0, message="test timed out after 5000 milliseconds")
    found, arms = evaluated(limit, Played(seconds=1.0))
    assert found.report.improved_names == (OWN,)
    assert len(arms.opened) == 2


def test_a_candidate_that_never_ends_is_no_improvement_and_says_little() -> None:
    """Both are cut off: neither is known to be faster."""
    found, _ = evaluated(Played(hangs=True), Played(hangs=True))
    (own,) = found.report.own
    assert found.report.outcome is Outcome.NO_IMPROVEMENT
    assert (own.improved.wins, own.regressed.wins, own.speedup_at_least) == (0, 0, 0.0)


def test_a_candidate_that_takes_longer_than_base_is_slower() -> None:
    found, _ = evaluated(Played(seconds=1.0), Played(seconds=3.0))
    assert (found.report.outcome, found.report.regressed_names) == (Outcome.REGRESSED, (OWN,))


def test_equal_times_end_soon_and_say_nothing() -> None:
    found, _ = evaluated(Played(), Played())
    (own,) = found.report.own
    assert found.report.outcome is Outcome.NO_IMPROVEMENT
    assert len(own.pairs) < own.planned


@pytest.mark.parametrize(
    ("base", "candidate", "reason"),
    [
        (Played(), Played(message="expected 1"), Reason.TEST_FAILURE),
        (Played(message="expected 1"), Played(), Reason.BASE_FAILED),
        # Code under test can abort a test, which then looks skipped and is fast.
        (Played(hangs=True), Played(skipped=True), Reason.SKIPPED_CASE),
        (Played(hangs=True), Played(gone=True), Reason.MISSING_CLASS),
    ],
)
def test_what_is_not_a_matter_of_time_ends_the_instance(
    base: Played, candidate: Played, reason: Reason
) -> None:
    found, _ = evaluated(base, candidate)
    assert found.report.reason is reason
    assert found.report.own == ()


def test_tests_that_cannot_be_added_are_never_the_candidates_fault() -> None:
    script = FakeScript(tests="error: patch failed")
    found = run_instance(
        RECORD,
        gold_predictions([RECORD]).predictions[0],
        factory=FakeArms(scripts=dict.fromkeys(Arm, script)),
        settings=RunSettings(run_id="own"),
        provenance=FAKE_PROVENANCE,
    )
    assert found.report.reason is Reason.TESTS_NOT_ADDED
    assert found.report.outcome is Outcome.INFRA_ERROR
