from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from jeto_evaluate.surefire import (
    ClassReport,
    RoundProblemKind,
    RoundReport,
    check_round,
    class_milliseconds,
    class_times,
    expected_tests,
    read_round,
    round_problems,
)
from jeto_evaluate.surefire.classes import outermost_class

Kind = RoundProblemKind


def case(name: str = "a", cls: str = "p.A", time: str = "0.010", inner: str = "") -> str:
    return f'<testcase name="{name}" classname="{cls}" time="{time}">{inner}</testcase>'


def suite(*cases: str, name: str = "p.A", time: str = "0.020", extra: str = "") -> str:
    return f'<testsuite name="{name}" time="{time}" {extra}>{"".join(cases)}</testsuite>'


def read(*texts: str | bytes) -> RoundReport:
    return read_round(
        {f"{n}.xml": t.encode() if isinstance(t, str) else t for n, t in enumerate(texts)}
    )


def only(report: RoundReport) -> ClassReport:
    assert report.degraded == ()
    (found,) = report.classes
    return found


@pytest.mark.parametrize(
    ("class_name", "suite_name", "expected"),
    [
        ("p.Outer$Inner$Deep", "p.Other", ("p.Outer", "$Inner$Deep")),
        ("p.$Generated", "", ("p.$Generated", "")),
        ("made()", "p.A", ("p.A", "")),
        ("made", "p.A$B", ("p.A", "$B")),
        ("NoPackage", "NoPackage", ("NoPackage", "")),
        ("A phrase. Of words", "p.A", ("p.A", "")),
        ("A phrase. Of words", "A phrase", ("A phrase. Of words", "")),
        ("p.A(jdk17)", "p.A(jdk17)", ("p.A", "")),
        ("", "p.A", ("p.A", "")),
        ("p.\u00c4rger", "x", ("p.\u00c4rger", "")),
        ("", "", ("", "")),
    ],
)
def test_outermost_class(class_name: str, suite_name: str, expected: tuple[str, str]) -> None:
    """field.md row 71: the case's class, else the suite's; a method or a phrase is no class."""
    assert outermost_class(class_name, suite_name) == expected


def test_class_time_is_the_suite_s_where_it_has_one_of_its_own() -> None:
    """field.md row 81: a set-up of 2 s before cases of 10 ms counts."""
    report = only(read(suite(case(), time="2.010")))
    assert (report.suite_ms, report.cases_ms, class_milliseconds(report)) == (2010, 10, 2010)
    (sample,) = class_times(read(suite(case(), time="2.010")))
    assert (sample.test_class, sample.milliseconds, sample.cases_ms) == ("p.A", 2010, 10)


def test_class_time_is_the_sum_where_classes_share_a_suite() -> None:
    report = read(suite(case(), case(cls="p.B"), name="TestSuite", time="9"))
    assert [class_milliseconds(item) for item in report.classes] == [10, 10]


def test_class_time_is_the_sum_where_the_class_has_two_suites() -> None:
    report = only(read(suite(case()), suite(case("b"))))
    assert (report.suite_ms, class_milliseconds(report)) == (None, 20)


def test_suite_shorter_than_its_cases_is_not_believed() -> None:
    report = only(read(suite(case(time="1.0"), time="0.1")))
    assert class_milliseconds(report) == 1000


def test_forbidden_characters_and_bytes_do_not_lose_the_file() -> None:
    """field.md rows 27 and 73: NUL, U+FFFF, surrogates, 0x80, and references to them."""
    message = b"\x00\x1b\x80\xef\xbf\xbf\xed\xa0\x80&#0;&#xFFFE;&#x110000;&#9;"
    inner = b'<failure message="' + message + b'"/><system-out><![CDATA[\x80' + b"\xc3\xa9" * 70000
    text = suite(case(inner="@@@")).encode().replace(b"@@@", inner + b"]]></system-out>")
    report = only(read(text))
    assert report.cases[0].broken


