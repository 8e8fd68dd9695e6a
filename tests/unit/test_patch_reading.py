from __future__ import annotations

import pytest

from jeto_bench.patches import (
    ChangeKind,
    PatchError,
    PatchProblem,
    changed_paths,
    detect_prefix_depth,
    parse_patch,
)

HUNK = "@@ -1 +1 @@\n-a\n+b\n"
TREE = ("pom.xml", "src/main/java/A.java", "src/main/java/B.java", "src/test/java/ATest.java")


def diff(old: str, new: str, hunk: str = HUNK) -> bytes:
    return f"diff --git {old} {new}\n--- {old}\n+++ {new}\n{hunk}".encode()


def touched(patch: bytes, tree: tuple[str, ...] = TREE) -> tuple[str, ...]:
    files = parse_patch(patch)
    return changed_paths(files, detect_prefix_depth(files, tree))


@pytest.mark.parametrize(
    ("old", "new"), [("a/", "b/"), ("c/", "w/"), ("i/", "w/"), ("", ""), ("1/", "2/")]
)
def test_the_same_diff_names_the_same_file_with_any_prefix(old: str, new: str) -> None:
    """field.md row 9: user git settings change or remove the path prefixes."""
    path = "src/main/java/A.java"
    assert touched(diff(old + path, new + path)) == (path,)


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (diff("a/X.java", "a/X.java"), "a/X.java"),
        (diff("a/a/X.java", "b/a/X.java"), "a/X.java"),
        (diff("a/X.java", "b/X.java"), "X.java"),
    ],
)
def test_folders_that_look_like_a_prefix_are_told_from_one(patch: bytes, expected: str) -> None:
    """field.md row 9: paths without prefix that really begin with ``a/``."""
    assert touched(patch, ("a/X.java", "X.java")) == (expected,)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("b/src/main/java/New.java", "src/main/java/New.java"),
        ("src/main/java/New.java", "src/main/java/New.java"),
    ],
)
def test_a_new_file_in_a_plain_diff_is_placed_by_its_folder(name: str, expected: str) -> None:
    """field.md row 9: with no old name to compare, the base tree decides."""
    patch = f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n".encode()
    assert touched(patch) == (expected,)


def test_a_path_without_folder_has_no_prefix() -> None:
    """field.md row 9: ``pom.xml`` has no directory to remove."""
    assert touched(diff("pom.xml", "pom.xml")) == ("pom.xml",)


def test_quoted_names_are_unquoted() -> None:
    patch = diff('"a/\\303\\244\\"\\t.java"', '"b/\\303\\244\\"\\t.java"')
    assert touched(patch, ()) == ('ä"\t.java',)


def test_quoted_bytes_that_are_not_utf8_are_escaped() -> None:
    assert touched(diff('"a/\\351.java"', '"b/\\351.java"'), ()) == ("\udce9.java",)


def test_names_with_spaces_are_read_from_the_header_line() -> None:
    patch = b"diff --git a/x b/y z.sh b/x b/y z.sh\nold mode 100644\nnew mode 100755\n"
    (item,) = parse_patch(patch)
    assert item.kind is ChangeKind.MODE
    assert (item.old_mode, item.new_mode) == ("100644", "100755")
    assert changed_paths((item,), 1) == ("x b/y z.sh",)


@pytest.mark.parametrize("prefix", ["a/ b/", "c/ w/", " "])
def test_a_rename_names_both_paths_whatever_the_prefix(prefix: str) -> None:
    """field.md row 9: ``rename from`` never carries the prefix."""
    old, new = prefix.split(" ")
    patch = (
        f"diff --git {old}src/main/java/A.java {new}src/main/java/C.java\n"
        "similarity index 100%\nrename from src/main/java/A.java\n"
        "rename to src/main/java/C.java\n"
    ).encode()
    (item,) = parse_patch(patch)
    assert item.kind is ChangeKind.RENAME
    assert touched(patch) == ("src/main/java/A.java", "src/main/java/C.java")


def test_an_empty_new_file_and_a_deletion_are_seen() -> None:
    patch = (
        b"diff --git a/E.java b/E.java\nnew file mode 100644\nindex 0000000..e69de29\n"
        b"diff --git a/D.java b/D.java\ndeleted file mode 100644\nindex e69de29..0000000\n"
    )
    added, deleted = parse_patch(patch)
    assert (added.kind, added.old_path, added.new_path) == (ChangeKind.ADD, None, "b/E.java")
    assert (deleted.kind, deleted.new_path) == (ChangeKind.DELETE, None)
    assert touched(patch, ("D.java",)) == ("D.java", "E.java")


