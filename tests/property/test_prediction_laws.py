"""Laws of reading predictions."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from jeto_bench.errors import DecodeError
from jeto_bench.json_text import split_lines
from jeto_bench.predictions import PatchState, PredictionSet, parse_predictions

PATCHES = st.none() | st.text(max_size=40)
IDS = st.from_regex(r"[a-z]{1,4}__[a-z]{1,4}-[1-9]", fullmatch=True)
SETS = st.dictionaries(IDS, PATCHES, min_size=1, max_size=6)


def entries(patches: dict[str, str | None]) -> list[dict[str, str | None]]:
    return [
        {"instance_id": name, "model_name_or_path": "m", "model_patch": patch}
        for name, patch in patches.items()
    ]


def read(text: str) -> list[tuple[object, ...]]:
    found = parse_predictions(text.encode(), source="p")
    assert not found.problems
    return [
        (item.instance_id, item.model_name_or_path, item.state, item.patch, item.raw_sha256)
        for item in found.predictions
    ]


def outcome(data: bytes) -> tuple[PredictionSet | None, DecodeError | None]:
    try:
        return parse_predictions(data, source="p"), None
    except DecodeError as error:
        return None, error


@given(SETS, st.sampled_from([(True, None), (False, None), (False, 2)]))
def test_the_three_shapes_are_equal(
    patches: dict[str, str | None], style: tuple[bool, int | None]
) -> None:
    """field.md row 16: JSONL, list and map keyed by id say the same."""
    ascii_only, indent = style
    items = entries(patches)
    jsonl = "\n".join(json.dumps(item, ensure_ascii=ascii_only) for item in items)
    whole = json.dumps(items, ensure_ascii=ascii_only, indent=indent)
    by_id = json.dumps(
        {item["instance_id"]: item for item in items}, ensure_ascii=ascii_only, indent=indent
    )
    assert read(jsonl) == read(jsonl + "\n") == read(whole) == read(by_id)


@given(SETS)
def test_a_patch_is_kept_byte_for_byte_but_for_named_repairs(
    patches: dict[str, str | None],
) -> None:
    """field.md rows 1 and 20: any text survives, U+2028 and the like included."""
    text = "\n".join(json.dumps(item, ensure_ascii=False) for item in entries(patches))
    for item in parse_predictions(text.encode(), source="p").predictions:
        raw = patches[item.instance_id]
        if raw is None:
            assert item.state is PatchState.MISSING
        elif not raw.strip():
            assert item.state is PatchState.EMPTY
        elif not item.normalized:
            assert item.patch == raw.encode()


@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line), max_size=8))
def test_splitting_is_the_inverse_of_joining_with_line_feeds(lines: list[bytes]) -> None:
    """field.md row 20: split on LF bytes only; one CR before it is not content."""
    kept = [line.removesuffix(b"\r") for line in lines]
    data = b"".join(line + b"\n" for line in kept)
    expected = [line.removesuffix(b"\r") for line in kept]
    if not data.startswith(b"\xef\xbb\xbf"):
        assert split_lines(data) == expected
    assert split_lines(b"\xef\xbb\xbf" + data) == expected


@given(st.binary(max_size=120) | st.text(alphabet='[]{}",:ab \n', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_reason(data: bytes) -> None:
    """field.md row 16: never a bare key or type error."""
    found, refusal = outcome(data)
    if refusal is not None:
        assert str(refusal).startswith("p")
    else:
        assert found is not None
        assert found.predictions or found.problems