def test_reference_split_between_chunks_is_one_reference() -> None:
    pad = "x" * ((1 << 16) - 60)
    for shift in range(8):
        text = suite(case(inner=f"<system-out>{pad}{'y' * shift}&#0;</system-out>"))
        assert only(read(text)).cases


def test_captured_output_of_any_size_is_not_held() -> None:
    """field.md row 73: huge output blocks are streamed; what is held does not grow with them."""
    output = b"\x00line of output\n" * 300_000
    head, tail = suite(case(inner="<system-out>@</system-out>")).encode().split(b"@")
    data = head + output + tail
    tracemalloc.start()
    try:
        report = read(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert only(report).cases_ms == 10
    assert peak < 2_000_000 < len(data)


def test_only_the_broken_file_degrades() -> None:
    """field.md row 73: one file that cannot be read costs that file only."""
    report = read(suite(case()), suite(case(cls="p.B"), name="p.B")[:-5])
    assert [item.test_class for item in report.classes] == ["p.A"]
    assert [path for path, _ in report.degraded] == ["1.xml"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><testsuite/>', "doctype"),
        ('<!DOCTYPE testsuite SYSTEM "file:///etc/passwd"><testsuite/>', "doctype"),
        ("<html/>", "not_a_report"),
        ("", "xml"),
        (suite(case(time="soon")), "time_unreadable"),
        (suite('<testcase name="a" classname="p.A"/>'), "time_missing"),
        (suite(case(time="1,078"), time="1,078"), "time_ambiguous"),
        (suite(case(name="n" * 20_000)), "name_too_long"),
        ('<?xml version="1.0" encoding="UTF-7"?>' + suite() + "+ADw-", "xml"),
    ],
)
def test_why_a_file_degrades(text: str, reason: str) -> None:
    """field.md rows 69 and 73: a comma that nothing decides; no entity is ever resolved."""
    ((_, why),) = read(text).degraded
    assert why.split(":")[0] == reason


def test_declared_single_byte_encoding_is_honoured() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + suite(case(name="\u00e9"))
    assert only(read(text.encode("latin-1"))).cases[0].name == "\u00e9"


def test_version_and_language_are_the_report_s_own() -> None:
    properties = (
        '<properties><property name="surefire.version" value="{}"/>'
        '<property name="user.language" value="de"/></properties>'
    )
    texts = [
        suite(properties.format(version), case("x" + version, time="1,078"), time="9")
        for version in ("3.2.5", "2.22.2")
    ]
    report = read(*texts)
    assert report.surefire_version == "2.22.2,3.2.5"
    assert only(report).cases_ms == 2 * 1078


BASE = read(suite(case(), case("b")), suite(case(cls="p.B"), name="p.B"))
EXPECTED = expected_tests([BASE])


def kinds(*texts: str, **more: Any) -> list[RoundProblemKind]:
    return [item.kind for item in round_problems(read(*texts), more.get("expected", EXPECTED))]


def test_round_like_base_s_has_no_problem() -> None:
    assert check_round(BASE, EXPECTED) is None


def test_report_for_a_class_nobody_scheduled_is_named_first() -> None:
    """field.md row 15: a static initialiser that writes a forged report."""
    forged = suite(case(cls="p.Forged", inner="<failure/>"), name="p.Forged")
    problem = check_round(read(suite(case()), forged), EXPECTED)
    assert problem is not None
    assert (problem.kind, problem.test_class) == (Kind.UNSCHEDULED_CLASS, "p.Forged")


def test_second_report_that_repeats_cases_is_seen() -> None:
    """field.md row 15: a forged file for a scheduled class adds cases that base did not run."""
    texts = [suite(case(), case("b")), suite(case(), case("b")), suite(case(cls="p.B"), name="p.B")]
    assert kinds(*texts) == [Kind.EXTRA_CASE]


def test_class_without_a_report_is_missing_and_never_fast() -> None:
    """field.md row 75: the fork died before it wrote the report."""
    assert kinds(suite(case(), case("b"))) == [Kind.MISSING_CLASS]


