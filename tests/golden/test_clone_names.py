"""Which repository a clone is of, told by git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jeto_bench.errors import UsageError
from jeto_mine.repositories.clones import repository_of_clone


def clone(folder: Path, *, origin: str = "", bare: bool = False) -> Path:
    subprocess.run(["git", "init", "-q", *(["--bare"] if bare else []), str(folder)], check=True)
    if origin:
        command = ["git", "-C", str(folder), "remote", "add", "origin", origin]
        subprocess.run(command, check=True)
    return folder


@pytest.mark.parametrize("bare", [True, False])
def test_a_clone_is_of_its_origin_unless_its_folder_says_otherwise(
    tmp_path: Path, *, bare: bool
) -> None:
    origin = "https://github.com/Acme/lib.git"
    assert repository_of_clone(clone(tmp_path / "x", origin=origin, bare=bare)) == "Acme/lib"
    named = clone(tmp_path / "own__fork.git", origin=origin, bare=bare)
    assert repository_of_clone(named) == "own/fork"
    (tmp_path / "acme__linked").symlink_to(tmp_path / "x")
    assert repository_of_clone(tmp_path / "acme__linked") == "acme/linked"


@pytest.mark.parametrize("origin", ["", "/somewhere/else"])
def test_a_clone_that_does_not_tell_is_refused(tmp_path: Path, origin: str) -> None:
    with pytest.raises(UsageError, match="does not tell which repository"):
        repository_of_clone(clone(tmp_path / "x", origin=origin))


def test_a_folder_that_is_no_clone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no clone"):
        repository_of_clone(tmp_path)
