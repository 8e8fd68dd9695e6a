"""What ``jeto-bench data export`` writes is read by the tools that people have."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pandas as pd  # type: ignore[import-untyped]  # has none of its own
import polars as pl
import pytest
from synthetic_records import synthetic_index, synthetic_records

from jeto_bench import decode_rows, load
from jeto_bench.encode import write_parquet
from jeto_bench.lifecycle.lives import read_lives, write_lives
from jeto_bench.lifecycle.status import LifeStatus, RowLife
from jeto_bench.load import available_configs
from jeto_bench.publishing.export import export_folder, tier_configs

RECORDS = synthetic_records(30)
VERIFIED = tier_configs(RECORDS)["verified"]
COMMAND = [sys.executable, "-c", "from jeto_evaluate.cli.main import main; main()", "data"]
SCRIPT = """
import json, sys, datasets
found = {}
for config in datasets.get_dataset_config_names(sys.argv[1]):
    builder = datasets.load_dataset_builder(sys.argv[1], config)
    loaded = datasets.load_dataset(sys.argv[1], config)
    assert {name: split.num_examples for name, split in builder.info.splits.items()} == {
        name: rows.num_rows for name, rows in loaded.items()
    }
    for name, rows in loaded.items():
        assert rows.features == builder.info.features, config
    found[config] = {name: list(rows) for name, rows in loaded.items()}
found[""] = {"test": list(datasets.load_dataset(sys.argv[1], split="test"))}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "out"
    export_folder(target, tier_configs(RECORDS), name="Toy", index=synthetic_index(30))
    return target


def parquet(folder: Path, config: str) -> str:
    return str(folder / "data" / config / "test-00000-of-00001.parquet")


def with_datasets(folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, str(folder)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env={
            **os.environ,
            "HF_HOME": str(cache),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        },
    )


def test_datasets_reads_every_config_and_split_of_the_card(folder: Path, tmp_path: Path) -> None:
    """field.md rows 99 and 100: features, counts, sizes and splits as the card declares them."""
    done = with_datasets(folder, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert {config: list(splits) for config, splits in found.items()} == {
        config: ["test"] for config in ("identified", "executable", "verified", "index", "")
    }
    assert decode_rows(found["identified"]["test"]) == decode_rows(found[""]["test"]) == RECORDS
    assert decode_rows(found["verified"]["test"]) == VERIFIED
    assert len(found["index"]["test"]) == 30


def test_datasets_itself_refuses_a_wrong_count(folder: Path, tmp_path: Path) -> None:
    """field.md row 100: what our check refuses does break loading for a user."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "data").symlink_to(folder / "data")
    card = (folder / "README.md").read_text("utf-8")
    (broken / "README.md").write_text(card.replace("num_examples: 30", "num_examples: 31", 1))
    done = with_datasets(broken, tmp_path / "cache")
    assert done.returncode != 0
    assert "NonMatchingSplitsSizesError" in done.stderr


def test_pandas_reads_it(folder: Path) -> None:
    """field.md row 99."""
    frame = pd.read_parquet(parquet(folder, "verified"))
    assert list(frame["instance_id"]) == [item.instance_id for item in VERIFIED]
    assert list(frame["test_classes"][0]) == list(VERIFIED[0].test_classes)
    detector = frame["detector_tests"][0][0]
    assert detector["median_speedup"] == VERIFIED[0].detector_tests[0].median_speedup


def test_polars_reads_it(folder: Path) -> None:
    """field.md row 99."""
    frame = pl.read_parquet(parquet(folder, "verified"))
    assert decode_rows(frame.to_dicts()) == VERIFIED


def test_duckdb_reads_it(folder: Path) -> None:
    """field.md row 99."""
    query = (
        "SELECT instance_id, len(test_classes), detector_tests[1].median_speedup"
        " FROM read_parquet(?)"
    )
    rows = duckdb.connect().execute(query, [parquet(folder, "verified")]).fetchall()
    assert rows == [
        (item.instance_id, len(item.test_classes), item.detector_tests[0].median_speedup)
        for item in VERIFIED
    ]


def test_our_own_loader_reads_it(folder: Path) -> None:
    assert load("verified", folder) == VERIFIED
    assert set(available_configs(folder)) == {"identified", "executable", "verified", "index"}


def test_the_command_exports_a_folder_again_with_its_index(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    done = subprocess.run(
        [*COMMAND, "export", str(again), "--dataset", str(folder), "--config", "verified"],
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert "verified/test: 10 rows" in done.stdout
    assert "index/test: 30 rows" in done.stdout
    for config in ("verified", "index"):
        assert (
            Path(parquet(again, config)).read_bytes() == Path(parquet(folder, config)).read_bytes()
        )


def test_what_is_exported_is_found_valid_and_no_other_than_itself(folder: Path) -> None:
    """The round trip: export, load, validate, diff."""
    for words in (["validate", str(folder)], ["diff", str(folder), str(folder)]):
        done = subprocess.run([*COMMAND, *words], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_command_says_which_configs_a_file_has(tmp_path: Path) -> None:
    write_parquet(RECORDS[:1], tmp_path / "records.parquet")
    done = subprocess.run(
        [
            *(*COMMAND, "export", str(tmp_path / "out")),
            *("-d", str(tmp_path / "records.parquet"), "--config", "verified"),
        ],
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 2
    assert "has no records for the config verified" in done.stderr
    assert "It has some for identified." in done.stderr
    assert not (tmp_path / "out").exists()


def test_retired_rows_leave_and_say_why(folder: Path, tmp_path: Path) -> None:
    """field.md row 48: they are in no split that promises a reference that can be run."""
    shutil.copytree(folder, tmp_path / "old")
    gone = VERIFIED[0].instance_id
    life = RowLife(
        instance_id=gone, status=LifeStatus.RETIRED, reason="the project asked", validations=()
    )
    write_lives(tmp_path / "old", [life])
    more = ["--dataset", str(tmp_path / "old")]
    done = subprocess.run(
        [*COMMAND, "export", str(tmp_path / "new"), *more],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "verified: 1 retired rows are left out" in done.stdout
    for config in ("executable", "verified"):
        before = {row.instance_id for row in load(config, path=folder)}
        assert before - {row.instance_id for row in load(config, path=tmp_path / "new")} == {gone}
    assert gone in {row.instance_id for row in load("identified", path=tmp_path / "new")}
    assert read_lives(tmp_path / "new") == (life,)
    subprocess.run(
        [*COMMAND, "export", str(tmp_path / "all"), *more, "--keep-retired"],
        check=True,
        capture_output=True,
    )
    assert gone in {row.instance_id for row in load("verified", path=tmp_path / "all")}
