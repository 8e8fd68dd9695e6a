"""Rows of an index become records: from real clones, with git, and an export of a forge."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from github_stub import HOME, Stub, api, issue, pull, repository

from jeto_bench import EtipRecord, load
from jeto_bench.errors import InfrastructureError, UsageError
from jeto_bench.git.diffs import diff_between
from jeto_bench.github.client import GitHubClient
from jeto_bench.github.local import LocalStore
from jeto_bench.github.model import Repository
from jeto_bench.github.token import TOKEN_VARIABLES
from jeto_bench.hydrate.folder import HydratedRow, HydrationFolder
from jeto_bench.hydrate.run import HydrationSettings, hydrate
from jeto_bench.index.rows import IndexRow, index_to_parquet
from jeto_evaluate.cli.data.hydrate import hydrate as command

ROW = IndexRow(
    instance_id="acme__lib-7",
    repo="acme/lib",
    base_commit="",
    fix_commits=("",),
    pull_number=None,
    issue_number=7,
    changed_files=("src/A.java",),
    measurements=(),
    modules=(".",),
)
(PAPERS,) = next(row for row in load("index") if len(row.measurements) == 1).measurements
SLOW, FAST = "class A { int slow; }\n", "class A { int fast; }\n"


class Clone:
    """A repository with a base and fixes on it, below a folder of clones."""

    def __init__(self, clones: Path) -> None:
        self.path = clones / "acme__lib"
        self.path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.write("src/A.java", SLOW.encode())
        self.base = self.commit("base")

    def git(self, *arguments: str, at: str = "2024-01-01T00:00:00+02:00") -> str:
        people = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "x"), ("EMAIL", "x@x.invalid"), ("DATE", at))
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **people, "GIT_CONFIG_GLOBAL": "/dev/null"},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, path: str, data: bytes) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def commit(self, message: str, *, at: str = "2024-01-01T00:00:00+02:00") -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message, at=at)
        return self.git("rev-parse", "HEAD")

    def fix(self, *, at: str = "2024-02-03T04:05:06+02:00") -> str:
        self.write("src/A.java", FAST.encode())
        return self.commit("Make it fast\n\nFixes #7", at=at)


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    return tmp_path / "clones"


@pytest.fixture
def clone(clones: Path) -> Clone:
    return Clone(clones)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    ref = {"repo": "acme/lib", "number": 7}
    comments = [["2024-01-15T00:00:00Z", "It is the loop."], ["2024-03-01T00:00:00Z", "Use fast."]]
    issue = {
        "ref": ref,
        "title": "A is slow",
        "body": "Very.",
        "created_at": "2024-01-10T00:00:00Z",
        "labels": [],
        "is_pull_request": False,
        "comments": comments,
    }
    repository = {
        "full_name": "acme/lib",
        "database_id": 5,
        "stars": 12,
        "archived": False,
        "fork": False,
        "license": "MIT",
        "language": "Java",
        "default_branch": "main",
        "pushed_at": "2024-03-01T00:00:00Z",
    }
    (folder / "issues.jsonl").write_text(json.dumps(issue) + "\n", "utf-8")
    (folder / "repositories.jsonl").write_text(json.dumps(repository) + "\n", "utf-8")
    return folder


def run(
    row: IndexRow,
    clones: Path,
    export: Path | None,
    *,
    exact: bool = False,
    output: Path | None = None,
) -> HydratedRow:
    (result,) = hydrate(
        [row],
        HydrationFolder(output or clones.parent / "out"),
        HydrationSettings(clones=clones, exact=exact),
        source=None if export is None else LocalStore(export),
        say=lambda _: None,
    )
    return result


def record_of(result: HydratedRow) -> EtipRecord:
    assert result.record is not None, (result.reason, result.detail)
    return result.record


def test_a_row_becomes_a_record(clone: Clone, clones: Path, export: Path) -> None:
    fix = clone.fix()
    record = record_of(run(replace(ROW, fix_commits=(fix,)), clones, export))
    assert (record.base_commit, record.fix_commits) == (clone.base, (fix,))
    assert record.created_at == "2024-02-03T02:05:06Z"
    assert record.problem_statement == "A is slow\n\nVery.\n"
    assert record.commit_message == "Make it fast\n\nFixes #7"
    assert (record.repo_stars, record.repo_license) == (12, "MIT")
    assert record.changed_files == ("src/A.java",)
    clone.git("checkout", "-q", clone.base)
    patch = clone.path.parent / "x.patch"
    patch.write_text(record.patch, "utf-8")
    clone.git("apply", str(patch))
    assert (clone.path / "src/A.java").read_text("utf-8") == FAST


@pytest.mark.parametrize(
    ("label", "decision"), [(True, "improvement"), (False, "no_improvement"), (None, "")]
)
def test_a_label_that_a_source_tells_goes_along(
    clone: Clone,
    clones: Path,
    label: bool | None,  # noqa: FBT001  # a case of the table
    decision: str,
) -> None:
    told = replace(PAPERS, about_execution_time=label)
    row = replace(ROW, fix_commits=(clone.fix(),), measurements=(told,))
    said = record_of(run(row, clones, None)).verification
    assert said.decision == decision
    assert said.annotators == (("JETO-Bench paper",) if decision else ())


def test_a_single_file_of_issues_will_do(clone: Clone, clones: Path, export: Path) -> None:
    row = replace(ROW, fix_commits=(clone.fix(),))
    record = record_of(run(row, clones, export / "issues.jsonl"))
    assert record.problem_statement == "A is slow\n\nVery.\n"
    assert (record.repo_stars, record.repo_license) == (None, "")


def test_what_was_said_after_the_fix_began_is_no_hint(
    clone: Clone, clones: Path, export: Path
) -> None:
    record = record_of(run(replace(ROW, fix_commits=(clone.fix(),)), clones, export))
    assert record.hints_text == "It is the loop."
    clone.git("commit", "-q", "--amend", "--no-edit", at="2024-01-12T00:00:00Z")
    clone.git("commit", "-q", "--amend", "--no-edit", "--date=2024-01-12T00:00:00Z")
    early = replace(ROW, fix_commits=(clone.git("rev-parse", "HEAD"),))
    assert record_of(run(early, clones, export)).hints_text == ""


def test_the_base_that_is_told_holds_over_the_parent_and_all_commits_between_are_the_fix(
    clone: Clone, clones: Path
) -> None:
    first = clone.fix()
    clone.write("src/A.java", b"class A { int faster; }\n")
    last = clone.commit("Faster still")
    told = replace(ROW, base_commit=clone.base, fix_commits=(last,))
    record = record_of(run(told, clones, None))
    assert (record.base_commit, record.fix_commits) == (clone.base, (first, last))
    assert record.commit_message == "Make it fast\n\nFixes #7\n\nFaster still"
    assert "-class A { int slow; }" in record.patch
    untold = replace(ROW, fix_commits=(last,))
    record = record_of(run(untold, clones, None))
    assert (record.base_commit, record.fix_commits) == (first, (last,))


def test_a_merge_is_compared_with_its_first_parent(clone: Clone, clones: Path) -> None:
    """field.md row 109: merges seem to change nothing, or everything."""
    clone.git("checkout", "-qb", "topic")
    clone.fix()
    clone.git("checkout", "-q", "main")
    clone.write("src/B.java", b"class B {}\n")
    ours = clone.commit("Another thing")
    clone.git("merge", "-q", "--no-ff", "-m", "Merge topic", "topic")
    merge = clone.git("rev-parse", "HEAD")
    record = record_of(run(replace(ROW, fix_commits=(merge,)), clones, None))
    assert record.base_commit == ours
    assert record.fix_commits[-1] == merge
    assert record.commit_message == "Make it fast\n\nFixes #7"


def test_files_that_the_index_leaves_out_are_told_or_refused(clone: Clone, clones: Path) -> None:
    clone.write("src/New.java", b"class New {}\n")
    row = replace(ROW, fix_commits=(clone.fix(),))
    result = run(row, clones, None)
    assert result.unlisted == ("src/New.java",)
    assert record_of(result).changed_files == ("src/A.java", "src/New.java")
    assert run(row, clones, None, exact=True).reason == "other_files"
    whole = replace(row, changed_files=("src/A.java", "src/New.java"))
    assert run(whole, clones, None, exact=True).unlisted == ()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("src/Other.java",), "does not change src/Other.java, and 1 such"),
        (("src/A.java", "src/Other.java"), "does not change src/Other.java ("),
    ],
)
def test_a_diff_of_other_files_is_no_record(
    clone: Clone, clones: Path, changed: tuple[str, ...], told: str
) -> None:
    row = replace(ROW, fix_commits=(clone.fix(),), changed_files=changed)
    result = run(row, clones, None)
    assert (result.reason, result.record) == ("other_files", None)
    assert told.rstrip(" (") in result.detail


def test_what_a_clone_lacks_is_a_reason_each(
    clone: Clone, clones: Path, export: Path, tmp_path: Path
) -> None:
    fix = clone.fix()
    row = replace(ROW, fix_commits=(fix,))
    assert run(row, tmp_path / "nothing", export).reason == "no_clone"
    assert run(replace(ROW, fix_commits=("f" * 40,)), clones, export).reason == "no_fix_commit"
    assert run(replace(row, base_commit="e" * 40), clones, export).reason == "no_base_commit"
    assert run(replace(ROW, fix_commits=(clone.base,)), clones, export).reason == "no_base_commit"
    assert run(replace(row, issue_number=8), clones, export).reason == "no_issue_text"
    same = replace(row, base_commit=fix, changed_files=())
    assert run(same, clones, export).reason == "no_patch"


def test_a_blobless_clone_gets_what_the_diff_needs_and_no_more(
    clone: Clone, clones: Path, export: Path
) -> None:
    """`scan` makes such clones; `hydrate` called them partial."""
    clone.write("src/Other.java", b"class Other {}\n")
    clone.write("src/Gone.java", b"class Gone {}\n")
    clone.base = clone.commit("More")
    (clone.path / "src/Gone.java").unlink()
    clone.write("src/New.java", b"class New {}\n")
    row = replace(ROW, fix_commits=(clone.fix(),))
    whole = run(row, clones, export)
    for name in ("allowFilter", "allowAnySHA1InWant"):
        clone.git("config", f"uploadpack.{name}", "true")
    server = clone.path.rename(clones.parent / "server")
    blobless = clones / "acme__lib"
    options = ["--bare", "--filter=blob:none"]
    subprocess.run(
        ["git", "clone", "-q", *options, f"file://{server}", str(blobless)],
        check=True,
        capture_output=True,
    )
    assert run(row, clones, export, output=clones.parent / "again") == whole
    assert record_of(whole).patch.count("diff --git") == 3
    listed = subprocess.run(
        ["git", "-C", blobless, "rev-list", "--objects", "--all", "--missing=print"],
        check=True,
        capture_output=True,
        text=True,
    )
    missing = [line for line in listed.stdout.splitlines() if line.startswith("?")]
    assert len(missing) == 1  # src/Other.java


def test_a_blobless_clone_whose_server_is_gone_is_a_reason(clone: Clone, clones: Path) -> None:
    row = replace(ROW, fix_commits=(clone.fix(),))
    clone.git("config", "uploadpack.allowFilter", "true")
    server = clone.path.rename(clones.parent / "server")
    subprocess.run(
        ["git", "clone", "-q", "--bare", "--filter=blob:none", f"file://{server}", "acme__lib"],
        cwd=clones,
        check=True,
        capture_output=True,
    )
    server.rename(clones.parent / "elsewhere")
    result = run(row, clones, None)
    assert result.reason == "no_content"
    assert "server" in result.detail


def test_a_missing_blob_is_a_reason_and_not_a_crash(clone: Clone, clones: Path) -> None:
    fix = clone.fix()
    blob = clone.git("rev-parse", f"{clone.base}:src/A.java")
    (clone.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    result = run(replace(ROW, fix_commits=(fix,)), clones, None)
    assert result.reason == "no_content"
    assert blob in result.detail


def test_bytes_that_are_no_text_are_a_reason(clone: Clone, clones: Path) -> None:
    """field.md row 107: a Latin-1 file must not stop the others."""
    clone.write("src/A.java", b'class A { String s = "\xe9"; }\n')
    result = run(replace(ROW, fix_commits=(clone.commit("Latin-1"),)), clones, None)
    assert result.reason == "not_text"


def test_settings_and_attributes_of_whoever_owns_the_clone_change_nothing(
    clone: Clone, tmp_path: Path
) -> None:
    """field.md row 9: prefixes, renames, blank context and binary marks are anybody's choice."""
    clone.write("src/A.java", b"a\n\nb\nc\n")
    base = clone.commit("two")
    clone.write("src/A.java", b"a\n\nb\nd\n")
    fix = clone.commit("three")
    plain = diff_between(clone.path, base, fix)
    assert b"\n \n" in plain
    for key, value in (
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.context", "0"),
        ("diff.external", "false"),
        ("color.ui", "always"),
    ):
        clone.git("config", key, value)
    clone.write(".gitattributes", b"*.java binary\n")
    assert diff_between(clone.path, base, fix) == plain
    bare = tmp_path / "bare"
    clone.git("clone", "-q", "--bare", ".", str(bare))
    assert diff_between(bare, base, fix) == plain


