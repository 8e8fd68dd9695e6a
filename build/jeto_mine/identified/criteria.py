"""Which changes may be ETIPs, by the files that they touch, their time and their author. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from jeto_mine.identified.entries import Entry
from jeto_mine.identified.reasons import ScanReason

__all__ = [
    "ChangedFile",
    "Criteria",
    "changed_files",
    "is_bot",
    "is_test_path",
    "judge_commit",
    "judge_files",
    "reapplies",
    "reverted_commits",
    "reverts",
]

MAX_FILES: Final = 20
SINCE: Final = date(2015, 1, 1)

_TEST_DIR: Final = re.compile(
    r"tests?|testing|itests?|e2e|testkit|test[-_]?suites?"
    r"|test[-_](?:src|java|resources?|data|fixtures?|utils?|lib|support|common|helpers?)"
    r"|(?:unit|int|integration|functional|system|component|acceptance|smoke|perf|performance)"
    r"[-_]?tests?"
    r"|.+[-_.](?:tests?|testing|its?|itests?|testkit|testlib|test[-_]?suite|testutils?"
    r"|test[-_](?:utils?|support|common))|tests?[-_].+",
    re.IGNORECASE,
)
# Below ``src`` Maven and Gradle name folders of tests in camel case: src/componentTest/java.
_TEST_SOURCE_SET: Final = re.compile(
    r"tests?|it|spec|test[A-Z].*|.*[a-z0-9](?:Tests?|TESTS?|IT|Spec)"
)
_TEST_CLASS: Final = re.compile(
    # Surefire, JUnit and TestNG; then Failsafe; then Spock, whose specifications may be in Java.
    r"Tests?(?:[A-Z0-9_]\w*)?|(?:\w*[a-z0-9_]|[A-Z]+)(?:Tests?|TestCase|TestSuite|TestNG)"
    r"|IT(?:[A-Z][a-z]\w*)?|\w*[a-z0-9_](?:IT|ITCase|ITTest)|\w*[a-z0-9_]Spec"
)
_REGULAR: Final = frozenset({b"100644", b"100755", b"000000", b"100664"})
_BOTS: Final = re.compile(
    r".*\[bot\]|(?:dependabot|renovate|greenkeeper|snyk|mergify|pre-commit-ci|github-actions"
    r"|codacy|imgbot|whitesource|depfu|allcontributors|semantic-release|jenkins|travis)\b.*"
    r"|.*[-_ ](?:bot|ci)",
    re.IGNORECASE | re.DOTALL,
)
_REVERTS: Final = re.compile(r'(?:Revert(?:ed|s|ing)?\s+"?)+', re.IGNORECASE)
_REVERTED: Final = re.compile(rb"This reverts commit ([0-9a-f]{7,40})\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """What a change must be like.

    Attributes:
        since: First day, UTC, of the committer's time: when the change got into this history. The
            author's time is not asked: a patch may wait for years, and anybody may set it.
        max_files: Files that it may change, tests included.
        with_tests: Take changes that touch tests too; tests may be files of any kind.
    """

    since: date = SINCE
    max_files: int = MAX_FILES
    with_tests: bool = False

    @property
    def since_seconds(self) -> int:
        """The first second, since 1970."""
        day = self.since
        return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


class ChangedFile(NamedTuple):
    """One file of a change.

    Attributes:
        path: As git has it, bytes.
        modes: Before and after; ``000000`` where there is none.
        blobs: Contents before and after, 40 hex digits; zeros where there is none.
    """

    path: bytes
    modes: tuple[bytes, bytes]
    blobs: tuple[bytes, bytes]


def changed_files(raw: bytes) -> tuple[ChangedFile, ...]:
    """Return the files of an ``Entry``'s ``raw``, or of ``git diff-tree --raw -z``."""
    tokens = raw.split(b"\0")
    found = []
    for facts, path in zip(tokens[0::2], tokens[1::2], strict=False):
        before, after, old, new, _ = facts[1:].split(b" ")
        found.append(ChangedFile(path, (before, after), (old, new)))
    return tuple(found)


