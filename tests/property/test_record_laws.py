"""Records survive every form they are stored in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jeto_bench import (
    CriteriaName,
    DetectorTest,
    EtipRecord,
    Favours,
    decode_jsonl,
    decode_parquet,
    decode_record,
    record_to_dict,
    records_to_jsonl,
    records_to_parquet,
)
from jeto_bench.errors import DecodeError

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
BASE, SPARSE = decode_jsonl(GOLDEN.read_bytes())
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@st.composite
def records(draw: st.DrawFn) -> EtipRecord:
    classes = draw(
        st.lists(st.from_regex(r"[a-z]{1,3}\.[A-Z][a-z]{0,4}", fullmatch=True), unique=True)
    )
    return replace(
        draw(st.sampled_from([BASE, SPARSE])),
        base_commit=draw(st.from_regex(r"[0-9a-f]{40}", fullmatch=True)),
        problem_statement=draw(st.text(max_size=30)),
        patch=draw(st.text(max_size=30)),
        test_classes=("a.B", *(name for name in classes if name != "a.B")),
        quarantined_tests=(),
        detector_tests=tuple(
            DetectorTest(
                test_class="a.B",
                favours=draw(st.sampled_from(Favours)),
                criteria=draw(st.sampled_from(CriteriaName)),
                rounds=30,
                wins=draw(st.integers(0, 30)),
                p_value=draw(st.floats(0, 1)),
                median_speedup=draw(st.floats(1e-3, 1e3)),
            )
            for _ in range(draw(st.integers(0, 2)))
        ),
        repo_stars=draw(st.none() | st.integers(0, 10**6)),
    )


def outcome(data: dict[str, object]) -> tuple[EtipRecord | None, DecodeError | None]:
    try:
        return decode_record(data, source="x", line=1), None
    except DecodeError as error:
        return None, error


@given(records())
def test_records_survive_jsonl_and_parquet(record: EtipRecord) -> None:
    """field.md row 99: what is written is what is read, nested lists and nulls included."""
    assert decode_record(record_to_dict(record)) == record
    assert decode_jsonl(records_to_jsonl([record])) == (record,)
    assert decode_parquet(records_to_parquet([record])) == (record,)


@given(records())
def test_the_same_records_give_the_same_bytes(record: EtipRecord) -> None:
    assert records_to_parquet([record]) == records_to_parquet([record])


@given(st.sampled_from(sorted(record_to_dict(BASE))), JSON_VALUES)
def test_any_value_in_any_field_is_accepted_or_refused_by_name(field: str, value: object) -> None:
    data = {**record_to_dict(BASE), field: value}
    record, refusal = outcome(data)
    if refusal is not None:
        assert refusal.field
        assert str(refusal).startswith("x:1: ")
    else:
        assert record is not None
        assert decode_record(record_to_dict(record)) == record


@given(st.sampled_from(sorted(record_to_dict(BASE))))
def test_any_missing_field_is_named(field: str) -> None:
    data = record_to_dict(BASE)
    del data[field]
    with pytest.raises(DecodeError) as caught:
        decode_jsonl(json.dumps(data).encode())
    assert caught.value.field == field