def test_an_interrupted_run_goes_on_and_failures_are_tried_again(
    clone: Clone, clones: Path, export: Path, tmp_path: Path
) -> None:
    """field.md row 106: a result is of its input, and half a file is none."""
    output = tmp_path / "out"
    row = replace(ROW, fix_commits=(clone.fix(),))
    file = output / "rows" / "acme__lib-7.json"
    assert run(replace(row, issue_number=8), clones, export, output=output).reason
    made = run(row, clones, export, output=output)
    assert record_of(made)
    clone.path.rename(clone.path.with_name("away"))
    assert run(row, clones, export, output=output) == made
    changed = replace(row, modules=("core",))
    assert run(changed, clones, export, output=output).reason == "no_clone"
    clone.path.with_name("away").rename(clone.path)
    assert record_of(run(row, clones, export, output=output))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert run(row, clones, export, output=output) == made
    assert file.read_bytes() == whole


def test_githubs_api_is_asked_once_for_all_rows_of_a_repository(
    clone: Clone, clones: Path, tmp_path: Path
) -> None:
    stub = Stub(
        repositories={HOME.casefold(): repository(HOME)},
        issues={7: issue(7, comments=1)},
        pulls={9: pull(9)},
    )
    fix = clone.fix(at="2024-05-01T00:00:00Z")
    clone.path.rename(clones / HOME.replace("/", "__"))
    by_issue = replace(ROW, instance_id="Acme__lib-7", repo=HOME, fix_commits=(fix,))
    by_pull = replace(by_issue, instance_id="Acme__lib-9", pull_number=9, issue_number=None)
    missing = replace(by_issue, instance_id="Acme__lib-8", issue_number=8)
    results = hydrate(
        [by_issue, by_pull, missing],
        HydrationFolder(tmp_path / "out"),
        HydrationSettings(clones=clones),
        source=GitHubClient(api(stub, tmp_path / "cache")),
        say=lambda _: None,
    )
    first, second = map(record_of, results[:2])
    assert first.problem_statement == "Slow 7\n\nIt takes minutes.\n"
    assert (first.hints_text, first.repo_stars, first.repo_license) == ("0", 21, "MIT")
    assert second.problem_statement == "Change 9\n"
    assert results[2].reason == "no_issue_text"
    assert len(stub.asked) == 3, "repository, issues, pull requests"


