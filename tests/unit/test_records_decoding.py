from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jeto_bench.decode import decode_jsonl, decode_parquet, decode_record, decode_rows
from jeto_bench.encode import record_to_dict, records_to_parquet, records_to_table
from jeto_bench.errors import DecodeError
from jeto_bench.schema import RECORD_SCHEMA, VERSION_KEY

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"


def row() -> dict[str, Any]:
    first: dict[str, Any] = json.loads(GOLDEN.read_bytes().split(b"\n")[0])
    return first


def failure(**changes: object) -> DecodeError:
    data = {**row(), **changes}
    with pytest.raises(DecodeError) as caught:
        decode_record(data, source="x.jsonl", line=7)
    assert str(caught.value).startswith(f"x.jsonl:7: {caught.value.field}: ")
    return caught.value


def test_the_golden_rows_are_records_and_encode_to_themselves() -> None:
    records = decode_jsonl(GOLDEN.read_bytes())
    assert [record_to_dict(record) for record in records] == [
        json.loads(line) for line in GOLDEN.read_bytes().split(b"\n") if line
    ]


def test_a_wrong_type_is_named_by_its_path() -> None:
    detectors = row()["detector_tests"]
    detectors[1]["rounds"] = "30"
    error = failure(detector_tests=detectors)
    assert error.field == "detector_tests[1].rounds"
    assert "expected an integer, found a string" in error.message


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("java_version", True, "expected an integer, found a boolean"),
        ("java_version", None, "found null"),
        ("patch", 3, "expected a string"),
        ("modules", "core", "expected a list"),
        ("verification", [], "expected an object"),
        ("tier", "gold", "not one of identified, executable, verified"),
        ("hints_text", "\ud800", "unpaired surrogate"),
    ],
)
def test_wrong_types_are_refused(field: str, value: object, message: str) -> None:
    error = failure(**{field: value})
    assert error.field == field
    assert message in error.message


def test_an_unknown_field_is_refused_with_the_nearest_name() -> None:
    error = failure(base_comit="x")
    assert (error.field, error.advice) == ("base_comit", "Did you mean 'base_commit'?")


def test_missing_fields_are_named_together_with_text_to_paste() -> None:
    data = row()
    for name in ("hints_text", "repo_stars", "verification"):
        del data[name]
    with pytest.raises(DecodeError) as caught:
        decode_record(data)
    assert "hints_text, verification, repo_stars" in caught.value.message
    assert '"hints_text": ""' in caught.value.advice
    assert '"repo_stars": null' in caught.value.advice


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"instance_id": "acme-lib-8"}, "instance_id"),
        ({"instance_id": "other__lib-8"}, "instance_id"),
        ({"instance_id": "acme__lib-9"}, "instance_id"),
        ({"repo": "acme"}, "repo"),
        ({"base_commit": "abc"}, "base_commit"),
        ({"base_commit": "A" * 40}, "base_commit"),
        ({"fix_commits": []}, "fix_commits"),
        ({"fix_commits": ["b" * 40, "c"]}, "fix_commits[1]"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": "2024-05-06T07:08:09"}, "created_at"),
        ({"created_at": "2024-05-06T07:08:09+02:00"}, "created_at"),
        ({"changed_files": ["../x"]}, "changed_files[0]"),
        ({"changed_files": ["/x"]}, "changed_files[0]"),
        ({"changed_files": ["b", "a"]}, "changed_files"),
        ({"modules": ["core", "core"]}, "modules"),
        ({"java_version": 9}, "java_version"),
        ({"maven_version": "latest"}, "maven_version"),
        ({"image": "jeto-bench/lib"}, "image"),
        ({"image_digest": "sha256:1"}, "image_digest"),
        ({"dataset_version": ""}, "dataset_version"),
        ({"test_command": ""}, "test_command"),
        ({"test_classes": []}, "test_classes"),
        ({"test_classes": ["acme.JoinTest", "acme.TextTest", "not a class"]}, "test_classes[2]"),
        ({"test_classes": ["acme.JoinTest"] * 2}, "test_classes[1]"),
        ({"test_classes": ["acme.TextTest"]}, "detector_tests[0].test_class"),
        (
            {"quarantined_tests": [{"test_class": "acme.JoinTest", "reason": "x"}]},
            "quarantined_tests[0].test_class",
        ),
        (
            {"verification": {"labels": ["x"], "annotators": [], "decision": ""}},
            "verification.labels",
        ),
    ],
)
def test_values_out_of_their_domain_are_refused(changes: dict[str, object], field: str) -> None:
    assert failure(**changes).field == field


