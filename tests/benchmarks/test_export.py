"""Export and load of 10,000 synthetic records: seconds and peak memory, printed (``pytest -s``).

Bounds that are wanted on two cores: export 20 s and 1 GB, load of one config 2 s with ``datasets``.
Held as a ratio in one run: the export against encoding and decoding the same records once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HELPERS = Path(__file__).parents[1] / "helpers"
EXPORT = """
import resource, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from synthetic_records import synthetic_index, synthetic_records
from jeto_bench.decode import decode_parquet
from jeto_bench.encode import records_to_parquet
from jeto_bench.publishing.export import export_folder, tier_configs
records, index = synthetic_records(10_000), synthetic_index(10_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
export_folder(Path(sys.argv[2]), tier_configs(records), name="Many", index=index)
took = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
assert decode_parquet(records_to_parquet(records)) == records
once = time.perf_counter() - began
print(f"{took:.2f} {peak / 1e6:.3f} {before / 1e6:.3f} {once:.2f}")
"""
LOAD = """
import sys, time
import datasets
took = []
for _ in range(2):
    began = time.perf_counter()
    rows = datasets.load_dataset(sys.argv[1], "verified", split="test")
    took.append(time.perf_counter() - began)
print(rows.num_rows, *(f"{seconds:.2f}" for seconds in took))
"""


def run(script: str, *arguments: str, cache: Path) -> list[str]:
    environment = {**os.environ, "HF_HOME": str(cache), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


def test_ten_thousand_records(tmp_path: Path) -> None:
    out = tmp_path / "out"
    took, peak, before, once = map(float, run(EXPORT, str(HELPERS), str(out), cache=tmp_path))
    rows, first, again = run(LOAD, str(out), cache=tmp_path)
    print(  # noqa: T201  # a benchmark's result
        f"\nexport of 10,000 records: {took:.1f} s, peak {peak:.2f} GB ({before:.2f} GB before it);"
        f" encode and decode once: {once:.1f} s; load_dataset of {rows} rows: {first} s first,"
        f" {again} s from its cache"
    )
    assert rows == "3333"
    # 10,000 + 6,667 + 3,333 rows are written and read back, and the figures are drawn.
    assert took < 10 * once
