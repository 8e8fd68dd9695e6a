from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jeto_bench import decode_rows, load
from jeto_bench.encode import row_to_dict
from jeto_bench.load import INDEX, available_configs

ROOT = Path(__file__).parents[2]
FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
SCRIPT = """
import json, datasets
found = {}
for config in datasets.get_dataset_config_names("jeto-bench"):
    found[config] = {
        split: list(rows) for split, rows in datasets.load_dataset("jeto-bench", config).items()
    }
assert len(datasets.load_dataset("jeto-bench", split="test")) == len(found["mini"]["test"])
print(json.dumps(found))
"""


def declared() -> list[tuple[str, str, str]]:
    """Return (config, split, pattern) of the card; the block is too plain to need a YAML reader."""
    match = FRONT_MATTER.match((ROOT / "README.md").read_text("utf-8"))
    assert match, "README.md begins with the card's front matter"
    return re.findall(
        r"- config_name: (\S+)\n(?:  default: true\n)?"
        r"  data_files:\n  - split: (\S+)\n    path: (\S+)",
        match.group(1),
    )


def test_the_card_declares_exactly_the_data_that_exist() -> None:
    """field.md rows 100 and 104: a split that does not exist breaks loading for everyone."""
    found = declared()
    assert sorted(config for config, _, _ in found) == list(available_configs(ROOT))
    assert len({(config, split) for config, split, _ in found}) == len(found)
    for config, split, pattern in found:
        assert split == "test"
        assert pattern == f"data/{config}/test-*.parquet"
        assert list(ROOT.glob(pattern))


def test_a_checkout_is_loadable_by_its_name(tmp_path: Path) -> None:
    """field.md rows 99 and 100: ``load_dataset("jeto-bench")`` beside a checkout, offline."""
    pytest.importorskip("datasets")
    (tmp_path / "jeto-bench").symlink_to(ROOT, target_is_directory=True)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        encoding="utf-8",
        env={
            **os.environ,
            "HF_HOME": str(tmp_path / "cache"),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert {config: set(splits) for config, splits in found.items()} == {
        config: {"test"} for config, _, _ in declared()
    }
    for config, splits in found.items():
        if config == INDEX:
            assert splits["test"] == [row_to_dict(row) for row in load("index", path=ROOT)]
        else:
            assert decode_rows(splits["test"]) == load(config, path=ROOT)
