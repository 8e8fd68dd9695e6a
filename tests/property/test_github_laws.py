"""Laws of asking: nothing is lost between windows, no wait is unbounded, any answer is read."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from jeto_bench.github.limits import LONGEST_WAIT_S, Kind, Trouble, trouble_of, wait_seconds
from jeto_bench.github.windows import Window, split
from jeto_mine.classifiers.prompt import UnreadableAnswerError, read_answer
from jeto_mine.classifiers.protocol import Label

START = datetime(2015, 1, 1, tzinfo=UTC)
HEADERS = st.dictionaries(
    st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset", "date"]),
    st.text(max_size=20) | st.integers().map(str),
)


@given(st.integers(2, 10**9), st.integers(1000, 10**7))
def test_every_second_is_in_exactly_one_part(seconds: int, total: int) -> None:
    """field.md row 113."""
    whole = Window(start=START, end=START + timedelta(seconds=seconds - 1))
    at = whole.start
    for part in split(whole, total):
        assert part.start == at
        assert part.seconds >= 1
        at = part.end + timedelta(seconds=1)
    assert at == whole.end + timedelta(seconds=1)


@given(st.integers(100, 599), HEADERS, st.text(max_size=40), st.integers(1, 50))
def test_whatever_a_server_says_the_wait_is_bounded(
    status: int, headers: dict[str, str], body: str, attempt: int
) -> None:
    """field.md row 103: headers that make no sense included."""
    trouble = trouble_of(status, headers, body, now=1.7e9)
    if trouble is not None:
        assert 0 < wait_seconds(trouble, attempt=attempt, draw=0.5) <= LONGEST_WAIT_S


@given(st.sampled_from(Kind), st.floats(0, 1e12), st.integers(1, 20), st.floats(0, 0.999))
def test_a_wait_is_as_long_as_was_asked_for(
    kind: Kind, after: float, attempt: int, draw: float
) -> None:
    wait = wait_seconds(Trouble(kind=kind, after=after), attempt=attempt, draw=draw)
    assert wait >= min(after, LONGEST_WAIT_S)


@given(st.text(max_size=200))
def test_any_text_is_an_answer_or_none(raw: str) -> None:
    """field.md row 117: reading never fails otherwise."""
    try:
        label, _ = read_answer(raw)
    except UnreadableAnswerError:
        return
    assert label in set(Label)


@given(st.sampled_from(Label), st.text(max_size=80), st.text(max_size=30), st.text(max_size=30))
def test_an_object_that_says_its_label_is_read_amid_prose(
    label: Label, reason: str, before: str, after: str
) -> None:
    """field.md row 117."""
    prose = [text.replace("{", "").replace("}", "") for text in (before, after)]
    raw = f"{prose[0]}{json.dumps({'label': label.value, 'reason': reason})}{prose[1]}"
    assert read_answer(raw) == (label, " ".join(reason.replace('\\"', '"').split()))
