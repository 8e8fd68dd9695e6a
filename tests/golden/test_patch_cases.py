"""Patches as predictions really bring them, with the status and the tree each must end in."""

from __future__ import annotations

import difflib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from jeto_bench.errors import SandboxError
from jeto_bench.patches import normalize_patch
from jeto_evaluate.patching import (
    DEFAULT_POLICY,
    ApplyReason,
    PatchResult,
    ProtectedPolicy,
    Strategy,
    apply_patch,
)
from jeto_evaluate.sandbox.protocol import Sandbox


class Box(Sandbox, Protocol):
    """The test double, as these tests use it."""

    @property
    def repo(self) -> Path: ...
    def write(self, files: Mapping[str, bytes]) -> None: ...
    def files(self) -> dict[str, bytes]: ...
    def git(self, *args: str) -> bytes: ...


FOO = "src/main/java/p/Foo.java"
CRLF = "src/main/java/p/Windows.java"
TEST = "src/test/java/p/FooTest.java"
BASE = {
    FOO: b"package p;\n\nclass Foo {\n\n    int slow() {\n        return 1;\n    }\n}\n",
    CRLF: b"package p;\r\n\r\nclass Windows {\r\n    int a = 1;\r\n}\r\n",
    TEST: b"class FooTest {\n    int loops = 1000;\n}\n",
    "README.md": b"# foo\n",
    "pom.xml": b"<project/>\n",
    ".gitignore": b"target/\n*.log\n",
    ".gitattributes": b"*.java text\n",
    ".mvn/wrapper/maven-wrapper.properties": b"distributionUrl=x\n",
    "target/classes/built.properties": b"left by the build\n",
}
FAST = BASE[FOO].replace(b"return 1", b"return 2")
QUICK = BASE[TEST].replace(b"1000", b"1")


def diff(path: str, old: bytes | None, new: bytes | None, *, prefixes: str = "ab") -> bytes:
    """A unified diff with git's header lines for new and deleted files."""
    a, b = (f"{prefixes[0]}/{path}", f"{prefixes[1]}/{path}") if prefixes else (path, path)
    mode = b""
    if old is None:
        mode = b"new file mode 100644\n"
    elif new is None:
        mode = b"deleted file mode 100644\n"
    body = difflib.diff_bytes(
        difflib.unified_diff,
        (old or b"").splitlines(keepends=True),
        (new or b"").splitlines(keepends=True),
        b"/dev/null" if old is None else a.encode(),
        b"/dev/null" if new is None else b.encode(),
    )
    return f"diff --git {a} {b}\n".encode() + mode + b"".join(body)


