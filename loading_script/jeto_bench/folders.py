"""A dataset's folder while it is written: there whole, with a card that holds, or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jeto_bench.card.check import refuse_wrong_card
from jeto_bench.card.front_matter import SplitFile
from jeto_bench.card.render import needs_libraries
from jeto_bench.decode import read_parquet
from jeto_bench.errors import InputError
from jeto_bench.files import write_atomically

__all__ = ["SPLIT", "new_folder", "write_split"]

SPLIT: Final = "test"


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a folder to write a dataset into; if its card holds in the end, it becomes ``target``.

    Raises:
        InputError: ``target`` holds something.
        DecodeError: Card and files disagree.
        UsageError: A library is missing.
    """
    needs_libraries()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target} is not empty", advice="Name a folder that is not there yet.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield part
        refuse_wrong_card(part)
        part.chmod(0o755)
        if target.exists():
            target.rmdir()
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def write_split(folder: Path, config: str, data: bytes, *, split: str = SPLIT) -> SplitFile:
    """Write the one Parquet file of a split and return what the card says of it."""
    path = f"data/{config}/{split}-00000-of-00001.parquet"
    write_atomically(folder / path, data)
    table = read_parquet(data)
    return SplitFile(
        config=config,
        split=split,
        path=path,
        rows=table.num_rows,
        memory_bytes=table.nbytes,
        file_bytes=len(data),
        schema=table.schema,
    )
