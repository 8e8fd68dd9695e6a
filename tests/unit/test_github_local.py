"""A folder of exported JSONL answers as the forge itself would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jeto_bench.errors import DecodeError, UsageError
from jeto_bench.github.local import LocalStore
from jeto_bench.github.model import Issue, IssueRef, PullRequest, Repository
from jeto_bench.github.source import GitHubSource

REPOSITORY: dict[str, Any] = {
    "full_name": "Acme/lib",
    "database_id": 7,
    "stars": 21,
    "archived": False,
    "fork": False,
    "license": "MIT",
    "language": "Java",
    "default_branch": "main",
    "pushed_at": "2024-05-01T12:00:00Z",
}
PULL: dict[str, Any] = {
    "ref": {"repo": "Acme/lib", "number": 3},
    "title": "Look up once",
    "body": "Closes #2",
    "created_at": "2024-04-01T12:00:00Z",
    "merged_at": "2024-04-02T12:00:00Z",
    "base_branch": "main",
    "base_commit": "1" * 40,
    "head_commit": "2" * 40,
    "merge_commit": "3" * 40,
    "commits": ["a" * 40, "2" * 40],
    "closing": [{"repo": "Acme/lib", "number": 2}],
}
ISSUE: dict[str, Any] = {
    "ref": {"repo": "Acme/lib", "number": 2},
    "title": "Slow",
    "body": "",
    "created_at": "2024-03-01T12:00:00+02:00",
    "labels": ["performance"],
    "is_pull_request": False,
    "comments": [["2024-03-02T12:00:00Z", "Same here."]],
}


def store(folder: Path, **files: list[dict[str, Any]]) -> LocalStore:
    for name, values in files.items():
        lines = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return LocalStore(folder)


def test_everything_comes_back_typed(tmp_path: Path) -> None:
    local: GitHubSource = store(tmp_path, repositories=[REPOSITORY], pulls=[PULL], issues=[ISSUE])
    assert local.repository("acme/LIB") == Repository(**REPOSITORY)
    (pull,) = local.pulls("Acme/lib", [3, 4]).values()
    assert pull.closing == (IssueRef(repo="Acme/lib", number=2),)
    assert pull.commits == ("a" * 40, "2" * 40)
    with_comments = local.issues("Acme/lib", [2, 9], comments=True)
    assert with_comments[2].comments == (("2024-03-02T12:00:00Z", "Same here."),)
    assert list(with_comments) == [2]
    assert local.issues("Acme/lib", [2])[2].comments == ()
    assert local.repository("acme/gone") is None


def test_a_commit_belongs_to_the_pull_requests_that_name_it(tmp_path: Path) -> None:
    open_one = PULL | {
        "ref": {"repo": "Acme/lib", "number": 5},
        "merged_at": "",
        "merge_commit": "",
    }
    local = store(tmp_path, pulls=[PULL, open_one])
    found = local.pulls_of_commits("Acme/lib", ["a" * 40, "3" * 40, "9" * 40])
    assert {commit: [pull.ref.number for pull in pulls] for commit, pulls in found.items()} == {
        "a" * 40: [3],
        "3" * 40: [3],
    }


def test_what_the_forge_said_of_a_commit_outranks_what_follows_from_the_pulls(
    tmp_path: Path,
) -> None:
    """A pull request merged by rebasing: its commits on the base branch are others than its own."""
    said: list[dict[str, Any]] = [
        {"repo": "Acme/lib", "commit": "b" * 40, "pulls": [3]},
        {"repo": "Acme/lib", "commit": "a" * 40, "pulls": []},
    ]
    local = store(tmp_path, pulls=[PULL], commits=said)
    assert list(local.pulls_of_commits("Acme/lib", ["a" * 40, "b" * 40])) == ["b" * 40]


def test_a_repository_is_found_by_its_former_name(tmp_path: Path) -> None:
    moved = [{"asked": "Old/lib", "full_name": "Acme/lib"}]
    local = store(tmp_path, repositories=[REPOSITORY], issues=[ISSUE], moved=moved)
    asked = local.repository("old/lib")
    assert asked is not None
    assert asked.full_name == "Acme/lib"
    assert list(local.issues("Old/Lib", [2])) == [2]


def test_comments_may_be_left_out_of_a_file(tmp_path: Path) -> None:
    plain = {key: value for key, value in ISSUE.items() if key != "comments"}
    (issue,) = store(tmp_path, issues=[plain]).all_issues()
    assert isinstance(issue, Issue)
    assert issue.comments == ()


def test_a_folder_without_an_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no export.*\n.*issues\.jsonl"):
        LocalStore(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ref": {"repo": "lib", "number": 2}}, r"ref\.repo: 'lib' is no name"),
        ({"ref": {"repo": "Acme/lib", "number": 0}}, r"ref\.number: 0 is no number"),
        ({"created_at": "2024-03-01"}, r"created_at: '2024-03-01' is no time"),
        ({"created_at": "yesterday"}, r"created_at: 'yesterday' is no time"),
        ({"comments": [["2024-03-02T12:00:00Z"]]}, r"comments\[0\]: expected a time and a text"),
        ({"comments": [["now", "x"]]}, r"comments\[0\]\[0\]: 'now' is no time"),
        ({"titel": "Slow"}, r"titel: unknown field\n.*'title'"),
        ({"labels": "performance"}, r"labels: expected a list"),
    ],
)
def test_a_bad_issue_is_refused_by_line_and_field(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    other = {**ISSUE, "ref": {"repo": "Acme/lib", "number": 8}}
    with pytest.raises(DecodeError, match=rf"issues\.jsonl:2: {said}"):
        store(tmp_path, issues=[other, ISSUE | change]).all_issues()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"merge_commit": "3"}, r"merge_commit: '3' is no commit"),
        ({"commits": ["A" * 40]}, r"commits\[0\]: 'A+' is no commit"),
        ({"closing": [{"repo": "Acme", "number": 1}]}, r"closing\[0\]\.repo"),
        ({"merged_at": "soon"}, r"merged_at: 'soon' is no time"),
    ],
)
def test_a_bad_pull_request_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(DecodeError, match=rf"pulls\.jsonl:1: {said}"):
        store(tmp_path, pulls=[PULL | change]).pulls("Acme/lib", [3])


def test_two_lines_for_one_thing_are_refused(tmp_path: Path) -> None:
    twice = [ISSUE, ISSUE | {"ref": {"repo": "acme/LIB", "number": 2}}]
    with pytest.raises(DecodeError, match=r"issues\.jsonl:2: .* already in line 1"):
        store(tmp_path, issues=twice).issues("Acme/lib", [2])


def test_a_line_separator_inside_a_text_does_not_end_the_line(tmp_path: Path) -> None:
    (issue,) = store(tmp_path, issues=[ISSUE | {"body": "a\u2028b"}]).all_issues()
    assert issue.body == "a\u2028b"


def test_a_deleted_pull_request_that_the_forge_still_names_is_missing(tmp_path: Path) -> None:
    said = [{"repo": "Acme/lib", "commit": "b" * 40, "pulls": [99]}]
    local = store(tmp_path, pulls=[PULL], commits=said)
    assert local.pulls_of_commits("Acme/lib", ["b" * 40]) == {}
    assert isinstance(local.pulls("Acme/lib", [3])[3], PullRequest)
