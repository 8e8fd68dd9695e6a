"""``jeto-mine``: what is refused before an engine is asked for, and what ``stats`` shows."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import records_to_jsonl
from jeto_bench.index.rows import decode_index
from jeto_bench.records import QuarantinedTest
from jeto_evaluate.cli.main import run_app
from jeto_mine.cli import execute as execute_command
from jeto_mine.cli.main import app
from jeto_mine.executable.results import EXECUTABLE, EtipResult, Folder
from jeto_mine.executable.tables import medians, result_table

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
MADE = EtipResult(
    instance_id=RECORD.instance_id,
    input_sha256="0" * 64,
    outcome=EXECUTABLE,
    java_version=17,
    test_classes=44,
    quarantined=(QuarantinedTest(test_class="acme.NetTest", reason="needs_network"),),
    improved=("acme.io.ReaderTest",),
    paper_improved=("acme.io.ReaderTest",),
    paper_regressed=("acme.OtherTest",),
    seconds=543.2,
    round_seconds=7.25,
    image_bytes=512_000_000,
    added_bytes=136_000_000,
)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    file = tmp_path / "identified.jsonl"
    file.write_bytes(records_to_jsonl([RECORD]))
    return file


def status(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["jeto-mine", *arguments])
    with pytest.raises(SystemExit) as caught:
        run_app(app)
    return caught.value.code


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("-i", "acme__lib-99"), "not in the dataset: acme__lib-99"),
        (("--rounds", "2"), "--rounds"),
        ((), "has results already"),
        (("--resume", "-j", "999"), "enough for"),
        (("--resume", "--mirror", "central"), "--mirror: not an http or https URL"),
        (("--resume", "--disk-budget", "0.5"), "--disk-budget"),
    ],
)
def test_bad_input_ends_with_2_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    records: Path,
    more: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.setattr(
        execute_command, "connect", lambda _: pytest.fail("an engine was asked for")
    )
    Folder(records.parent).keep(replace(MADE, outcome="no_wrapper"), None)
    output = str(records.parent)
    arguments = ("execute", str(records), "--clones", "c", "--output", output, *more)
    assert status(monkeypatch, *arguments) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ("execute", "none.jsonl", "--clones", "c", "--output", str(tmp_path))
    assert status(monkeypatch, *arguments) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_stats_show_every_record_and_the_yield(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Folder(tmp_path).keep(MADE, RECORD)
    other = EtipResult(
        instance_id="acme__lib-2",
        input_sha256="0" * 64,
        outcome="snapshot_dependency",
        detail="[ERROR] Could not find artifact a:b:pom:2-SNAPSHOT",
        log="logs/images/acme__lib-2.build.log",
    )
    Folder(tmp_path).keep(other, None)
    status(monkeypatch, "stats", str(tmp_path))
    shown = " ".join(capsys.readouterr().out.split())
    assert "acme__lib-8 executable 17 44 1 7.2 9.1 136" in shown
    assert "robust +ReaderTest; paper +ReaderTest; paper -OtherTest" in shown
    assert "a:b:pom:2-SNAPSHOT" in shown
    assert "executable 1 snapshot_dependency 1 all 2" in shown
    assert "median of 1 executable: 9.1 min, 136 MB over the base" in shown


def test_a_long_story_is_told_in_the_log_and_not_in_the_table() -> None:
    told = "lacks " + ", ".join(f"acme.T{number}Test" for number in range(99))
    other = replace(MADE, outcome="not_measured", detail=told, log="logs/a.build.log")
    assert "... (log: logs/a.build.log)" in str(list(result_table([other]).columns[-1].cells))
    assert medians([other]) == ""


def test_stats_of_nothing_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert status(monkeypatch, "stats", str(tmp_path)) == 2
    assert "has no results" in capsys.readouterr().err


def test_results_become_rows_of_an_index_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], records: Path
) -> None:
    folder = records.parent / "mined"
    Folder(folder).keep(replace(MADE, measured_at="2026-01-02T03:04:05+00:00"), RECORD)
    stranger = replace(MADE, instance_id="acme__other-1")
    Folder(folder).keep(stranger, None)
    target = records.parent / "index" / "test-00000-of-00001.parquet"
    for _ in range(2):
        status(monkeypatch, "index", str(folder), str(records), "--to", str(target))
    assert "1 of 2 results" in capsys.readouterr().out
    (row,) = decode_index(target.read_bytes())
    assert row.instance_id == RECORD.instance_id
    (found,) = row.measurements
    assert (found.outcome, found.java_version, found.improved) == (EXECUTABLE, 17, MADE.improved)
    assert found.quarantined_tests == MADE.quarantined
