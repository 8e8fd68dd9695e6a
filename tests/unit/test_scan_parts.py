"""The parts of a scan that need no repository: streams, lines, identities, build files."""

from __future__ import annotations

import io

import pytest

from jeto_bench.patches.identity import patch_identity
from jeto_mine.identified.assembled import iso_time, split_tests
from jeto_mine.identified.dedup import Change, group_changes, picked_from
from jeto_mine.identified.entries import Entry, split_entries
from jeto_mine.identified.java_level import java_level, places
from jeto_mine.identified.lines import LINE, Lines, brings_up_to_date, is_pull_merge
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.scan_tables import ScanProgress
from jeto_mine.identified.steps import Step, rebased
from jeto_mine.identified.texts import decode_message
from jeto_mine.identified.trees import TreeEntry, parse_tree
from jeto_mine.identified.work import Done

MARK = b"\x01mark\0"


def told(commit: str, *paths: str, parents: str = "", message: str = "m") -> bytes:
    """A commit as git prints it."""
    fields = (commit, parents, "1", "", "Ada", "ada@x", "ada@x", message)
    raw = "".join(f":100644 100644 {'0' * 40} {'1' * 40} M\0{path}\0" for path in paths)
    return MARK + "\0".join(fields).encode() + b"\0\0" + (b"\n" + raw.encode() if raw else b"")


