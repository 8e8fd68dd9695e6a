"""``jeto-mine scan`` with the API: a process, a real clone, a server that stands for GitHub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from github_stub import HOME, SECRET, Stub, issue, pull, repository, served
from made_history import GITHUB, MadeHistory
from scan_world import MAIN, MAVEN, POM, java

from jeto_bench.decode import decode_parquet
from jeto_bench.records import EtipRecord


@pytest.fixture
def world(tmp_path: Path) -> tuple[Path, Stub]:
    """A commit that closes an issue by its message, and a squashed pull request that does."""
    history = MadeHistory()
    files = {
        "pom.xml": POM,
        "mvnw": "#!/bin/sh\n",
        ".mvn/wrapper/maven-wrapper.properties": f"distributionUrl={MAVEN}\n",
    }
    first = history.commit("Begin", {**files, f"{MAIN}A.java": java("A", "slow();")})
    direct = history.commit("Faster. Fixes #2", {f"{MAIN}A.java": java("A", "fast();")}, first)
    squash = history.commit(
        "Change 3 (#3)", {f"{MAIN}B.java": java("B", "fast();")}, direct, committer=GITHUB
    )
    other = history.commit("Tidy up. Fixes #3", {f"{MAIN}C.java": java("C", "x();")}, squash)
    history.point("refs/heads/main", other)
    ids = history.write(tmp_path / "clone")
    squashed = pull(3) | {
        "mergeCommit": {"oid": ids[squash]},
        "closingIssuesReferences": [{"number": 4, "repository": {"nameWithOwner": HOME}}],
    }
    stub = Stub(
        repositories={HOME.casefold(): repository(HOME)},
        pulls={3: squashed},
        issues={2: issue(2), 3: issue(3, kind="PullRequest"), 4: issue(4)},
        commits={ids[first]: [], ids[direct]: [], ids[squash]: [3], ids[other]: []},
    )
    return tmp_path / "clone", stub


def scan(clone: Path, folder: Path, url: str) -> str:
    environment = {**os.environ, "GITHUB_TOKEN": SECRET, "GITHUB_API_URL": url}
    command = [
        *(sys.executable, "-m", "jeto_mine", "scan", "--clone", f"{HOME}={clone}"),
        *("--output", str(folder / "out"), "--work", str(folder / "work")),
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def records(folder: Path) -> tuple[EtipRecord, ...]:
    (shard,) = (folder / "out" / "identified").glob("*.parquet")
    return decode_parquet(shard.read_bytes())


def test_records_have_what_github_knows_and_nothing_is_asked_twice(
    world: tuple[Path, Stub], tmp_path: Path
) -> None:
    """A limit on the way; the token shows nowhere."""
    clone, stub = world
    stub.next.append((429, {"retry-after": "0"}, b""))
    with served(stub) as url:
        said = scan(clone, tmp_path, url)
        asked = len(stub.asked)
        again = scan(clone, tmp_path, url)
    found = {record.instance_id: record for record in records(tmp_path)}
    assert {name: record.issue_number for name, record in found.items()} == {
        "Acme__lib-2": 2,
        "Acme__lib-3": 4,
    }
    assert found["Acme__lib-3"].pull_number == 3
    assert found["Acme__lib-3"].problem_statement == "Slow 4\n\nIt takes minutes.\n"
    assert (found["Acme__lib-2"].repo_stars, found["Acme__lib-2"].repo_license) == (21, "MIT")
    # Of the issues that are left the discussion is asked for as well.
    assert {name: n for name, n in stub.things.items() if n > 1} == {"issue 2": 2, "issue 4": 2}
    assert "nothing new" in again
    assert len(stub.asked) == asked
    (made,) = (tmp_path / "out" / "provenance").iterdir()
    answers = json.loads(made.read_bytes())["answers"]
    assert answers["count"] > len(stub.things)
    assert answers["oldest"] <= answers["newest"] <= json.loads(made.read_bytes())["scanned_at"]
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert SECRET.encode() not in written
    assert SECRET not in said + again
    assert stub.tokens == {f"Bearer {SECRET}"}
    reasons = json.loads((tmp_path / "out" / "yield.json").read_bytes())
    assert SECRET not in json.dumps(reasons)
