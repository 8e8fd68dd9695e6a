"""Which changes may be ETIPs: paths, numbers, times, authors."""

from __future__ import annotations

from datetime import date

import pytest

from jeto_mine.identified.criteria import (
    ChangedFile,
    Criteria,
    changed_files,
    is_bot,
    is_test_path,
    judge_commit,
    judge_files,
    reapplies,
    reverted_commits,
    reverts,
)
from jeto_mine.identified.entries import Entry
from jeto_mine.identified.reasons import ScanReason

ZERO = b"0" * 40
BLOB = b"a" * 40


def changed(*paths: str, mode: bytes = b"100644") -> tuple[ChangedFile, ...]:
    return tuple(ChangedFile(path.encode(), (mode, mode), (BLOB, ZERO)) for path in paths)


def entry(
    *paths: str,
    message: bytes = b"Faster\n",
    author: bytes = b"Ada",
    address: bytes = b"ada@example.org",
    committed: int = 1_600_000_000,
) -> Entry:
    raw = b"".join(b":100644 100644 %b %b M\0%b\0" % (ZERO, BLOB, p.encode()) for p in paths)
    return Entry(
        BLOB, ZERO, b"%d" % committed, b"", author, address, b"noreply@github.com", message, raw
    )


def judged(one: Entry, criteria: Criteria | None = None) -> ScanReason | None:
    chosen = criteria or Criteria()
    return judge_commit(one, chosen, chosen.since_seconds)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        # Maven's and Gradle's source sets.
        ("src/test/java/acme/Helper.java", True),
        ("core/src/test/resources/data.json", True),
        ("core/src/it/java/acme/Full.java", True),
        ("core/src/componentTest/java/acme/Full.java", True),
        ("core/src/integration-test/java/acme/Full.java", True),
        ("core/src/testFixtures/java/acme/Full.java", True),
        ("src/it/simple/pom.xml", True),
        # Modules of tests.
        ("acme-tests/src/main/java/acme/Base.java", True),
        ("integration-tests/basic/src/main/java/acme/App.java", True),
        ("testsuite/model/src/main/java/acme/Model.java", True),
        ("acme.tests/src/acme/Some.java", True),
        # Names of classes, where there is no src/main.
        ("src/java/acme/ParserTest.java", True),
        ("src/java/acme/ParserTests.java", True),
        ("src/java/acme/TestParser.java", True),
        ("src/java/acme/ParserTestCase.java", True),
        ("src/java/acme/ParserIT.java", True),
        ("src/java/acme/ITParser.java", True),
        ("src/java/acme/ParserITCase.java", True),
        ("src/java/acme/ParserSpec.java", True),
        ("src/java/acme/ParserSpec.groovy", True),
        # Words that merely hold the letters.
        ("src/main/java/acme/Latest.java", False),
        ("src/java/acme/Latest.java", False),
        ("src/java/acme/Contest.java", False),
        ("src/java/acme/Attestation.java", False),
        ("src/java/acme/Testament.java", False),
        ("src/java/acme/Unit.java", False),
        ("src/java/acme/WAIT.java", False),
        ("src/java/acme/EMIT.java", False),
        ("src/java/acme/ITunes.java", False),
        ("src/latest/java/acme/Some.java", False),
        ("contest/src/main/java/acme/Some.java", False),
        ("fastest-core/src/main/java/acme/Some.java", False),
        # Below src/main folders are packages and nothing is run as a test.
        ("src/main/java/org/junit/Test.java", False),
        ("src/main/java/acme/test/Fixture.java", False),
        ("src/main/java/acme/testing/LoadTest.java", False),
        ("src/main/java/it/unibo/App.java", False),
        ("src/java/it/unibo/App.java", False),
        ("src/org/acme/test/App.java", False),
    ],
)
def test_what_is_a_test(path: str, test: bool) -> None:  # noqa: FBT001  # a table
    assert is_test_path(path.encode()) is test


def test_a_path_of_any_bytes_is_judged() -> None:
    """field.md row 107: names need not be UTF-8."""
    assert is_test_path(b"src/test/java/\xe9t\xe9.java")
    assert not is_test_path(b"src/main/java/\xe9t\xe9.java")


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        (["A.java"], None),
        (["A.java"] * 20, None),
        (["A.java"] * 21, ScanReason.TOO_MANY_FILES),
        (["A.java", "pom.xml"], ScanReason.OTHER_FILES),
        (["A.java", "README.md", "src/test/java/ATest.java"], ScanReason.OTHER_FILES),
        (["A.kt"], ScanReason.OTHER_FILES),
        (["A.javax"], ScanReason.OTHER_FILES),
        (["A.java", "src/test/java/ATest.java"], ScanReason.TOUCHES_TESTS),
        ([], ScanReason.NO_FILES),
    ],
)
def test_files_of_a_change(paths: list[str], reason: ScanReason | None) -> None:
    assert judge_files(changed(*paths), Criteria()) is reason
    assert judged(entry(*paths)) is reason, "the quick way on bytes says the same"


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        (["A.java", "src/test/java/ATest.java", "src/test/resources/a.json"], None),
        (["src/test/java/ATest.java"], ScanReason.ONLY_TESTS),
        (["A.java", "pom.xml", "src/test/java/ATest.java"], ScanReason.OTHER_FILES),
        (["A.java"] * 21, ScanReason.TOO_MANY_FILES),
    ],
)
def test_files_of_a_change_with_tests(paths: list[str], reason: ScanReason | None) -> None:
    criteria = Criteria(with_tests=True)
    assert judge_files(changed(*paths), criteria) is reason
    assert judged(entry(*paths), criteria) is reason


