"""A host is calibrated by comparing versions with themselves (field.md row 51: reports cite it)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import DecodeError, ImageError
from jeto_evaluate.calibration import CalibratedReference, HostCertificate, cite
from jeto_evaluate.criteria import JETO
from jeto_evaluate.reports.decode import certificate
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.reports.write import certificate_path, read_certificate
from jeto_evaluate.rules import DEFAULT_RULES, Decider
from jeto_evaluate.run.arm import BuildResult
from jeto_evaluate.run.calibrate import calibrate_instance
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.origin import run_policy
from jeto_evaluate.run.settings import Deadlines, RunSettings
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics.robust_class import RobustStatus

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
HOST = FAKE_PROVENANCE.host
JOIN, TEXT = RECORD.test_classes
SETTINGS = RunSettings(run_id="calibrate", criteria=JETO, early_stop=False)
POLICY = ("cpus_per_arm=2", "network=none", "slots=1", "tests=all")


def arms(join_ms: int) -> FakeArms:
    """The second arm takes another time, as a host does on which the first one runs colder."""

    def script(milliseconds: int) -> FakeScript:
        classes = {JOIN: FakeClass(milliseconds=milliseconds), TEXT: FakeClass(milliseconds=200)}
        return FakeScript(round=FakeRound(classes=classes, seen=True))

    return FakeArms(
        scripts={
            Arm.BASE: script(800),
            Arm.CANDIDATE: script(join_ms),
            Arm.REFERENCE: script(300),
        }
    )


def test_both_arms_are_base_and_no_patch_is_applied() -> None:
    made = arms(800)
    found, samples = calibrate_instance(RECORD, factory=made, settings=SETTINGS)
    assert [arm.patches for arm in made.opened] == [[], []]
    assert all(arm.closed for arm in made.opened)
    assert len(samples.rounds) == 2 * 31
    assert (found.robust_alarm, found.jeto_alarm) == (False, False)
    assert {item.test_class: item.status for item in found.classes} == {
        JOIN: RobustStatus.TESTED,
        TEXT: RobustStatus.TESTED,
    }


def test_every_claim_is_an_alarm() -> None:
    found, _ = calibrate_instance(RECORD, factory=arms(600), settings=SETTINGS)
    alarms = {item.test_class: (item.robust_alarm, item.jeto_alarm) for item in found.classes}
    assert alarms == {JOIN: (True, True), TEXT: (False, False)}


def test_the_reference_is_measured_in_the_same_pairs() -> None:
    made = arms(800)
    settings = replace(SETTINGS, reference=True)
    found, samples = calibrate_instance(RECORD, factory=made, settings=settings)
    assert [len(arm.patches) for arm in made.opened] == [0, 0, 1]
    assert len(samples.rounds) == 3 * 31
    assert found.reference == CalibratedReference(improved=(JOIN,), regressed=())
    assert not found.robust_alarm


def test_a_base_that_does_not_build_cannot_be_calibrated() -> None:
    made = arms(800)
    failed = BuildResult(ok=False, seconds=1.0, output=b"no compiler", outputs={})
    script = FakeScript(build=failed)
    made = FakeArms(scripts={Arm.BASE: script, Arm.CANDIDATE: script})
    with pytest.raises(ImageError, match="no compiler"):
        calibrate_instance(RECORD, factory=made, settings=SETTINGS)


def made_certificate() -> HostCertificate:
    found, _ = calibrate_instance(RECORD, factory=arms(600), settings=SETTINGS)
    return HostCertificate(
        created_at="2026-01-02T03:04:05+00:00",
        harness_version="0.1.0",
        harness_commit="",
        host=HOST,
        governors=("performance",),
        load_before=0.1,
        load_after=1.5,
        policy=POLICY,
        rules=DEFAULT_RULES,
        instances=(found,),
    )


def test_a_certificate_survives_its_file(tmp_path: Path) -> None:
    assert read_certificate(tmp_path) is None
    made = made_certificate()
    certificate_path(tmp_path).write_text(to_json(made), encoding="utf-8")
    assert read_certificate(tmp_path) == made
    with pytest.raises(DecodeError, match="schema_version"):
        certificate(to_json(replace(made, schema_version=9)), source="x")


def test_reports_cite_it_where_it_is_of_the_same_host_and_limits() -> None:
    made = made_certificate()
    assert cite(None, HOST, POLICY) == "uncalibrated"
    assert cite(made, HOST, POLICY).startswith("calibrated 2026-01-02T03:04:05+00:00: 1 false")
    early = (*POLICY[:-1], "early_stop", "tests=detectors")
    assert cite(made, HOST, early).startswith("calibrated")
    assert "another host" in cite(made, replace(HOST, cores=1), POLICY)
    assert "other limits" in cite(made, HOST, ("cpus_per_arm=1", *POLICY[1:]))
    assert Decider.ROBUST is made.rules.decides


def test_what_changes_a_verdict_is_in_the_policy() -> None:
    """A report measured otherwise is not kept for this run; what is as ever is not named."""
    plan = CpuPlan(sets=((0, 1),), spare=(), few=False)
    usual = run_policy(SETTINGS, plan)
    for other, flag in (
        (replace(SETTINGS, deadlines=Deadlines(own_test=5)), "own_test_timeout=5"),
        (replace(SETTINGS, early_stop=True), "early_stop"),
        (replace(SETTINGS, reference=True), "reference"),
    ):
        assert set(run_policy(other, plan)) - set(usual) == {flag}