class OneByte(io.BytesIO):
    """A stream that gives as little as it may."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(7 if size is None or not 0 <= size <= 7 else size)


@pytest.mark.parametrize("stream", [io.BytesIO, OneByte])
def test_a_stream_is_split_wherever_it_is_cut(stream: type[io.BytesIO]) -> None:
    data = told("a", "A.java", "B.java") + told("b") + told("c", "\x02 odd.java", message="x\n\ny")
    found = list(split_entries(stream(data), MARK))
    assert [item.commit for item in found] == [b"a", b"b", b"c"]
    assert [item.raw.count(b"\0") for item in found] == [4, 0, 2]
    assert found[2].message == b"x\n\ny"
    assert not any(item.oversized for item in found)


@pytest.mark.parametrize("stream", [io.BytesIO, OneByte])
def test_a_huge_commit_is_told_and_not_held(stream: type[io.BytesIO]) -> None:
    """field.md row 108: what one commit may hold in memory is limited, wherever it is cut."""
    huge = told("b", *(f"{number}.java" for number in range(100)))
    data = told("a", "A.java") + huge + told("c", "C.java")
    found = list(split_entries(stream(data), MARK, limit=5000))
    assert [(item.commit, item.oversized) for item in found] == [
        (b"a", False),
        (b"b", True),
        (b"c", False),
    ]
    assert found[2].raw.endswith(b"\0C.java\0")
    exact = list(split_entries(stream(data), MARK, limit=len(huge) - len(MARK)))
    assert not any(item.oversized for item in exact), "the limit itself is allowed"


def test_a_commit_cut_off_in_its_header_is_told() -> None:
    found = list(split_entries(io.BytesIO(MARK + b"a\0b"), MARK))
    assert [(item.commit, item.oversized) for item in found] == [(b"a", True)]


@pytest.mark.parametrize(
    ("data", "declared", "text", "encoding"),
    [
        (b"f\xc3\xbcr", b"", "für", "utf-8"),
        (b"f\xfcr", b"", "für", "iso8859-1"),
        (b"f\xc3\xbcr", b"ISO-8859-1", "für", "iso8859-1"),
        (b"\x83\x65\x83\x58\x83\x67", b"Shift_JIS", "テスト", "shift_jis"),
        (b"f\xfcr", b"no-such", "für", "iso8859-1"),
        (b"f\xfcr", b"\xff\xfe", "für", "iso8859-1"),
        (b"abc", b"base64", "abc", "utf-8"),
    ],
)
def test_messages_are_decoded_late(data: bytes, declared: bytes, text: str, encoding: str) -> None:
    """field.md row 107: nothing raises, and the encoding is recorded."""
    assert decode_message(data, declared) == (text, encoding)


def commit(name: str, *parents: str, message: str = "m") -> Entry:
    return Entry(
        name.encode(), " ".join(parents).encode(), b"1", b"", b"", b"", b"", message.encode(), b""
    )


def placed(*history: Entry, failing: str = "") -> dict[str, tuple[int, int | None]]:
    lines = Lines(tip=history[0].commit, passes=lambda item: item.commit.decode() not in failing)
    return {item.commit.decode(): lines.place(item) for item in history}


class TestLines:
    """field.md row 109: what belongs to a merge, and what is judged by itself."""

    def test_commits_below_a_passing_merge_belong_to_it(self) -> None:
        found = placed(
            commit("m", "b", "y"), commit("y", "x"), commit("x", "a"), commit("b", "a"), commit("a")
        )
        assert found == {
            "m": (LINE, 0),
            "y": (0, None),
            "x": (0, None),
            "b": (LINE, None),
            "a": (LINE, None),
        }

    def test_a_failing_merge_is_opened(self) -> None:
        found = placed(
            commit("m", "b", "y"),
            commit("y", "x"),
            commit("x", "a"),
            commit("b", "a"),
            commit("a"),
            failing="m",
        )
        assert set(found.values()) == {(LINE, None)}

    def test_a_failing_pull_request_takes_its_commits_with_it(self) -> None:
        merge = commit("m", "b", "y", message="Merge pull request #1 from ada/x")
        found = placed(merge, commit("y", "a"), commit("b", "a"), commit("a"), failing="m")
        assert found["y"] == (0, None)

    def test_a_merge_that_brings_up_to_date_is_opened(self) -> None:
        merge = commit("m", "b", "y", message="Merge remote-tracking branch 'origin/main'")
        assert placed(merge, commit("y", "a"), commit("b", "a"), commit("a"))["y"] == (LINE, None)

    def test_the_line_wins_over_a_unit(self) -> None:
        # The branch y was begun at a, which the line reaches too.
        found = placed(
            commit("m", "b", "y"), commit("y", "a"), commit("b", "a"), commit("a", "z"), commit("z")
        )
        assert found["a"] == found["z"] == (LINE, None)

    def test_of_two_units_the_older_has_a_commit(self) -> None:
        # n was merged first; the branch of m goes on from x, which n had brought.
        found = placed(
            commit("m", "n", "y"), commit("y", "x"), commit("n", "b", "x"),
            commit("x", "a"), commit("b", "a"), commit("a"),
        )  # fmt: skip
        assert found["m"] == (LINE, 0)
        assert found["n"] == (LINE, 1)
        assert found["y"] == (0, None)
        assert found["x"] == (1, None)

    def test_below_an_opened_merge_units_are_found_again(self) -> None:
        found = placed(
            commit("m", "b", "n"), commit("n", "r", "x"), commit("x", "r"),
            commit("r", "a"), commit("b", "a"), commit("a"), failing="m",
        )  # fmt: skip
        assert found["m"] == (LINE, None)
        assert found["n"] == (LINE, 0)
        assert found["x"] == (0, None)
        assert found["r"] == (LINE, None)


@pytest.mark.parametrize(
    ("message", "pull", "update"),
    [
        ("Merge pull request #1 from ada/x", True, False),
        ("Merge branch 'faster'", False, False),
        ("Merge branch 'faster' into main", False, False),
        ("Merge branch 'main' into faster", False, True),
        ("Merge branch 'master' of https://example.org/a/b", False, True),
        ("Merge branch 'x' of https://example.org/a/b", False, True),
        ("Merge remote-tracking branch 'origin/1.x'", False, True),
        ("Merge branch 'maintenance'", False, False),
    ],
)
def test_kinds_of_merges(message: str, pull: bool, update: bool) -> None:  # noqa: FBT001  # a table
    one = commit("m", "a", "b", message=message)
    assert (is_pull_merge(one), brings_up_to_date(one)) == (pull, update)


def patch(path: str, *lines: str, at: int = 1) -> bytes:
    body = "".join(f"{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n"
        f"@@ -{at},3 +{at},3 @@\n{body}"
    ).encode()


class TestIdentity:
    """field.md row 52: one change in two places is one change."""

    BASE = patch("a/A.java", " one", "-slow();", "+fast();", " two")

    @pytest.mark.parametrize(
        "same",
        [
            patch("a/A.java", " uno", "-slow();", "+fast();", " due", at=70),
            patch("b/c/A.java", " one", "-slow();", "+fast();", " two"),
            patch("a/A.java", " one", "-  slow( );", "+\tfast();\r", " two"),
            patch("a/A.java", "-slow();", "-", "+", "+fast();"),
        ],
    )
    def test_surroundings_folders_and_blanks_do_not_count(self, same: bytes) -> None:
        assert patch_identity(same) == patch_identity(self.BASE)

    @pytest.mark.parametrize(
        "other",
        [
            patch("a/B.java", " one", "-slow();", "+fast();", " two"),
            patch("a/A.java", " one", "-slow();", "+faster();", " two"),
            patch("a/A.java", " one", "+slow();", "-fast();", " two"),
            patch("a/A.java", " one", "-slow();", "+fast();", "+more();"),
            BASE + patch("a/C.java", "-x", "+y"),
            patch("a/A.java", "--- slow", "+++ fast"),
        ],
    )
    def test_what_is_changed_counts(self, other: bytes) -> None:
        assert patch_identity(other) != patch_identity(self.BASE)

    def test_the_order_of_files_does_not_count(self) -> None:
        other = patch("C.java", "-x", "+y")
        assert patch_identity(self.BASE + other) == patch_identity(other + self.BASE)


def change(
    name: str,
    identity: str,
    *,
    time: int = 0,
    issue: int = 1,
    subject: str = "",
    picked: str = "",
) -> Change:
    return Change(
        subject=subject or name,
        name=name,
        commits=(name * 40,),
        time=time,
        issue=issue,
        identity=identity,
        picked=picked_from(f"x\n\n(cherry picked from commit {picked * 40})" if picked else "x"),
    )


def test_the_oldest_of_a_group_represents_it() -> None:
    """field.md row 52: one representative, the others with its group's id."""
    (group,) = group_changes([change("b", "i", time=2), change("c", "j"), change("a", "i", time=1)])
    assert (group.group_id, group.representative, group.others) == ("i", "a", ("b",))


