from __future__ import annotations

import pytest

from jeto_evaluate.surefire.commas import SuiteTimes, comma_of_file
from jeto_evaluate.surefire.times import Comma, Time, read_time


@pytest.mark.parametrize(
    ("text", "as_decimal", "as_grouping"),
    [
        ("2,120.532", None, 2_120_532),
        ("0,187", 187, None),
        ("1,078", 1_078, 1_078_000),
        ("1.234.567,8", 1_234_567_800, None),
        ("1,234,567.8", None, 1_234_567_800),
        ("12,34,567.8", None, 1_234_567_800),
        ("1,234,567", None, 1_234_567_000),
        ("0", 0, 0),
        ("741", 741_000, 741_000),
        ("0.012", None, 12),
        ("1.5", None, 1_500),
        (".5", None, 500),
        ("12,5", 12_500, None),
        ("1234,567", 1_234_567, None),
        ("1\u202f234,5", 1_234_500, None),
        ("1\u2019234.5", None, 1_234_500),
        ("\u0661\u066b\u0665", None, 1_500),
        ("1E-3", 1, 1),
        ("1.5e1", 15_000, 15_000),
        ("0.0005", None, 0),
        ("0.0015", None, 2),
    ],
)
def test_number_forms(text: str, as_decimal: int | None, as_grouping: int | None) -> None:
    """field.md row 69: both conventions, exactly, in integer milliseconds."""
    time = read_time(text)
    assert (time.as_decimal, time.as_grouping) == (as_decimal, as_grouping)


@pytest.mark.parametrize(
    "text", ["", "-0.003", "NaN", "Infinity", "1,2.3,4", "1..2", "1,,2", "x", "1e99", "9" * 100]
)
def test_what_is_no_time_is_unreadable(text: str) -> None:
    assert not read_time(text).readable


def test_point_with_three_decimals_is_a_point_unless_the_file_proves_otherwise() -> None:
    time = read_time("1.078")
    assert not time.ambiguous
    assert (time.under(Comma.GROUPING), time.under(Comma.DECIMAL)) == (1_078, 1_078_000)
    assert decide(["1.078"], language="de") is Comma.GROUPING


def decide(cases: list[str], *, suite: str | None = None, language: str | None = None) -> object:
    times = tuple(read_time(text) for text in cases)
    own = None if suite is None else read_time(suite)
    return comma_of_file([SuiteTimes(suite=own, cases=times)], language=language)


def test_the_file_s_other_times_decide_first() -> None:
    """field.md row 69: one formatter writes a file; on a German machine Surefire 3 groups."""
    assert decide(["1,078", "0.5"], language="de") is Comma.GROUPING
    assert decide(["1,078", "0,5"], language="en") is Comma.DECIMAL


def test_the_report_s_language_decides_next() -> None:
    """field.md row 69: ``1,078`` by the report's own language."""
    assert decide(["1,078"], language="de") is Comma.DECIMAL
    assert decide(["1,078"], language="en") is Comma.GROUPING
    assert decide(["2,120.532", "0,187", "1,078"], language="fr") is Comma.DECIMAL


def test_the_sum_of_the_cases_decides_last() -> None:
    """field.md row 69: the convention under which the cases add up to their suite."""
    assert decide(["1", "1,078"], suite="3") is Comma.DECIMAL
    assert decide(["400", "500"], suite="1,078") is Comma.GROUPING
    assert decide(["1"], suite="1,078") is Comma.DECIMAL


def test_what_nothing_decides_stays_open() -> None:
    assert decide(["1,078"], suite="1,078") is None
    assert decide(["1,078"], language="tlh") is None
    assert decide([]) is Comma.GROUPING


def test_unreadable_has_no_value_in_any_convention() -> None:
    empty = Time(as_decimal=None, as_grouping=None)
    assert empty.under(Comma.DECIMAL) is None
