"""Labels as people give them, and the file that keeps them: JSONL, one label a line."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_line, split_lines
from jeto_bench.records import EtipRecord

__all__ = [
    "REQUIREMENTS",
    "Answers",
    "Decision",
    "LabelEntry",
    "add_label",
    "check_annotator",
    "decode_labels",
    "make_label",
    "patch_hash",
    "read_labels",
]


class Decision(StrEnum):
    """Is the change an execution time improvement patch?"""

    IMPROVEMENT = "improvement"
    NO_IMPROVEMENT = "no_improvement"


REQUIREMENTS: Final = {
    "improves": "The change inherently improves execution time.",
    "beyond_tests": "It changes the program, not only tests.",
    "keeps_functionality": "It changes nothing else that the program does.",
}
"""The paper's three requirements, by field of ``Answers``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """What an annotator says of the paper's three requirements.

    Attributes:
        improves: The change inherently improves execution time.
        beyond_tests: It is not one of tests only.
        keeps_functionality: It does not change functionality.
    """

    improves: bool
    beyond_tests: bool
    keeps_functionality: bool

    @property
    def decision(self) -> Decision:
        """An improvement is what meets all three."""
        every = self.improves and self.beyond_tests and self.keeps_functionality
        return Decision.IMPROVEMENT if every else Decision.NO_IMPROVEMENT


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelEntry:
    """One annotator's label of one record.

    Attributes:
        instance_id: The record.
        patch_sha256: Of the patch that was shown; a label of another patch does not count.
        annotator: Id of who gave it.
        answers: To the three requirements.
        note: Free text; may be empty.
        labelled_at: ISO 8601, UTC.
    """

    instance_id: str
    patch_sha256: str
    annotator: str
    answers: Answers
    note: str
    labelled_at: str

    @property
    def decision(self) -> Decision:
        """What the answers come to."""
        return self.answers.decision


def patch_hash(record: EtipRecord) -> str:
    """Return the SHA-256 of a record's patch, hexadecimal."""
    return hashlib.sha256(record.patch.encode()).hexdigest()


def make_label(
    record: EtipRecord,
    annotator: str,
    answers: Answers,
    *,
    note: str = "",
    now: datetime | None = None,
) -> LabelEntry:
    """Return a label of a record, dated now."""
    at = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    return LabelEntry(
        instance_id=record.instance_id,
        patch_sha256=patch_hash(record),
        annotator=check_annotator(annotator),
        answers=answers,
        note=note.strip(),
        labelled_at=at.isoformat(),
    )


def check_annotator(annotator: str) -> str:
    """Return an annotator's id.

    Raises:
        UsageError: It is empty, or would not show as one word.
    """
    if not annotator or not annotator.isprintable() or annotator.split() != [annotator]:
        raise UsageError(f"{annotator!r} is not an annotator's id", advice="Give one word: ada")
    return annotator


def decode_labels(data: bytes, *, source: str = "") -> tuple[LabelEntry, ...]:
    """Return labels in the order of the file.

    Raises:
        DecodeError: A line is no label, or somebody labelled the same patch twice.
    """
    found: list[LabelEntry] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, text in enumerate(split_lines(data), start=1):
        if not text.strip():
            continue
        where = Where(source=source, line=number)
        entry: LabelEntry = convert(
            decode_line(text, source=source, line=number), LabelEntry, where, ""
        )
        earlier = seen.setdefault(_key(entry), number)
        if earlier != number:
            raise DecodeError(
                f"{entry.annotator} labelled {entry.instance_id} in line {earlier} already",
                source=source,
                line=number,
                advice="Remove one of the two.",
            )
        found.append(entry)
    return tuple(found)


def read_labels(path: Path) -> tuple[LabelEntry, ...]:
    """Return the labels of a file; none if it is not there yet.

    Raises:
        DecodeError: See ``decode_labels``.
        InputError: It cannot be read.
    """
    if not path.exists():
        return ()
    try:
        return decode_labels(path.read_bytes(), source=str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def add_label(path: Path, entry: LabelEntry) -> None:
    """Add a label at the end of a file, whole or not at all; several may do so at a time.

    Raises:
        InputError: The same annotator labelled the same patch already.
    """
    with _locked(path):
        known = read_labels(path)
        if _key(entry) in {_key(item) for item in known}:
            raise InputError(
                f"{entry.annotator} has labelled {entry.instance_id} already",
                advice="A label is not changed; the tie-break settles what people disagree on.",
            )
        line = json.dumps(row_to_dict(entry), ensure_ascii=False).encode() + b"\n"
        before = path.read_bytes() if path.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        write_atomically(path, before + line)


def _key(entry: LabelEntry) -> tuple[str, str, str]:
    return entry.instance_id, entry.annotator, entry.patch_sha256


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file of labels; the labels' own file is replaced, so it is beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
