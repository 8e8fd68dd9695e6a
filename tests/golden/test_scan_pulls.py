"""Commits of pull requests, however these were merged and whatever the clone has of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from made_history import START, Files, MadeHistory
from scan_world import MAIN, MAVEN, POM, REPO, World, java

from jeto_bench.github.local import LocalStore
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.scan import Scanned, ScanOptions, scan_clone

OWN = ["a" * 40, "b" * 40]
"""Commits of a pull request's own branch, which no clone has."""


def world() -> World:
    made = World(history=MadeHistory())
    made.issue(1, "slow")
    files: Files = {
        "pom.xml": POM,
        "mvnw": "#!/bin/sh\n",
        ".mvn/wrapper/maven-wrapper.properties": f"distributionUrl={MAVEN}\n",
    }
    made.add("root", "Begin", files)
    return made


def scan(made: World, folder: Path) -> tuple[Scanned, dict[str, str]]:
    made.history.point("refs/heads/main", made.tip)
    ids = made.write(folder)
    source = LocalStore(folder / "export")
    found = scan_clone(folder / "acme__engine", REPO, ScanOptions(), source=source)
    assert sum(found.reasons.values()) + len(found.records) == found.commits
    return found, ids


def heads(found: Scanned) -> list[str]:
    return [record.fix_commits[-1] for record in found.records]


def test_a_rebase_is_told_by_the_forge_where_the_clone_lacks_its_commits(tmp_path: Path) -> None:
    made = world()
    made.main("one", "One, fixes #1")
    made.main("two", "Two")
    made.pull(5, made.tip, commits=OWN, told=[made.tip - 1, made.tip])
    found, ids = scan(made, tmp_path)
    (record,) = found.records
    assert record.base_commit == ids["root"]
    assert record.fix_commits == (ids["one"], ids["two"])
    assert record.patch.count("diff --git") == 2
    assert found.reasons[ScanReason.IN_MERGE] == 1


def test_what_nobody_tells_is_left_out_and_not_guessed(tmp_path: Path) -> None:
    made = world()
    made.main("one", "One, fixes #1")
    made.main("two", "Two, fixes #1")
    made.pull(5, made.tip, commits=OWN)
    found, ids = scan(made, tmp_path)
    assert found.left_out == {ids["two"]: ScanReason.PULL_UNCLEAR}
    assert heads(found) == [ids["one"]], "no forge counts it to the pull request"


@pytest.mark.parametrize("message", ["Pull 5", "Pull 5\n\n* one\n* two", "Something else (#5)"])
def test_a_squash_of_many_commits_is_one_commit(tmp_path: Path, message: str) -> None:
    made = world()
    made.main("squash", message)
    made.pull(5, made.tip, commits=OWN, body="fixes #1")
    found, ids = scan(made, tmp_path)
    (record,) = found.records
    assert record.fix_commits == (ids["squash"],)
    assert (record.pull_number, record.issue_number) == (5, 1)


@pytest.mark.parametrize(
    ("other", "reason"), [("pom.xml", ScanReason.PULL_FILES), (f"{MAIN}B.java", None)]
)
def test_a_commit_of_a_merge_that_only_the_forge_knows_is_replaced(
    tmp_path: Path, other: str, reason: ScanReason | None
) -> None:
    """The merge does not say that it merges a pull request, and is opened by its message."""
    made = world()
    changes: tuple[Files, Files] = (
        {f"{MAIN}A.java": java("A", "fast();")},
        {other: POM + "<!-- -->\n"},
    )
    first = made.history.commit("One, fixes #1", changes[0], made.tip)
    second = made.history.commit("Two", changes[1], first)
    trunk = made.main("beside", "Meanwhile")
    message = "Merge remote-tracking branch 'ada/x'"
    made.tip = made.history.commit(message, {**changes[0], **changes[1]}, trunk, second)
    made.names |= {"one": first, "two": second, "merge": made.tip}
    made.pull(5, made.tip, commits=[first, second])
    found, ids = scan(made, tmp_path)
    if reason is not None:
        assert found.left_out[ids["one"]] is reason
        assert found.records == ()
        return
    (record,) = found.records
    assert record.base_commit == ids["beside"]
    assert record.fix_commits == (ids["one"], ids["two"], ids["merge"])


def test_two_changes_of_one_issue_are_named_by_their_commits(tmp_path: Path) -> None:
    made = world()
    made.main("one", "One, fixes #1")
    made.main("two", "Two, fixes #1")
    found, ids = scan(made, tmp_path)
    names: Sequence[str] = [record.instance_id for record in found.records]
    assert names == [f"acme__engine-{ids[name][:7]}" for name in ("one", "two")]


def test_times_are_those_of_the_committer(tmp_path: Path) -> None:
    made = world()
    files: Files = {f"{MAIN}A.java": java("A", "fast();")}
    made.tip = made.history.commit(
        "Written long before. Fixes #1", files, made.tip, authored=1_000_000_000, committed=START
    )
    found, _ = scan(made, tmp_path)
    assert [record.created_at for record in found.records] == ["2015-12-13T09:46:40Z"]
