"""Reading a clone runs nothing that its configuration names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jeto_bench.errors import InputError
from jeto_bench.git.clones import run_git
from jeto_bench.git.diffs import diff_between
from jeto_bench.git.fetching import fetch_objects


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x", *arguments]
    done = subprocess.run(command, capture_output=True, check=True, input=stdin)
    return done.stdout.decode().strip()


@pytest.fixture
def program(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark, and the mark."""
    mark, file = tmp_path / "ran", tmp_path / "program"
    file.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{mark}'\nexit 1\n")
    file.chmod(0o755)
    return file, mark


@pytest.fixture
def clone(tmp_path: Path, program: tuple[Path, Path]) -> Path:
    """Two commits; what may run a program in configuration and hooks does."""
    folder = tmp_path / "clone"
    folder.mkdir()
    _git(folder, "init", "-q")
    for text in ("base", "fix"):
        (folder / "a.txt").write_text(f"{text}\n")
        (folder / ".gitattributes").write_text("*.txt diff=evil filter=evil\n")
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", text)
    run = str(program[0])
    settings = {
        "log.showSignature": "true",
        "gpg.program": run,
        "core.fsmonitor": run,
        "core.pager": run,
        "core.sshCommand": run,
        "diff.external": run,
        "diff.evil.textconv": run,
        "diff.evil.command": run,
        "filter.evil.smudge": run,
        "filter.evil.clean": run,
        "remote.origin.url": "ssh://nowhere.invalid/x",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
    }
    for key, value in settings.items():
        _git(folder, "config", key, value)
    for hook in ("post-index-change", "reference-transaction", "pre-commit"):
        (folder / ".git" / "hooks" / hook).write_text(program[0].read_text())
        (folder / ".git" / "hooks" / hook).chmod(0o755)
    return folder


def test_a_signed_commit_is_not_shown_to_the_clones_program(
    clone: Path, program: tuple[Path, Path]
) -> None:
    """`log.showSignature` and `gpg.program` of a clone ran a program of its choice."""
    raw = _git(clone, "cat-file", "commit", "HEAD")
    head, _, message = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    signed = f"{head}\n{signature}\n\n{message}\n".encode()
    commit = _git(clone, "hash-object", "-t", "commit", "-w", "--stdin", stdin=signed)
    program[1].unlink(missing_ok=True)
    shown = run_git(clone, ["show", "--no-patch", "--format=%H", commit, "--"])
    run_git(clone, ["log", "--format=%B", commit, "--"])
    assert shown.decode().strip() == commit
    assert not program[1].exists()


def test_what_a_partial_clone_lacks_is_not_fetched(clone: Path, program: tuple[Path, Path]) -> None:
    """`core.sshCommand` of a partial clone ran a program of its choice."""
    blob = _git(clone, "rev-parse", "HEAD:a.txt")
    base, fix = _git(clone, "rev-parse", "HEAD^"), _git(clone, "rev-parse", "HEAD")
    program[1].unlink(missing_ok=True)
    assert b"+fix" in diff_between(clone, base, fix)
    (clone / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError):
        diff_between(clone, base, fix)
    assert not program[1].exists()


def test_no_hook_and_no_monitor_runs_where_an_index_is_read(
    clone: Path, program: tuple[Path, Path]
) -> None:
    """`core.fsmonitor` and `post-index-change` ran where patches are tried on an index."""
    program[1].unlink(missing_ok=True)
    run_git(clone, ["read-tree", "HEAD"])
    run_git(clone, ["diff", "--cached", "--name-only", "--no-ext-diff", "HEAD", "--"])
    assert not program[1].exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("remote.origin.url", "ssh://127.0.0.1:1/x"),
        ("remote.origin.url", "ext::PROGRAM"),
        ("remote.origin.uploadpack", "PROGRAM"),
        ("remote.origin.vcs", "evil"),
        ("remote.origin.proxy", "PROGRAM"),
        ("url.ext::PROGRAM .insteadOf", "ssh://"),
        ("credential.helper", "!PROGRAM"),
        ("core.gitProxy", "PROGRAM"),
    ],
)
def test_fetching_what_is_missing_runs_nothing_of_the_clone(
    clone: Path, program: tuple[Path, Path], key: str, value: str
) -> None:
    run = str(program[0])
    _git(clone, "config", key.replace("PROGRAM", run), value.replace("PROGRAM", run))
    if key == "remote.origin.uploadpack":
        _git(clone, "config", "remote.origin.url", f"file://{clone}")
    program[1].unlink(missing_ok=True)
    with pytest.raises(InputError, match="git fetch failed"):
        fetch_objects(clone, ["1" * 40], timeout=60)
    assert not program[1].exists()