@pytest.mark.parametrize(
    ("name", "value"),
    [("wins", 31), ("rounds", 0), ("p_value", float("nan")), ("median_speedup", 0.0)],
)
def test_impossible_measurements_are_refused(name: str, value: float) -> None:
    detectors = row()["detector_tests"]
    detectors[0][name] = value
    assert failure(detector_tests=detectors).field.startswith("detector_tests[0].")


def test_an_instance_that_is_there_twice_is_refused() -> None:
    with pytest.raises(DecodeError, match="already in line 1"):
        decode_rows([row(), row()])


def test_errors_of_a_parquet_file_name_the_row() -> None:
    table = records_to_table(decode_jsonl(GOLDEN.read_bytes()))
    rows = table.to_pylist()
    rows[1]["java_version"] = 7
    with pytest.raises(DecodeError, match=r"t\.parquet:2: java_version"):
        decode_rows(rows, source="t.parquet")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"version https://git-lfs\noid x\nsize 1\n"])
def test_a_file_that_is_no_parquet_is_refused(data: bytes) -> None:
    with pytest.raises(DecodeError, match="not a readable Parquet file"):
        decode_parquet(data, source="t.parquet")


def test_a_newer_format_asks_for_an_upgrade() -> None:
    import pyarrow as pa  # noqa: PLC0415  # only here
    import pyarrow.parquet as pq  # noqa: PLC0415  # only here

    table = records_to_table(decode_jsonl(GOLDEN.read_bytes()))
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({VERSION_KEY: b"99"}), sink)
    with pytest.raises(DecodeError, match="Upgrade"):
        decode_parquet(sink.getvalue().to_pybytes())


def test_parquet_holds_no_metadata_of_the_datasets_library() -> None:
    """field.md row 99: a list type of version 4 made files unreadable for version 3."""
    import pyarrow as pa  # noqa: PLC0415  # only here
    import pyarrow.parquet as pq  # noqa: PLC0415  # only here

    data = records_to_parquet(decode_jsonl(GOLDEN.read_bytes()))
    file = pq.ParquetFile(pa.BufferReader(data))
    assert b"huggingface" not in data
    assert b"pandas" not in data
    assert file.schema_arrow.equals(RECORD_SCHEMA)
    assert file.num_row_groups == 1
    assert not any(
        "large" in str(field.type) or "view" in str(field.type) for field in RECORD_SCHEMA
    )


def test_the_arrow_schema_is_the_documented_one() -> None:
    """field.md row 99: list of strings, list of structs and a struct, spelt out."""
    text = "list<element: string>"
    types = {field.name: str(field.type).replace("item:", "element:") for field in RECORD_SCHEMA}
    assert types["test_classes"] == text
    assert types["quarantined_tests"] == (
        "list<element: struct<test_class: string, reason: string>>"
    )
    assert types["detector_tests"] == (
        "list<element: struct<test_class: string, favours: string, criteria: string, "
        "rounds: int64, wins: int64, p_value: double, median_speedup: double>>"
    )
    assert types["verification"] == (
        f"struct<labels: {text}, annotators: {text}, decision: string>"
    )
    assert types["pull_number"] == "int64"
    assert len(types) == 27
