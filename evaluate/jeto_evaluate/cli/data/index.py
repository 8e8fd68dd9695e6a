"""``jeto-bench data index``: facts of the paper's ETIPs, as Parquet."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import InputError
from jeto_bench.files import write_atomically
from jeto_bench.index.merge import merge_rows
from jeto_bench.index.paper import decode_paper, paper_index
from jeto_bench.index.rows import decode_index, index_to_parquet

__all__ = ["index"]


def index(
    *,
    paper: Annotated[
        Path, typer.Option("--paper", help="JSONL file of the paper's ETIPs, one object a line.")
    ],
    to: Annotated[Path, typer.Option("--to", help="Parquet file of the index; rows are added.")],
) -> None:
    """Put the paper's ETIPs into an index: facts only, beside what others measured of them."""
    try:
        rows = paper_index(decode_paper(paper.read_bytes(), source=str(paper)))
        known = decode_index(to.read_bytes(), source=str(to)) if to.exists() else ()
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    merged = merge_rows(rows, known)
    write_atomically(to, index_to_parquet(merged))
    tiers = Counter(row.tier.value for row in merged)
    counted = ", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items()))
    typer.echo(f"{to}: {len(merged)} ETIPs ({counted}), {len(rows)} of them the paper's")
