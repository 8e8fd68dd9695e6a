"""The script that makes an image's only commit, and the proof's view of it, in a folder here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jeto_evaluate.images.launcher_files import script

ENVIRONMENT = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.fixture
def laid(tmp_path: Path) -> Path:
    """A work tree that brings the project's own history along, the fix included."""
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "A.java").write_bytes(b"class A {}\r\n")
    (folder / ".gitattributes").write_bytes(b"*.java text eol=lf\n")
    (folder / ".gitignore").write_bytes(b"*.log\n")
    (folder / "kept.log").write_bytes(b"x\n")
    git(folder, "init", "-q")
    commit(folder, "base")
    (folder / "src" / "A.java").write_bytes(b"class A { int fast; }\r\n")
    commit(folder, "fix")
    git(folder, "tag", "v1")
    git(folder, "remote", "add", "origin", "https://example.invalid/x")
    return folder


def run(folder: Path, *argv: str, ok: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**ENVIRONMENT, "HOME": str(folder.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ok or done.returncode == 0, done.stderr
    return done


def git(folder: Path, *arguments: str) -> str:
    return run(folder, "git", *arguments).stdout.strip()


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "-qm", message)


def make_only_commit(folder: Path) -> None:
    text = script("commit.sh").decode().replace("/jeto/repo", str(folder))
    run(folder, "sh", "-c", text)


def proof_of_history(folder: Path, *fixes: str) -> str:
    """Run the lines of the proof that look at history; returns what does not hold."""
    lines = script("prove.sh").decode().splitlines()
    start = next(n for n, line in enumerate(lines) if "git rev-list" in line)
    end = next(n for n, line in enumerate(lines) if line == "done")
    text = "\n".join(['fail() { echo "$*"; exit 1; }', *lines[start : end + 1]])
    return run(folder, "sh", "-c", text, "sh", *fixes, ok=False).stdout.strip()


def test_one_commit_is_left_and_the_fix_is_no_known_object(laid: Path) -> None:
    """field.md row 53: later commits, tags, remotes, reflogs and loose objects tell the answer."""
    fix = git(laid, "rev-parse", "HEAD")
    assert proof_of_history(laid, fix)
    make_only_commit(laid)
    assert git(laid, "rev-list", "--all", "--count") == "1"
    assert run(laid, "git", "cat-file", "-e", fix, ok=False).returncode != 0
    assert git(laid, "tag") == git(laid, "remote") == git(laid, "reflog") == ""
    objects = git(laid, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    assert sum(" commit " in line for line in objects) == 1
    assert git(laid, "fsck", "--unreachable", "--no-reflogs") == ""
    assert git(laid, "show", "HEAD:kept.log") == "x"
    assert (laid / "src" / "A.java").read_bytes().endswith(b"\r\n")
    assert proof_of_history(laid, fix) == ""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (("commit", "-q", "--allow-empty", "-m", "later"), "more or less than one commit"),
        (("tag", "fix"), "a tag"),
        (("remote", "add", "origin", "x"), "a remote"),
        (("hash-object", "-w", "--path=x", ".gitattributes~"), "unreachable objects"),
    ],
)
def test_the_proof_finds_whatever_was_left(laid: Path, step: tuple[str, ...], said: str) -> None:
    """field.md row 53: the release test."""
    make_only_commit(laid)
    (laid / ".gitattributes~").write_bytes(b"the fix\n")
    git(laid, *step)
    (laid / ".gitattributes~").unlink()
    assert said in proof_of_history(laid)


def test_the_proof_knows_the_fix_by_its_id(laid: Path) -> None:
    """field.md row 53: ``git cat-file -e FIX`` must fail."""
    make_only_commit(laid)
    head = git(laid, "rev-parse", "HEAD")
    assert proof_of_history(laid, "0" * 40) == ""
    assert proof_of_history(laid, "0" * 40, head) == f"history: {head} is in it"
