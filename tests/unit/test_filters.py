"""Small expressions that choose rows; nothing of them is run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import UsageError
from jeto_bench.filters import filtered, parse_filter
from jeto_bench.records import EtipRecord

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
FULL, SPARSE = decode_jsonl(GOLDEN.read_bytes())
RECORD = replace(FULL, repo_stars=100)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("repo=acme/*", True),
        ("repo=apache/*", False),
        ("repo=apache/*,acme/lib", True),
        ("repo!=apache/*", True),
        ("repo!=acme/*", False),
        ("tier=verified", True),
        ("tier=identified,executable", False),
        ("java_version=17", True),
        ("java_version>=17", True),
        ("java_version > 17", False),
        ("java_version<21", True),
        ("java_version!=8,11", True),
        ("created_at>=2024", True),
        ("created_at<2024", False),
        ("modules=core", True),
        ("modules!=c*", False),
        ("modules>=3", False),
        ("detector_tests>=1", True),
        ("detector_tests>2", False),
        ("pull_number=none", False),
        ("pull_number!=none", True),
        ("repo_stars>=100", True),
        ("verification.decision=*", True),
    ],
)
def test_an_expression_takes_a_row_or_not(text: str, taken: bool) -> None:  # noqa: FBT001
    assert parse_filter(text, EtipRecord).matches(RECORD) is taken


def test_no_value_is_neither_larger_nor_smaller() -> None:
    unknown = replace(RECORD, repo_stars=None)
    for text in ("repo_stars>=0", "repo_stars<1", "repo_stars=0", "repo_stars>none"):
        assert not parse_filter(text, EtipRecord).matches(unknown), text
    assert parse_filter("repo_stars=none", EtipRecord).matches(unknown)


def test_all_expressions_must_hold() -> None:
    filters = [parse_filter(text, EtipRecord) for text in ("repo=acme/*", "modules>=1")]
    assert filtered([FULL, SPARSE], filters) == (FULL,)
    assert filtered([FULL, SPARSE], []) == (FULL, SPARSE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("repo", "is not FIELD OP VALUE"),
        ("__import__('os')=1", "is not FIELD OP VALUE"),
        ("rep=acme/*", "Did you mean 'repo'"),
        ("verification.labls=x", "Did you mean 'labels'"),
        ("repo.name=x", "there is no field 'name'"),
        ("java_version=new", "'new' is not a number"),
        ("detector_tests=x", "only its length can be compared"),
        ("modules>=core", "'core' is not a number"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, told: str) -> None:
    with pytest.raises(UsageError, match="--filter") as caught:
        parse_filter(text, EtipRecord)
    assert told in str(caught.value)
