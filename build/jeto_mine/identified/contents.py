"""Contents of the chosen commits, a few git processes for all of them (field.md row 111)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Final, NamedTuple

from jeto_bench.git.diffs import PINNED_DIFF
from jeto_mine.identified.criteria import ChangedFile, changed_files
from jeto_mine.identified.object_store import ObjectStore, git_failed

__all__ = [
    "MAX_PATCH_BYTES",
    "Pair",
    "changes",
    "missing",
    "patches",
    "read_blobs",
]

MAX_PATCH_BYTES: Final = 1 << 20
"""Of 20 files that people wrote; what is longer is generated."""

_PINNED: Final = PINNED_DIFF[1:]
"""Without the name of the command: the same as for all diffs of ours."""

_HEADER: Final = re.compile(rb"[0-9a-f]{40}\n")
_CHUNK: Final = 1 << 16


class Pair(NamedTuple):
    """Two versions, 40 hex digits each."""

    base: str
    head: str


def changes(store: ObjectStore, pairs: Sequence[Pair]) -> tuple[tuple[ChangedFile, ...], ...]:
    """Return the files that differ in each pair; both commits must be there.

    Raises:
        InputError: git fails.
    """
    lines = _lines(pairs)
    output = store.run("diff-tree", "--stdin", "--always", "-r", "--raw", "-z", "--no-abbrev",
                       "--no-renames", stdin=lines)  # fmt: skip
    # Each difference begins with "ID NUL"; what follows begins with a colon.
    found: list[list[bytes]] = []
    for token in output.split(b"\0"):
        if len(token) == 40 and not token.startswith(b":") and _begins(found):  # noqa: PLR2004
            found.append([])
        elif token:
            found[-1].append(token)
    if len(found) != len(pairs):
        raise git_failed(store.clone, "diff-tree", b"it answered for other commits than asked")
    return tuple(changed_files(b"\0".join([*tokens, b""])) for tokens in found)


def _begins(found: Sequence[Sequence[bytes]]) -> bool:
    """A path comes after its facts, so that 40 letters there are no commit."""
    return not found or len(found[-1]) % 2 == 0


def patches(store: ObjectStore, pairs: Sequence[Pair]) -> Iterator[bytes | None]:
    """Return each pair's difference as ``git diff`` with ``a/`` and ``b/`` writes it.

    Returns:
        In the order of the pairs; ``None`` where it is longer than ``MAX_PATCH_BYTES``.

    Raises:
        InputError: git fails, for instance because a content is missing; see ``missing``.
    """
    with tempfile.TemporaryFile() as stdin:
        stdin.write(_lines(pairs))
        stdin.seek(0)
        process = store.start(
            *("diff-tree", "--stdin", "--always", "-r", "-p", *_PINNED),
            stdin=stdin,
        )
    with process:
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        assert process.stderr is not None  # noqa: S101  # a pipe was asked for
        try:
            count = 0
            for patch in _split_patches(process.stdout):
                count += 1
                yield patch
            stderr = process.stderr.read()
            process.wait()
        except BaseException:
            process.kill()
            raise
    if process.returncode or count != len(pairs):
        raise git_failed(store.clone, "diff-tree", stderr)


def _split_patches(stream: IO[bytes]) -> Iterator[bytes | None]:
    """Lines of a patch begin otherwise than a line that is a commit's id and nothing else."""
    parts: list[bytes] = []
    size = 0
    begun = False
    # A line may be endless; the beginning of each piece tells what it is.
    at_start = True
    while piece := stream.readline(_CHUNK):
        if at_start and _HEADER.fullmatch(piece):
            if begun:
                yield _joined(parts, size)
            parts, size, begun = [], 0, True
        else:
            size += len(piece)
            if size <= MAX_PATCH_BYTES:
                parts.append(piece)
        at_start = piece.endswith(b"\n")
    if begun:
        yield _joined(parts, size)


def _joined(parts: Sequence[bytes], size: int) -> bytes | None:
    # Between a commit's id and its patch git puts an empty line.
    return b"".join(parts).removeprefix(b"\n") if size <= MAX_PATCH_BYTES else None


def missing(store: ObjectStore, objects: Sequence[str]) -> frozenset[str]:
    """Return which objects the clone lacks."""
    names = sorted({item for item in objects if item.strip("0")})
    stdin = "".join(f"{name}\n" for name in names).encode()
    output = store.run("cat-file", "--batch-check=%(objectname)", stdin=stdin)
    return frozenset(
        line.split()[0].decode() for line in output.splitlines() if line.endswith(b" missing")
    )


def read_blobs(store: ObjectStore, blobs: Sequence[str]) -> Mapping[str, bytes]:
    """Return contents by id; ids that the clone lacks are missing from the answer."""
    names = sorted(set(blobs))
    stdin = "".join(f"{name}\n" for name in names).encode()
    output = store.run("cat-file", "--batch", stdin=stdin)
    found: dict[str, bytes] = {}
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        facts = output[at:end].split()
        at = end + 1
        if len(facts) == len(("id", "kind", "size")):
            size = int(facts[2])
            found[facts[0].decode()] = output[at : at + size]
            at += size + 1
    return found


def _lines(pairs: Sequence[Pair]) -> bytes:
    """A commit, and what is to be taken for its parent."""
    return "".join(f"{pair.head} {pair.base}\n" for pair in pairs).encode()