@pytest.mark.parametrize("mode", [b"120000", b"160000"])
def test_links_and_submodules_are_no_code(mode: bytes) -> None:
    assert judge_files(changed("A.java", mode=mode), Criteria()) is ScanReason.OTHER_FILES


def test_since_is_the_first_day_by_the_committers_time() -> None:
    criteria = Criteria(since=date(2015, 1, 1))
    first = 1_420_070_400
    assert judged(entry("A.java", committed=first), criteria) is None
    assert judged(entry("A.java", committed=first - 1), criteria) is ScanReason.BEFORE_SINCE


@pytest.mark.parametrize(
    ("name", "address", "bot"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", True),
        ("Renovate Bot", "bot@renovateapp.com", True),
        ("jenkins", "jenkins@acme.example", True),
        ("acme-ci", "ci@acme.example", True),
        ("Ada", "41898282+github-actions[bot]@users.noreply.github.com", True),
        ("Ada Lovelace", "ada@example.org", False),
        ("Abbott", "abbott@example.org", False),
        ("Marci", "marci@example.org", False),
        ("Travisson", "t@example.org", False),
    ],
)
def test_bots(name: str, address: str, bot: bool) -> None:  # noqa: FBT001  # a table
    assert is_bot(name.encode(), address.encode()) is bot
    expected = ScanReason.BOT if bot else None
    assert judged(entry("A.java", author=name.encode(), address=address.encode())) is expected


@pytest.mark.parametrize(
    ("subject", "taken_back", "again"),
    [
        ('Revert "Faster"', True, False),
        ("Reverts faster loop", True, False),
        ('Revert "Revert "Faster""', False, True),
        ('Revert "Revert "Revert "Faster"""', True, False),
        ("Faster", False, False),
        ("Reverting index for quick look-ups", True, False),
        ("Reverse the loop", False, False),
    ],
)
def test_reverts(subject: str, taken_back: bool, again: bool) -> None:  # noqa: FBT001  # a table
    assert (reverts(subject), reapplies(subject)) == (taken_back, again)
    message = subject.encode() + b"\n\nFixes #1"
    expected = ScanReason.REVERT if taken_back else None
    assert judged(entry("A.java", message=message)) is expected


def test_what_a_revert_takes_back_may_be_abbreviated() -> None:
    text = b'Revert "x"\n\nThis reverts commit ' + BLOB + b".\nThis reverts commit 0123456.\n"
    assert reverted_commits(entry(message=text)) == (BLOB, b"0123456")
    assert reverted_commits(entry()) == ()


def test_raw_facts_are_read_to_their_last_file() -> None:
    found = changed_files(entry("A.java", ":odd name.java").raw)
    assert [item.path for item in found] == [b"A.java", b":odd name.java"]
    assert found[0].blobs == (ZERO, BLOB)


MODERN = {
    "var": "class A { void f() { var x = 1; } }",
    "record": "record A(int x) {}",
    "sealed": "sealed interface A permits B {} final class B implements A {}",
    "switch": "class A { int f(int x) { return switch (x) { case 1 -> 2; default -> 3; }; } }",
    "text block": 'class A { String s = """\n    text""" ; }',
    "pattern": "class A { boolean f(Object o) { return o instanceof String s && s.isEmpty(); } }",
    "none": "this is no Java at all",
}


@pytest.mark.parametrize("source", MODERN.values(), ids=MODERN)
def test_no_syntax_is_lost_because_no_step_parses_java(source: str) -> None:
    """field.md row 116: a parser that stops at some Java would make modern files vanish.

    Here a change is judged by its files' names and modes, whatever they hold, and its lines are
    compared as lines; there is no parse that could fail.
    """
    from jeto_bench.patches.identity import patch_identity  # noqa: PLC0415  # beside its use

    patch = (
        f"diff --git a/A.java b/A.java\n--- a/A.java\n+++ b/A.java\n@@ -1 +1 @@\n-x\n+{source}\n"
    )
    assert judged(entry("src/main/java/A.java")) is None
    assert patch_identity(patch.encode()) != patch_identity(patch.replace(source, "y").encode())
