from __future__ import annotations

from collections.abc import Sequence

import pytest

from jeto_evaluate.sandbox.oom_kills import OomKills

_FIRST = b"oom_kill_disable 0\nunder_oom 0\noom_kill %d\n"
_SECOND = b"low 0\nhigh 0\nmax 7\noom 1\noom_kill %d\noom_group_kill 0\n"


def _asked(answers: Sequence[bytes]) -> list[bool]:
    """What is said after the first answer, which is the beginning."""
    left = list(answers)
    kills = OomKills(lambda: left.pop(0))
    return [kills.grown() for _ in answers[1:]]


@pytest.mark.parametrize("text", [_FIRST, _SECOND])
def test_only_what_is_new_counts_in_either_version_of_control_groups(text: bytes) -> None:
    assert _asked([text % 2, text % 2, text % 3, text % 3]) == [False, True, False]


def test_no_answer_is_not_the_news_that_there_was_none() -> None:
    assert _asked([_FIRST % 2, b"", _FIRST % 2, _FIRST % 3]) == [False, False, True]
