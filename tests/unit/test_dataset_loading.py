from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

import jeto_bench
from jeto_bench import decode_jsonl, load, write_parquet
from jeto_bench.errors import DecodeError, InfrastructureError, InputError, UsageError
from jeto_bench.load import available_configs, embedded_root

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORDS = decode_jsonl(GOLDEN.read_bytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_parquet(RECORDS[:1], tmp_path / "data" / "mini" / "test-00000-of-00002.parquet")
    write_parquet(RECORDS[1:], tmp_path / "data" / "mini" / "test-00001-of-00002.parquet")
    write_parquet(RECORDS, tmp_path / "data" / "verified" / "test-00000-of-00001.parquet")
    return tmp_path


def test_a_folder_a_parquet_file_and_a_jsonl_file_give_the_same_records(folder: Path) -> None:
    """field.md row 99: whatever the form, the records are equal."""
    assert load(path=folder) == RECORDS
    assert load("verified", path=str(folder)) == RECORDS
    assert load(path=folder / "data" / "verified" / "test-00000-of-00001.parquet") == RECORDS
    assert load(path=GOLDEN) == RECORDS


def test_other_files_beside_the_data_change_nothing(folder: Path) -> None:
    """field.md row 104: non-data files confused detection."""
    (folder / "data" / "mini" / "predictions").mkdir()
    (folder / "data" / "mini" / "predictions" / "noop.jsonl").write_text("{}", encoding="utf-8")
    (folder / "data" / "notes").mkdir()
    assert load(path=folder) == RECORDS
    assert available_configs(folder) == ("mini", "verified")


def test_an_unknown_config_is_answered_with_those_that_exist(folder: Path) -> None:
    """field.md row 100: what is offered must be there."""
    with pytest.raises(InputError, match="It has: mini, verified"):
        load("executable", path=folder)


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no data"):
        load(path=tmp_path)


def test_one_instance_in_two_files_of_a_config_is_refused(folder: Path) -> None:
    write_parquet(RECORDS[:1], folder / "data" / "mini" / "test-00002-of-00003.parquet")
    with pytest.raises(DecodeError, match="in two files"):
        load(path=folder)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"\n")
    with pytest.raises(DecodeError, match="no records"):
        load(path=tmp_path / "x.jsonl")


@pytest.mark.parametrize("config", ["../mini", "", "a/b", "mini*"])
def test_a_config_is_a_name_not_a_path(config: str) -> None:
    with pytest.raises(UsageError):
        load(config)


def test_a_revision_without_a_hub_dataset_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="no dataset is named"):
        load(revision="v1")
    with pytest.raises(UsageError, match="local path"):
        load(path=folder, revision="v1")


def test_a_path_that_is_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no file or folder"):
        load(path="no/such/file.parquet")


def test_the_hub_is_asked_for_one_config_of_one_revision(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    asked: dict[str, Any] = {}

    def snapshot_download(name: str, **options: Any) -> str:
        asked.update(options, name=name)
        return str(folder)

    monkeypatch.setattr(hub, "snapshot_download", snapshot_download)
    assert load("mini", path="acme/etips", revision="v1") == RECORDS
    assert asked == {
        "name": "acme/etips",
        "repo_type": "dataset",
        "revision": "v1",
        "allow_patterns": ["data/mini/test-*.parquet", "version.json", "validation.jsonl"],
    }


def test_a_hub_that_does_not_answer_is_no_fault_of_the_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = pytest.importorskip("huggingface_hub")

    def snapshot_download(*_: Any, **__: Any) -> str:
        raise OSError("unreachable")

    monkeypatch.setattr(hub, "snapshot_download", snapshot_download)
    with pytest.raises(InfrastructureError, match="cannot fetch acme/etips at v1"):
        load(path="acme/etips", revision="v1")


def test_a_missing_hub_library_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_hub(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("huggingface_hub"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_hub)
    with pytest.raises(UsageError, match="pip install huggingface_hub"):
        load(path="acme/etips")


def test_importing_the_package_imports_no_hub_and_no_pandas() -> None:
    assert embedded_root().name
    source = Path(jeto_bench.__file__).parent
    text = "\n".join(path.read_text("utf-8") for path in source.rglob("*.py"))
    assert "\nimport pandas" not in text
    assert "\nimport huggingface_hub" not in text
    assert "\nfrom huggingface_hub" not in text
    assert sys.modules["jeto_bench"] is jeto_bench


def test_files_are_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.parquet"
    write_parquet(RECORDS[:1], place)
    before = place.read_bytes()

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(f"{self} {target}")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="parquet"):
        write_parquet(RECORDS, place)
    assert place.read_bytes() == before
    assert list(tmp_path.iterdir()) == [place]
