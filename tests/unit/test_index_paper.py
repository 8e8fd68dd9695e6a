"""The paper's ETIPs in the index that is part of this repository: totals, and how rows are made."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import jeto_bench
from jeto_bench.errors import DecodeError, UsageError
from jeto_bench.index.paper import PAPER, decode_paper, paper_index
from jeto_bench.index.rows import IndexMeasurement, IndexRow, decode_index
from jeto_bench.instance_ids import EtipName, unique_ids
from jeto_bench.load import INDEX, load_records
from jeto_bench.records import Tier
from jeto_evaluate.cli.data.index import index as index_command

ROOT = Path(__file__).parents[2]
LINE: dict[str, object] = {
    "repo": "acme/lib",
    "fix_commit": "2" * 40,
    "base_commit": None,
    "issue_number": 7,
    "pull_number": None,
    "modules": ["core"],
    "changed_files": ["core/B.java", "core/A.java"],
    "status": "executable",
    "about_execution_time": True,
    "overall_improvement": 0.25,
    "overall_p_value": 0.01,
    "detectors_reference_faster": ["acme.ATest"],
    "detectors_base_faster": [],
}


def lines(*changes: dict[str, object]) -> bytes:
    return b"".join(json.dumps({**LINE, **change}).encode() + b"\n" for change in changes)


@pytest.fixture(scope="module")
def paper() -> list[tuple[IndexRow, IndexMeasurement]]:
    """Every ETIP of the paper in the committed index, with what the paper found of it."""
    rows = jeto_bench.load("index")
    return [(row, item) for row in rows for item in row.measurements if item.source == PAPER]


def test_the_paper_is_there_in_full(paper: list[tuple[IndexRow, IndexMeasurement]]) -> None:
    assert len({row.instance_id for row, _ in paper}) == len(paper) == 660
    assert Counter(item.outcome for _, item in paper) == {
        "identified": 537,
        "built_without_tests": 21,
        "executable": 102,
    }
    assert sum(item.about_execution_time is True for _, item in paper) == 91
    assert Counter(item.about_execution_time for _, item in paper if item.outcome == "executable")[
        False
    ] == 11  # fmt: skip
    assert sum(row.tier is Tier.VERIFIED for row, _ in paper) == 91
    assert all(len(row.fix_commits[-1]) == 40 and row.changed_files for row, _ in paper)
    assert all(len(row.base_commit) == 40 for row, _ in paper if row.pull_number is not None)


def test_the_query_of_the_readme_finds_the_papers_19_and_6(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (query,) = (
        body
        for body in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        if '"index"' in body
    )
    exec(compile(query, "README.md", "exec"), {})  # noqa: S102  # what readers are told to run
    first, *classes = capsys.readouterr().out.splitlines()
    assert first == "19 6"
    assert len(classes) == 19
    assert any("com.gluonhq.richtext.model.PieceTableTests" in line for line in classes)


def test_a_line_becomes_a_row() -> None:
    (row,) = paper_index(decode_paper(lines({})))
    assert row.instance_id == "acme__lib-7"
    assert (row.base_commit, row.fix_commits) == ("", ("2" * 40,))
    assert row.changed_files == ("core/A.java", "core/B.java")
    assert (row.tier, row.sources, row.modules) == (Tier.VERIFIED, (PAPER,), ("core",))
    (found,) = row.measurements
    assert (found.outcome, found.jeto_improved) == ("executable", ("acme.ATest",))
    assert (found.overall_improvement, found.overall_p_value) == (0.25, 0.01)


@pytest.mark.parametrize(
    ("change", "tier"),
    [
        ({"about_execution_time": False}, Tier.EXECUTABLE),
        ({"status": "built_without_tests", "about_execution_time": None}, Tier.IDENTIFIED),
        ({"status": "identified", "about_execution_time": None}, Tier.IDENTIFIED),
    ],
)
def test_the_tier_follows_from_status_and_label(change: dict[str, object], tier: Tier) -> None:
    (row,) = paper_index(decode_paper(lines(change)))
    assert row.tier is tier


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (({}, {}), r"x\.jsonl:2: fix_commit: 2{40} is already in line 1"),
        (({"status": "fast"},), r"x\.jsonl:1: status: 'fast' is not one of identified"),
        (({"modules": "core"},), r"x\.jsonl:1: modules: expected a list"),
    ],
)
def test_a_line_of_another_form_is_refused(
    changes: tuple[dict[str, object], ...], told: str
) -> None:
    with pytest.raises(DecodeError, match=told):
        decode_paper(lines(*changes), source="x.jsonl")


def name(fix: str, pull: int | None = None, issue: int | None = None) -> EtipName:
    return EtipName(repo="a/b", fix_commit=fix, pull_number=pull, issue_number=issue)


def test_ids_are_by_pull_request_then_issue_then_short_sha_and_never_shared() -> None:
    alike = ("c" * 7 + "1" * 33, "c" * 7 + "2" * 33)
    names = [
        name("1" * 40, pull=5, issue=4),
        name("2" * 40, issue=6),
        name("3" * 40),
        name("4" * 40, issue=8),
        name("5" * 40, pull=8),
        name(alike[0], issue=9),
        name(alike[1], issue=9),
    ]
    ids = unique_ids(names)
    assert ids == (
        *("a__b-5", "a__b-6", "a__b-3333333", "a__b-4444444", "a__b-5555555"),
        *("a__b-ccccccc1", "a__b-ccccccc2"),
    )
    assert unique_ids(names[::-1]) == ids[::-1]
    with pytest.raises(ValueError, match="twice"):
        unique_ids([names[0], names[0]])


def test_the_command_adds_to_an_index_and_run_again_changes_nothing(tmp_path: Path) -> None:
    source, to = tmp_path / "paper.jsonl", tmp_path / "index.parquet"
    source.write_bytes(lines({}))
    index_command(paper=source, to=to)
    source.write_bytes(lines({}, {"fix_commit": "3" * 40, "issue_number": 8}))
    index_command(paper=source, to=to)
    once = to.read_bytes()
    assert [row.instance_id for row in decode_index(once)] == ["acme__lib-7", "acme__lib-8"]
    index_command(paper=source, to=to)
    assert to.read_bytes() == once


def test_facts_are_not_records() -> None:
    with pytest.raises(UsageError, match="jeto-bench data hydrate"):
        load_records(INDEX)