@pytest.mark.parametrize(
    "body",
    [
        b"GIT binary patch\nliteral 3\nKcmZQ%U;qHs0ssI2\n\nliteral 0\nHcmV?d00001\n\n",
        b"Binary files a/x.bin and b/x.bin differ\n",
    ],
)
def test_binary_changes_are_marked(body: bytes) -> None:
    patch = b"diff --git a/x.bin b/x.bin\nindex 1111111..2222222 100644\n" + body
    both = parse_patch(patch + diff("a/A.java", "b/A.java"))
    assert [item.kind for item in both] == [ChangeKind.BINARY, ChangeKind.MODIFY]
    assert both[0].binary


def test_text_around_the_files_is_skipped() -> None:
    patch = b"From 1\nSubject: x\n\n---\n A | 2 +-\n\n" + diff("a/A", "b/A") + b"-- \n2.39\n"
    (item,) = parse_patch(patch)
    assert (item.hunks, item.added, item.removed) == (1, 1, 1)


def test_removed_lines_that_look_like_headers_stay_content() -> None:
    hunk = "@@ -1,2 +1,2 @@\n--- a/x\n-y\n+++ b/x\n+z\n"
    (item,) = parse_patch(diff("a/A", "b/A", hunk))
    assert (item.added, item.removed) == (2, 2)


@pytest.mark.parametrize(
    ("patch", "problem"),
    [
        (b"", PatchProblem.NOT_A_PATCH),
        (b"I made it faster.\n", PatchProblem.NOT_A_PATCH),
        (b"@@ -1 +1 @@\n-a\n+b\n", PatchProblem.ORPHAN_HUNK),
        (diff("a/A", "b/A", "@@ -1,4 +1,4 @@\n-a\n+b\n"), PatchProblem.CORRUPT_HUNK),
        (diff("a/A", "b/A", "@@ -1 +1 @@\n-a\n-b\n"), PatchProblem.CORRUPT_HUNK),
        (diff("a/A", "b/A", "@@ -1 +1 @@\nfoo\n"), PatchProblem.CORRUPT_HUNK),
        (b"diff --git a/A b/A\nindex 1..2 100644\n", PatchProblem.NO_CHANGE),
        (b"diff --git a/A b/A\n" + diff("a/B", "b/B"), PatchProblem.NO_CHANGE),
        (
            diff("a/A", "b/A").replace(b"--- a/A", b"deleted file mode 100644\n--- a/B"),
            PatchProblem.INCONSISTENT_HEADER,
        ),
        (
            b"diff --git a/A b/A\n--- a/A\nnew file mode 100644\n+++ b/A\n",
            PatchProblem.INCONSISTENT_HEADER,
        ),
        (
            b"diff --git a/A b/B\nrename from A\nrename to B\nrename to C\n",
            PatchProblem.INCONSISTENT_HEADER,
        ),
        (diff("/etc/passwd", "/etc/passwd"), PatchProblem.ABSOLUTE_PATH),
        (diff("a//etc/passwd", "b//etc/passwd"), PatchProblem.ABSOLUTE_PATH),
        (diff("a/../x", "b/../x"), PatchProblem.PARENT_PATH),
        (diff("a/s/.git/config", "b/s/.git/config"), PatchProblem.GIT_DIRECTORY),
        (diff("a/.GIT/hooks/x", "b/.GIT/hooks/x"), PatchProblem.GIT_DIRECTORY),
        (diff('"a/x\\000y"', '"b/x\\000y"'), PatchProblem.NUL_IN_PATH),
        (diff('"a/x', '"b/x'), PatchProblem.BAD_QUOTING),
        (diff('"a/\\q"', '"b/\\q"'), PatchProblem.BAD_QUOTING),
        (b"diff --git " + b"x " * 20_000 + b"\nnew mode 100755\n", PatchProblem.MISSING_NAME),
    ],
)
def test_what_cannot_be_applied_safely_is_refused(patch: bytes, problem: PatchProblem) -> None:
    with pytest.raises(PatchError) as caught:
        parse_patch(patch)
    assert caught.value.problem is problem
    assert caught.value.exit_code == 2


def test_a_prefix_that_hides_git_files_is_refused_once_it_is_gone() -> None:
    files = parse_patch(diff("a/x", "b/x"))
    with pytest.raises(PatchError, match="leading directories"):
        changed_paths(files, 2)
