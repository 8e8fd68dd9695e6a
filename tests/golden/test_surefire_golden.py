"""Reports that five versions of Surefire really wrote (tests/golden/surefire/README.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from jeto_evaluate.surefire import (
    RoundReport,
    case_id,
    check_round,
    class_milliseconds,
    expected_tests,
    read_round,
    round_problems,
)

REPORTS = Path(__file__).parent / "surefire" / "reports"
VERSIONS = ("2.12.4", "2.22.2", "3.0.0-M5", "3.2.5", "3.5.2")
MODERN = VERSIONS[1:]


def read(name: str) -> RoundReport:
    folder = REPORTS / name
    report = read_round({path.name: path.read_bytes() for path in folder.glob("TEST-*.xml")})
    assert report.degraded == ()
    return report


def ids(report: RoundReport, test_class: str) -> list[str]:
    (found,) = (item for item in report.classes if item.test_class == test_class)
    return sorted(case_id(case).removeprefix("toy.") for case in found.cases)


@pytest.mark.parametrize("version", MODERN)
def test_nested_and_dynamic_tests_merge_into_the_outermost_class(version: str) -> None:
    """field.md row 71: one outer test, one inner test, a factory, in four plugin versions."""
    report = read(f"junit5-{version}")
    assert [item.test_class for item in report.classes] == [
        "toy.ManyArgumentsTest",
        "toy.OnlyNestedTest",
        "toy.OuterTest",
        "toy.PhrasedTest",
        "toy.SetUpFailsTest",
    ]
    found = ids(report, "toy.OuterTest")
    assert found[0] == "OuterTest#made" or found[0].startswith("OuterTest#made")
    assert found[1].startswith("OuterTest#made")
    assert found[2:] == ["OuterTest#outer", "OuterTest$Inner#inner"]
    assert ids(report, "toy.OnlyNestedTest") == [
        "OnlyNestedTest$Level#one",
        "OnlyNestedTest$Level$Deeper#later",
        "OnlyNestedTest$Level$Deeper#two",
    ]


@pytest.mark.parametrize("version", MODERN)
def test_outer_suite_covers_its_nested_cases(version: str) -> None:
    """field.md row 81: the number is at least what the cases took, in every version."""
    for item in read(f"junit5-{version}").classes:
        assert item.suite_ms is not None
        assert class_milliseconds(item) == item.suite_ms
        assert item.suite_ms + len(item.cases) + 1 >= item.cases_ms


@pytest.mark.parametrize("version", VERSIONS)
def test_static_inner_classes_belong_to_the_outer_one(version: str) -> None:
    assert ids(read(f"junit4-{version}"), "toy.EnclosedTest") == [
        "EnclosedTest$Large#fits",
        "EnclosedTest$Small#fits",
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_forbidden_characters_lose_no_report(version: str) -> None:
    """field.md row 73: a message with NUL, U+FFFF and a lone surrogate, raw 0x80 in the output."""
    assert ids(read(f"junit4-{version}"), "toy.ForbiddenCharactersTest") == [
        "ForbiddenCharactersTest#failsOddly",
        "ForbiddenCharactersTest#throwsAnError",
    ]


@pytest.mark.parametrize(
    "name", [f"junit4-{v}" for v in VERSIONS] + [f"junit5-{v}" for v in MODERN]
)
def test_failing_set_up_is_a_class_that_failed(name: str) -> None:
    """field.md row 77: an empty name in Surefire 3, the class's own name before."""
    report = read(name)
    problems = round_problems(report, expected_tests([report]))
    (found,) = (item for item in problems if item.test_class == "toy.SetUpFailsTest")
    assert found.kind == "class_failed"
    # 3.0.0-M5 states no message here, only the exception's type.
    assert "no resource" in found.detail or "IllegalStateException" in found.detail


@pytest.mark.parametrize("version", MODERN)
def test_set_up_of_a_class_is_in_its_time(version: str) -> None:
    """field.md row 81: 2 s of class-level set-up before a case of 10 ms."""
    (slow,) = (i for i in read(f"junit4-{version}").classes if i.test_class == "toy.SlowSetUpTest")
    assert class_milliseconds(slow) > 1900
    assert slow.cases_ms < 100


def test_old_provider_does_not_see_the_set_up_of_a_class() -> None:
    """field.md row 81: Surefire 2.12 reports the case only; nothing can bring the rest back."""
    (slow,) = (i for i in read("junit4-2.12.4").classes if i.test_class == "toy.SlowSetUpTest")
    assert class_milliseconds(slow) < 100


@pytest.mark.parametrize("version", VERSIONS)
def test_classes_that_share_one_suite_are_told_apart(version: str) -> None:
    """field.md row 71: TestNG's one file for all; no class gets the whole suite's time."""
    report = read(f"testng-{version}")
    assert [item.test_class for item in report.classes] == [
        "toy.FirstTest",
        "toy.SecondTest",
        "toy.SetUpFailsTest",
    ]
    assert all(class_milliseconds(item) == item.cases_ms for item in report.classes)


@pytest.mark.parametrize("name", ["junit4-3.2.5", "junit5-3.2.5-phrased"])
def test_object_hashes_differ_and_still_match(name: str) -> None:
    """field.md row 55: two real runs of unchanged code whose case names hold object hashes."""
    hashed = {"junit4": "toy.HashNamesTest", "junit5": "toy.ManyArgumentsTest"}[name[:6]]
    runs = [read(name), read(name.replace("3.2.5", "3.5.2"))]
    assert ids(runs[0], hashed) != ids(runs[1], hashed)
    expected = expected_tests(runs[:1]).restricted_to([hashed])
    other = RoundReport(classes=tuple(i for i in runs[1].classes if i.test_class == hashed))
    assert check_round(other, expected) is None


@pytest.mark.parametrize("version", ["3.2.5", "3.5.2"])
def test_phrased_names_keep_the_phrase_where_no_class_is_stated(version: str) -> None:
    """field.md row 71: the package is lost; other classes of the same run are not."""
    names = [item.test_class for item in read(f"junit5-{version}-phrased").classes]
    assert "A class. With a phrase" in names
    assert "toy.OuterTest" in names


@pytest.mark.parametrize("version", VERSIONS)
def test_version_is_read_where_the_plugin_states_it(version: str) -> None:
    """field.md row 71: arms are compared by it."""
    assert read(f"junit4-{version}").surefire_version == version