def test_no_case_at_all_is_no_tests() -> None:
    """field.md row 79: the build is green and nothing ran."""
    assert kinds()[0] is Kind.NO_TESTS
    assert kinds(suite(name="p.A"))[0] is Kind.NO_TESTS


def test_failed_set_up_of_a_class_is_a_failed_class() -> None:
    """field.md row 77: a case with an empty name, or with the class's, that erred."""
    b = suite(case(cls="p.B"), name="p.B")
    for name in ("", "p.A"):
        broken = suite(case(name, inner="<error message='no resource'/>"))
        problem = check_round(read(broken, b), EXPECTED)
        assert problem is not None
        assert problem.kind is Kind.CLASS_FAILED
        assert "no resource" in problem.detail


def test_failure_is_a_failure_and_a_retried_one_is_not() -> None:
    b = suite(case(cls="p.B"), name="p.B")
    assert kinds(suite(case(inner="<failure/>"), case("b")), b) == [Kind.CASE_FAILED]
    assert kinds(suite(case(inner="<flakyFailure/>"), case("b")), b) == []


def test_failures_that_only_the_suite_declares_count() -> None:
    b = suite(case(cls="p.B"), name="p.B")
    assert kinds(suite(case(), case("b"), extra='errors="1"'), b) == [Kind.CLASS_FAILED]


def test_case_that_base_ran_must_not_be_skipped() -> None:
    """field.md row 15: an assumption about main code that no longer holds saves all the work."""
    b = suite(case(cls="p.B"), name="p.B")
    assert kinds(suite(case(inner="<skipped/>"), case("b")), b) == [Kind.SKIPPED_CASE]


def test_case_that_base_skipped_may_be_skipped() -> None:
    skipped = suite(case(inner="<skipped/>"), case("b"))
    expected = expected_tests([read(skipped)])
    assert kinds(skipped, expected=expected) == []
    assert kinds(suite(case(), case("b", inner="<skipped/>")), expected=expected) == [
        Kind.SKIPPED_CASE
    ]


def test_missing_case_is_named() -> None:
    b = suite(case(cls="p.B"), name="p.B")
    problem = check_round(read(suite(case("b")), b), EXPECTED)
    assert problem is not None
    assert (problem.kind, problem.detail) == (Kind.MISSING_CASE, "p.A#a")


def test_object_hashes_in_names_do_not_matter() -> None:
    """field.md row 55: parameterised display names that contain an object's hash."""
    expected = expected_tests([read(suite(case("x[p.T@1a2b3c]"), case("x[p.T@ff]")))])
    assert kinds(suite(case("x[p.T@9]"), case("x[p.T@8]")), expected=expected) == []
    assert kinds(suite(case("x[p.T@9]")), expected=expected) == [Kind.MISSING_CASE]


def test_names_that_differ_between_base_s_own_runs_are_counted() -> None:
    """field.md row 55: only the number of cases can be held against the candidate."""
    expected = expected_tests([read(suite(case("x y"))), read(suite(case("x z")))])
    assert expected.classes[0].by_count
    assert kinds(suite(case("x w")), expected=expected) == []
    assert kinds(suite(case("x w"), case("x v")), expected=expected) == [Kind.EXTRA_CASE]


def test_base_that_runs_different_numbers_of_cases_gives_no_expectation() -> None:
    with pytest.raises(ValueError, match=r"p\.A: base ran 1 to 2 cases"):
        expected_tests([read(suite(case())), read(suite(case(), case("b")))])
    with pytest.raises(ValueError, match="no round"):
        expected_tests([])


def test_unreadable_report_is_a_problem_of_its_round() -> None:
    assert Kind.UNREADABLE_REPORT in kinds(suite(case())[:-3])


def test_expectation_can_be_restricted_to_the_record_s_classes() -> None:
    assert [item.test_class for item in EXPECTED.restricted_to(["p.B", "p.X"]).classes] == ["p.B"]
