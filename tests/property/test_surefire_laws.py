from __future__ import annotations

from collections.abc import Mapping

from hypothesis import example, given
from hypothesis import strategies as st

from jeto_evaluate.patching import classify
from jeto_evaluate.surefire import class_milliseconds, find_parallel, read_round
from jeto_evaluate.surefire.commas import SuiteTimes, comma_of_file
from jeto_evaluate.surefire.times import Comma, read_time

MILLISECONDS = st.integers(min_value=0, max_value=10**9)
TOKENS = st.sampled_from([
    b"<testsuite ", b"<testcase ", b"</testsuite>", b"</testcase>", b"<failure/>", b'name="p.A"',
    b'classname="p.B$C"', b'time="1,078"', b'time="0.5"', b">", b"/>", b"&#0;", b"&#",
    b"<![CDATA[", b"]]>", b"\x80", b"\xef\xbf\xbf", b"<properties>", b"<property ",
    b"<!DOCTYPE a>",
])  # fmt: skip


def _grouped(value: int, mark: str) -> str:
    return f"{value:,}".replace(",", mark)


def _written(ms: int, *, decimal: str, group: str) -> str:
    """As Java's number format writes it: no trailing zeros, at most three decimals."""
    whole, rest = divmod(ms, 1000)
    decimals = f"{rest:03d}".rstrip("0")
    return _grouped(whole, group) + (decimal + decimals if decimals else "")


class TestTimes:
    """A time written in one convention is read back exactly in that convention."""

    @given(MILLISECONDS)
    def test_english(self, ms: int) -> None:
        assert read_time(_written(ms, decimal=".", group=",")).under(Comma.GROUPING) == ms

    @given(MILLISECONDS)
    def test_german(self, ms: int) -> None:
        assert read_time(_written(ms, decimal=",", group=".")).under(Comma.DECIMAL) == ms

    @given(MILLISECONDS, st.sampled_from("\u00a0\u202f "))
    def test_french(self, ms: int, space: str) -> None:
        assert read_time(_written(ms, decimal=",", group=space)).under(Comma.DECIMAL) == ms

    @given(st.lists(MILLISECONDS, min_size=1), st.sampled_from(["en", "de", None]))
    def test_file_of_one_formatter_is_never_read_in_the_other_convention(
        self, times: list[int], language: str | None
    ) -> None:
        """Undecided is allowed, wrong is not, whatever else the file says."""
        english = tuple(read_time(_written(ms, decimal=".", group=",")) for ms in times)
        proved = any(time.evidence for time in english)
        comma = comma_of_file([SuiteTimes(suite=None, cases=english)], language=language)
        if proved or language == "en":
            assert comma is Comma.GROUPING
            assert [time.under(comma) for time in english] == times

    @given(st.text())
    @example("1" + 25 * "0")
    @example(40 * "9")
    def test_reading_never_raises(self, text: str) -> None:
        for value in (read_time(text).as_decimal, read_time(text).as_grouping):
            assert value is None or value >= 0


class TestReports:
    """Whatever the files hold, a round is read, and each file is used or named as degraded."""

    @given(st.dictionaries(st.text(), st.binary()))
    def test_arbitrary_bytes(self, files: Mapping[str, bytes]) -> None:
        assert {path for path, _ in read_round(files).degraded} <= files.keys()

    @given(st.lists(TOKENS).map(b" ".join))
    def test_fragments_of_reports(self, data: bytes) -> None:
        report = read_round({"a": data})
        assert all(class_milliseconds(item) >= 0 for item in report.classes)

    @given(st.binary(), st.binary())
    def test_hostile_attribute_and_output(self, name: bytes, output: bytes) -> None:
        name = name.translate(None, b'<&"')
        output = output.replace(b"]]>", b"")
        data = b'<testsuite name="p.A"><testcase classname="p.A" time="0.5" name="' + name
        data += b'"><system-out><![CDATA[' + output + b"]]></system-out></testcase></testsuite>"
        report = read_round({"a": data})
        assert not report.degraded
        assert [class_milliseconds(item) for item in report.classes] == [500]

    @given(st.binary())
    def test_build_files(self, data: bytes) -> None:
        find_parallel({"pom.xml": data, "junit-platform.properties": data, "testng.xml": data})


class TestPaths:
    """Every path has a class, and letters' case changes it for no protected one."""

    @given(st.text(alphabet="aA/.-srcetmainpomxlj", min_size=1))
    def test_case_gains_nothing(self, path: str) -> None:
        assert classify(path) is classify(path.upper().lower())
