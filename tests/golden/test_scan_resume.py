"""``jeto-mine scan`` as a process: killed and begun again, run twice, side by side, blobless."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_history import Files, MadeHistory, git
from scan_world import MAIN, MAVEN, POM, java, made_world, write_lines

from jeto_bench.decode import decode_parquet
from jeto_mine.identified.assembly import BuildChoice
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.scan import Scanned, ScanOptions, scan_clone

LEFT_OUT_OF_COMPARISON = {"provenance.json", "provenance"}
"""They say when it was made."""


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six repositories, of which the first has everything."""
    folder = tmp_path_factory.mktemp("clones")
    made_world(folder)
    for number in range(5):
        history, tip = MadeHistory(), 0
        files: Files = {
            "pom.xml": POM,
            "mvnw": "#!/bin/sh\n",
            ".mvn/wrapper/maven-wrapper.properties": f"distributionUrl={MAVEN}\n",
        }
        tip = history.commit("Begin", files)
        for at in range(150):
            files = {f"{MAIN}C{at % 7}.java": java("C", f"fast({at}, {number});")}
            tip = history.commit(f"Faster {at}. Fixes #{at + 1}", files, tip)
        history.point("refs/heads/main", tip)
        history.write(folder / f"acme__r{number}")
    return folder


def command(clones: Path, output: Path, *more: str) -> list[str]:
    named = [item for place in sorted(clones.glob("acme__*")) for item in ("--clone", str(place))]
    return [sys.executable, "-m", "jeto_mine", "scan", "--output", str(output), "--offline",
            *named, *more]  # fmt: skip


def run(clones: Path, output: Path, *more: str) -> str:
    done = subprocess.run(
        command(clones, output, *more), capture_output=True, text=True, check=True
    )
    return done.stdout


def results(output: Path) -> Mapping[str, bytes]:
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in sorted(output.rglob("*"))
        if path.is_file() and path.relative_to(output).parts[0] not in LEFT_OUT_OF_COMPARISON
    }


