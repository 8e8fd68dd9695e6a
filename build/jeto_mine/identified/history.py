"""One repository's history as a stream of commits, bytes in, from one ``git log``.

Pinned: the commits reachable from the tip, children before their parents; of a merge the
difference to its first parent (field.md row 109); renames are not looked for, so that a rename is a
file that goes and one that comes, whatever the user's settings say, and no content is read
(row 111); everything ends in NUL, nothing is quoted, messages are bytes (row 107).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from io import BufferedReader

from jeto_mine.identified.entries import FIELDS, Entry, split_entries
from jeto_mine.identified.object_store import ObjectStore, git_failed

__all__ = ["read_history"]


def read_history(store: ObjectStore) -> Iterator[Entry]:
    """Read the history of a store from its tip, children before their parents.

    Raises:
        InputError: git fails; nothing is lost silently.
    """
    mark = f"\x01{secrets.token_hex(8)}"  # nobody's message can hold it
    process = store.start(
        "log",
        "-z",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-mailmap",
        "--no-show-signature",
        "--no-color",
        "--no-notes",
        "--encoding=none",
        "--topo-order",
        "--diff-merges=first-parent",
        f"--format=tformat:{mark}%x00{FIELDS}",
        store.tip,
        "--",
    )
    with process:
        assert isinstance(process.stdout, BufferedReader)  # noqa: S101  # a pipe was asked for
        assert process.stderr is not None  # noqa: S101  # a pipe was asked for
        try:
            yield from split_entries(process.stdout, mark.encode() + b"\0")
            stderr = process.stderr.read()
            process.wait()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise git_failed(store.clone, "log", stderr)
