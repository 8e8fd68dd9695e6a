"""Trees read from clones, against git itself."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

import jeto_bench
from jeto_bench.errors import InputError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.line_ends import base_tree
from jeto_evaluate.images.recipe import recipe
from jeto_evaluate.images.sources import from_clone
from jeto_evaluate.images.workshop import Done


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


@pytest.fixture
def windows(tmp_path: Path) -> tuple[Path, EtipRecord]:
    """A project some of whose files are to end their lines in CR LF, and a record of it."""
    _git(tmp_path, "init", "-q")
    files = {
        ".gitattributes": b"* text=auto eol=lf\n*.txt text eol=crlf\n*.java text eol=crlf\n"
        b"*.bin eol=crlf -text\n*.any text=auto eol=crlf filter=evil ident\n",
        "a b.txt": b"one\ntwo\n",
        's\u00e4[1]*?"\\.txt': b"odd\n",
        "changed.txt": b"changed\n",
        "both.txt": b"one\r\ntwo\n",
        "A.java": b"class A {}\n",
        "raw.bin": b"\n\0\n",
        "text.any": b"$Id$\n",
        "raw.any": b"\0\n",
        "other.md": b"other\n",
    }
    (tmp_path / ".git" / "info").mkdir(exist_ok=True)
    (tmp_path / ".git" / "info" / "attributes").write_text("* -text\n")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "base")
    # Neither the clone's own attributes nor its filters have a say.
    (tmp_path / ".git" / "info" / "attributes").write_text("*.md eol=crlf\n*.txt -eol\n")
    _git(tmp_path, "config", "filter.evil.smudge", f"touch {tmp_path}/ran; cat")
    record = replace(
        jeto_bench.load("mini")[0],
        base_commit=_git(tmp_path, "rev-parse", "HEAD"),
        changed_files=("changed.txt",),
    )
    return tmp_path, record


def test_files_in_cr_lf_are_as_in_a_checkout(windows: tuple[Path, EtipRecord]) -> None:
    """Tests of license-maven-plugin read such files, and failed on the stored bytes."""
    clone, record = windows
    tree = base_tree(record, clone)
    found = {file.path: file.data for file in tree.files}
    stored = {file.path: file.data for file in from_clone(clone, record.base_commit).files}
    changed = {path: data for path, data in found.items() if data != stored[path]}
    assert found.keys() == stored.keys()
    assert changed == {
        "a b.txt": b"one\r\ntwo\r\n",
        's\u00e4[1]*?"\\.txt': b"odd\r\n",
        "both.txt": b"one\r\ntwo\r\n",
        "text.any": changed["text.any"],
    }
    assert changed["text.any"].endswith(b"$\r\n")
    assert tree.in_crlf == changed.keys()
    assert not (clone / "ran").exists()


def test_a_record_that_changes_a_file_sees_it_as_it_is_stored(
    windows: tuple[Path, EtipRecord],
) -> None:
    clone, record = windows
    patch = "--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
    head = "diff --git a/a b.txt b/a b.txt\n"
    tree = base_tree(replace(record, test_patch=head + patch), clone)
    assert "a b.txt" not in tree.in_crlf
    assert "both.txt" in tree.in_crlf


def test_the_attributes_of_a_recipe_give_the_same_files(
    windows: tuple[Path, EtipRecord], tmp_path_factory: pytest.TempPathFactory
) -> None:
    clone, record = windows
    (clone / ".gitattributes").write_text("*.txt text eol=crlf\n*.java eol=crlf\n")
    (clone / "text.any").unlink()
    _git(clone, "add", "-A")
    _git(clone, "commit", "-q", "-m", "simple")
    record = replace(record, base_commit=_git(clone, "rev-parse", "HEAD"))
    tree = base_tree(record, clone)
    files = recipe(record, base="b", done=Done(), mirrors={}, in_crlf=tree.in_crlf)
    place = tmp_path_factory.mktemp("by-hand") / "clone"
    _git(clone, "clone", "-q", "--bare", str(clone), str(place))
    (place / "info" / "attributes").write_bytes(files["attributes"])
    done = subprocess.run(
        ["git", "-C", place, "archive", record.base_commit], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        found = {}
        for member in archive.getmembers():
            stream = archive.extractfile(member)
            assert stream is not None
            found[member.name] = stream.read()
    assert found == {file.path: file.data for file in tree.files}
    assert len(tree.in_crlf) == 3
