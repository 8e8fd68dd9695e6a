"""Laws of reading histories: cutting, places, identities, references."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from jeto_bench.patches.identity import patch_identity
from jeto_mine.identified.entries import Entry, split_entries
from jeto_mine.identified.lines import LINE, Lines
from jeto_mine.identified.linking import references, visible
from jeto_mine.identified.texts import decode_message

MARK = b"\x01mark\0"


class Slow(io.BytesIO):
    """Gives its bytes in the given portions."""

    def __init__(self, data: bytes, portions: list[int]) -> None:
        super().__init__(data)
        self.portions = portions

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self.portions.pop() if self.portions else size)


@given(
    st.lists(
        st.lists(st.binary(min_size=1, max_size=9).filter(lambda b: b"\0\1" not in b)), max_size=5
    ),
    st.lists(st.integers(min_value=1, max_value=40), max_size=30),
    st.integers(min_value=60, max_value=200),
)
def test_where_a_stream_is_cut_changes_nothing(
    commits: list[list[bytes]], portions: list[int], limit: int
) -> None:
    data = b"".join(
        MARK + b"%d\0p\01\0\0a\0a\0c\0m\0\0\n" % number
        + b"".join(b":f\0" + path.replace(b"\0", b"") + b"\0" for path in paths)
        for number, paths in enumerate(commits)
    )  # fmt: skip
    whole = list(split_entries(io.BytesIO(data), MARK, limit=limit))
    cut = list(split_entries(Slow(data, portions), MARK, limit=limit))
    assert [(item.commit, item.oversized) for item in cut] == [
        (item.commit, item.oversized) for item in whole
    ]
    assert [item for item in cut if not item.oversized] == [
        item for item in whole if not item.oversized
    ]
    assert [item.commit for item in whole] == [b"%d" % n for n in range(len(commits))]


@st.composite
def histories(draw: st.DrawFn) -> list[list[int]]:
    """Parents of each commit, which are earlier ones; the last is the tip."""
    count = draw(st.integers(min_value=1, max_value=12))
    parents: list[list[int]] = [[]]
    for number in range(1, count):
        earlier = st.integers(min_value=0, max_value=number - 1)
        parents.append(draw(st.lists(earlier, min_size=1, max_size=3, unique=True)))
    return parents


def reach(parents: list[list[int]], start: int) -> set[int]:
    found, todo = set(), [start]
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += parents[here]
    return found


@given(histories())
def test_a_commit_belongs_to_the_oldest_merge_of_the_line_that_reaches_it(
    parents: list[list[int]],
) -> None:
    tip = len(parents) - 1
    line, here = [tip], tip
    while parents[here]:
        here = parents[here][0]
        line.append(here)
    reached = {member: reach(parents, member) for member in line}
    lines = Lines(tip=b"%d" % tip, passes=lambda _: True)
    units: dict[int, int] = {}
    places: dict[int, int] = {}
    for number in sorted(reached[tip], reverse=True):
        text = b" ".join(b"%d" % parent for parent in parents[number])
        entry = Entry(b"%d" % number, text, b"1", b"", b"", b"", b"", b"m", b"")
        places[number], unit = lines.place(entry)
        if unit is not None:
            units[unit] = number
    for number, place in places.items():
        if number in line:
            assert place == LINE
        else:
            assert units[place] == min(member for member in line if number in reached[member])
    assert set(units.values()) == {member for member in line if len(parents[member]) > 1}


LINES = st.lists(
    st.tuples(st.sampled_from(" +-"), st.text("ab ;\t", max_size=6)), min_size=1, max_size=8
)


@given(LINES, st.lists(st.text("xyz", max_size=4), max_size=3), st.integers(0, 8))
def test_surroundings_have_no_part_in_an_identity(
    lines: list[tuple[str, str]], around: list[str], at: int
) -> None:
    def patch(body: list[tuple[str, str]]) -> bytes:
        text = "".join(f"{sign}{line}\n" for sign, line in body)
        return f"diff --git a/A b/A\n--- a/A\n+++ b/A\n@@ -1 +1 @@\n{text}".encode()

    more = [*lines[:at], *((" ", line) for line in around), *lines[at:]]
    assert patch_identity(patch(more)) == patch_identity(patch(lines))


@given(st.text("#1`~>\n <!-->fixesGH- ab/.:", max_size=60), st.booleans())
def test_what_is_referred_to_can_be_seen(text: str, markdown: bool) -> None:  # noqa: FBT001  # drawn
    seen = visible(text, markdown=markdown)
    found = references(text, markdown=markdown)
    assert all(str(item.number) in seen for item in found)
    assert len({(item.repo, item.number) for item in found}) == len(found)


@given(st.binary(max_size=40), st.sampled_from([b"", b"utf-16", b"latin-1", b"\xff", b"rot13"]))
def test_no_message_is_lost(data: bytes, declared: bytes) -> None:
    """field.md row 107: whatever bytes a message has, it becomes text."""
    text, encoding = decode_message(data, declared)
    assert isinstance(text, str)
    assert encoding
