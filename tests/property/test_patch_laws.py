"""Laws of reading and repairing patches, for any bytes and for well-formed diffs."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from unidiff.patch import PatchSet

from jeto_bench.patches import (
    PatchError,
    changed_paths,
    detect_prefix_depth,
    normalize_patch,
    parse_patch,
)

FRAGMENTS = [
    b"diff --git a/x b/x",
    b"--- a/x",
    b"+++ b/x",
    b"@@ -1,2 +1,2 @@",
    b"@@ -1 +1 @@ f()",
    b"new file mode 100644",
    b"rename from x",
    b"rename to y",
    b" a",
    b"-a",
    b"+b",
    b" ",
    b"",
    b"\\ No newline at end of file",
    "+\u2028".encode(),
    b'--- "a/\\303"',
]
ENDS = [b"\n", b"\r\n", b"\r\r\n", b"\r", b"\x0c", b""]
MESSY = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(ENDS)).map(b"".join), max_size=14
    ).map(b"".join),
)
NAME = st.from_regex(r"[a-z]{1,3}(/[A-Za-z ]{0,4}[A-Za-z]){0,3}", fullmatch=True)
TEXT = st.binary(max_size=8).filter(lambda line: b"\n" not in line)


@st.composite
def hunks(draw: st.DrawFn) -> tuple[bytes, int, int]:
    marks = draw(st.lists(st.sampled_from([b" ", b"+", b"-"]), min_size=1, max_size=8))
    lines = [mark + draw(TEXT) for mark in marks]
    added, removed = marks.count(b"+"), marks.count(b"-")
    old, new = len(marks) - added, len(marks) - removed
    head = b"@@ -%d,%d +%d,%d @@\n" % (min(old, 1), old, min(new, 1), new)
    return head + b"".join(line + b"\n" for line in lines), added, removed


@st.composite
def diffs(draw: st.DrawFn) -> tuple[bytes, tuple[str, ...], list[tuple[int, int]]]:
    names = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    old, new = draw(st.sampled_from([("a/", "b/"), ("c/", "w/"), ("i/", "w/")]))
    text, counts = b"", []
    for name in names:
        body, added, removed = draw(hunks())
        tab = "\t" if " " in name else ""
        text += f"diff --git {old}{name} {new}{name}\n".encode()
        text += f"--- {old}{name}{tab}\n+++ {new}{name}{tab}\n".encode() + body
        counts.append((added, removed))
    return text, tuple(sorted(names)), counts


def refused(patch: bytes) -> PatchError | None:
    try:
        files = parse_patch(patch)
        for depth in (0, 1):
            changed_paths(files, depth)
    except PatchError as error:
        return error
    return None


@given(MESSY)
def test_repairing_twice_changes_nothing_more(raw: bytes) -> None:
    """field.md rows 1, 7, 8: normalisation is idempotent."""
    once = normalize_patch(raw).patch
    twice = normalize_patch(once)
    assert twice.patch == once
    assert twice.repairs == ()


@given(MESSY)
def test_repairs_are_named_exactly_when_bytes_change(raw: bytes) -> None:
    """field.md row 1: what was changed is reported."""
    done = normalize_patch(raw)
    assert bool(done.repairs) == (done.patch != raw)


@given(MESSY)
def test_any_bytes_are_read_or_refused_with_a_reason(raw: bytes) -> None:
    """field.md row 3: a patch is taken whole or refused whole, never with a crash."""
    refusal = refused(normalize_patch(raw).patch)
    assert refusal is None or refusal.problem.value in str(refusal)


@given(diffs())
def test_a_well_formed_diff_gives_its_files_and_counts(
    made: tuple[bytes, tuple[str, ...], list[tuple[int, int]]],
) -> None:
    """field.md row 9: whatever pair of prefixes git was told to use."""
    patch, names, counts = made
    assert normalize_patch(patch).patch == patch
    files = parse_patch(patch)
    assert [(item.added, item.removed) for item in files] == counts
    assert detect_prefix_depth(files, ()) == 1
    assert changed_paths(files, 1) == names


@given(diffs())
def test_transport_line_ends_are_undone_without_a_trace(
    made: tuple[bytes, tuple[str, ...], list[tuple[int, int]]],
) -> None:
    """field.md row 7: LF to CRLF and back is the identity."""
    patch = made[0]
    assert normalize_patch(patch.replace(b"\n", b"\r\n")).patch == patch


@given(diffs())
def test_unidiff_finds_the_same_files_and_counts(
    made: tuple[bytes, tuple[str, ...], list[tuple[int, int]]],
) -> None:
    """An independent reader agrees where it can: names without spaces, bytes as Latin-1."""
    patch, names, counts = made
    if any(" " in name for name in names):
        return
    lines = io.StringIO(patch.decode("latin-1"), newline="\n")
    oracle = PatchSet(lines)
    assert [(item.added, item.removed) for item in oracle] == counts
    assert sorted(item.path for item in oracle) == list(names)
