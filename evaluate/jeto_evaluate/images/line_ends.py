"""Line ends of a base tree: as stored, but for files that a project wants to have in CR LF.

Tests that read such a file (``eol=crlf`` in ``.gitattributes``) fail on the stored bytes, whatever
the system. Java sources, and files that a patch of the record changes, stay as they are stored, so
that patches made against the stored bytes fit; no compiler minds.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from jeto_bench.git.clones import run_git
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.sources import SourceTree, TreeFile, from_clone
from jeto_evaluate.own_tests import paths_of_tests

__all__ = ["base_tree"]

_ATTRIBUTES: Final = ".gitattributes"


def base_tree(record: EtipRecord, clone: Path) -> SourceTree:
    """The tree of a record's base, submodules left out.

    Raises:
        InputError: The clone does not have the commit or a file of it, or git cannot read it.
    """
    tree = from_clone(clone, record.base_commit)
    if not any(_speaks_of_crlf(file) for file in tree.files):
        return tree
    patched = {*record.changed_files, *paths_of_tests(record.test_patch)}
    may = [
        file.path
        for file in tree.files
        if file.kind != "link" and not file.path.endswith(".java") and file.path not in patched
    ]
    found = _checked_out(clone, record.base_commit, may)
    files = tuple(
        replace(file, data=found[file.path]) if file.path in found else file for file in tree.files
    )
    changed = {new.path for old, new in zip(tree.files, files, strict=True) if old != new}
    return SourceTree(files, in_crlf=frozenset(changed))


def _speaks_of_crlf(file: TreeFile) -> bool:
    return PurePosixPath(file.path).name == _ATTRIBUTES and b"crlf" in file.data


def _checked_out(clone: Path, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
    """What a checkout has at those of some paths that are to be in CR LF.

    Git runs in a repository of its own that borrows the clone's objects, so that the attributes of
    the tree decide and nothing else does: no filter is known there.
    """
    with TemporaryDirectory(prefix="jeto-tree-") as folder:
        place = Path(folder)
        work = place / "work"
        work.mkdir()
        run_git(place, ["init", "-q", "--template=", "git"])
        objects = run_git(clone, ["rev-parse", "--path-format=absolute", "--git-path", "objects"])
        environment = {
            "GIT_DIR": str(place / "git" / ".git"),
            "GIT_WORK_TREE": str(work),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fsdecode(objects.rstrip(b"\n")),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
        }

        def git(arguments: list[str], stdin: Collection[str] = ()) -> bytes:
            lines = b"".join(os.fsencode(path) + b"\0" for path in stdin)
            return run_git(place, arguments, stdin=lines, environment=environment)

        git(["read-tree", f"{commit}^{{tree}}"])
        told = git(["check-attr", "--cached", "-z", "--stdin", "eol"], paths).split(b"\0")
        wanted = [
            os.fsdecode(path)
            for path, value in zip(told[::3], told[2::3], strict=False)
            if value == b"crlf"
        ]
        git(["checkout-index", "-q", "-z", "--stdin"], wanted)
        return {path: (work / path).read_bytes() for path in wanted}
