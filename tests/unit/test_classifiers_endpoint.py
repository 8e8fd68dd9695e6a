"""The endpoint classifier: answers of every kind read, paid for once, within the budget."""

from __future__ import annotations

import json
import logging
from collections import deque
from pathlib import Path
from typing import Any

import httpx
import pytest
from github_stub import SECRET, FakeClock

from jeto_bench.errors import DecodeError, InfrastructureError, UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.model import IssueRef
from jeto_bench.github.token import Token
from jeto_mine.classifiers.choose import Endpoint, choose
from jeto_mine.classifiers.endpoint import EndpointClassifier
from jeto_mine.classifiers.prices import Budget, Price, read_prices
from jeto_mine.classifiers.prompt import UnreadableAnswerError, question, read_answer
from jeto_mine.classifiers.protocol import Classification, IssueText, Label

GOOD = '{"label": "yes", "reason": "says slow"}'


def issue(number: int = 1, body: str = "It takes minutes.") -> IssueText:
    return IssueText(ref=IssueRef(repo="Acme/lib", number=number), title="Slow", body=body)


class Model:
    """A chat endpoint that gives prepared answers and remembers what it was asked."""

    def __init__(self, *answers: str | tuple[int, dict[str, str], bytes]) -> None:
        self.answers = deque(answers)
        self.asked: list[dict[str, Any]] = []
        self.usage: dict[str, int] | None = {"prompt_tokens": 1000, "completion_tokens": 100}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(json.loads(request.content))
        assert request.url.path == "/v1/chat/completions"
        assert request.headers["authorization"] == f"Bearer {SECRET}"
        answer = self.answers.popleft()
        if not isinstance(answer, str):
            status, headers, body = answer
            return httpx.Response(status, headers=headers, content=body)
        value: dict[str, Any] = {"choices": [{"message": {"content": answer}}]}
        if self.usage is not None:
            value["usage"] = self.usage
        return httpx.Response(200, json=value)

    def classifier(
        self, cache: Path, *, limit: float | None = None, clock: FakeClock | None = None
    ) -> EndpointClassifier:
        return EndpointClassifier(
            url="https://model.example/v1/",
            model="small",
            token=Token(SECRET),
            price=Price(input=1.0, output=10.0),
            budget=Budget(limit=limit),
            cache=Cache(cache),
            clock=(clock or FakeClock()).clock(),
            transport=httpx.MockTransport(self),
        )


@pytest.mark.parametrize(
    ("raw", "label", "reason"),
    [
        (GOOD, Label.YES, "says slow"),
        (f"```json\n{GOOD}\n```", Label.YES, "says slow"),
        (f"Sure! Here is it:\n```\n{GOOD}\n```\nHope it helps {{:-)}}", Label.YES, "says slow"),
        ('{"reason": "a \\"quote\\"", "label": "NO"}', Label.NO, 'a "quote"'),
        ('{"label": "no", "reason": "a "slow" in passing"}', Label.NO, 'a "slow" in passing'),
        ('```\n{"label": "no", "reason": "he said "x""}\n```', Label.NO, 'he said "x"'),
        ('{"label": "unsure", "reason": "cut off in the mid', Label.UNSURE, "cut off in the mid"),
        ("label: yes\nreason: takes minutes", Label.YES, "takes minutes"),
        ("{'label': 'no', 'reason': 'a crash'}", Label.NO, "a crash"),
        ("**Yes.**", Label.YES, ""),
        ('{"thought": {"label": "x"}} {"label": "no", "reason": null}', Label.NO, ""),
    ],
)  # fmt: skip
def test_an_answer_is_read_however_it_is_wrapped(raw: str, label: Label, reason: str) -> None:
    """field.md row 117: a fence with prose, quotes that are not escaped, a bare word."""
    assert read_answer(raw) == (label, reason)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " \n",
        "{}",
        "I cannot tell whether yes or no is right.",
        '{"label": "maybe", "reason": "x"}',
        '{"label": "yes"} or {"label": "no"}',
        'either "label": "yes" or "label": "no"',
        "[" * 5000,
        '{"label": null}',
    ],
)
def test_an_answer_without_one_label_is_none(raw: str) -> None:
    """field.md row 117: never taken for one of the labels."""
    with pytest.raises(UnreadableAnswerError):
        read_answer(raw)


def test_the_answer_is_read_inside_the_retry_and_kept_raw(tmp_path: Path) -> None:
    """field.md row 117: asked again after an empty answer; every answer is kept and paid."""
    model = Model("", "I think so.", GOOD)
    (found,) = model.classifier(tmp_path).classify([issue()])
    assert (found.label, found.reason) == (Label.YES, "says slow")
    assert found.raw == f"\n---\nI think so.\n---\n{GOOD}"
    assert found.cost == pytest.approx(3 * (1000 * 1 + 100 * 10) / 1e6)
    assert [len(asked["messages"]) for asked in model.asked] == [2, 4, 6]
    assert all(asked["temperature"] == 0 for asked in model.asked)


