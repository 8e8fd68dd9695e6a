"""The file that keeps labels: JSONL, one label a line, added to by several people at a time."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_line, split_lines
from jeto_mine.verification.model import LabelEntry, check_annotator

__all__ = ["add_label", "decode_labels", "read_labels"]


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
        try:
            check_annotator(entry.annotator)
        except UsageError as problem:
            where.fail(problem.message, "annotator", advice=problem.advice)
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
