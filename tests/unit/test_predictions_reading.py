from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from jeto_bench.errors import DecodeError, InputError
from jeto_bench.predictions import (
    UNNAMED_MODEL,
    OnDuplicate,
    PatchState,
    PredictionSet,
    match_ids,
    model_directory,
    parse_predictions,
    read_predictions,
)

PATCH = "diff --git a/A b/A\n--- a/A\n+++ b/A\n@@ -1 +1 @@\n-a\n+b\n"


def line(name: str, patch: object = PATCH, **more: object) -> str:
    entry = {"instance_id": name, "model_name_or_path": "m", "model_patch": patch, **more}
    return json.dumps(entry, ensure_ascii=False)


def parse(*lines: str, on_duplicate: OnDuplicate = OnDuplicate.ERROR) -> PredictionSet:
    text = "\n".join(lines) + "\n"
    return parse_predictions(text.encode(), source="p.jsonl", on_duplicate=on_duplicate)


def only_problem(found: PredictionSet) -> DecodeError:
    (problem,) = found.problems
    return problem


def test_both_hashes_of_a_repaired_patch_are_kept() -> None:
    """field.md row 1: the report holds the hash before and after the final line feed."""
    (item,) = parse(line("a__b-1", PATCH[:-1])).predictions
    assert item.patch == PATCH.encode()
    assert item.normalized == ("final_newline",)
    assert item.raw_sha256 == hashlib.sha256(PATCH[:-1].encode()).hexdigest()
    assert item.patch_sha256 == hashlib.sha256(PATCH.encode()).hexdigest()


def test_an_unpaired_surrogate_marks_one_prediction_and_stops_nothing() -> None:
    """field.md row 11: a lone surrogate raised on write and lost the sample."""
    bad = '{"instance_id": "a__b-1", "model_name_or_path": "m", "model_patch": "ab\\ud800"}'
    found = parse(bad, line("a__b-2"))
    first, second = found.predictions
    assert first.state is PatchState.UNENCODABLE
    assert first.detail == "unpaired surrogate U+D800 at character 2"
    assert (first.patch, first.patch_sha256) == (b"", "")
    assert second.state is PatchState.OK
    assert not found.problems


def test_jsonl_list_and_map_give_the_same_predictions() -> None:
    """field.md row 16: the common agent writes a map while the grader wants a list."""
    lines = [line(f"a__b-{n}") for n in (1, 2, 3)]
    entries = [json.loads(text) for text in lines]
    shapes = {
        "jsonl": "\n".join(lines),
        "list": json.dumps(entries),
        "pretty list": json.dumps(entries, indent=2),
        "map": json.dumps({item["instance_id"]: item for item in entries}),
        "pretty map": json.dumps({item["instance_id"]: item for item in entries}, indent=2),
    }
    seen = {
        name: [
            (item.instance_id, item.model_name_or_path, item.patch)
            for item in parse_predictions(text.encode(), source=name).predictions
        ]
        for name, text in shapes.items()
    }
    assert all(value == seen["jsonl"] for value in seen.values())
    assert len(seen["jsonl"]) == 3


def test_a_map_may_hold_bare_patches() -> None:
    """field.md row 16: id to patch, nothing else."""
    found = parse_predictions(json.dumps({"a__b-1": PATCH, "a__b-2": None}).encode(), source="p")
    assert [item.state for item in found.predictions] == [PatchState.OK, PatchState.MISSING]
    assert found.model == UNNAMED_MODEL
    assert "no model_name_or_path" in found.warnings[0]


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("model_patch", "prediction"),
        ("model_patch", "patch"),
        ("model_name_or_path", "model_name"),
        ("instance_id", "id"),
    ],
)
def test_a_wrong_key_is_named_with_its_line_and_a_one_line_fix(key: str, wrong: str) -> None:
    """field.md row 16: users got a bare key error."""
    entry = json.loads(line("a__b-2"))
    entry[wrong] = entry.pop(key)
    problem = only_problem(parse(line("a__b-1"), json.dumps(entry)))
    assert (problem.line, problem.field) == (2, key)
    assert f'"{wrong}" is not read' in problem.message
    assert problem.advice == f'Rename the key: sed -i \'s/"{wrong}":/"{key}":/\' FILE'


