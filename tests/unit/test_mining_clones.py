"""Clones that are missing are made, whole or not at all."""

from __future__ import annotations

import subprocess
from pathlib import Path
from unittest.mock import Mock

import pytest

from jeto_bench.decode import decode_jsonl
from jeto_bench.errors import UsageError
from jeto_mine.executable.clones import ensure_clone

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = decode_jsonl((GOLDEN / "records" / "etip.jsonl").read_bytes())[0]
NAME = RECORD.repo.replace("/", "__")


@pytest.fixture
def git(monkeypatch: pytest.MonkeyPatch) -> Mock:
    def clone(command: list[str], **_: object) -> None:
        (Path(command[-1]) / "objects").mkdir(parents=True)

    made = Mock(side_effect=clone)
    monkeypatch.setattr(subprocess, "run", made)
    return made


def test_a_clone_that_is_there_is_taken(tmp_path: Path, git: Mock) -> None:
    (tmp_path / NAME / "objects").mkdir(parents=True)
    assert ensure_clone(tmp_path, RECORD) == tmp_path / NAME
    git.assert_not_called()


def test_one_that_is_missing_is_made_once(tmp_path: Path, git: Mock) -> None:
    clones = tmp_path / "new"
    made = ensure_clone(clones, RECORD, origin="ssh://host.example/{repo}")
    assert made == clones / NAME
    assert git.call_args.args[0][-2] == f"ssh://host.example/{RECORD.repo}"
    assert ensure_clone(clones, RECORD) == made
    assert [path.name for path in clones.iterdir()] == [NAME]
    git.assert_called_once()


def test_nothing_is_cloned_where_that_is_not_wanted(tmp_path: Path, git: Mock) -> None:
    with pytest.raises(UsageError, match="no clone of"):
        ensure_clone(tmp_path, RECORD, origin="")
    git.assert_not_called()


def test_half_a_clone_is_none(tmp_path: Path, git: Mock) -> None:
    def broken(command: list[str], **_: object) -> None:
        (Path(command[-1]) / "objects").mkdir(parents=True)
        raise subprocess.CalledProcessError(128, "git", stderr=b"Cloning\nfatal: no such host\n")

    git.side_effect = broken
    with pytest.raises(UsageError, match="cannot be cloned: fatal: no such host"):
        ensure_clone(tmp_path, RECORD)
    assert list(tmp_path.iterdir()) == []
