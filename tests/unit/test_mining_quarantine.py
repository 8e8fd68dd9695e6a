"""Classes left out one by one, each with its reason; and when too few are left."""

from __future__ import annotations

import pytest

from jeto_bench.records import QuarantinedTest
from jeto_evaluate.run.fake import FakeClass, FakeRound
from jeto_evaluate.surefire import RoundReport, read_round
from jeto_mine.executable.quarantine import QuarantineReason, quarantine, why_too_few

GOOD = FakeClass(milliseconds=10)


def failing(message: str) -> bytes:
    return (
        '<testsuite name="a.NetTest" tests="1" errors="1" failures="0" skipped="0" time="0.1">'
        f'<testcase name="one" classname="a.NetTest" time="0.1"><error message="{message}"/>'
        "</testcase></testsuite>"
    ).encode()


def report(text: str = "", **classes: FakeClass) -> RoundReport:
    named = {f"a.{name}": item for name, item in classes.items()}
    files = dict(FakeRound(classes=named).result(started_at=0.0, timed_out=False).files)
    if text:
        files["TEST-a.NetTest.xml"] = failing(text)
    return read_round(files)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("java.net.UnknownHostException: example.org", QuarantineReason.NEEDS_NETWORK),
        ("Connection refused (Connection refused)", QuarantineReason.NEEDS_NETWORK),
        ("SSLHandshakeException: PKIX path building failed", QuarantineReason.NEEDS_NETWORK),
        ("Could not transfer artifact a:b:jar:1 from central", QuarantineReason.NEEDS_NETWORK),
        ("Could not find a valid Docker environment", QuarantineReason.NEEDS_DOCKER),
        # A containers library that cannot connect needs Docker, not the network.
        ("DockerClientException: ConnectException", QuarantineReason.NEEDS_DOCKER),
        ("Unknown time-zone ID: Mars", QuarantineReason.NEEDS_TIME_ZONE),
        ("/etc/x (Permission denied)", QuarantineReason.NEEDS_ROOT),
        ("java.nio.file.NoSuchFileException: data.bin", QuarantineReason.MISSING_RESOURCE),
        ("expected 1 but was 2", QuarantineReason.FAILS),
    ],
)
def test_a_class_is_left_out_by_what_its_failure_says(
    message: str, reason: QuarantineReason
) -> None:
    """field.md rows 44 and 45: a fixed time zone, no socket of Docker, and what else lacks."""
    rounds = [report(message, GoodTest=GOOD)] * 2
    assert quarantine(rounds, rounds) == (
        QuarantinedTest(test_class="a.NetTest", reason=reason.value),
    )


PASSED = report(GoodTest=GOOD, NetTest=GOOD)
FAILED = report("expected 1 but was 2", GoodTest=GOOD)


@pytest.mark.parametrize(
    ("base", "reference", "reason"),
    [
        ([PASSED, PASSED], [FAILED, FAILED], QuarantineReason.FAILS_IN_REFERENCE),
        ([FAILED, FAILED], [PASSED, PASSED], QuarantineReason.FAILS_IN_BASE),
        ([PASSED, FAILED], [PASSED, PASSED], QuarantineReason.FLAKY),
        ([PASSED, PASSED], [FAILED, PASSED], QuarantineReason.FLAKY),
        ([FAILED, FAILED], [FAILED, FAILED], QuarantineReason.FAILS),
    ],
)
def test_where_a_class_fails_is_told(
    base: list[RoundReport], reference: list[RoundReport], reason: QuarantineReason
) -> None:
    """A class that the fix mends is no flaky one."""
    assert [item.reason for item in quarantine(base, reference)] == [reason.value]


def test_a_class_that_is_not_always_there_is_missing() -> None:
    found = quarantine([report(GoodTest=GOOD, OtherTest=GOOD)], [report(GoodTest=GOOD)])
    assert found == (QuarantinedTest(test_class="a.OtherTest", reason="missing"),)


def test_other_cases_in_another_round_are_unstable() -> None:
    two = report(GoodTest=FakeClass(milliseconds=10, cases=("one", "two")))
    one = report(GoodTest=FakeClass(milliseconds=10, cases=("one",)))
    assert [item.reason for item in quarantine([two], [one])] == ["unstable_cases"]


def test_other_names_of_as_many_cases_are_compared_by_count() -> None:
    first = report(GoodTest=FakeClass(milliseconds=10, cases=("one", "x@12")))
    other = report(GoodTest=FakeClass(milliseconds=10, cases=("one", "x@34")))
    assert quarantine([first], [other]) == ()


@pytest.mark.parametrize(
    ("left_out", "why"),
    [
        (set(), ""),
        ({"b.CTest", "b.DTest"}, ""),
        ({"a.ATest"}, ""),
        ({"a.ATest", "a.BTest"}, "no test class of a counts"),
        ({"a.ATest", "b.CTest", "b.DTest"}, "3 of 4 test classes do not count"),
    ],
)
def test_when_too_few_are_left(left_out: set[str], why: str) -> None:
    classes = ["a.ATest", "a.BTest", "b.CTest", "b.DTest"]
    assert why_too_few(classes, left_out, {"a"}) == why


def test_without_tests_beside_the_change_others_may_do() -> None:
    assert why_too_few(["b.CTest"], (), {"a"}) == ""
    assert why_too_few([], (), {"a"}) == "no test class ran"
