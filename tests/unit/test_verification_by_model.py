"""A language model as an annotator: three questions, no label where it is unsure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import pytest
from synthetic_records import synthetic_records
from typer.testing import CliRunner

from jeto_bench.encode import records_to_jsonl
from jeto_bench.errors import UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.token import Token
from jeto_bench.records import Tier
from jeto_mine.classifiers.endpoint import EndpointClassifier
from jeto_mine.classifiers.prices import Budget, Price
from jeto_mine.classifiers.protocol import Classification, IssueText, Label
from jeto_mine.cli.main import app
from jeto_mine.verification.labels import read_labels
from jeto_mine.verification.machine import PROMPTS, label_by_model
from jeto_mine.verification.model import REQUIREMENTS, Answers, Decision

RECORDS = tuple(item for item in synthetic_records(9) if item.tier is not Tier.IDENTIFIED)[:3]


@dataclass
class Says:
    """A classifier that says what it is told to, issue by issue."""

    labels: Sequence[Label]
    seen: list[IssueText] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "told"

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        for issue in issues:
            label = self.labels[len(self.seen)]
            self.seen.append(issue)
            yield Classification(ref=issue.ref, label=label, reason="so", classifier=self.name)


def test_each_requirement_has_its_question() -> None:
    assert set(PROMPTS) == set(REQUIREMENTS)
    assert len(set(PROMPTS.values())) == 3
    assert all('"label": "yes" or "no" or "unsure"' in text for text in PROMPTS.values())


def test_a_model_labels_what_it_is_sure_of(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    yes, no, unsure = Label.YES, Label.NO, Label.UNSURE
    told = {
        "improves": Says([yes, yes, yes]),
        "beyond_tests": Says([yes, yes, yes]),
        "keeps_functionality": Says([yes, no, unsure]),
    }
    one, two, three = label_by_model(RECORDS, path, "model", told)
    assert one.label
    assert one.label.decision is Decision.IMPROVEMENT
    assert two.label
    assert two.label.answers == Answers(improves=True, beyond_tests=True, keeps_functionality=False)
    assert three.label is None
    assert read_labels(path) == (one.label, two.label)
    body = told["improves"].seen[0].body
    assert RECORDS[0].patch in body
    again = {name: Says([yes]) for name in REQUIREMENTS}
    assert [item.instance_id for item in label_by_model(RECORDS, path, "model", again)] == [
        RECORDS[2].instance_id
    ]


def test_an_endpoint_is_asked_three_questions(tmp_path: Path) -> None:
    asked: list[dict[str, object]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        said = {"label": "yes", "reason": f"reason {len(asked)}"}
        return httpx.Response(200, json={"choices": [{"message": {"content": json.dumps(said)}}]})

    classifier = EndpointClassifier(
        url="http://model.example/v1",
        model="m",
        token=Token(""),
        price=Price(input=0, output=0),
        budget=Budget(limit=None),
        cache=Cache(tmp_path / "answers"),
        transport=httpx.MockTransport(answer),
    )
    told = {name: replace(classifier, system=text) for name, text in PROMPTS.items()}
    (found,) = label_by_model(RECORDS[:1], tmp_path / "labels.jsonl", "m", told)
    assert found.label
    assert found.label.note == "reason 1 | reason 2 | reason 3"
    systems = [item["messages"][0]["content"] for item in asked]  # type: ignore[index]
    assert systems == list(PROMPTS.values())
    assert len({item.name for item in told.values()}) == 3


def test_the_command_says_what_an_endpoint_needs(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_bytes(records_to_jsonl(RECORDS))
    words = ["verify-by-model", str(records), "--labels", "x.jsonl", "--annotator", "m"]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, UsageError)
    with pytest.raises(UsageError, match="an endpoint needs its address, a model and its prices"):
        raise done.exception