def test_a_pick_that_was_changed_is_the_same_if_it_closes_the_same_issue() -> None:
    same = [change("a", "i"), change("b", "j", time=1, picked="a")]
    assert [group.others for group in group_changes(same)] == [("b",)]
    other = [change("a", "i"), change("b", "j", time=1, picked="a", issue=2)]
    assert group_changes(other) == ()


def test_changes_that_are_alike_by_chance_are_not_the_same() -> None:
    """A three-line change was found twice in one history, for two issues."""
    assert group_changes([change("a", "i"), change("b", "i", issue=2)]) == ()
    # A back-port may have an issue of its own.
    same = [change("a", "i", subject="Faster"), change("b", "i", issue=2, subject="Faster")]
    assert [group.others for group in group_changes(same)] == [("b",)]


def test_groups_join() -> None:
    changes = [change("a", "i"), change("b", "i", time=1), change("c", "j", time=2, picked="b")]
    assert [group.others for group in group_changes(changes)] == [("b", "c")]


POM = b"<project><artifactId>a</artifactId>%b</project>"
RELEASE = b"<properties><maven.compiler.release>%b</maven.compiler.release></properties>"
WRAPPER = {
    "mvnw": b"#!/bin/sh",
    ".mvn/wrapper/maven-wrapper.properties": b"distributionUrl=https://x/apache-maven-3.9.9-bin.zip",
}