def judge_commit(entry: Entry, criteria: Criteria, since_seconds: int) -> ScanReason | None:
    """Return why a commit's change cannot be an ETIP; ``None`` if it may be one.

    Called for every commit of a history: what most commits fail is asked first, on bytes.
    """
    if int(entry.committed) < since_seconds:
        return ScanReason.BEFORE_SINCE
    if (reason := _judge_raw(entry.raw, criteria)) is not None:
        return reason
    subject = entry.message.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    if reverts(subject):
        return ScanReason.REVERT
    return ScanReason.BOT if is_bot(entry.author, entry.author_email) else None


def _judge_raw(raw: bytes, criteria: Criteria) -> ScanReason | None:
    files = raw.count(b"\0") // 2
    if files > criteria.max_files:
        return ScanReason.TOO_MANY_FILES
    # A path ends in NUL, and nothing else can end in ".java" and NUL.
    if not criteria.with_tests and raw.count(b".java\0") != files:
        return ScanReason.OTHER_FILES
    return judge_files(changed_files(raw), criteria)


def judge_files(files: Sequence[ChangedFile], criteria: Criteria) -> ScanReason | None:
    """Return why the files of a change, as a whole, are not those of an ETIP."""
    if not files:
        return ScanReason.NO_FILES
    if len(files) > criteria.max_files:
        return ScanReason.TOO_MANY_FILES
    code = [item for item in files if not is_test_path(item.path)]
    if len(code) < len(files) and not criteria.with_tests:
        only_java = all(item.path.endswith(b".java") for item in files)
        return ScanReason.TOUCHES_TESTS if only_java else ScanReason.OTHER_FILES
    if not code:
        return ScanReason.ONLY_TESTS
    regular = all(item.path.endswith(b".java") and {*item.modes} <= _REGULAR for item in code)
    return None if regular else ScanReason.OTHER_FILES


def is_test_path(path: bytes) -> bool:
    """Say whether a file is a test or belongs to tests, by the conventions of the tools.

    Folders: ``src/test``, ``src/it``, ``src/componentTest`` and the like, and modules called after
    tests. Below ``src/main`` folders are packages and say nothing. Class names: those that
    Surefire, Failsafe, TestNG and Spock run, at the limits of words (``Latest`` is none), where
    the path has no ``src/main``, in which nothing is run as a test.
    """
    parts = path.decode("utf-8", "surrogateescape").split("/")
    main = next(
        (at for at in range(len(parts) - 2) if parts[at] == "src" and parts[at + 1] == "main"), None
    )
    folders = parts[:-1] if main is None else parts[:main]
    if any(_TEST_DIR.fullmatch(part) for part in _roots(folders)):
        return True
    if main is not None:
        return False
    for at in range(len(folders) - 1):
        if folders[at] == "src" and _TEST_SOURCE_SET.fullmatch(folders[at + 1]):
            return True
    name, dot, ending = parts[-1].rpartition(".")
    return bool(dot) and ending in {"java", "groovy", "kt"} and bool(_TEST_CLASS.fullmatch(name))


def _roots(folders: Sequence[str]) -> Sequence[str]:
    """Folders that name modules and source sets; packages below a source root are left out."""
    for at in range(len(folders) - 1):
        if folders[at + 1] in {"java", "kotlin", "groovy"} and at and folders[at - 1] == "src":
            return folders[: at + 1]
        if folders[at] == "src" and folders[at + 1] in {"java", "org", "com", "net", "io"}:
            return folders[:at]
    return folders


def is_bot(name: bytes, address: bytes) -> bool:
    """Say whether an author is a program: by the names that bots of forges and CI have."""
    local = address.partition(b"@")[0].rpartition(b"+")[2]
    return any(
        _BOTS.fullmatch(part.decode("utf-8", "replace").strip()) is not None
        for part in (name, local)
    )


def reverts(subject: str) -> bool:
    """Say whether a commit takes another one back; the revert of a revert does not."""
    return _levels(subject) % 2 == 1


def reapplies(subject: str) -> bool:
    """Say whether a commit takes a revert back, and so brings a change again."""
    levels = _levels(subject)
    return levels > 0 and levels % 2 == 0


def _levels(subject: str) -> int:
    found = _REVERTS.match(subject)
    return len(re.findall("revert", found[0], re.IGNORECASE)) if found else 0


def reverted_commits(entry: Entry) -> tuple[bytes, ...]:
    """Return the commits that a message says it takes back, as git writes it; maybe abbreviated."""
    if b"This reverts commit" not in entry.message:
        return ()
    return tuple(_REVERTED.findall(entry.message))
