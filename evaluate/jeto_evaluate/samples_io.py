"""``samples.parquet``: the raw times of one instance on disk, enough to judge them again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from jeto_bench import __version__
from jeto_bench.decode import read_parquet
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_evaluate.samples import Samples
from jeto_evaluate.samples_rows import COLUMNS, COLUMNS_OF_VERSION_1, Row, rounds_of, rows_of

__all__ = ["SCHEMA_VERSION", "read_samples", "samples_bytes", "write_samples"]

SCHEMA_VERSION: Final = 2
"""Raised whenever a column or its meaning changes; older versions are read.

History: 1, the first; 2 added the round's CPU time and the agent's figures.
"""

_READABLE: Final = {"1": COLUMNS_OF_VERSION_1, str(SCHEMA_VERSION): COLUMNS}


def write_samples(path: Path, samples: Samples) -> None:
    """Write ``samples`` to ``path``, whole or not at all.

    Raises:
        ValueError: A round has no class; it would be lost.
        OSError: The file cannot be written.
    """
    write_atomically(path, samples_bytes(samples))


def samples_bytes(samples: Samples) -> bytes:
    """Return ``samples`` as a Parquet file, one row per class and round in the order they ran.

    Raises:
        ValueError: A round has no class; it would be lost.
    """
    metadata = {
        "schema_version": str(SCHEMA_VERSION),
        "instance_id": samples.instance_id,
        "order_seed": str(samples.order_seed),
        "harness_version": __version__,
    }
    table = pa.Table.from_pylist(
        [row._asdict() for row in rows_of(samples)], schema=COLUMNS.with_metadata(metadata)
    )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def read_samples(path: Path) -> Samples:
    """Read what ``write_samples`` wrote, now or in an earlier version.

    Raises:
        DecodeError: Not such a file, or of another schema version; the message names the file.
    """
    try:
        # Given a path, pyarrow would also read columns out of directories named key=value.
        table = read_parquet(path.read_bytes())
    except FileNotFoundError:
        raise DecodeError("no such file", source=str(path)) from None
    except (pa.ArrowException, OSError) as error:
        raise DecodeError(f"not readable as Parquet: {error}", source=str(path)) from error
    metadata = {
        key.decode(errors="replace"): value.decode(errors="replace")
        for key, value in (table.schema.metadata or {}).items()
    }
    version = metadata.get("schema_version", "none")
    if version not in _READABLE:
        raise DecodeError(
            f"schema_version is {version}, this program reads {' and '.join(_READABLE)}",
            source=str(path),
            advice=f"It was written by version {metadata.get('harness_version', 'unknown')}.",
        )
    columns = _READABLE[version]
    if not table.schema.equals(columns):
        raise DecodeError(f"columns are not {columns.names}", source=str(path))
    seed = metadata.get("order_seed", "")
    if not seed.removeprefix("-").isdecimal():
        raise DecodeError(f"not a whole number: {seed!r}", source=str(path), field="order_seed")
    rows = [Row(**row) for row in table.to_pylist()]
    instance_id = metadata.get("instance_id", "")
    return Samples(
        instance_id=instance_id,
        order_seed=int(seed),
        rounds=rounds_of(rows, instance_id, source=str(path)),
    )
