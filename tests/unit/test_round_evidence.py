"""What a round is judged by, and what is told when it cannot be judged."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench import decode_jsonl
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import InstanceReport
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import run_instance
from jeto_evaluate.run.round_evidence import read_reports
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
JOIN, TEXT = RECORD.test_classes
SUCCESS = b"Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n"


def round_of(join_ms: int, *, cases: int = 1, text: bool = True) -> FakeRound:
    names = tuple(f"case{n}" for n in range(cases))
    classes = {JOIN: FakeClass(milliseconds=join_ms, cases=names)}
    return FakeRound(classes={**classes, TEXT: FakeClass(milliseconds=200)} if text else classes)


def play(
    candidate: FakeRound,
    *,
    base: FakeRound | None = None,
    at: Mapping[int, FakeRound] | None = None,
    base_at: Mapping[int, FakeRound] | None = None,
    patch: str = RECORD.patch,
) -> InstanceReport:
    scripts = {
        Arm.BASE: FakeScript(round=base or round_of(800), rounds=base_at or {}),
        Arm.CANDIDATE: FakeScript(round=candidate, rounds=at or {}),
    }
    return run_instance(
        RECORD,
        make_prediction(instance_id=RECORD.instance_id, model="m", patch=patch, line=None),
        factory=FakeArms(scripts=scripts),
        settings=RunSettings(run_id="r", criteria=replace(JETO, rounds=8), decides=Decider.JETO),
        provenance=FAKE_PROVENANCE,
    ).report


def test_passes_that_are_only_printed_are_none() -> None:
    """field.md row 15: code under test can print the passes and leave with status 0."""
    printed = FakeRound(exit_code=0, output=SUCCESS, wall_ms=1)
    report = play(round_of(400), at={3: printed})
    assert (report.outcome, report.reason) == (Outcome.TESTS_FAILED, Reason.MISSING_CLASS)


def test_failures_that_are_only_printed_are_none_either() -> None:
    """field.md rows 15 and 27: what a log says, in whatever bytes, decides nothing."""
    noisy = replace(round_of(400), output=b"Tests run: 1, Failures: 1\n\x80[ERROR] BUILD FAILURE\n")
    assert play(noisy).reason is Reason.FASTER


def test_passing_reports_do_not_outweigh_mavens_status() -> None:
    """field.md row 15: cross-check Maven's exit status."""
    report = play(round_of(400), at={8: replace(round_of(400), exit_code=1)})
    assert (report.outcome, report.reason) == (Outcome.TESTS_FAILED, Reason.ROUND_FAILED)


@pytest.mark.parametrize("name", ["2024-01-01-jvmRun1.dumpstream", "2024-01-01.dump"])
def test_the_end_of_a_dump_and_the_status_say_why_a_class_is_missing(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """field.md row 75: the reason stands only in a dump file; the class is never fast."""
    said = b"x" * 5000 + b"Corrupted channel by directly writing to native stream \x80\n"
    died = replace(round_of(1, text=False), exit_code=1, files={f"core/{name}": said})
    with caplog.at_level(logging.INFO):
        report = play(round_of(400), at={2: died})
    assert report.reason is Reason.MISSING_CLASS
    assert "status 1" in report.detail
    assert f"{name}: xxx" in report.detail
    assert report.detail.endswith("Corrupted channel by directly writing to native stream \ufffd")
    assert len(report.detail) < 1000
    assert "Corrupted channel" in caplog.text


def test_reports_that_testng_writes_itself_are_not_counted_again() -> None:
    """They have Surefire's names, in a folder below that of the module."""
    output = round_of(800).result(started_at=0.0, timed_out=False)
    twice = {f"lib/junitreports/{path}": data for path, data in output.files.items()}
    report = read_reports(replace(output, files={**output.files, **twice}))
    assert report == read_reports(output)
    assert report.classes


def test_a_dump_of_base_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """field.md row 75: a dead fork of base is our trouble, with the same evidence."""
    died = replace(round_of(1, text=False), files={"core/a.dump": b"The forked VM crashed"})
    with caplog.at_level(logging.INFO):
        report = play(round_of(400), base=died)
    assert (report.outcome, report.reason) == (Outcome.INFRA_ERROR, Reason.BASE_FAILED)
    assert "The forked VM crashed" in caplog.text


def test_cases_of_a_class_are_no_pairs() -> None:
    """field.md row 56: test methods never count as extra pairs; the process is the unit."""
    report = play(round_of(400, cases=50), base=round_of(800, cases=50))
    assert [(item.test_class, item.pairs) for item in report.classes] == [(JOIN, 8), (TEXT, 8)]


def test_fewer_cases_than_base_has_are_not_faster() -> None:
    """field.md row 79: at least the recorded number of cases, the same ones, in both arms."""
    report = play(round_of(10, cases=1), base=round_of(800, cases=5))
    assert (report.outcome, report.reason) == (Outcome.TESTS_FAILED, Reason.MISSING_CASE)


def test_another_surefire_in_base_is_infrastructure() -> None:
    """field.md row 71: the same version of Surefire in both arms, or ``infra_error``."""
    report = play(round_of(400), base_at={4: replace(round_of(800), surefire="2.22.2")})
    assert (report.outcome, report.reason) == (Outcome.INFRA_ERROR, Reason.SUREFIRE_MISMATCH)


def test_another_surefire_in_the_candidate_gives_no_times() -> None:
    """field.md row 71: after base has stated it, only the candidate's own code can say another."""
    report = play(replace(round_of(400), surefire="2.22.2"))
    assert (report.outcome, report.reason) == (Outcome.TAMPERED, Reason.UNSCHEDULED_REPORT)
    assert report.classes == ()


def test_a_repaired_patch_is_told_with_both_hashes_in_the_report() -> None:
    """field.md row 1: ``normalized`` in the report, and both hashes."""
    facts = play(round_of(400), patch=RECORD.patch.removesuffix("\n")).patch
    assert facts.normalized == ("final_newline",)
    assert "" != facts.raw_sha256 != facts.patch_sha256 != ""
