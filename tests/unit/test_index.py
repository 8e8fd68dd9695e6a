"""The index: one row per ETIP, with everything that was measured of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import BufferReader

from jeto_bench.encode import row_to_dict, table_to_parquet
from jeto_bench.errors import DecodeError, InputError
from jeto_bench.index.files import read_index, write_index
from jeto_bench.index.merge import merge_rows
from jeto_bench.index.rows import (
    INDEX_SCHEMA,
    IndexMeasurement,
    IndexRow,
    decode_index,
    index_to_parquet,
)
from jeto_bench.lifecycle.status import LifeStatus
from jeto_bench.records import QuarantinedTest, Tier

FOUND = IndexMeasurement(
    source="jeto-mine execute",
    measured_at="2026-01-02T00:00:00+00:00",
    machine="a CPU, 2 CPUs",
    harness="0.1.0",
    rounds=30,
    outcome="executable",
    modules=("core",),
    java_version=8,
    java_evidence=("pom.xml: java.version = 1.8",),
    maven_version="3.6.3",
    wrapper="jar",
    test_classes=44,
    quarantined_tests=(QuarantinedTest(test_class="a.NetTest", reason="needs_network"),),
    strict=False,
    verdict="no_improvement",
    improved=(),
    regressed=(),
    jeto_improved=("a.ChanceTest",),
    jeto_regressed=(),
    overall_speedup=1.01,
    round_seconds=7.5,
    total_seconds=350.0,
    image_bytes=423_000_000,
)
ROW = IndexRow(
    instance_id="acme__lib-1",
    repo="acme/lib",
    base_commit="1" * 40,
    fix_commits=("2" * 40,),
    pull_number=None,
    issue_number=7,
    changed_files=("src/main/java/A.java",),
    measurements=(FOUND,),
    status=LifeStatus.WEAK,
    status_reason="no_effect",
)


def test_rows_come_back_as_they_were_sorted_by_id() -> None:
    other = replace(ROW, instance_id="acme__kit-1", pull_number=3, measurements=())
    data = index_to_parquet([ROW, other])
    assert decode_index(data) == (other, ROW)
    stored = pq.read_schema(BufferReader(data))
    assert (stored.names, stored.metadata) == (INDEX_SCHEMA.names, INDEX_SCHEMA.metadata)


def test_an_index_that_is_not_there_yet_has_no_rows(tmp_path: Path) -> None:
    file = tmp_path / "index.parquet"
    assert read_index(file) == ()
    write_index(file, [ROW])
    assert read_index(file) == (ROW,)
    with pytest.raises(InputError, match=f"cannot read {tmp_path}: Is a directory"):
        read_index(tmp_path)


def test_a_measurement_is_added_once_and_the_newest_is_last() -> None:
    later = replace(FOUND, measured_at="2026-03-01T00:00:00+00:00", outcome="not_proved")
    earlier = replace(FOUND, measured_at="2025-03-01T00:00:00+00:00")
    merged = merge_rows([ROW], [ROW, replace(ROW, measurements=(later, earlier))])
    (row,) = merged
    assert row.measurements == (earlier, FOUND, later)
    assert merge_rows(merged, merged) == merged


def test_rows_of_both_sides_are_kept() -> None:
    other = replace(ROW, instance_id="acme__kit-1", fix_commits=("3" * 40,))
    assert merge_rows([ROW], [other]) == (other, ROW)


def test_an_etip_under_another_id_is_the_same_one_and_what_was_known_of_it_stays() -> None:
    told = replace(
        ROW,
        base_commit="",
        pull_number=None,
        modules=("core",),
        tier=Tier.VERIFIED,
        sources=("paper",),
        status=LifeStatus.RETIRED,
        status_reason="its project asked for it",
        measurements=(replace(FOUND, source="paper", measured_at=""),),
    )
    ours = replace(
        ROW,
        instance_id="acme__lib-9",
        repo="Acme/lib",
        fix_commits=("4" * 40, "2" * 40),
        pull_number=9,
        changed_files=("other/B.java",),
        sources=("us",),
    )
    (row,) = merge_rows([told], [ours])
    assert row.instance_id == "acme__lib-1"
    assert (row.base_commit, row.pull_number) == ("1" * 40, 9)
    assert row.fix_commits == ("4" * 40, "2" * 40)
    assert (row.changed_files, row.modules) == (told.changed_files, ("core",))
    assert (row.tier, row.sources) == (Tier.VERIFIED, ("paper", "us"))
    assert (row.status, row.status_reason) == (LifeStatus.RETIRED, "its project asked for it")
    assert [item.source for item in row.measurements] == ["paper", FOUND.source]


def test_the_status_of_a_row_is_what_all_verdicts_together_say() -> None:
    """field.md row 48: a reference that nobody sees to be faster is weak, a failing one retired."""
    fresh = replace(ROW, measurements=(), status=LifeStatus.ACTIVE, status_reason="")
    seen = replace(FOUND, machine="another CPU", verdict="improved")
    failed = replace(seen, verdict="tests_failed", measured_at="2026-05-01T00:00:00+00:00")

    def status(*found: IndexMeasurement) -> tuple[LifeStatus, str]:
        rows = [fresh]
        for item in found:
            rows = list(merge_rows(rows, [replace(fresh, measurements=(item,))]))
        return rows[0].status, rows[0].status_reason

    assert status() == (LifeStatus.ACTIVE, "")
    assert status(replace(FOUND, verdict="")) == (LifeStatus.ACTIVE, "")
    assert status(FOUND) == (LifeStatus.WEAK, "no_effect")
    assert status(FOUND, seen) == (LifeStatus.ACTIVE, "")
    assert status(seen, FOUND, failed) == (LifeStatus.RETIRED, "reference_fails")


def test_another_etip_of_the_same_id_is_called_by_its_short_sha() -> None:
    other = replace(ROW, fix_commits=("3" * 40,))
    merged = merge_rows([ROW], [other])
    assert {row.instance_id: row.fix_commits[-1][0] for row in merged} == {
        "acme__lib-1": "2",
        "acme__lib-3333333": "3",
    }
    third = replace(ROW, fix_commits=("3333333" + "5" * 33,))
    with pytest.raises(DecodeError, match="acme__lib-3333333 names two ETIPs"):
        merge_rows(merged, [third])


def test_an_index_from_before_a_field_was_added_is_read() -> None:
    added = {"modules", "tier", "sources", "status", "status_reason"}
    added_below = {"overall_improvement", "overall_p_value", "about_execution_time"}
    row = {key: value for key, value in row_to_dict(ROW).items() if key not in added}
    below = row_to_dict(FOUND)
    row["measurements"] = [{k: v for k, v in below.items() if k not in added_below}]
    old = pa.Table.from_pylist([row])
    expected = replace(ROW, status=LifeStatus.ACTIVE, status_reason="")
    assert decode_index(table_to_parquet(old)) == (expected,)


def test_an_etip_that_is_there_twice_is_refused() -> None:
    with pytest.raises(DecodeError, match=r"x\.parquet:2: instance_id: acme__lib-1 is there twice"):
        decode_index(index_to_parquet([ROW, ROW]), source="x.parquet")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"instance_id": "../../x"}, "instance_id"),
        ({"instance_id": "acme__lib-1\0"}, "instance_id"),
        ({"instance_id": f"acme__{'x' * 300}-1"}, "instance_id"),
        ({"repo": "../.."}, "repo"),
        ({"repo": "acme/.."}, "repo"),
        ({"repo": "--upload-pack=x/lib"}, "repo"),
        ({"fix_commits": ()}, "fix_commits"),
        ({"fix_commits": ("--output=x",)}, "fix_commits[0]"),
        ({"base_commit": "--output=x"}, "base_commit"),
    ],
)
def test_names_and_commits_that_could_lead_elsewhere_are_refused(
    change: dict[str, str], field: str
) -> None:
    """A row's id became a file's name as it was, so that hydrating wrote outside its folder."""
    row = replace(ROW, **change)  # type: ignore[arg-type]
    with pytest.raises(DecodeError) as refused:
        decode_index(index_to_parquet([row]), source="strange.parquet")
    assert str(refused.value).startswith(f"strange.parquet:1: {field}: ")