def test_answers_that_cannot_be_read_are_unsure_never_a_label(tmp_path: Path) -> None:
    """field.md row 117: the third label, and the raw answers are there to be looked at."""
    model = Model("", "no idea", "Yes and no")
    (found,) = model.classifier(tmp_path).classify([issue()])
    assert found.label is Label.UNSURE
    assert found.reason == "no answer that can be read: no label"
    assert "no idea" in found.raw


def test_an_answer_is_paid_for_once_and_another_prompt_or_model_is_another_question(
    tmp_path: Path,
) -> None:
    """field.md row 117: cached by prompt and model; a run that was interrupted goes on."""
    model = Model(GOOD, "", GOOD, GOOD)
    first = list(model.classifier(tmp_path).classify([issue(1), issue(2, "other")]))
    again_classifier = model.classifier(tmp_path)
    again = list(again_classifier.classify([issue(1), issue(2, "other")]))
    assert len(model.asked) == 3
    assert [item.label for item in again] == [item.label for item in first]
    assert [item.raw for item in again] == [item.raw for item in first]
    assert sum(item.cost for item in again) == 0
    assert again_classifier.budget.spent == 0
    other = model.classifier(tmp_path)
    other.model = "large"
    list(other.classify([issue(1)]))
    assert len(model.asked) == 4
    assert other.name != again_classifier.name


def test_no_question_is_asked_that_might_cross_the_limit(tmp_path: Path) -> None:
    model = Model(*[GOOD] * 9)
    classifier = model.classifier(tmp_path, limit=0.012)
    answers: list[Classification] = []
    with pytest.raises(UsageError, match=r"--max-cost 0\.012 is reached: 0\.0\d+ US"):
        answers.extend(classifier.classify([issue(n, f"Text {n}") for n in range(9)]))
    assert 0 < len(model.asked) < 9
    assert classifier.budget.spent <= 0.012
    more = model.classifier(tmp_path, limit=1.0)
    assert len(list(more.classify([issue(n, f"Text {n}") for n in range(9)]))) == 9
    assert len(model.asked) == 9


def test_tokens_that_are_not_told_are_counted_as_the_most_they_can_be(tmp_path: Path) -> None:
    model = Model(GOOD)
    model.usage = None
    classifier = model.classifier(tmp_path)
    (found,) = classifier.classify([issue()])
    assert found.cost == classifier.budget.spent > 300 * 10 / 1e6


def test_troubles_are_waited_for_and_refusals_told(tmp_path: Path) -> None:
    """field.md row 103: 429 with and without a hint, 5xx, an answer cut off."""
    clock = FakeClock()
    model = Model(
        (429, {"retry-after": "3"}, b""),
        (429, {}, b""),
        (500, {}, b""),
        (200, {}, b'{"choices": [{"mess'),
        (200, {}, b"{}"),
        GOOD,
    )
    (found,) = model.classifier(tmp_path, clock=clock).classify([issue()])
    assert found.label is Label.YES
    assert clock.slept == [4, 120, 4, 8, 16]
    refused = Model((401, {}, f"bad key {SECRET}".encode()))
    with pytest.raises(InfrastructureError, match=r"HTTP 401: bad key \*\*\*"):
        list(refused.classifier(tmp_path / "x").classify([issue()]))
    down = Model(*[(503, {}, b"")] * 6)
    with pytest.raises(InfrastructureError, match="HTTP 503, 6 times"):
        list(down.classifier(tmp_path / "x").classify([issue()]))


def test_the_key_shows_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    model = Model((429, {}, SECRET.encode()), f"{GOOD} {SECRET}")
    classifier = model.classifier(tmp_path)
    (found,) = classifier.classify([issue()])
    files = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [
        text for text in (*files, caplog.text, found.raw, repr(classifier)) if SECRET in text
    ]


def test_a_long_text_loses_its_middle_and_cannot_end_its_frame() -> None:
    asked = question(issue(body="a" * 7000 + "=" * 20 + "b" * 7000))
    assert "characters left out" in asked
    assert asked.count("=" * 20) == 2
    assert len(asked) < 13_000
    assert "(no text)" in question(issue(body=""))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "one JSON object"),
        ('{"m": {"input": 1}}', "missing field output"),
        ('{"m": {"input": 1, "output": -1}}', r"m\.output: -1\.0 is no price"),
        ('{"m": {"input": NaN, "output": 1}}', "is no price"),
    ],
)
def test_a_bad_price_table_is_refused(text: str, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        read_prices(text.encode(), source="prices.json")


def test_an_endpoint_is_chosen_with_its_price(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    prices = tmp_path / "prices.json"
    prices.write_text('{"m": {"input": 0, "output": 0}}', encoding="utf-8")
    endpoint = Endpoint(url="http://localhost:1/v1", model="m", prices=prices, work=tmp_path)
    assert choose("endpoint", endpoint).name.startswith("m-")
    other = Endpoint(url="http://localhost:1/v1", model="n", prices=prices, work=tmp_path)
    with pytest.raises(UsageError, match="no price of n"):
        choose("endpoint", other)
    secret = Endpoint(url="http://u:pw@localhost/v1", model="m", prices=prices, work=tmp_path)
    with pytest.raises(UsageError, match="without user and password"):
        choose("endpoint", secret)
