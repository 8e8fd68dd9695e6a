"""Trees read from clones, against git itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from jeto_bench.errors import InputError
from jeto_evaluate.images.sources import from_clone


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    (tmp_path / ".gitattributes").write_text("* text eol=crlf\nlost.txt export-ignore\n")
    (tmp_path / "kept.txt").write_bytes(b"kept\r\n")
    (tmp_path / "lost.txt").write_bytes(b"lost\n")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "base")
    return tmp_path


def test_a_tree_is_read_as_it_is_stored(clone: Path) -> None:
    tree = from_clone(clone, "HEAD")
    assert [file.path for file in tree.files] == [".gitattributes", "kept.txt", "lost.txt"]
    lost = tree.get("lost.txt")
    assert lost is not None
    assert lost.data == b"lost\n"


def test_a_clone_without_a_files_content_is_refused_by_name(clone: Path) -> None:
    blob = _git(clone, "rev-parse", "HEAD:lost.txt")
    (clone / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError, match=rf"lost\.txt \({blob}\) is missing from the clone"):
        from_clone(clone, "HEAD")


def test_what_a_blobless_clone_lacks_is_fetched_at_once(
    clone: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``jeto-mine scan`` makes such clones, and ``execute`` reads whole trees of them."""
    for name in ("allowFilter", "allowAnySHA1InWant"):
        _git(clone, "config", f"uploadpack.{name}", "true")
    place = tmp_path_factory.mktemp("blobless") / "clone"
    url = f"file://{clone}"
    _git(clone, "clone", "-q", "--bare", "--filter=blob:none", url, str(place))
    trace = tmp_path_factory.mktemp("trace") / "events"
    monkeypatch.setenv("GIT_TRACE2_EVENT", str(trace))
    assert from_clone(place, "HEAD") == from_clone(clone, "HEAD")
    events = [json.loads(line) for line in trace.read_text().splitlines()]
    assert sum(event["event"] == "start" and "fetch" in event["argv"] for event in events) == 1
