"""Reports as files: strict reading, and where they lie. The samples are the golden reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_evaluate.reports.decode import instance_report, run_report
from jeto_evaluate.reports.encode import encode, to_json
from jeto_evaluate.reports.write import (
    check_run_id,
    instance_paths,
    models_of_run,
    read_instance_reports,
    read_run_report,
    run_report_path,
    write_instance_report,
    write_run_report,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "reports"
INSTANCE = instance_report((GOLDEN / "instance.json").read_bytes(), source="golden")
RUN = run_report((GOLDEN / "run.json").read_bytes(), source="golden")


def change(key: str, *, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.update({key: value})


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change("outcome", value="great"), "outcome: 'great' is none of"),
        (change("rounds_done", value=True), "rounds_done: expected int, not True"),
        (change("rounds_done", value="3"), "rounds_done: expected int"),
        (change("phases", value={}), "phases: expected an array"),
        (change("phases", value=[{"phase": "x"}]), r"phases\[0\]: missing seconds"),
        (change("extra", value=1), "unknown extra"),
        (change("schema_version", value=99), "schema_version: is 99, this program reads 5"),
        (change("reason", value="oom"), "reason oom leads to tests_failed"),
        (lambda document: document.pop("patch"), "missing patch"),
        (lambda document: document["criteria"].update(alpha="1/0"), "alpha: expected a fra"),
        (lambda document: document["criteria"].update(alpha="7"), r"criteria: alpha must be in"),
    ],
)
def test_a_report_that_does_not_follow_the_format_is_refused_with_file_and_field(
    edit: Callable[[dict[str, Any]], object], message: str
) -> None:
    document = json.loads(to_json(INSTANCE))
    edit(document)
    with pytest.raises(DecodeError, match=message) as caught:
        instance_report(json.dumps(document), source="x/report.json")
    assert str(caught.value).startswith("x/report.json")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema_version": NaN}', "[" * 100_000])
def test_what_is_not_a_json_object_is_refused(text: str) -> None:
    for read in (instance_report, run_report):
        with pytest.raises(DecodeError):
            read(text, source="x")


def test_a_report_cut_in_half_is_refused() -> None:
    text = to_json(RUN)
    with pytest.raises(DecodeError, match="not JSON"):
        run_report(text[: len(text) // 2], source="x")


def test_text_that_no_file_can_hold_is_written_readably() -> None:
    assert json.loads(to_json(replace(INSTANCE, detail="a\ud800b")))["detail"] == (
        "a\ufffd\ufffd\ufffdb"
    )


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json({"a": float("nan")})
    with pytest.raises(TypeError, match="set"):
        encode({1})


def test_files_lie_where_swe_bench_users_look(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    path = write_instance_report(logs, INSTANCE, run_id="demo")
    assert path == logs / "run_evaluation/demo/acme__model [v1]/acme__text-2/report.json"
    assert write_run_report(logs, tmp_path, RUN) == tmp_path / "acme__model [v1].demo.json"
    assert read_run_report(logs, run_id="demo", model=RUN.model) == RUN
    (found,) = read_instance_reports(logs, run_id="demo", model=RUN.model)
    assert found[1] == INSTANCE
    assert found[0].samples == path.with_name("samples.parquet")
    assert models_of_run(logs, "demo") == ("acme__model [v1]",)
    assert models_of_run(logs, "other") == ()


def test_a_report_in_another_instances_directory_is_refused(tmp_path: Path) -> None:
    path = write_instance_report(tmp_path, INSTANCE, run_id="demo")
    path.parent.rename(path.parent.with_name("i-1"))
    with pytest.raises(DecodeError, match="is the report of acme__text-2"):
        read_instance_reports(tmp_path, run_id="demo", model=INSTANCE.model)


@pytest.mark.parametrize("name", ["", ".", "..", "a\x00b", "a\nb", "x" * 300, "\ud800"])
def test_names_that_cannot_be_a_directory_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        instance_paths(tmp_path, run_id="demo", model="m", instance_id=name)
    with pytest.raises(InputError):
        run_report_path(tmp_path, run_id="demo", model=name)


def test_names_cannot_leave_the_log_directory(tmp_path: Path) -> None:
    paths = instance_paths(tmp_path, run_id="demo", model="../../etc", instance_id="/etc/passwd")
    assert paths.directory == tmp_path / "run_evaluation/demo/..__..__etc/__etc__passwd"
    with pytest.raises(UsageError):
        check_run_id("../x")
