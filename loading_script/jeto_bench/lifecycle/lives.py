"""``validation.jsonl`` beside the data: for each row, what its validations found (row 48)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_line, split_lines
from jeto_bench.lifecycle.status import RowLife, Validation, life_of

__all__ = ["LIVES_FILE", "add_validations", "read_lives", "write_lives"]

LIVES_FILE: Final = "validation.jsonl"


def read_lives(root: Path) -> tuple[RowLife, ...]:
    """Return the validation records of a dataset's folder; none if it has no such file.

    Raises:
        DecodeError: A line is no validation record, or a row is there twice.
    """
    file = root / LIVES_FILE
    if not file.is_file():
        return ()
    source = str(file)
    found: dict[str, RowLife] = {}
    for number, text in enumerate(split_lines(file.read_bytes()), start=1):
        value = decode_line(text, source=source, line=number)
        life: RowLife = convert(value, RowLife, Where(source=source, line=number), "")
        if life.instance_id in found:
            raise DecodeError(
                f"{life.instance_id} is there twice",
                source=source,
                line=number,
                field="instance_id",
            )
        found[life.instance_id] = life
    return tuple(found.values())


def write_lives(root: Path, lives: Iterable[RowLife]) -> None:
    """Write validation records, sorted by id."""
    ordered = sorted(lives, key=lambda life: life.instance_id)
    lines = (
        json.dumps(row_to_dict(life), ensure_ascii=False, allow_nan=False) + "\n"
        for life in ordered
    )
    write_atomically(root / LIVES_FILE, "".join(lines).encode())


def add_validations(
    lives: Iterable[RowLife], found: Mapping[str, Iterable[Validation]]
) -> tuple[RowLife, ...]:
    """Return records with more validations, statuses told anew where something was added."""
    known = {life.instance_id: life for life in lives}
    for name, items in found.items():
        before = known[name].validations if name in known else ()
        added = tuple(item for item in items if item not in before)
        if added:
            known[name] = life_of(name, (*before, *added))
    return tuple(known[name] for name in sorted(known))
