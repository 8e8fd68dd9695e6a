"""``jeto-bench data index``: facts of the paper's ETIPs, as Parquet."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import InputError
from jeto_bench.index.files import read_index, write_index
from jeto_bench.index.merge import merge_rows
from jeto_bench.index.paper import decode_paper, paper_index

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
    except OSError as error:
        raise InputError(f"cannot read {paper}: {error.strerror}") from error
    merged = merge_rows(rows, read_index(to))
    write_index(to, merged)
    tiers = Counter(row.tier.value for row in merged)
    counted = ", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items()))
    typer.echo(f"{to}: {len(merged)} ETIPs ({counted}), {len(rows)} of them the paper's")