GOOD = diff(FOO, BASE[FOO], FAST)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A patch and how it must end; ``after`` is what differs from base, ``None`` for deleted."""

    row: str
    patch: bytes
    after: dict[str, bytes | None]
    reason: ApplyReason = ApplyReason.NONE
    strategy: Strategy = Strategy.STRICT
    junk: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()


def link(path: str, target: str) -> bytes:
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1 @@\n+{target}\n\\ No newline at end of file\n"
    ).encode()


def nothing(row: str, patch: bytes, reason: ApplyReason, **left_out: Any) -> Case:
    return Case(row=row, patch=patch, after={}, reason=reason, strategy=Strategy.NONE, **left_out)


A_TEST = diff(TEST, BASE[TEST], QUICK)
FAR = BASE[FOO].replace(b"package p;\n", b"package p;\n" + b"// far\n" * 200)
CASES = {
    "plain": Case(row="", patch=GOOD, after={FOO: FAST}),
    "no_final_newline": Case(row="1", patch=GOOD.removesuffix(b"\n"), after={FOO: FAST}),
    "one_hunk_misfits_beside_a_new_file": nothing(
        "3",
        diff(FOO, FAST, BASE[FOO]) + diff("src/main/java/p/New.java", None, b"class New {}\n"),
        ApplyReason.DOES_NOT_APPLY,
    ),
    "line_numbers_200_off": Case(
        row="3", patch=diff(FOO, FAR, FAR.replace(b"return 1", b"return 2")), after={FOO: FAST}
    ),
    "context_drifted": Case(
        row="3",
        patch=GOOD.replace(b" class Foo {\n", b" final class Foo {\n"),
        after={FOO: FAST},
        strategy=Strategy.TOLERANT,
    ),
    "context_indented_with_tabs": Case(
        row="3",
        patch=GOOD.replace(b"     int slow", b" \tint slow"),
        after={FOO: FAST},
        strategy=Strategy.TOLERANT,
    ),
    "relative_to_a_module": nothing(
        "4", GOOD.replace(b"src/main/java/", b"java/"), ApplyReason.DOES_NOT_APPLY
    ),
    "build_output_and_files_that_exist": Case(
        row="5",
        patch=diff("target/classes/x.properties", None, b"x=1\n")
        + diff("README.md", None, BASE["README.md"])
        + diff("run.log", None, b"log\n")
        + GOOD,
        after={FOO: FAST},
        junk=("README.md", "run.log", "target/classes/x.properties"),
    ),
    "a_new_file_that_base_has_otherwise": nothing(
        "5", diff("README.md", None, b"# other\n") + GOOD, ApplyReason.DOES_NOT_APPLY
    ),
    "transport_crlf": Case(row="7", patch=GOOD.replace(b"\n", b"\r\n"), after={FOO: FAST}),
    "crlf_file_right": Case(
        row="7",
        patch=diff(CRLF, BASE[CRLF], BASE[CRLF].replace(b"a = 1", b"a = 2")),
        after={CRLF: BASE[CRLF].replace(b"a = 1", b"a = 2")},
    ),
    "blank_context": Case(row="8", patch=GOOD.replace(b"\n \n", b"\n\n"), after={FOO: FAST}),
    "prefix_c_w": Case(row="9", patch=diff(FOO, BASE[FOO], FAST, prefixes="cw"), after={FOO: FAST}),
    "no_prefix": Case(row="9", patch=diff(FOO, BASE[FOO], FAST, prefixes=""), after={FOO: FAST}),
    "edits_the_test_too": Case(row="12", patch=A_TEST + GOOD, after={FOO: FAST}, tests=(TEST,)),
    "a_test_edit_that_does_not_fit": Case(
        row="12", patch=diff(TEST, QUICK, BASE[TEST]) + GOOD, after={FOO: FAST}, tests=(TEST,)
    ),
    "only_a_test": nothing("12", A_TEST, ApplyReason.NOTHING_LEFT, tests=(TEST,)),
    "plants_a_test": Case(
        row="13",
        patch=GOOD + diff("later/LaterTest.java", None, b"class LaterTest {}\n"),
        after={FOO: FAST},
        tests=("later/LaterTest.java",),
    ),
    "only_parallel_configuration": nothing(
        "14",
        diff("src/main/resources/junit-platform.properties", None, b"x=true\n"),
        ApplyReason.NOTHING_LEFT,
        protected=("src/main/resources/junit-platform.properties",),
    ),
    "build_files": Case(
        row="14",
        patch=diff("pom.xml", BASE["pom.xml"], b"<project>-O9</project>\n")
        + diff(".mvn/jvm.config", None, b"-Xmx9g\n")
        + diff(".gitattributes", BASE[".gitattributes"], b"*.java filter=evil\n")
        + diff(".gitignore", BASE[".gitignore"], None)
        + GOOD,
        after={FOO: FAST},
        protected=(".gitattributes", ".gitignore", ".mvn/jvm.config", "pom.xml"),
    ),
    "registers_a_listener": nothing(
        "15",
        diff(
            "src/main/resources/META-INF/services/org.junit.platform.launcher.LauncherSessionListener",
            None,
            b"p.Evil\n",
        ),
        ApplyReason.NOTHING_LEFT,
        protected=(
            "src/main/resources/META-INF/services/org.junit.platform.launcher.LauncherSessionListener",
        ),
    ),
    "link_over_tests": nothing(
        "15", GOOD + link("src/main/java/q", "../../test/java"), ApplyReason.SYMLINK
    ),
    "link_out_of_the_tree": nothing(
        "15", GOOD + link("src/main/resources/etc", "/etc"), ApplyReason.SYMLINK
    ),
    "submodule": nothing(
        "15",
        GOOD
        + b"diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n"
        + b"@@ -0,0 +1 @@\n+Subproject commit "
        + b"1" * 40
        + b"\n",
        ApplyReason.SUBMODULE,
    ),
    "climbs_out": nothing("15", diff("../evil", None, b"x\n") + GOOD, ApplyReason.MALFORMED),
    "writes_git_hooks": nothing(
        "15", diff(".git/hooks/post-checkout", None, b"x\n") + GOOD, ApplyReason.MALFORMED
    ),
    "moves_a_test_into_main": Case(
        row="15",
        patch=f"diff --git a/{TEST} b/src/main/java/p/T.java\nsimilarity index 100%\n"
        f"rename from {TEST}\nrename to src/main/java/p/T.java\n".encode(),
        after={"src/main/java/p/T.java": BASE[TEST]},
        tests=(TEST,),
    ),
    "moves_main_into_tests": Case(
        row="15",
        patch=f"diff --git a/{FOO} b/src/test/java/p/Foo.java\nsimilarity index 100%\n"
        f"rename from {FOO}\nrename to src/test/java/p/Foo.java\n".encode(),
        after={FOO: None},
        tests=("src/test/java/p/Foo.java",),
    ),
    "a_file_in_place_of_the_test_directory": nothing(
        "15", diff("src/test", None, b"x\n"), ApplyReason.NOTHING_LEFT, tests=("src/test",)
    ),
    "other_letters": Case(
        row="15",
        patch=diff("SRC/Test/java/X.java", None, b"x\n") + diff("POM.XML", None, b"x\n") + GOOD,
        after={FOO: FAST},
        tests=("SRC/Test/java/X.java",),
        protected=("POM.XML",),
    ),
    "hunks_that_cancel_out": Case(
        row="",
        patch=GOOD.replace(b"return 2", b"return 1"),
        after={},
        reason=ApplyReason.NOTHING_LEFT,
    ),
    "names_that_git_would_not_store": Case(
        row="15",
        patch=diff("src/main/resources/git~1", None, b"x\n") + GOOD,
        after={FOO: FAST, "src/main/resources/git~1": b"x\n"},
    ),
    "a_name_longer_than_the_file_system_allows": nothing(
        "15", diff("n" * 300, None, b"x\n") + GOOD, ApplyReason.DOES_NOT_APPLY
    ),
    "a_file_below_a_file": nothing(
        "15", diff("README.md/x", None, b"x\n") + GOOD, ApplyReason.DOES_NOT_APPLY
    ),
    "one_file_twice": Case(
        row="15",
        patch=GOOD + diff(FOO, FAST, FAST.replace(b"return 2", b"return 3")),
        after={FOO: FAST.replace(b"return 2", b"return 3")},
    ),
    "adds_then_deletes": Case(  # git removes first and creates second; the result names the file
        row="15",
        patch=diff("src/main/java/N.java", None, b"x\n")
        + diff("src/main/java/N.java", b"x\n", None)
        + GOOD,
        after={FOO: FAST, "src/main/java/N.java": b"x\n"},
    ),
    "a_jar_beside_the_code": nothing(
        "15",
        diff("lib/junit.jar", None, b"x\n"),
        ApplyReason.NOTHING_LEFT,
        protected=("lib/junit.jar",),
    ),
    "a_compiled_class_as_a_resource": nothing(
        "15",
        diff("src/main/resources/org/junit/Assert.class", None, b"x\n"),
        ApplyReason.NOTHING_LEFT,
        junk=("src/main/resources/org/junit/Assert.class",),
    ),
    "prose": nothing("", b"I would cache the result.\n", ApplyReason.MALFORMED),
    "deletes_main_code": Case(row="", patch=diff(FOO, BASE[FOO], None), after={FOO: None}),
    "makes_a_file_executable": Case(
        row="",
        patch=f"diff --git a/{FOO} b/{FOO}\nold mode 100644\nnew mode 100755\n".encode(),
        after={FOO: BASE[FOO]},
    ),
}
# Hash of the whole tree, ignored files included and nothing converted, as git names it.
BASE_TREE = "1d8e74fd80eaa71832b8b8a0c2f9153b89a911d5"
FAST_TREE = "41276f2a8aa8493a63097a9d4f2ce867d2bfcf12"
EXECUTABLE = "makes_a_file_executable"
POLICY = ProtectedPolicy(must_be_absent=("later/LaterTest.java",))


@pytest.fixture
def box(local_sandbox: Box) -> Box:
    local_sandbox.write(BASE)
    local_sandbox.git("init", "-q")
    local_sandbox.git("add", "-A")
    local_sandbox.git("commit", "-q", "-m", "base")
    return local_sandbox


def run(
    box: Box, patch: bytes, policy: ProtectedPolicy = DEFAULT_POLICY, *, deadline: float = 60.0
) -> PatchResult:
    ready = normalize_patch(patch).patch
    return apply_patch(box, ready, record_policy=policy, deadline=deadline)


def tree_hash(files: Mapping[str, bytes]) -> str:
    """The hash git gives to a tree of plain files, computed without git."""
    entries: dict[str, bytes] = {}
    folders: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        head, _, rest = path.partition("/")
        if rest:
            folders.setdefault(head, {})[rest] = data
        else:
            digest = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest()
            entries[head] = b"100644 " + head.encode() + b"\0" + digest
    for head, inner in folders.items():
        digest = bytes.fromhex(tree_hash(inner))
        entries[head + "/"] = b"40000 " + head.encode() + b"\0" + digest
    body = b"".join(entries[name] for name in sorted(entries))
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize("name", CASES)
def test_patch_ends_in_its_status_and_its_tree(name: str, box: Box) -> None:
    """field.md row 3, with 1, 4, 5, 7, 8, 9, 12, 13, 14 and 15: all of it, or base."""
    case = CASES[name]
    result = run(box, case.patch, POLICY)
    expected = {k: v for k, v in {**BASE, **case.after}.items() if v is not None}
    assert result.reason is case.reason, result.detail
    assert bool(result.detail) is bool(case.reason)
    assert box.files() == expected
    assert result.changed == tuple(sorted(case.after))
    assert result.strategy is case.strategy
    assert (result.junk_paths, result.ignored_test_edits, result.protected_path_edits) == (
        case.junk,
        case.tests,
        case.protected,
    )
    assert result.applied is (case.reason in {ApplyReason.NONE, ApplyReason.NOTHING_LEFT})
    if name != EXECUTABLE:
        assert result.tree == tree_hash(expected)
    assert box.get("/tmp/jeto-apply") == {}  # noqa: S108  # nothing of ours stays behind


def test_hash_of_the_tree_is_pinned() -> None:
    assert tree_hash(BASE) == BASE_TREE
    assert tree_hash({**BASE, FOO: FAST}) == FAST_TREE


def test_crlf_file_and_a_patch_with_line_feeds_only_still_applies(box: Box) -> None:
    """field.md row 7: a model that writes LF for a file that has CRLF meant the same line."""
    bare = diff(CRLF, BASE[CRLF], BASE[CRLF].replace(b"a = 1", b"a = 2")).replace(b"\r", b"")
    result = run(box, bare)
    assert (result.reason, result.strategy) == (ApplyReason.NONE, Strategy.TOLERANT)
    assert b"a = 2;" in box.files()[CRLF]


def test_second_patch_meets_the_same_clean_tree(box: Box) -> None:
    """field.md row 3: an attempt that fails leaves nothing for the next one to trip over."""
    new = diff("src/main/java/p/New.java", None, b"class New {}\n")
    assert not run(box, new + diff(FOO, FAST, BASE[FOO])).applied
    assert run(box, new + GOOD).changed == (FOO, "src/main/java/p/New.java")


def test_tree_that_is_not_at_base_is_the_harness_s_fault(box: Box) -> None:
    box.write({FOO: FAST})
    with pytest.raises(SandboxError, match="not at base"):
        run(box, GOOD)


def test_build_output_that_no_ignore_rule_names_is_the_image_s(box: Box) -> None:
    box.write({"core/target/classes/A.class": b"x"})
    box.git("rm", "-q", "--cached", ".gitignore")
    box.git("commit", "-q", "--amend", "-m", "base")
    (box.repo / ".gitignore").unlink()
    assert run(box, GOOD).changed == (FOO,)
    assert "core/target/classes/A.class" in box.files()


def test_file_that_replaces_a_directory_is_all_or_nothing(box: Box) -> None:
    patch = diff("src/main/java/p", None, b"x\n")
    result = run(box, patch)
    assert result.reason is ApplyReason.DOES_NOT_APPLY
    assert box.files() == BASE


def test_repository_inside_another_work_tree(tmp_path: Path, box: Box) -> None:
    """field.md row 4: git exits 0 and changes nothing when it takes the outer repository."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert run(box, GOOD).changed == (FOO,)


