"""Few files of many trees, through one git process that stays open.

Versions of one project share most of their folders, so what was read once is kept. Only trees are
read: a blobless clone has them all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from subprocess import PIPE, Popen
from typing import Final, NamedTuple

from jeto_mine.identified.object_store import ObjectStore, git_failed

__all__ = ["TreeEntry", "TreeReader", "open_trees", "parse_tree"]

_KEPT: Final = 4096
"""Folders in memory."""
_FOLDER: Final = "40000"
_SUBMODULE: Final = "160000"
_ID_BYTES: Final = 20


class TreeEntry(NamedTuple):
    """What a folder holds under a name: its mode, and the id of its content."""

    mode: str
    blob: str


class TreeReader:
    """Reads folders of commits."""

    def __init__(self, store: ObjectStore, process: Popen[bytes]) -> None:
        """Ask through a running ``git cat-file --batch``."""
        self._store = store
        self._process = process
        self._known: OrderedDict[str, Mapping[str, TreeEntry]] = OrderedDict()

    def files(self, commit: str, places: Sequence[str]) -> dict[str, TreeEntry]:
        """Return the files at the given paths of a commit; ``PATH/`` means all of a folder's own.

        Raises:
            InputError: The clone lacks a tree.
        """
        found: dict[str, TreeEntry] = {}
        root = self._tree(f"{commit}^{{tree}}", remember=False)
        for place in places:
            *folders, name = place.split("/")
            here: Mapping[str, TreeEntry] | None = root
            for folder in folders:
                below = here.get(folder) if here is not None else None
                here = self._tree(below.blob) if below and below.mode == _FOLDER else None
            for item in (here or {}) if not name else (name,):
                entry = (here or {}).get(item)
                if entry is not None and entry.mode not in {_FOLDER, _SUBMODULE}:
                    found["/".join((*folders, item))] = entry
        return found

    def _tree(self, name: str, *, remember: bool = True) -> Mapping[str, TreeEntry]:
        if name in self._known:
            self._known.move_to_end(name)
            return self._known[name]
        tree = parse_tree(self._ask(name))
        if remember:
            self._known[name] = tree
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return tree

    def _ask(self, name: str) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise TypeError("git was started without pipes")
        try:
            stdin.write(name.encode() + b"\n")
            stdin.flush()
        except BrokenPipeError as error:
            raise git_failed(self._store.clone, "cat-file", b"it ended too soon") from error
        facts = stdout.readline().split()
        if len(facts) != len(("id", "kind", "size")) or facts[1] != b"tree":
            raise git_failed(self._store.clone, "cat-file", b"no tree at " + name.encode())
        data = stdout.read(int(facts[2]))
        stdout.read(1)
        return data


@contextmanager
def open_trees(store: ObjectStore) -> Iterator[TreeReader]:
    """Open a reader on a store."""
    process = store.start("cat-file", "--batch", stdin=PIPE)
    try:
        yield TreeReader(store, process)
    finally:
        process.kill()
        process.communicate()


def parse_tree(data: bytes) -> Mapping[str, TreeEntry]:
    """Return the entries of a raw tree: ``MODE NAME NUL`` and 20 bytes each."""
    found = {}
    at = 0
    while at < len(data):
        blank = data.index(b" ", at)
        end = data.index(b"\0", blank)
        name = data[blank + 1 : end].decode("utf-8", "surrogateescape")
        blob = data[end + 1 : end + 1 + _ID_BYTES].hex()
        found[name] = TreeEntry(data[at:blank].decode("ascii"), blob)
        at = end + 1 + _ID_BYTES
    return found