@pytest.mark.parametrize(
    ("files", "reason", "java"),
    [
        ({"pom.xml": POM % (RELEASE % b"17"), **WRAPPER}, None, 17),
        ({"pom.xml": POM % (RELEASE % b"8"), **WRAPPER}, None, 8),
        ({"pom.xml": POM % b"", **WRAPPER}, None, 8),
        ({"pom.xml": POM % (RELEASE % b"1.7"), **WRAPPER}, ScanReason.JAVA_TOO_OLD, 0),
        ({"pom.xml": POM % (RELEASE % b"26"), **WRAPPER}, ScanReason.NO_JDK, 0),
        ({"pom.xml": POM % b""}, ScanReason.NO_WRAPPER, 0),
        ({"build.gradle": b"", **WRAPPER}, ScanReason.NO_MAVEN, 0),
        ({"pom.xml": b"<project", **WRAPPER}, ScanReason.BROKEN_POM, 0),
        (
            {"pom.xml": POM % (RELEASE % b"8"), "m/pom.xml": POM % (RELEASE % b"21"), **WRAPPER},
            None,
            21,
        ),
    ],
)
def test_java_is_read_from_the_tree(
    files: dict[str, bytes], reason: ScanReason | None, java: int
) -> None:
    found = java_level(files, ["m/src/main/java/A.java"])
    assert (found.reason, found.java_version) == (reason, java)


def test_where_a_tree_is_looked_at() -> None:
    found = places(["m/src/main/java/A.java", "B.java"])
    assert {"pom.xml", "m/pom.xml", "m/src/pom.xml", ".github/workflows/", "mvnw"} < set(found)
    assert len(found) == len(set(found))


def test_a_patch_is_split_by_its_files() -> None:
    code = patch("src/main/java/A.java", "-diff --git a/x b/x", "+y\r", " \x0c")
    test = patch("src/test/java/ATest.java", "-x", "+y")
    assert split_tests(code + test + code) == (code + code, test)
    assert split_tests(code) == (code, b"")


def test_a_raw_tree_is_read() -> None:
    data = b"100644 a b\0" + b"\x00" * 20 + b"40000 \xe9\0" + b" " * 20
    assert parse_tree(data) == {
        "a b": TreeEntry("100644", "00" * 20),
        "\udce9": TreeEntry("40000", "20" * 20),
    }


def step(name: str, author: str, parents: int = 1) -> Step:
    return Step(name, ("p",) * parents, author.encode(), 0, b"", b"")


@pytest.mark.parametrize(
    ("line", "own", "count"),
    [
        ([step("y", "b"), step("x", "a"), step("w", "z")], [step("2", "b"), step("1", "a")], 2),
        ([step("y", "c"), step("x", "a")], [step("2", "b"), step("1", "a")], 0),
        ([step("y", "b", 2), step("x", "a")], [step("2", "b"), step("1", "a")], 0),
        ([step("y", "b")], [], 0),
        ([step("y", "b")], [step("2", "b"), step("1", "a")], 0),
    ],
)
def test_a_rebase_keeps_authors_and_times(line: list[Step], own: list[Step], count: int) -> None:
    assert rebased(line, own) == count


def test_times_are_utc() -> None:
    assert iso_time(1_420_070_400) == "2015-01-01T00:00:00Z"


def test_progress_has_rate_and_forecast() -> None:
    said: list[str] = []
    times = iter([0.0, 60.0, 120.0, 120.0])
    progress = ScanProgress(total=3, say=said.append, clock=lambda: next(times))
    progress.done(Done(repo="a/b", commits=6000, records=2, fresh=True, seconds=60.0))
    progress.done(Done(repo="a/c", commits=50, fresh=False))
    progress.done(Done(repo="a/d", error="gone"))
    assert said == [
        "1/3 a/b: 6000 commits, 2 identified, 60.0 s (100 commits/s, about 2.0 min left)",
        "2/3 a/c: nothing new (50 commits/s, about 1.0 min left)",
        "3/3 a/d: failed: gone (50 commits/s)",
    ]
