from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from jeto_bench import decode_jsonl, write_parquet
from jeto_evaluate.cli.check_predictions import check_predictions

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
PATCH = "diff --git a/A b/A\n--- a/A\n+++ b/A\n@@ -1 +1 @@\n-a\n+b\n"
KNOWN = "acme__lib-8"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    records = decode_jsonl(GOLDEN.read_bytes())
    write_parquet(records[:1], tmp_path / "data" / "mini" / "test-00000-of-00001.parquet")
    write_parquet(records[1:], tmp_path / "data" / "identified" / "test-00000-of-00001.parquet")
    return tmp_path


def check(dataset: Path, *lines: dict[str, object], options: tuple[str, ...] = ()) -> Result:
    file = dataset / "preds.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return run(dataset, str(file), *options)


def run(dataset: Path, *arguments: str) -> Result:
    app = typer.Typer()
    app.command()(check_predictions)
    return CliRunner().invoke(app, [*arguments, "--dataset", str(dataset)])


def entry(name: str = KNOWN, patch: str | None = PATCH) -> dict[str, object]:
    return {"instance_id": name, "model_name_or_path": "m", "model_patch": patch}


def test_good_predictions_pass(dataset: Path) -> None:
    result = check(dataset, entry())
    assert result.exit_code == 0
    assert re.search(r"of them for known instances +│ +1 │", result.output)


def test_the_last_line_says_what_was_checked_and_what_was_not(dataset: Path) -> None:
    good = check(dataset, entry()).output
    assert "OK: 1 of 1 predictions have a patch that can be read" in good
    assert "whether it fits the code is not tried here" in good
    empty = check(dataset, entry(patch=None)).output
    assert "Can be evaluated: 0 of 1 predictions have a patch" in empty
    unknown = check(dataset, entry("acme__lib-99")).output
    assert "NOT OK, see above: 1 of 1" in unknown


def test_gold_is_checked_without_a_file(dataset: Path) -> None:
    result = run(dataset, "gold")
    assert result.exit_code == 0
    assert "model gold" in result.output


def test_a_wrong_key_fails_with_line_key_and_fix(dataset: Path) -> None:
    """field.md row 16: a dry check with line number, missing key and a one-line fix."""
    result = check(dataset, entry(), {"instance_id": "x__y-1", "prediction": PATCH})
    assert result.exit_code == 2
    assert 'preds.jsonl:2: model_patch: the key "model_patch" is missing' in result.output
    assert "sed -i" in result.output


def test_unknown_ids_are_told_and_fail_only_when_strict(dataset: Path) -> None:
    """field.md row 17: continue by default, ``--strict`` to stop."""
    lines = (entry(), entry("acme__lib-bbbbbbb"), entry("acme__lbi-8"))
    result = check(dataset, *lines)
    assert result.exit_code == 0
    assert "acme__lib-bbbbbbb (line 2); it is in config identified" in result.output
    assert "acme__lbi-8 (line 3); did you mean acme__lib-8?" in result.output
    assert check(dataset, *lines, options=("--strict",)).exit_code == 2


def test_a_file_without_any_known_instance_fails(dataset: Path) -> None:
    """field.md row 17: nothing would be graded."""
    assert check(dataset, entry("acme__lib-9")).exit_code == 2


def test_duplicates_fail_unless_the_user_chooses(dataset: Path) -> None:
    """field.md row 19: ``--on-duplicate`` only if asked."""
    lines = (entry(), entry(patch=PATCH + " "))
    assert check(dataset, *lines).exit_code == 2
    assert check(dataset, *lines, options=("--on-duplicate", "last")).exit_code == 0


def test_a_large_share_of_empty_patches_is_the_first_thing_said(dataset: Path) -> None:
    """field.md row 21: half a run of empty patches is itself the news."""
    result = check(dataset, entry(), entry("acme__lib-9", ""), entry("acme__lib-7", None))
    assert result.output.startswith("2 of 3 predictions have no patch.")


@pytest.mark.parametrize(
    "patch",
    ["I made it faster", PATCH.replace("-1 +1", "-1,9 +1,9"), PATCH.replace("/A", "/.git/config")],
)
def test_patches_that_cannot_apply_anywhere_are_told(dataset: Path, patch: str) -> None:
    result = check(dataset, entry(patch=patch))
    assert result.exit_code == 0
    assert f"not usable {KNOWN} (line 1)" in result.output
    assert check(dataset, entry(patch=patch), options=("--strict",)).exit_code == 2


def test_repairs_and_unencodable_patches_are_counted(dataset: Path) -> None:
    """field.md rows 1 and 11: what was changed and what cannot be written is shown."""
    result = check(dataset, entry(patch=PATCH[:-1]), entry("acme__lib-9", "\ud800"))
    assert "repaired: final_newline" in result.output
    assert "unencodable acme__lib-9: unpaired surrogate U+D800 at character 0" in result.output


def test_markup_in_untrusted_text_is_printed_as_it_is(dataset: Path) -> None:
    result = check(dataset, entry(), entry("[red]x[/red]"))
    assert "[red]x[/red]" in result.output


def test_paths_that_an_evaluation_leaves_out_are_told_beforehand(dataset: Path) -> None:
    """field.md row 5: build output in a diff is dropped, and the user is told."""
    more = "".join(PATCH.replace("A", name) for name in ("target/x.properties", "src/test/T.java"))
    result = check(dataset, entry(patch=PATCH + more))
    assert result.exit_code == 0
    assert "src/test/T.java (test), target/x.properties (junk)" in result.output
