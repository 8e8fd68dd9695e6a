"""A history with one of everything: each commit ends where the yield table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from made_history import git
from scan_world import REPO, TitleClassifier, World, made_world

from jeto_bench.github.local import LocalStore
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.records import EtipRecord
from jeto_mine.identified.criteria import Criteria
from jeto_mine.identified.issues import Linking
from jeto_mine.identified.reasons import Mark, ScanReason
from jeto_mine.identified.scan import Scanned, ScanOptions, scan_clone

KEPT = {
    "good": f"{REPO}#1",
    "squash": f"{REPO}#10",
    "merge of pull": f"{REPO}#11",
    "merge of branch": f"{REPO}#5",
    "rebased 12 1": f"{REPO}#12",
    "rename": f"{REPO}#9",
    "latin header": f"{REPO}#14",
    "latin": f"{REPO}#18",
    "quick": f"{REPO}#16",
    "latest": f"{REPO}#23",
}
LEFT_OUT = {
    "colour": ScanReason.NOT_ABOUT_TIME,
    "unclear": ScanReason.CLASSIFIER_UNSURE,
    "elsewhere": ScanReason.LINKED_ELSEWHERE,
    "closes nothing": ScanReason.ISSUE_MISSING,
    "closes a pull": ScanReason.LINKED_TO_PULL,
    "rebased 12 0": ScanReason.IN_MERGE,
    "rebased 13 0": ScanReason.PULL_FILES,
    "latin path": ScanReason.PATH_NOT_UTF8,
    "latin content": ScanReason.PATCH_NOT_UTF8,
    "back-port": ScanReason.DUPLICATE,
    "alone": ScanReason.BASE_MISSING,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("world")


@pytest.fixture(scope="module")
def made(folder: Path) -> tuple[World, dict[str, str]]:
    return made_world(folder)


@pytest.fixture(scope="module")
def ids(made: tuple[World, dict[str, str]]) -> dict[str, str]:
    return made[1]


@pytest.fixture(scope="module")
def scanned(folder: Path, ids: dict[str, str]) -> Scanned:
    assert ids
    return scan(folder)


def scan(folder: Path, options: ScanOptions | None = None) -> Scanned:
    return scan_clone(
        folder / "acme__engine",
        REPO,
        options or ScanOptions(),
        source=LocalStore(folder / "export"),
        classifier=TitleClassifier(),
    )


def by_name(scanned: Scanned, ids: dict[str, str]) -> dict[str, EtipRecord]:
    names = {commit: name for name, commit in ids.items()}
    return {names[record.fix_commits[-1]]: record for record in scanned.records}


def test_what_is_kept_and_under_which_number(scanned: Scanned, ids: dict[str, str]) -> None:
    found = by_name(scanned, ids)
    assert {
        name: record.instance_id.replace("__", "/", 1).replace("-", "#")
        for name, record in found.items()
    } == KEPT


def test_what_passes_the_criteria_and_is_left_out(scanned: Scanned, ids: dict[str, str]) -> None:
    names = {commit: name for name, commit in ids.items()}
    assert {names[commit]: reason for commit, reason in scanned.left_out.items()} == LEFT_OUT


def test_every_commit_ends_once(folder: Path, scanned: Scanned) -> None:
    """field.md row 107: no commit is lost silently."""
    count = int(git(folder / "acme__engine", "rev-list", "--count", "main"))
    assert scanned.commits == count
    assert sum(scanned.reasons.values()) + len(scanned.records) == count


def test_the_yield_table(scanned: Scanned) -> None:
    assert scanned.reasons == {
        ScanReason.OVERSIZED: 1,
        ScanReason.IN_MERGE: 5,
        ScanReason.MERGE_OF_BRANCHES: 2,
        ScanReason.BEFORE_SINCE: 1,
        ScanReason.NO_FILES: 1,
        ScanReason.TOO_MANY_FILES: 1,
        ScanReason.OTHER_FILES: 2,
        ScanReason.TOUCHES_TESTS: 2,
        ScanReason.REVERT: 1,
        ScanReason.REVERTED: 1,
        ScanReason.BOT: 1,
        ScanReason.NOT_LINKED: 3,
        ScanReason.LINKED_ELSEWHERE: 1,
        ScanReason.PULL_FILES: 1,
        ScanReason.LINKED_TO_PULL: 1,
        ScanReason.ISSUE_MISSING: 1,
        ScanReason.NOT_ABOUT_TIME: 1,
        ScanReason.CLASSIFIER_UNSURE: 1,
        ScanReason.BASE_MISSING: 1,
        ScanReason.PATH_NOT_UTF8: 1,
        ScanReason.PATCH_NOT_UTF8: 1,
        ScanReason.DUPLICATE: 1,
    }


def test_latin_1_is_decoded_late_and_told(scanned: Scanned, ids: dict[str, str]) -> None:
    """field.md row 107: a Latin-1 message, declared or not, is read; how is recorded."""
    found = by_name(scanned, ids)
    assert found["latin header"].commit_message == "Schneller für alle. Fixes #14"
    assert found["latin"].commit_message == "Plus vite, été. Fixes #18"
    assert scanned.marks[Mark.OTHER_ENCODING] == 2


def test_a_merge_is_its_difference_to_its_first_parent(
    folder: Path, scanned: Scanned, ids: dict[str, str]
) -> None:
    """field.md row 109: two commits below a merge are one change, with the files of both."""
    found = by_name(scanned, ids)
    for name in ("pull", "branch"):
        record = found[f"merge of {name}"]
        assert record.base_commit == ids[f"beside {name}"]
        assert record.fix_commits == tuple(
            ids[item] for item in (f"first of {name}", f"second of {name}", f"merge of {name}")
        )
        assert record.changed_files == (f"src/main/java/acme/{name.title()}.java",)
        diff = git(folder / "acme__engine", "diff", "--full-index", record.base_commit,
                   record.fix_commits[-1])  # fmt: skip
        assert record.patch == diff + "\n"


def test_every_patch_is_the_difference_of_its_two_versions(folder: Path, scanned: Scanned) -> None:
    for record in (*scanned.records, *scanned.duplicates):
        options = ["--no-renames", "--full-index", "--binary", "--indent-heuristic"]
        between = [record.base_commit, record.fix_commits[-1]]
        diff = git(folder / "acme__engine", "diff", *options, *between)
        assert record.patch == diff + "\n"


def test_a_rebased_pull_request_is_one_change(scanned: Scanned, ids: dict[str, str]) -> None:
    record = by_name(scanned, ids)["rebased 12 1"]
    assert record.fix_commits == (ids["rebased 12 0"], ids["rebased 12 1"])
    assert record.base_commit == ids["merge of branch"]
    assert len(record.changed_files) == 2
    assert (record.pull_number, record.issue_number) == (12, 6)


def test_a_backport_is_kept_apart_with_its_group(scanned: Scanned, ids: dict[str, str]) -> None:
    """field.md row 52: the same change in other surroundings has one representative."""
    (group,) = scanned.groups
    (duplicate,) = scanned.duplicates
    assert group.representative == "acme__engine-1"
    assert group.others == (duplicate.instance_id,)
    assert duplicate.fix_commits == (ids["back-port"],)
    assert duplicate.patch != by_name(scanned, ids)["good"].patch


def test_a_rename_is_a_file_gone_and_one_come(scanned: Scanned, ids: dict[str, str]) -> None:
    record = by_name(scanned, ids)["rename"]
    assert record.changed_files == ("src/main/java/acme/New.java", "src/main/java/acme/Old.java")
    assert "rename from" not in record.patch


def test_the_record_has_issue_build_and_facts(scanned: Scanned, ids: dict[str, str]) -> None:
    record = by_name(scanned, ids)["squash"]
    assert record.problem_statement == "slow 3\n"
    assert record.hints_text == "me too", "what was said after the fix tells how it was done"
    assert (record.java_version, record.maven_version) == (17, "3.9.9")
    assert (record.repo_stars, record.repo_license) == (21, "MIT")


def test_with_tests_the_tests_are_split_off(folder: Path, ids: dict[str, str]) -> None:
    found = scan(folder, ScanOptions(criteria=Criteria(with_tests=True)))
    records = by_name(found, ids)
    assert set(records) == {*KEPT, "with test", "rebased 13 1"}
    record = records["with test"]
    assert record.changed_files == ("src/main/java/acme/T.java",)
    assert record.patch.count("diff --git") == record.test_patch.count("diff --git") == 1
    assert "TTest" in record.test_patch
    assert found.marks[Mark.WITH_TESTS] == 2


def test_without_a_forge_messages_link_and_records_are_marked(
    folder: Path, ids: dict[str, str]
) -> None:
    found = scan_clone(folder / "acme__engine", REPO, ScanOptions())
    records = by_name(found, ids)
    assert {"good", "merge of pull", "colour", "closes nothing"} < set(records)
    assert "squash" not in records, "only its pull request's text has the link"
    assert found.marks[Mark.ISSUE_UNKNOWN] == len(records)
    assert {record.problem_statement for record in records.values()} == {""}


def test_mentions_count_where_asked_for(folder: Path, ids: dict[str, str]) -> None:
    found = scan(folder, ScanOptions(linking=Linking.MENTION))
    records = by_name(found, ids)
    assert set(records) == {*KEPT, "unlinked"}
    assert found.marks[Mark.MENTIONED_ONLY] == 1


def test_what_a_pull_request_alone_reaches_is_not_of_the_branch(
    scanned: Scanned, ids: dict[str, str]
) -> None:
    """field.md row 112: a branch was pushed over; its commit counts as it is on the branch now."""
    commits = {commit for record in scanned.records for commit in record.fix_commits}
    assert ids["pushed over"] not in commits
    assert by_name(scanned, ids)["quick"].fix_commits == (ids["quick"],)


def test_a_shallow_clone_says_what_it_lacks(
    folder: Path, ids: dict[str, str], tmp_path: Path
) -> None:
    """field.md row 112: a base that is not in the clone is a reason, and no failure."""
    shallow = tmp_path / "shallow"
    since = "--shallow-since=2016-01-20"
    url = f"file://{folder / 'acme__engine'}"
    git(tmp_path, "clone", "-q", "--bare", since, "-b", "main", url, str(shallow))
    found = scan_clone(shallow, REPO, ScanOptions())
    assert sum(found.reasons.values()) + len(found.records) == found.commits
    assert 0 < found.commits < 30
    assert ids["latest"] in {record.fix_commits[-1] for record in found.records}


class Counting:
    """A source that counts what it is asked."""

    def __init__(self, inner: LocalStore) -> None:
        self.inner = inner
        self.calls: list[str] = []

    @property
    def answered(self) -> Sequence[float]:
        return ()

    def repository(self, repo: str) -> Repository | None:
        return self.inner.repository(repo)

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        self.calls.append("commits")
        return self.inner.pulls_of_commits(repo, commits)

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        self.calls.append("pulls")
        return self.inner.pulls(repo, numbers)

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        assert list(numbers) == sorted(set(numbers)), "nothing is asked twice"
        self.calls.append("comments" if comments else "issues")
        return self.inner.issues(repo, numbers, comments=comments)


def test_the_forge_is_asked_for_many_things_at_a_time(folder: Path, ids: dict[str, str]) -> None:
    source = Counting(LocalStore(folder / "export"))
    found = scan_clone(folder / "acme__engine", REPO, ScanOptions(), source=source)
    assert ids["good"] in {record.fix_commits[-1] for record in found.records}
    assert source.calls == ["commits", "issues", "comments"]


def test_no_setting_of_clone_or_user_has_a_say(
    folder: Path, scanned: Scanned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """field.md row 9: prefixes, context, attributes and renames are pinned."""
    place = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--mirror", str(folder / "acme__engine"), str(place))
    settings = {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.algorithm": "patience",
        "diff.context": "0",
        "diff.renames": "copies",
        "diff.suppressBlankEmpty": "true",
        "core.quotePath": "false",
        "log.showSignature": "true",
        "i18n.logOutputEncoding": "UTF-16",
    }
    for name, value in settings.items():
        git(place, "config", name, value)
    (place / "info" / "attributes").write_text("*.java -diff\n")
    everywhere = tmp_path / "gitconfig"
    everywhere.write_text("[diff]\n\tnoprefix = true\n\tcontext = 9\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(everywhere))
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u0")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    found = scan_clone(
        place,
        REPO,
        ScanOptions(),
        source=LocalStore(folder / "export"),
        classifier=TitleClassifier(),
    )
    assert found == scanned
