"""The texts of a record, by one rule wherever the record is made."""

from __future__ import annotations

import pytest

from jeto_bench.github.discussion import first_seen, hints_text, problem_statement
from jeto_bench.github.model import Issue, IssueRef, PullRequest

REF = IssueRef(repo="acme/lib", number=7)
ISSUE = Issue(
    ref=REF,
    title="Slow",
    body="Very.\n\n",
    created_at="2020-01-01T00:00:00Z",
    labels=(),
    is_pull_request=False,
    comments=(
        ("2020-01-02T00:00:00Z", "Since when?"),
        ("2020-01-03T00:00:00Z", "Since 1.2"),
        ("2020-01-04T00:00:00Z", "Use a map"),
    ),
)
PULL = PullRequest(
    ref=IssueRef(repo="acme/lib", number=8),
    title="Faster",
    body="",
    created_at="2020-01-03T12:00:00Z",
    merged_at="2020-01-05T00:00:00Z",
    base_branch="main",
    base_commit="0" * 40,
    head_commit="1" * 40,
    merge_commit="2" * 40,
    commits=("1" * 40,),
    closing=(REF,),
)


def test_a_statement_is_the_title_and_the_body() -> None:
    assert problem_statement(ISSUE) == "Slow\n\nVery.\n"
    assert problem_statement(PULL) == "Faster\n"


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("2020-01-05T00:00:00Z", "2020-01-03T12:00:00Z"),
        ("2020-01-02T12:00:00Z", "2020-01-02T12:00:00Z"),
        ("2020-01-03T12:00:00+02:00", "2020-01-03T12:00:00+02:00"),
    ],
)
def test_a_fix_is_seen_when_written_or_proposed(written: str, seen: str) -> None:
    assert first_seen(written, PULL) == seen
    assert first_seen(written, None) == written


def test_hints_end_where_the_fix_begins() -> None:
    assert hints_text(ISSUE, before="2020-01-03T12:00:00Z") == "Since when?\n\nSince 1.2"
    assert hints_text(ISSUE, before="2020-01-03T00:00:00Z") == "Since when?"
    assert hints_text(ISSUE, before="2020-01-01T00:00:00Z") == ""
