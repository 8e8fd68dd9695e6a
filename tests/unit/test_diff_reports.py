"""field.md row 51: nobody could say why two results differ."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jeto_bench.errors import DecodeError
from jeto_evaluate.cli.main import app
from jeto_evaluate.reports import RunReport
from jeto_evaluate.reports.decode import run_report
from jeto_evaluate.reports.differences import Kind, differences
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.rules import Decider

STORED = Path(__file__).parents[1] / "golden/reports/run.json"


@pytest.fixture
def run() -> RunReport:
    return run_report(STORED.read_bytes(), source=str(STORED))


def elsewhere(run: RunReport) -> RunReport:
    """The same run on another host, by another version, with one other verdict."""
    assert run.provenance
    provenance = replace(
        run.provenance,
        harness_version="9.9",
        host=replace(run.provenance.host, cores=64),
        started_at="2030-01-01T00:00:00Z",
    )
    first, *others = run.instances
    assert first.setting
    changed = replace(
        first, improved_classes=first.improved_classes + 3, setting=replace(first.setting, jdk="8")
    )
    return replace(run, run_id="other", provenance=provenance, instances=(changed, *others))


def test_a_run_does_not_differ_from_itself_under_another_name(run: RunReport) -> None:
    assert differences(run, replace(run, run_id="again", notes=("made again",))) == ()


def test_another_rule_that_decides_is_a_difference(run: RunReport) -> None:
    (found,) = differences(run, replace(run, decides=Decider.JETO))
    assert (found.kind, found.what) == (Kind.SETTING, "decides")
    assert (found.first, found.second) == ("robust", "jeto")


def test_every_kind_of_difference_is_named(run: RunReport) -> None:
    first = run.instances[0]
    found = {
        (item.kind, item.where, item.what): (item.first, item.second)
        for item in differences(run, elsewhere(run))
    }
    assert found == {
        (Kind.SETTING, "", "provenance.harness_version"): ("0.1.0", "9.9"),
        (Kind.HOST, "", "provenance.host.cores"): ("2", "64"),
        (Kind.SETTING, first.instance_id, "setting.jdk"): ("17.0.12", "8"),
        (Kind.VERDICT, first.instance_id, "faster classes"): (
            str(first.improved_classes),
            str(first.improved_classes + 3),
        ),
    }


def test_an_image_from_a_registry_is_compared_by_its_digest(run: RunReport) -> None:
    first, *others = run.instances
    assert first.setting

    def pulled(image_id: str, digest: str) -> RunReport:
        assert first.setting
        setting = replace(first.setting, image_id=image_id, image_digest=digest)
        return replace(run, instances=(replace(first, setting=setting), *others))

    assert differences(pulled("sha256:1", "sha256:d"), pulled("sha256:2", "sha256:d")) == ()
    (only,) = differences(pulled("sha256:1", "sha256:d"), pulled("sha256:1", "sha256:e"))
    assert only.what == "setting.image_digest"


def test_the_command_ends_as_diff_does(run: RunReport, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(to_json(elsewhere(run)), encoding="utf-8")
    same = CliRunner().invoke(app, ["diff-reports", str(STORED), str(STORED)])
    assert (same.exit_code, same.output) == (0, "No difference of setting, host or verdict.\n")
    shown = CliRunner().invoke(app, ["diff-reports", str(STORED), str(other)])
    assert shown.exit_code == 1
    assert "provenance.host.cores" in shown.output
    lines = CliRunner().invoke(app, ["diff-reports", str(STORED), str(other), "--json"])
    assert lines.exit_code == 1
    assert [json.loads(line)["kind"] for line in lines.output.splitlines()].count("host") == 1


def test_what_is_no_report_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["diff-reports", str(STORED), str(tmp_path / "none.json")])
    assert isinstance(result.exception, DecodeError)
    assert "none.json" in str(result.exception)
