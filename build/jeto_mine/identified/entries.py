"""Commits as ``git log`` tells them, cut out of its output. Pure.

A commit is held in memory up to a limit, whatever it touches (field.md row 108).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

__all__ = ["FIELDS", "MAX_COMMIT_BYTES", "Entry", "Stream", "split_entries"]

MAX_COMMIT_BYTES: Final = 1 << 20
"""Names and message of one commit; 20 of the longest paths fit many times."""

FIELDS: Final = "%H%x00%P%x00%ct%x00%e%x00%an%x00%ae%x00%ce%x00%B%x00"
"""What git is asked for; the changed files follow."""

_CHUNK: Final = 1 << 18
_KEPT_OF_OVERSIZED: Final = 1 << 12
_FIELD_COUNT: Final = 9


class Stream(Protocol):
    """What bytes come out of."""

    def read1(self, size: int, /) -> bytes:
        """Return what there is, as much as ``size`` bytes; nothing at the end."""
        ...


class Entry(NamedTuple):
    """One commit as git tells it; a plain tuple of bytes, since there are millions.

    Attributes:
        commit: 40 hex digits.
        parents: 40 hex digits each, separated by spaces.
        committed: Committer's time, seconds since 1970 in decimal.
        encoding: As the commit declares it; empty for UTF-8.
        author: Author's name.
        author_email: Author's address.
        committer_email: Committer's address.
        message: The whole message.
        raw: Changed files, each ``:MODE MODE BLOB BLOB STATUS`` NUL ``PATH`` NUL.
        oversized: More than ``MAX_COMMIT_BYTES``; ``message`` and ``raw`` are cut off.
    """

    commit: bytes
    parents: bytes
    committed: bytes
    encoding: bytes
    author: bytes
    author_email: bytes
    committer_email: bytes
    message: bytes
    raw: bytes
    oversized: bool = False


def split_entries(stream: Stream, mark: bytes, *, limit: int = MAX_COMMIT_BYTES) -> Iterator[Entry]:
    """Split git's output into commits.

    Args:
        stream: The output.
        mark: What stands before every commit.
        limit: Bytes of one commit; of a longer one the beginning is kept.
    """
    rest = b""
    oversized = False
    while chunk := stream.read1(_CHUNK):
        *blocks, rest = (rest + chunk).split(mark)
        for block in blocks:
            if block:
                yield _entry(block, oversized=oversized or len(block) > limit)
            oversized = False
        if len(rest) > limit + len(mark):
            oversized = True
        if oversized:
            # The beginning is kept for the names; the end, because a mark may begin in it.
            rest = (
                rest[:_KEPT_OF_OVERSIZED] + rest[max(_KEPT_OF_OVERSIZED, len(rest) - len(mark)) :]
            )
    if rest:
        yield _entry(rest, oversized=oversized or len(rest) > limit)


def _entry(block: bytes, *, oversized: bool) -> Entry:
    fields = block.split(b"\0", _FIELD_COUNT)
    if len(fields) <= _FIELD_COUNT:
        fields += [b""] * (_FIELD_COUNT + 1 - len(fields))
        oversized = True
    commit, parents, committed, encoding, author, address, committer, message, _, raw = fields
    # After the message git puts its own NUL, and a line feed before the first file.
    return Entry(
        commit,
        parents,
        committed,
        encoding,
        author,
        address,
        committer,
        message,
        raw[1:],
        oversized,
    )
