"""The second stage of an instance: what it measures, in which order, and when it stops."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jeto_bench.decode import decode_jsonl
from jeto_bench.predictions.entry import make_prediction
from jeto_bench.records import CriteriaName, DetectorTest, Favours
from jeto_evaluate.criteria import JETO
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.render import render_instance
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.schedule import confirmation_seed, pair_order
from jeto_evaluate.run.settings import RunSettings, TestChoice
from jeto_evaluate.samples import Arm
from jeto_evaluate.statistics.paired_metric import Metric

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
JOIN, TEXT = RECORD.test_classes
SETTINGS = RunSettings(run_id="r", criteria=replace(JETO, rounds=30), seed=7)


def arms(join_ms: int, *, seen: bool = True, later_ms: int | None = None) -> FakeArms:
    """Base takes 800 ms in one class; the candidate another time, and yet another when alone."""

    def round_of(milliseconds: int) -> FakeRound:
        classes = {JOIN: FakeClass(milliseconds=milliseconds), TEXT: FakeClass(milliseconds=200)}
        return FakeRound(classes=classes, seen=seen)

    after = {31 + number: round_of(later_ms) for number in range(40)} if later_ms else {}
    return FakeArms(
        scripts={
            Arm.BASE: FakeScript(round=round_of(800)),
            Arm.CANDIDATE: FakeScript(round=round_of(join_ms), rounds=after),
        }
    )


def play(
    made: FakeArms,
    settings: RunSettings = SETTINGS,
    *,
    detectors: tuple[DetectorTest, ...] = (),
) -> Evaluation:
    prediction = make_prediction(
        instance_id=RECORD.instance_id, model="m", patch=RECORD.patch, line=None
    )
    plain = replace(RECORD, detector_tests=detectors)
    return run_instance(
        plain, prediction, factory=made, settings=settings, provenance=FAKE_PROVENANCE
    )


def test_what_the_screen_names_runs_alone_on_fresh_pairs_until_it_is_decided() -> None:
    made = arms(400)
    done = play(made)
    assert (done.report.outcome, done.report.reason) == (Outcome.IMPROVED, Reason.FASTER)
    base, candidate = made.opened
    assert base.classes[:31] == [(JOIN, TEXT)] * 31
    assert base.classes[31:] == candidate.classes[31:] == [(JOIN,)] * (1 + 10)
    assert done.confirmation
    assert {item.round for item in done.confirmation.rounds} == set(range(1, 11))
    seed = confirmation_seed(done.report.order_seed)
    planned = [arm for pair in pair_order(10, seed) for arm in pair]
    assert [item.arm for item in done.confirmation.rounds] == planned
    assert done.report.robust
    (only,) = done.report.robust.deciding
    assert (only.test_class, only.metric, only.pairs) == (JOIN, Metric.JAVA_CPU, 10)
    assert only.speedup == pytest.approx(2.0)
    assert [jvm.processors for jvm in done.report.jvms] == [2]


def test_what_is_not_seen_again_is_no_improvement() -> None:
    done = play(arms(400, later_ms=800))
    assert done.report.reason is Reason.NO_SIGNIFICANT_CLASS
    assert done.report.robust
    assert done.report.robust.screen.improved == (JOIN,)
    # The paper's rule, beside it, has one stage.
    assert [item.test_class for item in done.report.classes if item.improved.significant] == [JOIN]


def test_with_nothing_to_confirm_nothing_more_is_run() -> None:
    made = arms(800)
    done = play(made)
    assert len(made.order) == 2 * 31
    assert done.confirmation
    assert done.confirmation.rounds == ()
    assert done.report.robust
    assert done.report.robust.confirmation
    assert done.report.robust.confirmation.named == ()
    shown = Console(width=200, record=True, file=io.StringIO())
    shown.print(render_instance(done.report))
    assert re.search(r"smallest change that it could see: \d+\.\d% in ", shown.export_text())


def test_without_the_agent_surefires_times_are_confirmed() -> None:
    done = play(arms(400, seen=False))
    assert done.report.robust
    assert [item.metric for item in done.report.robust.deciding] == [Metric.SUREFIRE_WALL]
    assert done.report.jvms == ()
    assert done.report.reason is Reason.FASTER


@pytest.mark.parametrize(
    ("join_ms", "decides", "pairs", "reason"),
    [
        # k = 20 of 30 is significant; with 11 rounds lost it cannot be reached any more.
        (400, Decider.JETO, 20, Reason.FASTER),
        (1600, Decider.JETO, 20, Reason.SLOWER),
        (800, Decider.JETO, 11, Reason.NO_SIGNIFICANT_CLASS),
        (400, Decider.ROBUST, 15, Reason.FASTER),
        (800, Decider.ROBUST, 10, Reason.NO_SIGNIFICANT_CLASS),
    ],
)
def test_rounds_end_when_no_further_one_can_change_the_verdict(
    join_ms: int, decides: Decider, pairs: int, reason: Reason
) -> None:
    settings = replace(SETTINGS, decides=decides, early_stop=True)
    report = play(arms(join_ms), settings).report
    assert (report.reason, report.rounds_done) == (reason, pairs)
    assert report.early_stop
    assert report.stopped.startswith(decides.value)
    whole = play(arms(join_ms), replace(settings, early_stop=False)).report
    assert (whole.reason, whole.rounds_done) == (reason, 30)


def test_detectors_alone_need_one_stage() -> None:
    made = arms(400)
    detector = DetectorTest(
        test_class=JOIN,
        favours=Favours.REFERENCE,
        criteria=CriteriaName.DEFAULT,
        rounds=30,
        wins=30,
        p_value=0.0,
        median_speedup=2.0,
    )
    settings = replace(SETTINGS, tests=TestChoice.DETECTORS)
    done = play(made, settings, detectors=(detector,))
    assert done.report.reason is Reason.FASTER
    assert {classes for arm in made.opened for classes in arm.classes} == {(JOIN,)}
    assert len(made.order) == 2 * 31
    assert done.confirmation is None


def test_a_record_without_detectors_has_none_to_measure() -> None:
    made = arms(400)
    report = play(made, replace(SETTINGS, tests=TestChoice.DETECTORS)).report
    assert (report.outcome, report.reason) == (Outcome.NOT_MEASURABLE, Reason.NO_DETECTORS)
    assert not made.opened


def test_the_papers_rule_has_one_stage() -> None:
    made = arms(400)
    done = play(made, replace(SETTINGS, decides=Decider.JETO))
    assert len(made.order) == 2 * 31
    assert done.confirmation is None
    assert done.report.robust
    assert done.report.robust.confirmation is None
    assert done.report.improved_names == (JOIN,)
