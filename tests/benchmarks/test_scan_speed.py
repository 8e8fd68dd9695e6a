"""How fast histories are read: against git alone, and against PyDriller doing the same selection.

``JETO_SCAN_CLONES`` names clones, separated by colons; without it nothing is run. Everything is
measured in one run, in turns, each in a process of its own; nothing about time is asserted, the
figures are printed (``pytest -s``). PyDriller is measured on the newest commits only
(``JETO_SCAN_PYDRILLER``, default 500), since a whole history takes it minutes, and only where it is
installed (``pip install pydriller``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import pytest

CLONES = [Path(item) for item in os.environ.get("JETO_SCAN_CLONES", "").split(":") if item]
ROUNDS = int(os.environ.get("JETO_SCAN_ROUNDS", "3"))
NEWEST = int(os.environ.get("JETO_SCAN_PYDRILLER", "500"))

OURS = """
import json, resource, sys
from pathlib import Path
from jeto_mine.identified.criteria import Criteria
from jeto_mine.identified.history import read_history
from jeto_mine.identified.object_store import open_store
from jeto_mine.identified.selection import select
import time
started = time.monotonic()
with open_store(Path(sys.argv[1])) as store:
    found = select(read_history(store), Criteria(), tip=store.tip)
linked = sum(any(link.closes for link in item.links) for item in found.candidates)
print(json.dumps({
    "seconds": time.monotonic() - started,
    "commits": found.commits,
    "candidates": len(found.candidates),
    "linked": linked,
    "own_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    "git_kib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
}))
"""

PYDRILLER = """
import itertools, json, re, sys, time
from datetime import UTC, datetime
from pydriller import Repository
link = re.compile(r"(?i)(close[sd]?|fix(e[sd])?|resolve[sd]?):?\\s+(#|GH-)\\d+")
started = time.monotonic()
count = candidates = linked = 0
repository = Repository(sys.argv[1], order="reverse")
for commit in itertools.islice(repository.traverse_commits(), int(sys.argv[2])):
    count += 1
    if commit.committer_date < datetime(2015, 1, 1, tzinfo=UTC):
        continue
    paths = [item.new_path or item.old_path for item in commit.modified_files]
    if 0 < len(paths) <= 20 and all(p.endswith(".java") and "/test/" not in p for p in paths):
        candidates += 1
        linked += link.search(commit.msg) is not None
print(json.dumps({"seconds": time.monotonic() - started, "commits": count,
                  "candidates": candidates, "linked": linked}))
"""


def run(script: str, *arguments: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def plain(clone: Path) -> float:
    """Seconds of ``git log --raw``, its output thrown away by another process's reading."""
    started = time.monotonic()
    command = ["git", "-C", str(clone), "log", "--raw", "--no-renames"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while process.stdout.read(1 << 20):
            pass
    assert process.returncode == 0
    return time.monotonic() - started


@pytest.mark.skipif(not CLONES, reason="name clones in JETO_SCAN_CLONES")
@pytest.mark.parametrize("clone", CLONES, ids=[str(item) for item in CLONES])
def test_selection_against_git_alone_and_pydriller(clone: Path) -> None:
    ours, alone = [], []
    for number in range(ROUNDS):
        for turn in (0, 1) if number % 2 else (1, 0):
            if turn:
                ours.append(run(OURS, str(clone)))
            else:
                alone.append(plain(clone))
    commits = ours[0]["commits"]
    assert commits > 0
    assert len({item["candidates"] for item in ours}) == 1
    rate = commits / median(item["seconds"] for item in ours)
    git_rate = commits / median(alone)
    own, git = (max(item[name] for item in ours) / 1024 for name in ("own_kib", "git_kib"))
    print(  # noqa: T201  # the figures are the result
        f"\n{clone}: {commits:.0f} commits, {ours[0]['candidates']:.0f} pass,"
        f" {ours[0]['linked']:.0f} linked; {rate:.0f}/s, git alone {git_rate:.0f}/s:"
        f" {rate / git_rate:.2f} of it; memory {own:.0f} MB, git {git:.0f} MB"
    )
    if find_spec("pydriller") is None:
        print("  PyDriller is not installed")  # noqa: T201  # the figures are the result
        return
    try:
        peer = run(PYDRILLER, str(clone), str(NEWEST))
    except subprocess.CalledProcessError as error:  # it needs every content of the clone
        print(f"  PyDriller failed: {error.stderr.strip().splitlines()[-1]}")  # noqa: T201
        return
    peer_rate = peer["commits"] / peer["seconds"]
    print(  # noqa: T201  # the figures are the result
        f"  PyDriller: {peer['commits']:.0f} commits at {peer_rate:.0f}/s; {rate / peer_rate:.0f}"
        f" times as fast"
    )
