"""An index as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jeto_bench.errors import InputError
from jeto_bench.files import write_atomically
from jeto_bench.index.rows import IndexRow, decode_index, index_to_parquet

__all__ = ["read_index", "write_index"]


def read_index(path: Path) -> tuple[IndexRow, ...]:
    """Return the rows of an index; none if there is no such file yet.

    Raises:
        DecodeError: The file is no index.
        InputError: It cannot be read.
    """
    try:
        return tuple(decode_index(path.read_bytes(), source=str(path)))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def write_index(path: Path, rows: Sequence[IndexRow]) -> None:
    """Put an index in the place of the one that was there."""
    write_atomically(path, index_to_parquet(rows))
