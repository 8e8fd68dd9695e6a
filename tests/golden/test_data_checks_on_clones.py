"""Patches against their bases in real clones, and images' history, with git."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jeto_bench.checks.clones import check_base
from jeto_bench.decode import decode_jsonl
from jeto_bench.git.diffs import diff_between
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.leaks import history_leak

RECORD = decode_jsonl((Path(__file__).parent / "records" / "etip.jsonl").read_bytes())[0]


class Repository:
    """A folder with git in it and fixed people."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def git(self, *arguments: str) -> str:
        people = ["-c", "user.name=x", "-c", "user.email=x@x.invalid"]
        done = subprocess.run(
            ["git", *people, *arguments],
            cwd=self.folder,
            env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, text: str) -> str:
        (self.folder / "A.java").write_text(text, "utf-8")
        self.git("add", "-A")
        self.git("commit", "-qm", text)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "acme__lib")
    made.git("init", "-q", "-b", "main")
    return made


@pytest.fixture
def record(clone: Repository) -> EtipRecord:
    base = clone.commit("class A { int slow; }\n")
    fix = clone.commit("class A { int fast; }\n")
    return replace(
        RECORD,
        base_commit=base,
        fix_commits=(fix,),
        patch=diff_between(clone.folder, base, fix).decode(),
        changed_files=("A.java",),
    )


def messages(record: EtipRecord, clone: Repository) -> list[str]:
    return [item.message for item in check_base("mini", record, clone.folder.parent)]


def objects(clone: Repository) -> set[str]:
    return {str(path) for path in (clone.folder / ".git").rglob("*") if path.is_file()}


def test_a_patch_that_leads_from_base_to_fix_is_right_and_leaves_the_clone_alone(
    clone: Repository, record: EtipRecord
) -> None:
    before = objects(clone)
    assert messages(record, clone) == []
    assert objects(clone) == before
    assert clone.git("status", "--porcelain") == ""


def test_a_patch_that_does_not_is_named(clone: Repository, record: EtipRecord) -> None:
    """field.md row 48: references that fail on the user's machine, seen before anything runs."""
    other = replace(record, patch=record.patch.replace("int slow", "int quick"))
    (message,) = messages(other, clone)
    assert message.startswith("patch does not apply to its base: error: patch failed: A.java:1")
    other = replace(record, patch=record.patch.replace("int fast", "int faster"))
    assert messages(other, clone) == ["patch does not lead to what the fix has in A.java"]
    other = replace(record, base_commit="f" * 40)
    assert messages(other, clone) == [f"the clone has no base commit {'f' * 40}"]
    other = replace(record, fix_commits=("f" * 40,))
    assert messages(other, clone) == [f"the clone has no fix commit {'f' * 40} to compare with"]
    assert "no clone of acme/none" in messages(replace(record, repo="acme/none"), clone)[0]


def test_clones_that_borrow_their_objects_are_read(
    clone: Repository, record: EtipRecord, tmp_path: Path
) -> None:
    for name, command in (
        ("borrowed", ("clone", "-q", "--shared", "--bare", ".")),
        ("linked", ("worktree", "add", "-q", "--detach")),
    ):
        place = tmp_path / name / "acme__lib"
        place.parent.mkdir()
        clone.git(*command, str(place))
        assert list(check_base("mini", record, place.parent)) == [], name
        assert diff_between(place, record.base_commit, record.fix_commits[0]) == (
            record.patch.encode()
        )


def test_a_clone_without_the_files_content_is_told(clone: Repository, record: EtipRecord) -> None:
    blob = clone.git("rev-parse", f"{record.base_commit}:A.java")
    (clone.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (message,) = messages(record, clone)
    assert "does not apply to its base" in message


def test_an_image_with_the_fix_or_more_than_one_commit_is_found(
    local_sandbox: Any, record: EtipRecord
) -> None:
    """field.md row 53: agents read the answer from history."""
    box = Repository(local_sandbox.repo)
    assert history_leak(local_sandbox, record) == "git rev-list --all --count failed in it"
    box.git("init", "-q", "-b", "main")
    only = box.commit("class A { int slow; }\n")
    reflog = history_leak(local_sandbox, record)
    assert reflog == "it has a reflog"
    (box.folder / ".git" / "logs" / "HEAD").unlink()
    (box.folder / ".git" / "logs" / "refs" / "heads" / "main").unlink()
    assert history_leak(local_sandbox, record) == ""
    told = replace(record, fix_commits=(only,))
    assert history_leak(local_sandbox, told) == f"it has the fix, commit {only}"
    box.git("tag", "v1")
    assert history_leak(local_sandbox, record) == "it has a tag"
    box.commit("class A { int fast; }\n")
    assert history_leak(local_sandbox, record) == "it has more or less than one commit"
