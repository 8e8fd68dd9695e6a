"""Names and answers from outside that lead elsewhere, or break what reads them, are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import InfrastructureError, UsageError
from jeto_bench.github.check import checked_name
from jeto_bench.load import download
from jeto_bench.publishing.hub import Hub
from jeto_bench.validate import check_record
from jeto_bench.versions.numbers import SemanticVersion

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD = decode_jsonl(GOLDEN.read_bytes())[0]


@pytest.mark.parametrize(
    "repo", ["../..", "acme/..", "acme/.", ".git/x", "-x/y", "a/b/c", "\u0430/b"]
)
def test_a_repository_is_no_way_out_of_a_folder(repo: str) -> None:
    """`../..` passed for owner/name, and clones were looked for there."""
    problem = check_record(replace(RECORD, repo=repo))
    assert problem is not None
    assert problem.field == "repo"


@pytest.mark.parametrize("repo", ["acme/..", "acme/.", "../x"])
def test_github_is_not_asked_for_dots(repo: str) -> None:
    with pytest.raises(UsageError):
        checked_name(repo)


def test_an_id_is_short_enough_for_a_files_name() -> None:
    owner = "a" * 300
    long = replace(RECORD, repo=f"{owner}/x", instance_id=f"{owner}__x-1", pull_number=1)
    problem = check_record(long)
    assert problem is not None
    assert (problem.field, problem.message) == ("instance_id", "longer than 200 characters")


def test_digits_of_other_scripts_are_no_version() -> None:
    problem = check_record(replace(RECORD, maven_version="3.\u0669.1"))
    assert problem is not None
    assert problem.field == "maven_version"


@pytest.mark.parametrize("text", [f"{'9' * 5000}.0.0", "1.\u0661\u0660.0", "1.0.0\n"])
def test_a_version_that_no_integer_holds_is_refused(text: str) -> None:
    """5000 digits ended in a traceback."""
    with pytest.raises(UsageError, match="is not a semantic version"):
        SemanticVersion.parse(text)


@pytest.mark.parametrize("raised", [KeyError("oid"), TypeError("none"), AttributeError("x")])
def test_answers_that_are_no_hubs_are_told(
    raised: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """huggingface_hub reads answers unchecked; those of something else ended in a traceback."""
    pytest.importorskip("huggingface_hub")
    api = Mock()
    api.list_repo_refs.side_effect = raised
    with pytest.raises(InfrastructureError, match="the Hub could not list tags"):
        Hub(api=api, token=False, sleep=Mock(), say=Mock()).state("org/name")
    monkeypatch.setattr("huggingface_hub.snapshot_download", Mock(side_effect=raised))
    with pytest.raises(InfrastructureError, match="cannot fetch org/name from the Hub"):
        download("org/name", "mini", None)
