"""Export, load, fork, validate, diff: one dataset through all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import typer

from jeto_bench import decode_jsonl, load, records_to_jsonl
from jeto_bench.dataset import open_dataset
from jeto_bench.errors import UsageError
from jeto_bench.fork import fork_dataset
from jeto_bench.index.rows import IndexRow
from jeto_bench.lifecycle.status import LifeStatus, Validation, life_of
from jeto_bench.publishing.export import export_folder
from jeto_bench.records import EtipRecord, Tier
from jeto_bench.versions.manifest import read_manifest
from jeto_evaluate.cli.data.diff import diff
from jeto_evaluate.cli.data.fork import fork
from jeto_evaluate.cli.data.validate import validate

FULL = decode_jsonl((Path(__file__).parent / "records" / "etip.jsonl").read_bytes())[0]
FIRST = replace(FULL, image_digest="sha256:" + "d" * 64)
SECOND = replace(
    FIRST,
    instance_id="apache__tool-3",
    repo="apache/tool",
    fix_commits=("c" * 40,),
    pull_number=3,
    issue_number=2,
    java_version=8,
    image="jeto-bench/tool:0.1.0",
    tier=Tier.EXECUTABLE,
    patch=FULL.patch.replace("String.join", "Fast.join"),
)
FACTS = tuple(
    IndexRow(
        instance_id=record.instance_id,
        repo=record.repo,
        base_commit=record.base_commit,
        fix_commits=record.fix_commits,
        pull_number=record.pull_number,
        issue_number=record.issue_number,
        changed_files=record.changed_files,
        measurements=(),
    )
    for record in (FIRST, SECOND)
)
LIVES = tuple(
    life_of(
        record.instance_id,
        [
            Validation(
                host="a CPU",
                measured_at="2026-01-02T00:00:00Z",
                harness="0.1.0",
                rounds=30,
                outcome=outcome,
                test_classes=2,
                improved=(),
                regressed=(),
                effect=1.0,
            )
        ],
    )
    for record, outcome in ((FIRST, "improved"), (SECOND, "no_improvement"))
)
CONFIGS: dict[str, tuple[EtipRecord, ...]] = {"executable": (FIRST, SECOND), "verified": (FIRST,)}


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    export_folder(tmp_path / "v1", CONFIGS, name="acme/etips", index=FACTS, lives=LIVES)
    return tmp_path / "v1"


def test_a_dataset_goes_round(exported: Path, tmp_path: Path) -> None:
    """field.md rows 48, 51 and 105: what a version is, and what a fork is of, can be told."""
    assert {name: load(name, path=exported) for name in CONFIGS} == CONFIGS
    assert load("index", path=exported) == FACTS
    validate(str(exported))
    forked = tmp_path / "fork"
    fork(
        str(exported),
        forked,
        name="me/old-java",
        version="2.0.0-rc.1",
        filters=["java_version<17", "repo=apache/*"],
    )
    (kept,) = load("executable", path=forked)
    assert kept == replace(SECOND, dataset_version="2.0.0-rc.1")
    assert load("index", path=forked) == FACTS[1:]
    validate(str(forked))
    manifest, parent = read_manifest(forked), read_manifest(exported)
    assert manifest is not None
    assert parent is not None
    assert manifest.parent is not None
    assert (manifest.parent.name, manifest.parent.version) == ("acme/etips", "0.1.0")
    assert manifest.parent.content_sha256 == parent.content_sha256
    assert manifest.parent.filters == ("java_version<17", "repo=apache/*")
    assert [pin.instance_id for pin in manifest.images] == [SECOND.instance_id]
    (life,) = open_dataset(forked).lives
    assert (life.instance_id, life.status) == (SECOND.instance_id, LifeStatus.WEAK)
    assert "1 of 2 instances of acme/etips 0.1.0, with `java_version<17`" in (
        forked / "README.md"
    ).read_text("utf-8")
    assert str(tmp_path) not in (forked / "version.json").read_text("utf-8")


def test_the_difference_to_a_parent_is_what_was_left_out(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork_dataset(
        open_dataset(exported),
        tmp_path / "fork",
        filters=["tier=verified"],
        name="mine",
        version="1.0.0",
    )
    with pytest.raises(typer.Exit):
        diff(str(exported), str(tmp_path / "fork"))
    out = capsys.readouterr().out
    assert "executable: 2 -> 1 rows; 1 removed" in out
    assert "verified: 1 -> 1 rows; the same" in out
    assert "0.1.0 -> 1.0.0 is enough for these changes" in out


def test_a_parents_name_is_text_in_the_forks_card(exported: Path, tmp_path: Path) -> None:
    """The name comes from a stranger's `version.json`."""
    told = exported / "version.json"
    text = told.read_text("utf-8").replace("acme/etips", "<script>x</script>[a](b)")
    told.write_text(text, "utf-8")
    fork_dataset(open_dataset(exported), tmp_path / "f", filters=[], name="m", version="1.0.0")
    for name in ("README.md", "CHANGELOG.md"):
        card = (tmp_path / "f" / name).read_text("utf-8")
        assert "&lt;script>" in card
        assert "<script" not in card


def test_a_file_of_records_is_forked_by_tiers(exported: Path, tmp_path: Path) -> None:
    file = exported / "data" / "executable" / "test-00000-of-00001.parquet"
    fork(str(file), tmp_path / "fork", name="mine", version="1.0.0")
    assert [len(load(name, path=tmp_path / "fork")) for name in ("identified", "verified")] == [
        2,
        1,
    ]


def test_a_file_of_records_is_compared_as_the_other_one_is_divided(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(records_to_jsonl([FIRST]))
    with pytest.raises(typer.Exit):
        diff(str(file), str(exported))
    out = capsys.readouterr().out
    assert "executable: 1 -> 2 rows; 1 added" in out
    assert "verified: 1 -> 1 rows; the same" in out


def test_a_fork_without_rows_or_version_is_refused(exported: Path, tmp_path: Path) -> None:
    source, target = open_dataset(exported), tmp_path / "fork"
    with pytest.raises(UsageError, match=r"no record of acme/etips satisfies java_version>21"):
        fork_dataset(source, target, filters=["java_version>21"], name="m", version="1.0.0")
    with pytest.raises(UsageError, match="not a semantic version"):
        fork_dataset(source, target, filters=[], name="m", version="1")
    assert not target.exists()