def test_wrong_keys_are_named_even_if_no_key_is_right() -> None:
    """field.md row 16: such a file must not pass for a map of two instances."""
    text = json.dumps({"id": "a__b-1", "model": "m", "patch": PATCH})
    assert "is not read" in only_problem(parse(text)).message


def test_a_map_whose_key_contradicts_its_object_is_refused() -> None:
    text = json.dumps({"a__b-1": json.loads(line("a__b-2"))}, indent=1)
    problem = only_problem(parse(text))
    assert problem.line == 2
    assert "says 'a__b-2'" in problem.message


def test_unknown_ids_come_with_the_nearest_known_one_and_the_config_that_has_them() -> None:
    """field.md row 17: one good id, one from another config, one with a typo."""
    found = parse(line("acme__lib-1"), line("acme__other-9"), line("acme__lbi-2"))
    match = match_ids(
        found.predictions,
        ["acme__lib-1", "acme__lib-2", "acme__lib-3"],
        elsewhere={"verified": {"acme__other-9"}},
    )
    assert [item.instance_id for item in match.known] == ["acme__lib-1"]
    assert [item.describe() for item in match.unknown] == [
        "unknown instance acme__other-9 (line 2); it is in config verified",
        "unknown instance acme__lbi-2 (line 3); did you mean acme__lib-2?",
    ]
    assert match.absent == ("acme__lib-2", "acme__lib-3")


def test_the_same_prediction_twice_is_a_warning() -> None:
    """field.md row 19: same content twice."""
    found = parse(line("a__b-1"), line("a__b-1"))
    assert len(found.predictions) == 1
    assert found.warnings == ("a__b-1: the same prediction twice, lines 1 and 2",)
    assert not found.problems


def test_two_different_predictions_are_an_error_with_both_lines() -> None:
    """field.md row 19: the later silently won."""
    problem = only_problem(parse(line("a__b-1"), line("a__b-2"), line("a__b-1", PATCH + " ")))
    assert "lines 1 and 3" in problem.message
    assert problem.line == 3
    assert "--on-duplicate" in problem.advice


@pytest.mark.parametrize(("choice", "kept"), [(OnDuplicate.FIRST, 1), (OnDuplicate.LAST, 2)])
def test_the_user_may_choose_between_two_predictions(choice: OnDuplicate, kept: int) -> None:
    """field.md row 19: only if asked."""
    found = parse(line("a__b-1"), line("a__b-1", PATCH + "x\n"), on_duplicate=choice)
    assert [item.line for item in found.predictions] == [kept]
    assert not found.problems


def test_a_key_of_a_map_given_twice_is_seen() -> None:
    """field.md row 19: a JSON reader keeps the later of two equal keys without a word."""
    text = '{\n"a__b-1": "x",\n"a__b-1": "y"\n}'
    assert "lines 2 and 3" in only_problem(parse(text)).message


def test_a_field_given_twice_in_one_object_is_an_error() -> None:
    """field.md row 19: the same inside one prediction."""
    text = '{"instance_id": "a__b-1", "model_patch": "x", "model_patch": "y"}'
    assert "'model_patch' is given twice" in only_problem(parse(text)).message


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\u0085", "\x0b", "\x1c", "\x7f"])
def test_only_line_feeds_split_jsonl(char: str) -> None:
    """field.md row 20: a valid file became unreadable by generic line splitting."""
    text = PATCH.replace("+b", f'+String s = "{char}";')
    raw = line("a__b-1", text)
    (item,) = parse(raw).predictions
    assert item.patch == text.encode()


def test_byte_order_mark_crlf_and_a_missing_last_line_feed_are_accepted() -> None:
    """field.md row 20: BOM, CRLF between the lines, no LF at the end, blank lines."""
    data = b"\xef\xbb\xbf" + b"\r\n".join([line("a__b-1").encode(), b"", line("a__b-2").encode()])
    found = parse_predictions(data, source="p")
    assert [(item.instance_id, item.line) for item in found.predictions] == [
        ("a__b-1", 1),
        ("a__b-2", 3),
    ]


