"""A test that fails by chance costs its pair, and not the instance."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jeto_bench.decode import decode_jsonl
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO
from jeto_evaluate.outcomes import Outcome
from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.render import render_instance
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
JOIN, TEXT = RECORD.test_classes
SETTINGS = RunSettings(run_id="r", criteria=replace(JETO, rounds=30), seed=7)
ALONE = 32  # the first measured round of the second stage, after 31 of the first and a warm-up


def one_round(join_ms: int, *failing: str) -> FakeRound:
    def of(name: str, milliseconds: int) -> FakeClass:
        failed = frozenset({"works"} if name in failing else ())
        return FakeClass(milliseconds=milliseconds, failed=failed)

    return FakeRound(classes={JOIN: of(JOIN, join_ms), TEXT: of(TEXT, 200)}, seen=True)


def play(
    base: Mapping[int, str],
    candidate: Mapping[int, str] | None = None,
    *,
    settings: RunSettings = SETTINGS,
) -> tuple[Evaluation, FakeArms]:
    """The candidate is twice as fast; each arm fails a class in some of its rounds, 0 the first."""

    def script(milliseconds: int, fails: Mapping[int, str]) -> FakeScript:
        rounds = {number: one_round(milliseconds, name) for number, name in fails.items()}
        return FakeScript(round=one_round(milliseconds), rounds=rounds)

    arms = FakeArms(
        scripts={Arm.BASE: script(800, base), Arm.CANDIDATE: script(400, candidate or {})}
    )
    prediction = make_prediction(
        instance_id=RECORD.instance_id, model="m", patch=RECORD.patch, line=None
    )
    record = replace(RECORD, detector_tests=())
    done = run_instance(
        record, prediction, factory=arms, settings=settings, provenance=FAKE_PROVENANCE
    )
    return done, arms


@pytest.mark.parametrize("at", [1, 5, 30, ALONE])
def test_a_pair_in_which_base_fails_is_run_again_and_leaves_no_trace(at: int) -> None:
    done, arms = play({at: JOIN})
    report = done.report
    assert (report.outcome, report.reason) == (Outcome.IMPROVED, Reason.FASTER)
    number = at if at < ALONE else 1
    (what,) = report.repeated
    assert what.startswith(f"round {number} of base: case_failed {JOIN}")
    plain, _ = play({})
    assert plain.report.repeated == ()
    for again, once in [
        (done.samples, plain.samples),
        (done.confirmation, plain.confirmation),
    ]:
        assert again
        assert once
        assert [(item.arm, item.round, item.position, item.classes) for item in again.rounds] == [
            (item.arm, item.round, item.position, item.classes) for item in once.rounds
        ]
    base = arms.opened[0]
    assert base.seeds[at] == base.seeds[at + 1]
    shown = Console(width=300, record=True, file=io.StringIO())
    shown.print(render_instance(report))
    assert f"A pair was run again: {what}" in shown.export_text()


@pytest.mark.parametrize("fails", [{5: JOIN}, {1: TEXT}, {30: TEXT}])
def test_what_base_has_not_failed_is_the_candidates_fault(fails: Mapping[int, str]) -> None:
    done, _ = play({}, fails)
    assert (done.report.outcome, done.report.reason) == (Outcome.TESTS_FAILED, Reason.TEST_FAILURE)
    assert done.report.repeated == ()


def test_what_base_has_failed_may_fail_in_the_candidate_too() -> None:
    done, _ = play({3: JOIN}, {9: JOIN})
    assert done.report.reason is Reason.FASTER
    assert [what.split(":")[0].split(" of ")[1] for what in done.report.repeated] == [
        "base",
        "candidate",
    ]


def test_another_class_than_base_has_failed_is_the_candidates_fault() -> None:
    done, _ = play({3: JOIN}, {9: TEXT})
    assert done.report.reason is Reason.TEST_FAILURE


def test_a_candidate_that_goes_on_failing_is_at_fault() -> None:
    done, _ = play({3: JOIN}, dict.fromkeys(range(9, 20), JOIN))
    assert done.report.reason is Reason.TEST_FAILURE
    assert len(done.report.repeated) == SETTINGS.repeats


def test_base_that_goes_on_failing_ends_the_instance() -> None:
    done, arms = play(dict.fromkeys(range(5, 20), JOIN))
    assert (done.report.outcome, done.report.reason) == (Outcome.INFRA_ERROR, Reason.BASE_FAILED)
    assert len(done.report.repeated) == SETTINGS.repeats
    assert len(arms.opened[0].classes) == 5 + 1 + SETTINGS.repeats


@pytest.mark.parametrize(("at", "repeats"), [(0, 3), (5, 0)])
def test_the_warm_up_is_not_run_again_nor_anything_where_that_is_not_wanted(
    at: int, repeats: int
) -> None:
    done, _ = play({at: JOIN}, settings=replace(SETTINGS, repeats=repeats))
    assert done.report.reason is Reason.BASE_FAILED
    assert done.culprit == JOIN
