"""Pictures that can be read without this program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from jeto_bench.decode import decode_jsonl
from jeto_bench.predictions.entry import make_prediction
from jeto_evaluate.criteria import JETO
from jeto_evaluate.plots import CONFIRMATION, PICTURES, ROUNDS, SCREEN, plot_instance
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.fake import FAKE_PROVENANCE, FakeArms, FakeClass, FakeRound, FakeScript
from jeto_evaluate.run.instance import Evaluation, run_instance
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = replace(
    decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0], detector_tests=()
)
JOIN, TEXT = RECORD.test_classes


def played(decides: Decider) -> Evaluation:
    def script(milliseconds: int) -> FakeScript:
        classes = {JOIN: FakeClass(milliseconds=milliseconds), TEXT: FakeClass(milliseconds=200)}
        return FakeScript(round=FakeRound(classes=classes, seen=True))

    return run_instance(
        RECORD,
        make_prediction(instance_id=RECORD.instance_id, model="m", patch=RECORD.patch, line=None),
        factory=FakeArms(scripts={Arm.BASE: script(800), Arm.CANDIDATE: script(400)}),
        settings=RunSettings(run_id="r", criteria=replace(JETO, rounds=30), decides=decides),
        provenance=FAKE_PROVENANCE,
    )


def pictures(done: Evaluation) -> dict[str, bytes]:
    assert done.samples is not None
    return dict(plot_instance(done.report, done.samples, done.confirmation))


def words(svg: bytes) -> str:
    root = ET.fromstring(svg)  # noqa: S314  # our own
    return " ".join(
        "".join(item.itertext()) for item in root.iter("{http://www.w3.org/2000/svg}text")
    )


def test_every_class_has_its_row_and_the_verdict_its_word() -> None:
    made = pictures(played(Decider.ROBUST))
    assert set(made) == set(PICTURES)
    assert "JoinTest (faster 2.00x)" in words(made[SCREEN])
    assert "TextTest" in words(made[SCREEN])
    assert "JoinTest (faster 2.00x)" in words(made[CONFIRMATION])
    assert "TextTest" not in words(made[CONFIRMATION])
    assert {"base", "candidate"} <= set(words(made[ROUNDS]).split())


def test_the_same_samples_give_the_same_bytes() -> None:
    done = played(Decider.ROBUST)
    assert pictures(done) == pictures(done)


def test_without_a_second_stage_there_is_no_picture_of_it() -> None:
    assert set(pictures(played(Decider.JETO))) == {SCREEN, ROUNDS}


def test_what_was_not_judged_has_no_picture() -> None:
    done = played(Decider.JETO)
    assert done.samples
    bare = replace(done.report, classes=(), overall=None, robust=None)
    assert plot_instance(bare, done.samples, None) == {}