@pytest.mark.parametrize(
    ("patch", "state"),
    [
        (None, PatchState.MISSING),
        ("", PatchState.EMPTY),
        ("\n\n", PatchState.EMPTY),
        (" \t\r\n", PatchState.EMPTY),
    ],
)
def test_empty_patches_are_states_not_crashes(patch: str | None, state: PatchState) -> None:
    """field.md row 21: null, empty, two newlines."""
    (item,) = parse(line("a__b-1", patch)).predictions
    assert (item.state, item.patch, item.patch_sha256) == (state, b"", "")


def test_an_absent_patch_is_missing() -> None:
    """field.md row 21: key absent."""
    (item,) = parse('{"instance_id": "a__b-1", "model_name_or_path": "m"}').predictions
    assert (item.state, item.raw_sha256) == (PatchState.MISSING, "")


def test_several_models_in_one_file_are_refused_with_advice() -> None:
    problem = only_problem(parse(line("a__b-1"), line("a__b-2", model_name_or_path="n")))
    assert "'m' (line 1), 'n' (line 2)" in problem.message
    assert "jq -c" in problem.advice


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no predictions"),
        ("[]", "no predictions"),
        ("{}", "no predictions"),
        ("diff --git a/A b/A", "neither JSON nor JSONL"),
        ('[{"instance_id": "a__b-1"}', "the end of the file"),
        ("[1] x", "more text"),
        ('{\n  "instance_id": "a__b-1",\n  "model_patch": "x"\n}', "several lines"),
        ("[" * 100_000, "not usable JSON"),
    ],
)
def test_a_file_that_is_no_predictions_file_is_refused(text: str, message: str) -> None:
    """field.md row 16: a reason, never a bare error."""
    with pytest.raises(DecodeError, match=message):
        parse_predictions(text.encode(), source="p")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("[]", "not a list"),
        ('"x"', "is an object"),
        ('{"instance_id": 3}', "expected a string, found a number"),
        ('{"instance_id": "a__b-1", "model_patch": {"x": 1}}', "found an object"),
        ('{"instance_id": "a__b-1", "model_patch": "x"', "not JSON"),
        ('{"model_patch": "x"}', '"instance_id" is missing'),
        (line("a__b-1") + line("a__b-2"), "more text after"),
    ],
)
def test_each_bad_line_is_named_and_the_others_are_read(bad: str, message: str) -> None:
    """field.md row 16: line number and reason for each."""
    found = parse(line("a__b-8"), bad, line("a__b-9"))
    problem = only_problem(found)
    assert message in problem.message
    assert problem.line == 2
    assert [item.instance_id for item in found.predictions] == ["a__b-8", "a__b-9"]


def test_bytes_that_are_not_utf8_are_located() -> None:
    data = line("a__b-1").encode() + b'\n{"instance_id": "\xff"}\n'
    problem = only_problem(parse_predictions(data, source="p"))
    assert (problem.line, "0xff" in problem.message) == (2, True)


def test_an_oversized_patch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jeto_bench.predictions.entry.MAX_PATCH_BYTES", 100)
    problem = only_problem(parse(line("a__b-1", "x" * 101)))
    assert "101 characters" in problem.message


def test_a_file_with_problems_is_refused_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('{"id": "a__b-1"}\n{"patch": "x"}\n', encoding="utf-8")
    with pytest.raises(DecodeError, match="2 problems") as caught:
        read_predictions(file)
    assert "p.jsonl:1" in str(caught.value)
    assert "p.jsonl:2" in str(caught.value)


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_predictions(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt", "openai__gpt"),
        ("..", UNNAMED_MODEL),
        ("a b\0c", "a_b_c"),
        ("", UNNAMED_MODEL),
    ],
)
def test_a_model_name_becomes_one_safe_folder(model: str, name: str) -> None:
    assert model_directory(model) == name
