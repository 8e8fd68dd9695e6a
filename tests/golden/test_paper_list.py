"""The committed index against the paper's own list, where that is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jeto_bench import load
from jeto_bench.index.paper import PAPER, decode_paper, paper_index

VARIABLE = "JETO_PAPER"
DEFAULT = Path(__file__).parents[2].parent / "shared" / "real" / "jeto_paper.jsonl"


def test_every_fact_of_the_list_is_in_the_index() -> None:
    """The list is named by JETO_PAPER; without it, the one beside the checkout is used if there."""
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else DEFAULT
    if not path.exists():
        if named:
            pytest.fail(f"{VARIABLE} names {path}, which does not exist")
        pytest.skip(f"the paper's list is not here; name it in {VARIABLE} to run this")
    told = paper_index(decode_paper(path.read_bytes(), source=str(path)))
    index = {row.instance_id: row for row in load("index")}
    assert len(told) == 660
    for row in told:
        kept = index[row.instance_id]
        assert [item for item in kept.measurements if item.source == PAPER] == [
            *row.measurements
        ], row.instance_id
        assert (kept.repo, kept.fix_commits[-1]) == (row.repo, row.fix_commits[-1])
        assert set(row.changed_files) <= set(kept.changed_files)
        assert row.base_commit in {"", kept.base_commit}
        assert (kept.issue_number, kept.modules) == (row.issue_number, row.modules)
