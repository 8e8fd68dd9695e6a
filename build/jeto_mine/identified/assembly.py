"""From units with an issue to records: contents, build files, split patches. Reads the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from jeto_bench.git.fetching import fetch_objects
from jeto_mine.identified.assembled import Assembled, split_tests
from jeto_mine.identified.contents import (
    Pair,
    missing,
    patches,
    read_blobs,
)
from jeto_mine.identified.criteria import is_test_path
from jeto_mine.identified.java_level import Level, java_level, places
from jeto_mine.identified.object_store import ObjectStore
from jeto_mine.identified.reasons import Mark, ScanReason
from jeto_mine.identified.steps import author_times
from jeto_mine.identified.texts import UTF_8
from jeto_mine.identified.trees import TreeEntry, open_trees
from jeto_mine.identified.units import Funnel, Unit

__all__ = ["BuildChoice", "assemble"]

_FETCH_TIMEOUT_S = 3600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildChoice:
    """What the tree before the change must be like.

    Attributes:
        without_wrapper: Take trees without a Maven wrapper too.
        oldest_java: Trees all of whose files speak of older Java are left out.
        fetch: Fetch missing contents, in one request, from where a blobless clone came from.
    """

    without_wrapper: bool = False
    oldest_java: int = 8
    fetch: bool = False


class _Tree(NamedTuple):
    unit: Unit
    changed: tuple[str, ...]
    files: Mapping[str, TreeEntry]


def assemble(
    units: Sequence[Unit], store: ObjectStore, choice: BuildChoice, funnel: Funnel
) -> tuple[Assembled, ...]:
    """Read diffs and build files of all units at once; say why one is left out.

    Raises:
        InputError: git fails.
    """
    trees = _trees(units, store, funnel)
    trees = _complete(trees, store, choice, funnel)
    contents = read_blobs(
        store, [entry.blob for tree in trees for entry in tree.files.values() if _is_file(entry)]
    )
    built = []
    for tree in trees:
        level = _level(tree, contents, choice)
        if level.reason is not None:
            funnel.drop(tree.unit.head, level.reason)
        else:
            built.append((tree, level))
    found = []
    pairs = [Pair(tree.unit.base, tree.unit.head) for tree, _ in built]
    diffs = patches(store, pairs) if pairs else ()
    written = author_times(store, [commit for tree, _ in built for commit in tree.unit.fix_commits])
    for (tree, level), patch in zip(built, diffs, strict=True):
        made = _assembled(tree, level, patch, written)
        if isinstance(made, ScanReason):
            funnel.drop(tree.unit.head, made)
        else:
            found.append(made)
    return tuple(found)


def _trees(units: Sequence[Unit], store: ObjectStore, funnel: Funnel) -> list[_Tree]:
    found = []
    bases = "".join(f"{unit.base}\n" for unit in units if unit.base).encode()
    there = store.run("cat-file", "--batch-check", stdin=bases) if bases else b""
    known = {line.split()[0].decode() for line in there.splitlines() if b" commit " in line}
    with open_trees(store) as reader:
        for unit in units:
            if unit.base not in known:
                funnel.drop(unit.head, ScanReason.BASE_MISSING)
                continue
            try:
                paths = tuple(item.path.decode() for item in unit.files)
            except UnicodeDecodeError:
                funnel.drop(unit.head, ScanReason.PATH_NOT_UTF8)
                continue
            code = tuple(path for path in paths if not is_test_path(path.encode()))
            files = reader.files(unit.base, places(code))
            found.append(_Tree(unit, code, files))
    return found


def _complete(
    trees: Sequence[_Tree], store: ObjectStore, choice: BuildChoice, funnel: Funnel
) -> list[_Tree]:
    """Leave out units whose contents the clone lacks, after one attempt to fetch them all."""
    needed = {tree.unit.head: _needed(tree) for tree in trees}
    lacking = missing(store, [blob for blobs in needed.values() for blob in blobs])
    if (
        lacking
        and choice.fetch
        and fetch_objects(store.clone, sorted(lacking), timeout=_FETCH_TIMEOUT_S)
    ):
        lacking = missing(store, sorted(lacking))
    kept = []
    for tree in trees:
        if lacking.isdisjoint(needed[tree.unit.head]):
            kept.append(tree)
        else:
            funnel.drop(tree.unit.head, ScanReason.BLOB_MISSING)
    return kept


def _needed(tree: _Tree) -> list[str]:
    blobs = [blob for item in tree.unit.files for blob in item.blobs if blob.strip(b"0")]
    return [
        *(blob.decode() for blob in blobs),
        *(entry.blob for entry in tree.files.values() if _is_file(entry)),
    ]


def _is_file(entry: TreeEntry) -> bool:
    return entry.mode != "120000"


def _level(tree: _Tree, contents: Mapping[str, bytes], choice: BuildChoice) -> Level:
    entries = {path: entry for path, entry in tree.files.items() if _is_file(entry)}
    return java_level(
        {path: contents[entry.blob] for path, entry in entries.items()},
        tree.changed,
        executable=frozenset(path for path, entry in entries.items() if entry.mode == "100755"),
        without_wrapper=choice.without_wrapper,
        oldest=choice.oldest_java,
    )


def _assembled(
    tree: _Tree, level: Level, patch: bytes | None, written: Mapping[str, int]
) -> Assembled | ScanReason:
    if patch is None:
        return ScanReason.PATCH_TOO_LARGE
    try:
        patch.decode()
    except UnicodeDecodeError:
        return ScanReason.PATCH_NOT_UTF8
    code, tests = split_tests(patch)
    marks = set(tree.unit.marks)
    if tests:
        marks.add(Mark.WITH_TESTS)
    if not level.stated:
        marks.add(Mark.JAVA_NOT_STATED)
    if tree.unit.message.encoding != UTF_8:
        marks.add(Mark.OTHER_ENCODING)
    return Assembled(
        unit=replace(tree.unit, marks=frozenset(marks)),
        patch=code,
        test_patch=tests,
        changed_files=tuple(sorted(tree.changed)),
        level=level,
        started=min(written[commit] for commit in tree.unit.fix_commits if commit in written),
    )
