"""Our reader and repairs against git itself: what git makes is read, what we repair applies."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jeto_bench.patches import (
    PatchError,
    changed_paths,
    detect_prefix_depth,
    normalize_patch,
    parse_patch,
)

BASE = {
    "src/A.java": b"class A {\n\n  int a = 1;\n\n}\n",
    "src/Windows.java": b"class W {\r\n\r\n  int w = 1;\r\n\r\n}\r\n",
    "src/Gone.java": b"class Gone {}\n",
    "src/Old.java": b"class Old {\n  int x;\n  int y;\n  int z;\n}\n",
    "a/Inner.java": b"class Inner {}\n",
    "na me/\xc3\xa4.txt".encode("latin-1").decode("utf-8"): b"x\n",
    "logo.bin": bytes(range(256)),
    "run.sh": b"#!/bin/sh\n",
}
NEW = {
    "src/A.java": "class A {\n\n  int a = 2; // \u2028 \u0085 \x0c\n\n}\n".encode(),
    "src/Windows.java": b"class W {\r\n\r\n  int w = 2;\r\n\r\n}\r\n",
    "src/New.java": b"class New {}",
    "src/Empty.java": b"",
    "src/Moved.java": BASE["src/Old.java"],
    "a/Inner.java": b"class Inner { int i; }\n",
    "na me/ä.txt": b"y\n",
    "logo.bin": bytes(reversed(range(256))),
    "run.sh": b"#!/bin/sh\n",
}
PREFIXES = [
    ("--src-prefix=a/", "--dst-prefix=b/"),
    ("--src-prefix=c/", "--dst-prefix=w/"),
    ("--no-prefix",),
]


def git(folder: Path, *arguments: str, stdin: bytes = b"", ok: bool = True) -> bytes:
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.devnull,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
        },
    )
    assert not ok or done.returncode == 0, done.stderr
    return done.stdout


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    write(tmp_path, BASE)
    git(tmp_path, "add", "-A")
    git(tmp_path, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "base")
    return tmp_path


@pytest.fixture
def diff(tree: Path) -> Callable[..., bytes]:
    """Return a function that makes the diff to NEW and puts the tree back."""

    def make(*options: str, files: dict[str, bytes] | None = None) -> bytes:
        write(tree, NEW if files is None else files)
        if files is None:
            (tree / "src/Gone.java").unlink()
            (tree / "src/Old.java").unlink()
            (tree / "run.sh").chmod(0o755)
        git(tree, "add", "-A")
        patch = git(tree, "diff", "--cached", "--binary", *options)
        git(tree, "reset", "-q", "--hard")
        return patch

    return make


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("renames", ["-M", "--no-renames"])
def test_every_path_of_a_diff_by_git_is_found(
    diff: Callable[..., bytes], prefix: tuple[str, ...], renames: str
) -> None:
    """field.md row 9: the same diff with ``a/ b/``, ``c/ w/`` and no prefix."""
    patch = diff(*prefix, renames)
    assert normalize_patch(patch).patch == patch
    files = parse_patch(patch)
    depth = detect_prefix_depth(files, tuple(BASE))
    assert depth == (0 if prefix == ("--no-prefix",) else 1)
    assert set(changed_paths(files, depth)) == set(BASE) | set(NEW)


def apply(tree: Path, patch: bytes) -> dict[str, bytes]:
    files = parse_patch(patch)
    depth = detect_prefix_depth(files, tuple(BASE))
    git(tree, "apply", f"-p{depth}", "--whitespace=nowarn", "-", stdin=patch)
    return {name: (tree / name).read_bytes() for name in changed_paths(files, depth)}


def test_a_diff_without_its_last_line_feed_applies(tree: Path, diff: Callable[..., bytes]) -> None:
    """field.md row 1: the last context line ends at ``}``."""
    files = {"src/A.java": NEW["src/A.java"]}
    patch = normalize_patch(diff(files=files).removesuffix(b"\n")).patch
    assert apply(tree, patch) == files


def test_a_diff_whose_transport_made_crlf_applies(tree: Path, diff: Callable[..., bytes]) -> None:
    """field.md row 7 (a): the whole diff with CRLF."""
    files = {"src/A.java": NEW["src/A.java"]}
    patch = normalize_patch(diff(files=files).replace(b"\n", b"\r\n")).patch
    assert apply(tree, patch) == files


@pytest.mark.parametrize("transport", [b"\n", b"\r\n"])
def test_a_diff_of_a_crlf_file_applies(
    tree: Path, diff: Callable[..., bytes], transport: bytes
) -> None:
    """field.md row 7 (b): CR only on content lines, with and without a transport that adds CR."""
    files = {"src/Windows.java": NEW["src/Windows.java"]}
    patch = normalize_patch(diff(files=files).replace(b"\n", transport)).patch
    assert apply(tree, patch) == files


@pytest.mark.parametrize("name", ["src/A.java", "src/Windows.java"])
def test_a_diff_whose_blank_context_lost_its_space_applies(
    tree: Path, diff: Callable[..., bytes], name: str
) -> None:
    """field.md row 8: truly empty lines in the context, LF and CRLF files."""
    files = {name: NEW[name]}
    damaged = diff(files=files).replace(b"\n \n", b"\n\n").replace(b"\n \r\n", b"\n\r\n")
    done = normalize_patch(damaged)
    assert done.repairs == ("blank_context",)
    assert apply(tree, done.patch) == files


LINES = st.sampled_from(
    [
        b"diff --git a/src/A.java b/src/A.java",
        b"diff --git a/x b/x",
        b"--- a/src/A.java",
        b"+++ b/src/A.java",
        b"+++ b/x",
        b"--- /dev/null",
        b"+++ /dev/null",
        b'+++ "b/\\303\\244"',
        b"@@ -1 +1 @@",
        b"@@ -1,2 +1,2 @@",
        b"@@ -0,0 +1 @@",
        b"new file mode 100644",
        b"deleted file mode 100644",
        b"old mode 100644",
        b"new mode 100755",
        b"similarity index 100%",
        b"rename from x",
        b"rename to y",
        b"index 1111111..2222222 100644",
        b" class A {",
        b"-x",
        b"+y",
        b"",
        b"-- ",
        b"\\ No newline at end of file",
    ]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(LINES, min_size=1, max_size=12))
def test_where_git_would_touch_a_file_our_reader_names_it(tree: Path, lines: list[bytes]) -> None:
    """field.md row 4: the paths of a diff are what the tree is compared with afterwards."""
    patch = b"".join(line + b"\n" for line in lines)
    listed = git(tree, "apply", "-p1", "--numstat", "-z", "-", stdin=patch, ok=False)
    if not listed:
        return
    touched = {entry.split(b"\t")[-1].decode() for entry in listed.split(b"\0") if entry}
    try:
        named = set(changed_paths(parse_patch(patch), 1))
    except PatchError:
        return
    # without "deleted file mode" git takes /dev/null for a name; the diff means a deletion, and
    # the comparison with the tree after applying finds that git did something else
    assert touched - {"dev/null"} <= named
