"""``jeto-bench data publish`` against a Hub in memory; nothing here has seen the real one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stub_hub import TOKEN, StubHub, running_hub
from synthetic_records import synthetic_records

from jeto_bench.publishing.export import export_folder, tier_configs

PROGRAM = (sys.executable, "-W", "ignore", "-c", "from jeto_evaluate.cli.main import main; main()")
Publish = Callable[..., subprocess.CompletedProcess[str]]
LOAD = """
import sys, datasets
rows = datasets.load_dataset("org/name", "verified", split="test", revision="v1.0.0")
print(rows.num_rows, rows[0]["dataset_version"])
"""


@pytest.fixture
def hub() -> Iterator[StubHub]:
    with running_hub() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "out"
    records = synthetic_records(9)
    export_folder(target, tier_configs(records), name="Toy", hub_id="org/name", version="1.0.0")
    return target


@pytest.fixture
def publish(hub: StubHub, folder: Path, tmp_path: Path) -> Publish:
    def run(*options: str, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
        command = (*PROGRAM, "data", "publish", "org/name", "--from", str(folder), *options)
        return start(command, hub, tmp_path, token)

    return run


def start(
    command: tuple[str, ...], hub: StubHub, place: Path, token: str
) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub.endpoint,
        "HF_HOME": str(place / "home"),
        "HF_TOKEN": token,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }
    return subprocess.run(
        command, check=False, capture_output=True, encoding="utf-8", env=environment
    )


def sent(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_without_yes_nothing_is_changed(hub: StubHub, publish: Publish) -> None:
    done = publish("--version", "1.0.0", token="")
    assert done.returncode == 0, done.stderr
    assert "Nothing was changed." in done.stdout
    assert "org/name, a new dataset: " in done.stdout
    assert not hub.exists
    assert {request.partition(" ")[0] for request in hub.requests} == {"GET"}


def test_a_version_is_one_commit_and_one_tag(
    hub: StubHub, publish: Publish, folder: Path, tmp_path: Path
) -> None:
    """field.md row 100: what is published is the folder that was checked, and loads at its tag."""
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 0, done.stderr
    assert len(hub.commits) == 2  # the Hub's own first one, and ours
    assert hub.tags == {"v1.0.0": hub.head}
    assert {k: v for k, v in hub.commits[hub.head].items() if k != ".gitattributes"} == sent(folder)
    assert re.search(r"Loaded back at v1\.0\.0: \d+ files are the same", done.stdout)
    assert TOKEN not in done.stdout + done.stderr
    loaded = start((sys.executable, "-W", "ignore", "-c", LOAD), hub, tmp_path, "")
    assert loaded.stdout.split() == ["3", "1.0.0"], (loaded.stderr, hub.requests[-10:])


def test_a_published_version_is_never_written_over(hub: StubHub, publish: Publish) -> None:
    assert publish("--version", "1.0.0", "--yes").returncode == 0
    before, commits = hub.head, len(hub.commits)
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 2
    assert "org/name has the tag v1.0.0 already" in done.stderr
    assert (hub.head, len(hub.commits)) == (before, commits)


def test_files_of_an_older_version_go(hub: StubHub, publish: Publish) -> None:
    hub.exists = True
    hub.write({".gitattributes": b"x", "data/old/test.parquet": b"PAR1"})
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 0, done.stderr
    assert "removes data/old/test.parquet" in done.stdout
    assert "data/old/test.parquet" not in hub.commits[hub.head]
    assert ".gitattributes" in hub.commits[hub.head]


def test_a_link_in_a_strangers_folder_is_not_published(
    hub: StubHub, folder: Path, tmp_path: Path
) -> None:
    """What a link led to, such as a key, was sent to the Hub as a file of the dataset."""
    mine = tmp_path / "mine"
    shutil.copytree(folder, mine)
    (tmp_path / "key").write_text("secret")
    (mine / "notes.txt").symlink_to(tmp_path / "key")
    command = (*PROGRAM, "data", "publish", "org/name", "--from", str(mine), "--version", "1.0.0")
    done = start((*command, "--yes"), hub, tmp_path, TOKEN)
    assert done.returncode == 2
    assert "notes.txt is a link" in done.stderr
    assert not hub.exists


@pytest.mark.parametrize(
    "part", ["/refs", "/repos/create", "/preupload/", "/commit/", "/tag/", "/tree/", "/resolve/"]
)
def test_a_busy_hub_is_waited_for(hub: StubHub, publish: Publish, part: str) -> None:
    """field.md row 103: 429 answers, at each step."""
    hub.busy = {part: 2}
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 0, done.stderr
    assert hub.busy == {part: 0}
    assert hub.tags == {"v1.0.0": hub.head}


def test_an_interrupted_run_goes_on(hub: StubHub, publish: Publish) -> None:
    """Committed, not tagged: the same command ends the work and makes no second commit."""
    assert publish("--version", "1.0.0", "--yes").returncode == 0
    hub.tags.clear()
    commits = len(hub.commits)
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 0, done.stderr
    assert hub.tags == {"v1.0.0": hub.head}
    assert len(hub.commits) <= commits + 1


def test_what_comes_back_changed_is_told(hub: StubHub, publish: Publish) -> None:
    hub.corrupt = "figures/years.svg"
    done = publish("--version", "1.0.0", "--yes")
    assert done.returncode == 3
    assert "is not what was sent: figures/years.svg" in done.stderr


def test_without_a_token_nothing_is_sent(hub: StubHub, publish: Publish) -> None:
    done = publish("--version", "1.0.0", "--yes", token="")
    assert done.returncode == 2
    assert "HF_TOKEN" in done.stderr
    assert not hub.exists


def test_a_wrong_token_is_told_and_not_shown(hub: StubHub, publish: Publish) -> None:
    done = publish("--version", "1.0.0", "--yes", token="hf_wrongWrong")  # noqa: S106
    assert done.returncode == 3
    assert "Is the token in HF_TOKEN allowed to write there?" in done.stderr
    assert "hf_wrongWrong" not in done.stdout + done.stderr
    assert not hub.exists


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "latest"])
def test_a_version_is_semantic(publish: Publish, version: str) -> None:
    done = publish("--version", version)
    assert done.returncode == 2
    assert "is not a semantic version" in done.stderr


def test_a_folder_of_another_version_is_refused(hub: StubHub, publish: Publish) -> None:
    done = publish("--version", "2.0.0", "--yes")
    assert done.returncode == 2
    assert "the card is of version 1.0.0, not 2.0.0" in done.stderr
    assert not hub.exists


def test_the_embedded_records_are_published_without_a_folder(hub: StubHub, tmp_path: Path) -> None:
    command = (*PROGRAM, "data", "publish", "org/name", "--version", "0.9.0", "--yes")
    done = start(command, hub, tmp_path, TOKEN)
    assert done.returncode == 0, done.stderr
    assert "data/mini/test-00000-of-00001.parquet" in hub.commits[hub.tags["v0.9.0"]]
