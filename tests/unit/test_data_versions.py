"""Versions of a dataset: order, what they pin, who may read them, what differs between two."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from jeto_bench import load
from jeto_bench.dataset import open_dataset
from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import write_parquet
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.lifecycle.status import LifeStatus, RowLife
from jeto_bench.versions.changelog import add_section, section
from jeto_bench.versions.difference import (
    Change,
    DatasetChanges,
    compare_configs,
    compare_lives,
    least_version,
)
from jeto_bench.versions.manifest import (
    Manifest,
    check_harness,
    content_hash,
    manifest_to_json,
    pin_images,
    read_manifest,
    write_manifest,
)
from jeto_bench.versions.numbers import SemanticVersion
from jeto_evaluate.cli.data.diff import diff

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD, OTHER = decode_jsonl(GOLDEN.read_bytes())
MANIFEST = Manifest(
    name="acme/etips",
    version="1.0.0",
    minimum_harness="0.1.0",
    created_at="2026-01-02T00:00:00Z",
    content_sha256="0" * 64,
    files=(),
    images=pin_images([RECORD]),
    parent=None,
)


def life(status: LifeStatus, reason: str = "") -> RowLife:
    return RowLife(instance_id=RECORD.instance_id, status=status, reason=reason, validations=())


def test_versions_are_ordered_as_semver_says() -> None:
    """The order of semver.org, clause 11."""
    texts = [
        "0.9.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
        "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.10", "1.10.0",
    ]  # fmt: skip
    versions = [SemanticVersion.parse(text) for text in texts]
    assert all(first < second for first, second in pairwise(versions))
    assert [str(item) for item in versions] == texts
    assert SemanticVersion.parse("1.0.0+a") == SemanticVersion.parse("1.0.0+b")


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "", "1.0.0 "])
def test_what_is_no_semantic_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="semantic version"):
        SemanticVersion.parse(text)


def test_a_dataset_that_needs_a_newer_harness_is_not_loaded(tmp_path: Path) -> None:
    """field.md row 105: old harness, new rows."""
    write_parquet([RECORD], tmp_path / "data" / "verified" / "test-00000-of-00001.parquet")
    write_manifest(tmp_path, MANIFEST)
    assert load("verified", path=tmp_path) == (RECORD,)
    write_manifest(tmp_path, replace(MANIFEST, minimum_harness="99.0.0"))
    with pytest.raises(UsageError, match=r"acme/etips 1\.0\.0 needs jeto-bench 99\.0\.0 or newer"):
        load("verified", path=tmp_path)
    with pytest.raises(UsageError):
        check_harness(MANIFEST, harness="0.1.0-rc.1")


def test_a_manifest_comes_back_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None
    file = write_manifest(tmp_path, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    file.write_bytes(manifest_to_json(MANIFEST) + b"{}")
    with pytest.raises(DecodeError, match="more text after the JSON object"):
        read_manifest(tmp_path)
    file.write_bytes(manifest_to_json(replace(MANIFEST, schema_version=2)))
    with pytest.raises(DecodeError, match="newer than 1"):
        read_manifest(tmp_path)
    file.write_bytes(manifest_to_json(MANIFEST).replace(b'"name"', b'"nam"'))
    with pytest.raises(DecodeError, match=r"version\.json: nam: unknown field"):
        read_manifest(tmp_path)
    with pytest.raises(UsageError):
        write_manifest(tmp_path, replace(MANIFEST, version="one"))


def test_the_content_hash_depends_on_what_rows_say_and_on_nothing_else() -> None:
    assert content_hash([RECORD, OTHER]) == content_hash([OTHER, RECORD])
    assert content_hash([RECORD]) != content_hash([replace(RECORD, hints_text="x")])
    assert content_hash([RECORD]) != content_hash([RECORD, RECORD])


def test_one_version_has_one_image_for_each_instance() -> None:
    """field.md row 105: the same id gave other results in two published subsets."""
    assert [pin.instance_id for pin in pin_images([RECORD, OTHER, RECORD])] == [RECORD.instance_id]
    with pytest.raises(InputError, match="pins one image for each instance"):
        pin_images([RECORD, replace(RECORD, image="jeto-bench/lib:0.2.0")])


def test_rows_that_are_added_removed_or_changed_are_named() -> None:
    changed = replace(RECORD, hints_text="more", java_version=21)
    (config,) = compare_configs({"mini": [RECORD, OTHER]}, {"mini": [changed]})
    assert (config.before, config.after) == (2, 1)
    by_id = {row.instance_id: row for row in config.rows}
    assert by_id[OTHER.instance_id].change is Change.REMOVED
    assert by_id[RECORD.instance_id].fields == ("hints_text", "java_version")
    (config,) = compare_configs({}, {"mini": [RECORD]})
    assert [row.change for row in config.rows] == [Change.ADDED]


def test_a_new_version_of_equal_rows_differs_in_nothing() -> None:
    tagged = replace(RECORD, image="jeto-bench/lib:0.2.0", dataset_version="0.2.0")
    (config,) = compare_configs({"mini": [RECORD]}, {"mini": [tagged]})
    assert config.rows == ()
    kept = replace(RECORD, dataset_version="0.2.0")
    (config,) = compare_configs({"mini": [RECORD]}, {"mini": [kept]})
    assert config.rows == ()
    other = replace(tagged, image_digest="sha256:" + "e" * 64)
    (config,) = compare_configs({"mini": [RECORD]}, {"mini": [other]})
    assert [row.fields for row in config.rows] == [("image_digest",)]


def test_rows_that_are_retired_or_back_are_named_with_the_reason() -> None:
    """field.md row 48: not in silence."""
    retired = life(LifeStatus.RETIRED, "reference_fails")
    (row,) = compare_lives([], [retired])
    assert (row.change, row.reason) == (Change.RETIRED, "reference_fails")
    (row,) = compare_lives([retired], [life(LifeStatus.ACTIVE)])
    assert row.change is Change.REVIVED
    assert compare_lives([retired], [retired]) == ()


@pytest.mark.parametrize(
    ("before", "after", "version", "least"),
    [
        ([RECORD], [RECORD], "1.2.3", "1.2.3"),
        ([RECORD], [RECORD, OTHER], "1.2.3", "1.3.0"),
        ([RECORD, OTHER], [RECORD], "1.2.3", "2.0.0"),
        ([RECORD], [replace(RECORD, patch="x")], "1.2.3", "2.0.0"),
        ([RECORD], [replace(RECORD, patch="x")], "0.2.3", "0.3.0"),
    ],
)
def test_the_number_of_a_version_says_what_became_of_old_results(
    before: list[object], after: list[object], version: str, least: str
) -> None:
    configs = compare_configs({"m": before}, {"m": after})  # type: ignore[dict-item]  # records
    changes = DatasetChanges(configs=configs, lives=())
    assert str(least_version(SemanticVersion.parse(version), changes)) == least


def test_the_changelog_gets_a_section_per_version_the_newest_first(tmp_path: Path) -> None:
    """field.md row 105: a changelog per row."""
    file = tmp_path / "CHANGELOG.md"
    configs = compare_configs({"mini": [RECORD]}, {"mini": [RECORD, OTHER]})
    lives = compare_lives([], [life(LifeStatus.WEAK, "no_effect")])
    changes = DatasetChanges(configs=configs, lives=lives)
    add_section(file, changes, version="1.1.0", before="1.0.0")
    add_section(file, DatasetChanges(configs=(), lives=()), version="1.1.1", before="1.1.0")
    text = file.read_text("utf-8")
    assert text.startswith("# Changelog of the data\n\n## 1.1.1 (after 1.1.0)\n\nNo row differs.\n")
    assert section(changes, version="1.1.0", before="1.0.0") in text
    assert "- acme__lib-bbbbbbb: added\n" in text
    assert "- acme__lib-8: weak (no_effect)\n" in text
    with pytest.raises(UsageError, match=r"has a section about 1\.1\.1 already"):
        add_section(file, changes, version="1.1.1", before="1.1.0")
    with pytest.raises(UsageError, match="does not say its version"):
        add_section(file, changes, version="", before="")


def test_the_command_compares_files_and_ends_as_diff_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.parquet", tmp_path / "b.parquet"
    write_parquet([RECORD], first)
    write_parquet([replace(RECORD, hints_text="more", dataset_version="0.1.1")], second)
    diff(str(first), str(first))
    assert "No row differs." in capsys.readouterr().out
    with pytest.raises(typer.Exit) as caught:
        diff(str(first), str(second))
    assert caught.value.exit_code == 1
    out = capsys.readouterr().out
    assert "hints_text" in out
    assert "0.1.1 says too little: after 0.1.0 these changes are 0.2.0 or more" in out
    with pytest.raises(typer.Exit):
        diff(str(first), str(second), json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["configs"][0]["rows"][0]["fields"] == ["hints_text"]


def test_a_version_on_the_hub_is_fetched_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    asked: list[tuple[object, ...]] = []

    def snapshot_download(name: str, **options: object) -> str:
        asked.append((name, options["revision"], options["allow_patterns"]))
        return str(tmp_path)

    monkeypatch.setattr(hub, "snapshot_download", snapshot_download)
    write_parquet([RECORD], tmp_path / "data" / "verified" / "test-00000-of-00001.parquet")
    found = open_dataset("acme/etips@v1.0.0")
    assert (found.name, found.version) == ("acme/etips@v1.0.0", "0.1.0")
    assert found.configs == {"verified": (RECORD,)}
    open_dataset("acme/etips")
    patterns = ["data/*/test-*.parquet", "version.json", "validation.jsonl"]
    assert asked == [("acme/etips", "v1.0.0", patterns), ("acme/etips", None, patterns)]
    with pytest.raises(InputError, match="no file or folder"):
        open_dataset("acme/etips/more@v1")
