"""The index: one row per ETIP, with everything that was measured of it."""

from __future__ import annotations

from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from pyarrow import BufferReader

from jeto_bench.errors import DecodeError
from jeto_bench.index import (
    INDEX_SCHEMA,
    IndexMeasurement,
    IndexRow,
    decode_index,
    index_to_parquet,
    merge_rows,
)
from jeto_bench.records import QuarantinedTest

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
)


def test_rows_come_back_as_they_were_sorted_by_id() -> None:
    other = replace(ROW, instance_id="acme__lib-0", pull_number=3, measurements=())
    data = index_to_parquet([ROW, other])
    assert decode_index(data) == (other, ROW)
    stored = pq.read_schema(BufferReader(data))
    assert (stored.names, stored.metadata) == (INDEX_SCHEMA.names, INDEX_SCHEMA.metadata)


def test_a_measurement_is_added_once_and_the_newest_is_last() -> None:
    later = replace(FOUND, measured_at="2026-03-01T00:00:00+00:00", outcome="not_proved")
    earlier = replace(FOUND, measured_at="2025-03-01T00:00:00+00:00")
    merged = merge_rows([ROW], [ROW, replace(ROW, measurements=(later, earlier))])
    (row,) = merged
    assert row.measurements == (earlier, FOUND, later)
    assert merge_rows(merged, merged) == merged


def test_rows_of_both_sides_are_kept() -> None:
    other = replace(ROW, instance_id="acme__lib-0")
    assert merge_rows([ROW], [other]) == (other, ROW)


def test_an_etip_that_is_there_twice_is_refused() -> None:
    with pytest.raises(DecodeError, match=r"x\.parquet:2: instance_id: acme__lib-1 is there twice"):
        decode_index(index_to_parquet([ROW, ROW]), source="x.parquet")
