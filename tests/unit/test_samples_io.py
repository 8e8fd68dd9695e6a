from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jeto_bench.errors import DecodeError
from jeto_evaluate.samples import AgentTimes, Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.samples_io import read_samples, write_samples
from jeto_evaluate.samples_rows import COLUMNS_OF_VERSION_1


def class_time(name: str, milliseconds: int, suite_ms: int | None) -> ClassTime:
    return ClassTime(
        test_class=name, milliseconds=milliseconds, suite_ms=suite_ms, cases_ms=7, cases=2
    )


SAMPLES = Samples(
    instance_id="acme__text-1",
    order_seed=-12,
    rounds=tuple(
        RoundResult(
            arm=arm,
            round=number,
            position=position,
            started_at=1_700_000_000.125 + number,
            wall_ms=900 + number,
            classes=(class_time("a.B", 10 * number, None), class_time("a.C", 0, 8)),
        )
        for number in range(3)
        for position, arm in enumerate([Arm.CANDIDATE, Arm.BASE])
    ),
)


def rewritten(path: Path, *, metadata: dict[str, str], drop: str = "") -> None:
    table = pq.read_table(path)
    if drop:
        table = table.drop_columns([drop])
    old = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    pq.write_table(table.replace_schema_metadata({**old, **metadata}), path)


def test_samples_come_back_as_they_ran(tmp_path: Path) -> None:
    path = tmp_path / "instance" / "samples.parquet"
    write_samples(path, SAMPLES)
    assert read_samples(path) == SAMPLES
    assert [item.name for item in path.parent.iterdir()] == ["samples.parquet"]


def test_a_directory_named_like_a_setting_adds_no_column(tmp_path: Path) -> None:
    """pyarrow reads hive partitions out of path names; criteria names look like them."""
    path = tmp_path / "jeto,alpha=0.05" / "samples.parquet"
    write_samples(path, SAMPLES)
    assert read_samples(path) == SAMPLES


def test_the_file_is_a_plain_table_for_others(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, SAMPLES)
    table = pq.read_table(path)
    assert table.num_rows == 12
    assert table.column("arm").to_pylist()[:4] == ["candidate", "candidate", "base", "base"]
    assert set(table.column("instance_id").to_pylist()) == {"acme__text-1"}


def test_another_schema_version_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, SAMPLES)
    rewritten(path, metadata={"schema_version": "3"})
    with pytest.raises(DecodeError, match=r"samples\.parquet: schema_version is 3, .* 1 and 2"):
        read_samples(path)


def test_samples_of_the_first_version_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, SAMPLES)
    table = pq.read_table(path).select(COLUMNS_OF_VERSION_1.names)
    metadata = {**(table.schema.metadata or {}), b"schema_version": b"1"}
    pq.write_table(table.replace_schema_metadata(metadata), path)
    assert read_samples(path) == SAMPLES


def test_what_the_agent_measured_comes_back(tmp_path: Path) -> None:
    names = [item.name for item in fields(AgentTimes)]
    agent = AgentTimes(**{name: 10**12 + number for number, name in enumerate(names)})
    partly = replace(agent, wait_ns=None, java_alloc=None)
    first = SAMPLES.rounds[0]
    classes = tuple(
        replace(entry, agent=times)
        for entry, times in zip(first.classes, (agent, partly), strict=True)
    )
    samples = replace(SAMPLES, rounds=(replace(first, classes=classes, cpu_ms=1234),))
    path = tmp_path / "samples.parquet"
    write_samples(path, samples)
    assert read_samples(path) == samples


@pytest.mark.parametrize(
    ("metadata", "drop", "message"),
    [
        ({"order_seed": "x"}, "", "order_seed"),
        ({"instance_id": "other"}, "", "samples of 'other'"),
        ({}, "wall_ms", "columns"),
    ],
)
def test_what_does_not_follow_the_schema_is_refused(
    tmp_path: Path, metadata: dict[str, str], drop: str, message: str
) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, SAMPLES)
    rewritten(path, metadata=metadata, drop=drop)
    with pytest.raises(DecodeError, match=message) as caught:
        read_samples(path)
    assert str(path) in str(caught.value)


def test_a_round_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, replace(SAMPLES, rounds=(*SAMPLES.rounds, SAMPLES.rounds[0])))
    with pytest.raises(DecodeError, match="round 0 of candidate is there twice"):
        read_samples(path)


def test_a_negative_time_is_refused(tmp_path: Path) -> None:
    first = SAMPLES.rounds[0]
    forged = replace(first, classes=(class_time("a.B", -5, None),))
    path = tmp_path / "samples.parquet"
    write_samples(path, replace(SAMPLES, rounds=(forged,)))
    with pytest.raises(DecodeError, match="negative"):
        read_samples(path)


def test_an_unknown_arm_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    write_samples(path, SAMPLES)
    table = pq.read_table(path)
    index = table.schema.get_field_index("arm")
    arms = pa.array(["patched"] * table.num_rows)
    pq.write_table(table.set_column(index, table.schema.field("arm"), arms), path)
    with pytest.raises(DecodeError, match="arm: 'patched'"):
        read_samples(path)


def test_a_cut_or_absent_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    with pytest.raises(DecodeError, match="no such file"):
        read_samples(path)
    write_samples(path, SAMPLES)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DecodeError, match="not readable as Parquet"):
        read_samples(path)


def test_a_round_without_classes_would_be_lost_and_is_refused(tmp_path: Path) -> None:
    empty = replace(SAMPLES.rounds[0], classes=())
    path = tmp_path / "samples.parquet"
    with pytest.raises(ValueError, match="has no class"):
        write_samples(path, replace(SAMPLES, rounds=(empty,)))
    assert not path.exists()