@pytest.fixture(scope="module")
def undisturbed(clones: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("undisturbed") / "out"
    run(clones, output)
    return output


@pytest.mark.parametrize("finished", [1, 3])
def test_killed_and_begun_again_gives_the_same_bytes(
    clones: Path, undisturbed: Path, tmp_path: Path, finished: int
) -> None:
    output = tmp_path / "out"
    process = subprocess.Popen(
        command(clones, output), stdout=subprocess.DEVNULL, start_new_session=True
    )
    reports = output / "repositories"
    while len(list(reports.glob("*.json"))) < finished:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(list(reports.glob("*.json"))) < 6
    assert not (output / "yield.json").exists()
    said = run(clones, output)
    assert said.count("nothing new") >= finished
    left = [name for name in results(output) if name.endswith(".part")]
    assert {name: data for name, data in results(output).items() if name not in left} == results(
        undisturbed
    )


def test_a_second_run_does_no_work(clones: Path, undisturbed: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in undisturbed.glob("*/*")}
    assert run(clones, undisturbed).count("nothing new") == 6
    assert {path: path.stat().st_mtime_ns for path in undisturbed.glob("*/*")} == before


def test_processes_side_by_side_give_the_same_bytes(
    clones: Path, undisturbed: Path, tmp_path: Path
) -> None:
    run(clones, tmp_path / "out", "-j", "2")
    assert results(tmp_path / "out") == results(undisturbed)


def test_other_options_or_a_new_commit_are_work(clones: Path, tmp_path: Path) -> None:
    place = tmp_path / "acme__r0"
    git(tmp_path, "clone", "-q", "--bare", str(clones / "acme__r0"), str(place))
    output = tmp_path / "out"
    options = ["--clone", f"acme/r0={place}", "--offline", "--output", str(output)]
    base = [sys.executable, "-m", "jeto_mine", "scan", *options]

    def said(*more: str) -> str:
        done = subprocess.run([*base, *more], capture_output=True, text=True, check=True)
        return done.stdout

    assert "151 commits" in said()
    assert "nothing new" in said()
    assert "151 commits" in said("--max-files", "3")
    tree = git(place, "rev-parse", "main^{tree}")
    commit = git(place, "commit-tree", tree, "-p", "main", "-m", "Nothing")
    git(place, "update-ref", "refs/heads/main", commit)
    assert "152 commits" in said("--max-files", "3")


def test_an_export_gives_issues_and_every_repository_adds_up(clones: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    export = clones / "export"
    clone = clones / "acme__engine"
    arguments = ["scan", "--clone", str(clone), "--github", str(export), "--output", str(output)]
    subprocess.run([sys.executable, "-m", "jeto_mine", *arguments, "--offline"],
                   check=True, capture_output=True)  # fmt: skip
    found = json.loads((output / "yield.json").read_text())
    assert found["commits"] == sum(found["outcomes"].values())
    assert found["commits"] == sum(found["repositories"]["acme/engine"].values())
    records = decode_parquet((output / "identified" / "acme__engine.parquet").read_bytes())
    assert len(records) == found["outcomes"]["identified"]
    assert all(record.problem_statement for record in records)
    assert found["marks"]["not_classified"] == len(records)
    provenance = json.loads((output / "provenance.json").read_text())
    assert provenance["source"].startswith("export ")
    write_lines(export / "moved.jsonl", [])


def test_one_broken_clone_does_not_stop_the_others(clones: Path, tmp_path: Path) -> None:
    broken = tmp_path / "acme__broken"
    url = f"file://{clones / 'acme__r0'}"  # a local path would share the files
    git(tmp_path, "clone", "-q", "--bare", url, str(broken))
    (pack,) = broken.glob("objects/pack/*.pack")
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:4000])
    output = tmp_path / "out"
    done = subprocess.run(
        [*command(clones, output), "--clone", str(broken)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    found = json.loads((output / "yield.json").read_text())
    assert list(found["failed"]) == ["acme/broken"]
    assert len(found["repositories"]) == 6


class TestBlobless:
    """field.md row 111: history first, then the contents of what was chosen in one request."""

    @staticmethod
    def blobless(clones: Path, tmp_path: Path) -> Path:
        server, place = clones / "acme__r1", tmp_path / "acme__r1"
        for name in ("allowFilter", "allowAnySHA1InWant"):
            git(server, "config", f"uploadpack.{name}", "true")
        url = f"file://{server}"
        git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", url, str(place))
        return place

    @staticmethod
    def fetches(trace: Path) -> int:
        events = [json.loads(line) for line in trace.read_text().splitlines()]
        return sum(event["event"] == "start" and "fetch" in event["argv"] for event in events)

    def scan(
        self, place: Path, trace: Path, monkeypatch: pytest.MonkeyPatch, *, fetch: bool
    ) -> Scanned:
        monkeypatch.setenv("GIT_TRACE2_EVENT", str(trace))
        trace.touch()
        options = ScanOptions(build=BuildChoice(fetch=fetch))
        found = scan_clone(place, "acme/r1", options)
        monkeypatch.delenv("GIT_TRACE2_EVENT")
        return found

    def test_everything_chosen_comes_in_one_fetch(
        self, clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = self.blobless(clones, tmp_path)
        found = self.scan(place, tmp_path / "trace", monkeypatch, fetch=True)
        assert len(found.records) == 150
        assert self.fetches(tmp_path / "trace") == 1
        assert found == scan_clone(clones / "acme__r1", "acme/r1", ScanOptions())

    def test_without_leave_to_fetch_nothing_is_fetched_and_the_reason_is_told(
        self, clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = self.blobless(clones, tmp_path)
        found = self.scan(place, tmp_path / "trace", monkeypatch, fetch=False)
        assert found.records == ()
        assert found.reasons[ScanReason.BLOB_MISSING] == 150
        assert self.fetches(tmp_path / "trace") == 0


def test_a_classifier_by_name_is_asked_and_told(clones: Path, tmp_path: Path) -> None:
    output, labels = tmp_path / "out", tmp_path / "labels.jsonl"
    issues = (clones / "export" / "issues.jsonl").read_text().splitlines()
    refs = [json.loads(line)["ref"] for line in issues]
    write_lines(
        labels, [{"ref": ref, "label": "yes" if ref["number"] == 1 else "no"} for ref in refs]
    )
    arguments = ["--clone", str(clones / "acme__engine"), "--github", str(clones / "export")]
    command = [sys.executable, "-m", "jeto_mine", "scan", "--output", str(output), "--offline"]
    done = subprocess.run(
        [*command, *arguments, "--classifier", f"labels:{labels}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((output / "yield.json").read_text())
    assert found["outcomes"]["identified"] == 1
    assert "not_classified" not in found["marks"]
    assert json.loads((output / "provenance.json").read_text())["classifier"]
    wrong = subprocess.run(
        [*command, *arguments, "--classifier", "nobody"], capture_output=True, check=False
    )
    assert wrong.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no repository is named"),
        (["--repo", "no name"], "owner/name"),
        (["--repo", "acme/r0"], "no clone of acme/r0 is named"),
        (["--clone", "/nowhere"], "is no clone"),
        (["--repo", "acme/r0", "--classifier", "offline"], "a classifier reads issues"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "jeto_mine", "scan", "--offline", "--output", str(tmp_path)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in {2, 4}
    assert said in done.stdout + done.stderr


def test_a_missing_clone_is_made_and_brought_up_to_date(tmp_path: Path) -> None:
    """field.md row 112: what was pushed over on the server is pushed over here too."""
    wrapper: Files = {
        "pom.xml": POM,
        "mvnw": "#!/bin/sh\n",
        ".mvn/wrapper/maven-wrapper.properties": f"distributionUrl={MAVEN}\n",
    }
    history = MadeHistory()
    base = history.commit("Begin", wrapper)
    old = history.commit("Old. Fixes #1", {f"{MAIN}A.java": java("A", "old();")}, base)
    new = history.commit("New. Fixes #2", {f"{MAIN}A.java": java("A", "new();")}, base)
    history.point("refs/heads/main", old)
    history.point("refs/heads/other", new)
    server = tmp_path / "server" / "acme" / "r.git"
    server.parent.mkdir(parents=True)
    ids = history.write(server)
    for name in ("allowFilter", "allowAnySHA1InWant"):
        git(server, "config", f"uploadpack.{name}", "true")
    clones, output = tmp_path / "clones", tmp_path / "out"
    command = [sys.executable, "-m", "jeto_mine", "scan", "--repo", "acme/r", "--update"]
    origin = f"file://{tmp_path}/server/{{repo}}.git"
    options = ["--clones", str(clones), "--clone-from", origin, "--output", str(output)]

    def fixes() -> list[str]:
        environment = {k: v for k, v in os.environ.items() if k not in {"GITHUB_TOKEN", "GH_TOKEN"}}
        subprocess.run([*command, *options], check=True, capture_output=True, env=environment)
        shard = output / "identified" / "acme__r.parquet"
        return [record.fix_commits[-1] for record in decode_parquet(shard.read_bytes())]

    assert fixes() == [ids[old]]
    assert git(clones / "acme__r", "config", "remote.origin.partialclonefilter") == "blob:none"
    git(server, "update-ref", "refs/heads/main", ids[new])
    assert fixes() == [ids[new]]


def test_a_work_tree_elsewhere_and_a_checked_out_branch_are_read(
    clones: Path, tmp_path: Path
) -> None:
    """What its owner works on is not the default branch."""
    place = tmp_path / "acme__r0"
    git(tmp_path, "clone", "-q", str(clones / "acme__r0"), str(place))
    git(place, "checkout", "-q", "-b", "mine", "main~100")
    git(place, "worktree", "add", "-q", "--detach", str(tmp_path / "acme__elsewhere"), "main")
    assert scan_clone(place, "acme/r0", ScanOptions()).commits == 151
    assert scan_clone(tmp_path / "acme__elsewhere", "acme/r0", ScanOptions()).commits == 151
    assert scan_clone(place, "acme/r0", ScanOptions(branch="mine")).commits == 51