class FailingStore(LocalStore):
    """A forge that cannot be reached."""

    def repository(self, repo: str) -> Repository | None:
        raise InfrastructureError(f"no answer about {repo}")


def test_a_forge_without_an_answer_is_a_reason_too(
    clone: Clone, clones: Path, export: Path, tmp_path: Path
) -> None:
    row = replace(ROW, fix_commits=(clone.fix(),))
    (result,) = hydrate(
        [row],
        HydrationFolder(tmp_path / "out"),
        HydrationSettings(clones=clones),
        source=FailingStore(export),
        say=lambda _: None,
    )
    assert (result.reason, result.detail) == ("source_failed", "no answer about acme/lib")


def test_the_command_writes_records_that_others_read_and_lists_what_is_missing(
    clone: Clone, clones: Path, export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index, output = tmp_path / "index.parquet", tmp_path / "out"
    good = replace(ROW, fix_commits=(clone.fix(),))
    bad = replace(ROW, instance_id="acme__lib-9", issue_number=9, fix_commits=good.fix_commits)
    index.write_bytes(index_to_parquet([good, bad]))
    with pytest.raises(typer.Exit) as caught:
        command(clones=clones, output=output, dataset=str(index), github=export)
    assert caught.value.exit_code == 4
    assert "no_issue_text" in capsys.readouterr().out
    records = load("identified", path=output / "identified.jsonl")
    assert [record.instance_id for record in records] == ["acme__lib-7"]
    assert load("identified", path=output / "identified.parquet") == records
    (failure,) = (output / "failures.jsonl").read_text("utf-8").splitlines()
    assert json.loads(failure)["reason"] == "no_issue_text"
    command(clones=clones, output=output, dataset=str(index), github=export, only=["acme__lib-7"])
    assert (output / "failures.jsonl").read_bytes() == b""


def test_nothing_to_ask_and_nothing_to_do_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in TOKEN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    index = tmp_path / "index.parquet"
    index.write_bytes(index_to_parquet([replace(ROW, fix_commits=("f" * 40,))]))
    with pytest.raises(UsageError, match="nowhere to get issues from"):
        command(clones=tmp_path, output=tmp_path / "o", dataset=str(index))
    with pytest.raises(UsageError, match="no row of the index is left"):
        command(clones=tmp_path, output=tmp_path / "o", dataset=str(index), filters=["repo=x/*"])
    with pytest.raises(UsageError, match="not in the index: acme__lib-8"):
        command(clones=tmp_path, output=tmp_path / "o", dataset=str(index), only=["acme__lib-8"])


@pytest.mark.parametrize(
    ("origin", "version", "said"),
    [
        ("https://git.invalid/{name}", "1.0.0", "does not say where a repository's name goes"),
        ("https://git.invalid/{", "1.0.0", "does not say where a repository's name goes"),
        ("", "1.0\nx", "is not a semantic version"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_read(
    tmp_path: Path, origin: str, version: str, said: str
) -> None:
    """`--clone-from .../{name}` ended in a traceback, and any text was taken for a version."""
    with pytest.raises(UsageError, match=said):
        command(
            clones=tmp_path,
            output=tmp_path / "out",
            clone_from=origin,
            dataset_version=version,
            without_texts=True,
        )
    assert not list(tmp_path.iterdir())