def test_attributes_and_settings_of_the_repository_do_not_convert(box: Box) -> None:
    """field.md rows 7 and 9: line ends and filters that a repository or a user sets stay out."""
    box.git("config", "core.autocrlf", "true")
    box.git("config", "filter.evil.smudge", "tr a-z A-Z")
    box.git("config", "diff.noprefix", "true")
    assert run(box, GOOD).reason is ApplyReason.NONE
    assert box.files() == {**BASE, FOO: FAST}


def test_paths_that_begin_above_the_tree_are_told_with_the_cure(box: Box) -> None:
    """A diff made in a checkout that holds the project in a folder of it."""
    below = GOOD.replace(b"src/main/java/", b"build/mini/p/src/main/java/")
    found = run(box, below)
    assert found.reason is ApplyReason.DOES_NOT_APPLY
    assert "begins above the tree: make the diff with git diff --relative" in found.detail
    assert "--relative" not in run(box, GOOD.replace(b"src/main/java/", b"java/")).detail


def test_link_of_base_is_not_followed(box: Box) -> None:
    """field.md row 15: a path through a link would write where the rules do not look."""
    (box.repo / "src/main/java/shared").symlink_to("../../test/java/p")
    box.git("add", "-A")
    box.git("commit", "-q", "--amend", "-m", "base")
    through = diff("src/main/java/shared/FooTest.java", BASE[TEST], QUICK)
    assert run(box, through).reason is ApplyReason.SYMLINK
    retarget = (
        b"diff --git a/src/main/java/shared b/src/main/java/shared\n"
        b"--- a/src/main/java/shared\n+++ b/src/main/java/shared\n@@ -1 +1 @@\n"
        b"-../../test/java/p\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n"
    )
    assert run(box, retarget).reason is ApplyReason.SYMLINK
    assert box.files()[TEST] == BASE[TEST]


def test_tool_that_hangs_leaves_base_behind(
    box: Box, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """field.md row 5: the run must not stall on an apply tool, and the tree is whole after it."""
    tool = tmp_path / "bin" / "git"
    tool.parent.mkdir()
    tool.write_text(
        f'#!/bin/sh\ncase "$*" in "apply -p1"*) echo x > {FOO}; exec sleep 60;; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    result = run(box, GOOD, deadline=0.0)
    assert result.reason is ApplyReason.TIMED_OUT
    assert box.files() == BASE


def test_tool_that_lies_is_not_believed(
    box: Box, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """field.md row 4: status 0 without the change is ``patch_not_applied``, never success."""
    tool = tmp_path / "bin" / "git"
    tool.parent.mkdir()
    real = shutil.which("git")
    tool.write_text(f'#!/bin/sh\n[ "$1" = apply ] && exit 0\nexec {real} "$@"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    result = run(box, GOOD)
    assert (result.applied, result.reason) == (False, ApplyReason.PATCH_NOT_APPLIED)
    assert result.tree == BASE_TREE
