"""What the dataset records of a measured reference: detectors under each criteria set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import InfrastructureError
from jeto_bench.predictions import gold_predictions
from jeto_bench.records import CriteriaName, DetectorTest, Favours
from jeto_evaluate.run.fake import (
    FAKE_PROVENANCE,
    FakeArms,
    FakeClass,
    FakeRound,
    FakeScript,
)
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm
from jeto_mine.detectors import detectors

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = replace(
    decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0], detector_tests=()
)
JOIN, TEXT = RECORD.test_classes


def measured(join_ms: int, text_ms: int) -> Evaluation:
    def script(join: int, text: int) -> FakeScript:
        classes = {JOIN: FakeClass(milliseconds=join), TEXT: FakeClass(milliseconds=text)}
        return FakeScript(round=FakeRound(classes=classes, seen=True))

    return run_instance(
        RECORD,
        gold_predictions([RECORD]).predictions[0],
        factory=FakeArms(
            scripts={Arm.BASE: script(800, 200), Arm.CANDIDATE: script(join_ms, text_ms)}
        ),
        settings=RunSettings(run_id="r"),
        provenance=FAKE_PROVENANCE,
    )


def by_criteria(found: tuple[DetectorTest, ...], name: CriteriaName) -> dict[str, DetectorTest]:
    return {item.test_class: item for item in found if item.criteria is name}


def test_both_directions_are_recorded_under_every_criteria_set() -> None:
    found = detectors(measured(400, 300))
    for name in CriteriaName:
        named = by_criteria(found, name)
        assert {key: item.favours for key, item in named.items()} == {
            JOIN: Favours.REFERENCE,
            TEXT: Favours.BASE,
        }
        assert named[JOIN].median_speedup == pytest.approx(2.0)
        assert named[TEXT].median_speedup == pytest.approx(1.5)
        assert all(item.wins == item.rounds for item in named.values())
    assert by_criteria(found, CriteriaName.DEFAULT)[JOIN].rounds == 30
    # Confirmed, and decided at a look.
    assert by_criteria(found, CriteriaName.ROBUST)[JOIN].rounds == 15


def test_a_small_change_is_no_detector_of_the_papers() -> None:
    found = detectors(measured(776, 200))  # 3 %
    assert not by_criteria(found, CriteriaName.DEFAULT)
    assert set(by_criteria(found, CriteriaName.ROBUST)) == {JOIN}


def test_an_unchanged_version_has_none() -> None:
    assert detectors(measured(800, 200)) == ()


def test_what_was_not_measured_has_no_detectors() -> None:
    bare = replace(measured(400, 200), samples=None)
    with pytest.raises(InfrastructureError, match="nothing was measured"):
        detectors(bare)
