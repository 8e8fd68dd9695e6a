from __future__ import annotations

import pytest

from jeto_bench.patches import normalize_patch

PATCH = (
    b"diff --git a/A.java b/A.java\n"
    b"--- a/A.java\n"
    b"+++ b/A.java\n"
    b"@@ -1,5 +1,5 @@\n"
    b" class A {\n"
    b" \n"
    b"-  int a = 1;\n"
    b"+  int a = 2;\n"
    b" \n"
    b" }\n"
)


def test_a_sound_patch_is_left_alone() -> None:
    done = normalize_patch(PATCH)
    assert done.patch == PATCH
    assert done.repairs == ()


def test_a_missing_final_line_feed_is_added_once() -> None:
    """field.md row 1: a diff whose last line lacks its line feed was refused."""
    done = normalize_patch(PATCH[:-1])
    assert done.patch == PATCH
    assert done.repairs == ("final_newline",)


@pytest.mark.parametrize("tail", [b"\n\n", b" \n", b"\t", b"   "])
def test_white_space_is_never_stripped(tail: bytes) -> None:
    """field.md row 1: stripping a patch removes context that its counts announce."""
    assert normalize_patch(PATCH + tail).patch.startswith(PATCH + tail)


def test_line_ends_made_by_the_transport_are_undone() -> None:
    """field.md row 7 (a): every LF became CRLF on the way."""
    done = normalize_patch(PATCH.replace(b"\n", b"\r\n"))
    assert done.patch == PATCH
    assert done.repairs == ("transport_crlf",)


def test_transport_that_happened_twice_is_undone_twice() -> None:
    """field.md row 7 (a): CR CR LF after two conversions."""
    assert normalize_patch(PATCH.replace(b"\n", b"\r\r\n")).patch == PATCH


def test_carriage_returns_of_the_file_itself_survive() -> None:
    """field.md row 7 (b): the Java file is committed with CRLF; only content lines carry CR."""
    real = b"".join(
        line[:-1] + b"\r\n" if line[:1] in b" +-" and line[:3] not in (b"---", b"+++") else line
        for line in PATCH.splitlines(keepends=True)
    )
    done = normalize_patch(real)
    assert done.patch == real
    assert done.repairs == ()


def test_both_kinds_of_carriage_return_are_told_apart() -> None:
    """field.md row 7: a CRLF file whose diff went through a transport that adds CR."""
    real = PATCH.replace(b" = 2;\n", b" = 2;\r\n")
    assert normalize_patch(real.replace(b"\n", b"\r\n")).patch == real


def test_the_lost_space_of_a_blank_context_line_comes_back() -> None:
    """field.md row 8: editors drop the single space of an empty context line."""
    done = normalize_patch(PATCH.replace(b"\n \n", b"\n\n"))
    assert done.patch == PATCH
    assert done.repairs == ("blank_context",)


def test_a_blank_context_line_of_a_crlf_file_is_repaired_too() -> None:
    """field.md rows 7 and 8: what is left of the line is a lone CR."""
    done = normalize_patch(PATCH.replace(b"\n \n", b"\n\r\n"))
    assert done.patch == PATCH.replace(b"\n \n", b"\n \r\n")


def test_blank_lines_are_left_alone_where_the_counts_would_not_match() -> None:
    """field.md row 8: repair only when the hunk count then matches."""
    odd = PATCH.replace(b"\n \n", b"\n\n").replace(b"-1,5 +1,5", b"-1,9 +1,9")
    done = normalize_patch(odd)
    assert done.patch == odd
    assert done.repairs == ()


def test_blank_lines_after_a_hunk_are_no_context() -> None:
    """field.md row 8: the hunk is complete; what follows separates it from the next file."""
    both = PATCH + b"\n\n" + PATCH.replace(b"A.java", b"B.java")
    assert normalize_patch(both).patch == both


def test_only_line_feed_ends_a_line() -> None:
    """field.md row 20: U+2028, NEL, form feed and a lone CR are content."""
    odd = PATCH.replace(b"a = 2;", 'a = "\u2028\u0085\x0c\x0b\x1c\r";'.encode())
    assert normalize_patch(odd).patch == odd


def test_bytes_that_are_not_utf8_pass_through() -> None:
    odd = PATCH.replace(b"a = 2", b"a = '\xe9\xff'")
    assert normalize_patch(odd).patch == odd
