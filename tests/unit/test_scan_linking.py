"""Which issues a text closes or names."""

from __future__ import annotations

import pytest

from jeto_bench.github.model import IssueRef, PullRequest
from jeto_mine.identified.issues import Linking, linked_numbers, unit_links
from jeto_mine.identified.linking import Reference, pull_of_subject, references
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.texts import Text
from jeto_mine.identified.units import Unit


def closed(text: str, *, markdown: bool = False) -> list[str]:
    return [
        f"{item.repo}#{item.number}" for item in references(text, markdown=markdown) if item.closes
    ]


def named(text: str, *, markdown: bool = False) -> list[str]:
    return [f"{item.repo}#{item.number}" for item in references(text, markdown=markdown)]


@pytest.mark.parametrize(
    "keyword",
    ["close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"],
)
def test_githubs_nine_keywords(keyword: str) -> None:
    for text in (
        f"{keyword} #7",
        f"{keyword.upper()}: #7",
        f"It ({keyword}  #7)",
        f"x, {keyword} GH-7",
    ):
        assert closed(text) == ["#7"], text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fixes acme/engine#7.", ["acme/engine#7"]),
        ("fixes https://github.com/acme/engine/issues/7", ["acme/engine#7"]),
        ("fixes http://www.github.com/acme/engine/issues/7#issuecomment-1", ["acme/engine#7"]),
        ("closes gh-7", ["#7"]),
        ("Fixes #7, fixes #8 and resolves #9", ["#7", "#8", "#9"]),
        ("Fixes #7, #8", ["#7"]),
        ("fixes #532 and #527", ["#532"]),
        ("Fix for #7", []),
        ("Fixing #7", []),
        ("prefixes #7", []),
        ("hot-fix #7", []),
        ("fixes#7", []),
        ("fixes 7", []),
        ("fixes #7a", []),
        ("fixes #0", []),
        ("fixes #12345678901234567890", []),
        ("fixes https://github.com/acme/engine/pull/7", []),
        ("fixes https://example.org/acme/engine/issues/7", []),
        ("fixes JIRA-7", []),
        ("fixes\n#7", ["#7"]),
    ],
)
def test_what_is_closed(text: str, expected: list[str]) -> None:
    assert closed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "see `fixes #7`",
        "```\nfixes #7\n```",
        "~~~java\nfixes #7\n~~~",
        "```\nfixes #7 with no end",
        "> fixes #7",
        "  > said: fixes #7",
        "<!-- fixes #7 -->",
        "<!-- write fixes #7",
        "``a ` fixes #7 ``",
    ],
)
def test_code_quotations_and_comments_do_not_count(text: str) -> None:
    assert named(text) == named(text, markdown=True) == []
    assert closed(
        f"{text}\n```\n-->\n\nfixes #8" if "```" in text and text[-1] != "`" else "fixes #8"
    ) == ["#8"]


def test_indented_code_does_not_count_where_text_is_rendered() -> None:
    text = "Before\n\n    fixes #7\n\nfixes #8"
    assert closed(text, markdown=True) == ["#8"]
    assert closed(text) == ["#7", "#8"]


def test_naming_is_no_closing_but_is_told() -> None:
    text = "GH-12 - Faster, see #3 and acme/engine#4; fixes #3"
    assert named(text) == ["#12", "#3", "acme/engine#4"]
    assert closed(text) == ["#3"]


@pytest.mark.parametrize(
    ("message", "merge", "number"),
    [
        ("Merge pull request #12 from ada/x\n\nFaster", True, 12),
        ("Merge branch 'x' (#12)", True, None),
        ("Faster (#12)\n\nbody", False, 12),
        ("Faster (#11) (#12)", False, 12),
        ("Faster (fix #11)", False, None),
        ("Faster\n\n(#12)", False, None),
        ("Merge pull request #12 from ada/x", False, None),
    ],
)
def test_the_pull_request_of_a_commit(message: str, merge: bool, number: int | None) -> None:  # noqa: FBT001  # a table
    assert pull_of_subject(message, merge=merge) == number


def reference(number: int, *, repo: str = "", closes: bool = True) -> Reference:
    return Reference(repo=repo, number=number, closes=closes)


@pytest.mark.parametrize(
    ("links", "linking", "expected"),
    [
        ([reference(1)], Linking.CLOSING, ((1,), False, None)),
        ([reference(1, closes=False)], Linking.CLOSING, ((), False, ScanReason.NOT_LINKED)),
        ([reference(1, closes=False)], Linking.MENTION, ((1,), True, None)),
        ([reference(1), reference(2, closes=False)], Linking.MENTION, ((1,), False, None)),
        ([reference(9)], Linking.CLOSING, ((), False, ScanReason.LINKED_ELSEWHERE)),
        ([reference(1, repo="other/x")], Linking.CLOSING, ((), False, ScanReason.LINKED_ELSEWHERE)),
        ([reference(1, repo="Acme/Engine")], Linking.CLOSING, ((1,), False, None)),
        ([reference(1, repo="acme/old"), reference(2)], Linking.CLOSING, ((1, 2), False, None)),
        ([], Linking.MENTION, ((), True, ScanReason.NOT_LINKED)),
    ],
)
def test_issues_of_this_repository(
    links: list[Reference], linking: Linking, expected: tuple[object, ...]
) -> None:
    names = ("acme/engine", "acme/old")
    assert linked_numbers(links, names=names, pull=9, linking=linking) == expected


def test_the_number_of_a_squash_is_no_mention_of_an_issue() -> None:
    found = linked_numbers(
        [reference(3, closes=False), reference(4, closes=False)],
        names=(),
        pull=None,
        linking=Linking.MENTION,
        squash=4,
    )
    assert found == ((3,), True, None)


def test_a_pull_requests_own_links_come_first() -> None:
    pull = PullRequest(
        ref=IssueRef(repo="acme/engine", number=9),
        title="Faster, fixes #2",
        body="Closes #3\n\n    closes #4\n",
        created_at="2020-01-01T00:00:00Z",
        merged_at="2020-01-01T00:00:00Z",
        base_branch="main",
        base_commit="0" * 40,
        head_commit="1" * 40,
        merge_commit="2" * 40,
        commits=(),
        closing=(IssueRef(repo="acme/engine", number=1),),
    )
    unit = Unit(
        base="0" * 40,
        fix_commits=("2" * 40,),
        committed=0,
        message=Text("", "utf-8"),
        files=(),
        links=(reference(5), reference(3, closes=False)),
        pull=pull,
    )
    assert [item.number for item in unit_links(unit) if item.closes] == [1, 2, 3, 5]
