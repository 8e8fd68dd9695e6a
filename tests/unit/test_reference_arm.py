"""The developers' patch measured in the same pairs, for the figures that compare with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO
from jeto_evaluate.patching import ApplyReason, PatchResult
from jeto_evaluate.peers import peer_figures
from jeto_evaluate.reasons import Reason
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.arm import BuildResult
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.schedule import pair_order, with_reference
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = replace(
    decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0], detector_tests=()
)
JOIN, TEXT = RECORD.test_classes
SETTINGS = RunSettings(
    run_id="r", criteria=replace(JETO, rounds=30), decides=Decider.JETO, reference=True
)
OTHER = RECORD.patch.replace("+", "+ ")


def script(join_ms: int, *, failed: bool = False) -> FakeScript:
    join = FakeClass(milliseconds=join_ms, failed=frozenset({"works"} if failed else ()))
    return FakeScript(round=FakeRound(classes={JOIN: join, TEXT: FakeClass(milliseconds=200)}))


def play(
    candidate_ms: int, *, reference: FakeScript, settings: RunSettings = SETTINGS
) -> tuple[Evaluation, FakeArms]:
    arms = FakeArms(
        scripts={
            Arm.BASE: script(800),
            Arm.CANDIDATE: script(candidate_ms),
            Arm.REFERENCE: reference,
        }
    )
    prediction = make_prediction(instance_id=RECORD.instance_id, model="m", patch=OTHER, line=None)
    done = run_instance(
        RECORD, prediction, factory=arms, settings=settings, provenance=FAKE_PROVENANCE
    )
    return done, arms


def test_the_reference_is_never_between_base_and_candidate() -> None:
    pairs = pair_order(30, seed=3)
    orders = with_reference(pairs, seed=3)
    assert [tuple(arm for arm in order if arm is not Arm.REFERENCE) for order in orders] == list(
        pairs
    )
    places = Counter(order.index(Arm.REFERENCE) for order in orders)
    assert places == {0: 15, 2: 15}


def test_all_three_versions_are_measured_and_the_verdict_is_that_of_two() -> None:
    done, arms = play(400, reference=script(300))
    base, candidate, reference = arms.opened
    assert (base.patches, candidate.patches) == ([], [OTHER.encode()])
    assert reference.patches == [RECORD.patch.encode()]
    assert done.samples
    assert Counter(item.arm for item in done.samples.rounds) == dict.fromkeys(Arm, 31)
    alone, _ = play(400, reference=script(300), settings=replace(SETTINGS, reference=False))
    assert done.report.classes == alone.report.classes
    assert done.report.reason is Reason.FASTER
    assert alone.report.peers
    assert alone.report.peers.gso.opt is None


def test_the_peers_figures_compare_with_the_reference() -> None:
    done, _ = play(400, reference=script(300))
    peers = done.report.peers
    assert peers
    join, text = peers.sweperf
    assert (join.test_class, join.kept, text.kept) == (JOIN, True, False)
    assert join.delta == pytest.approx(0.5, abs=0.002)
    assert join.reference_delta == pytest.approx(0.625, abs=0.002)
    # Harmonic mean over the classes: 2 / (400/800 + 1), and against the reference 2 / (4/3 + 1).
    assert peers.gso.speedup == pytest.approx(2 / 1.5)
    assert peers.gso.against_reference == pytest.approx(2 / (4 / 3 + 1))
    assert (peers.gso.opt, peers.gso.opt_paper) == (False, False)
    as_good, _ = play(300, reference=script(300))
    assert as_good.report.peers
    assert (as_good.report.peers.gso.opt, as_good.report.peers.gso.opt_paper) == (True, True)


def test_times_of_zero_have_no_speedup_and_are_no_error() -> None:
    done, _ = play(400, reference=script(300))
    assert done.samples
    rounds = tuple(
        replace(item, classes=tuple(replace(entry, milliseconds=0) for entry in item.classes))
        for item in done.samples.rounds
    )
    found = peer_figures(replace(done.samples, rounds=rounds), rounds=30)
    assert found.gso.speedup is None
    assert found.gso.opt is None


@pytest.mark.parametrize(
    "reference",
    [
        replace(script(300), patch=PatchResult(applied=False, reason=ApplyReason.DOES_NOT_APPLY)),
        replace(script(300), build=BuildResult(ok=False, seconds=1, output=b"no", outputs={})),
        script(300, failed=True),
    ],
)
def test_trouble_of_the_reference_is_never_the_predictions(reference: FakeScript) -> None:
    """field.md row 24."""
    done, arms = play(400, reference=reference)
    assert done.report.reason is Reason.REFERENCE_FAILED
    assert all(arm.closed for arm in arms.opened)
