"""Which issues a text closes or names, as GitHub reads it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Reference", "pull_of_subject", "references", "visible"]

_KEYWORD: Final = r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)"
_NAME: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*)/[A-Za-z0-9._-]+"
_REFERENCE: Final = re.compile(
    rf"(?:(?<![\w/-])(?P<keyword>{_KEYWORD})(?:\s*:)?\s+)?"
    r"(?:"
    rf"https?://(?:www\.)?github\.com/(?P<url_repo>{_NAME})/(?P<kind>issues|pull)/(?P<url>\d+)"
    rf"|(?<![\w./#&-])(?P<repo>{_NAME})?\#(?P<number>\d+)"
    r"|(?<![\w/#-])GH-(?P<gh>\d+)"
    r")(?![\w-]|\.\d)",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"#\d|gh-\d|github\.com/", re.IGNORECASE)
_FENCE: Final = re.compile(r"(?ms)^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n).)*?(?<!`)\1(?!`)", re.DOTALL)
_QUOTE: Final = re.compile(r"^ {0,3}>.*$", re.MULTILINE)
_HIDDEN: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INDENTED: Final = re.compile(r"(?:\A|(?<=\n\n))(?:(?: {4}|\t).*(?:\n|\Z))+")
_MERGE_PULL: Final = re.compile(r"Merge (?:pull request|PR) #(\d+)\b")
_SQUASHED: Final = re.compile(r"\(#(\d+)\)\s*$")
_MAX_DIGITS: Final = 9


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Reference:
    """An issue, or pull request, that a text refers to.

    Attributes:
        repo: ``owner/name`` as written; empty for the text's own repository.
        number: Its number.
        closes: A closing keyword stands before it.
    """

    repo: str
    number: int
    closes: bool


def references(text: str, *, markdown: bool) -> tuple[Reference, ...]:
    """Return what a text refers to, in order, each once; closing wins over naming.

    Keywords are GitHub's nine, each for one reference only: ``fixes #1, #2`` closes the first.

    Args:
        text: A commit's message, or the title or body of a pull request.
        markdown: The text is rendered: blocks of indented code do not count either.
    """
    if not _SIGN.search(text):  # most messages have none, and are read no further
        return ()
    found: dict[tuple[str, int], bool] = {}
    for match in _REFERENCE.finditer(visible(text, markdown=markdown)):
        digits = match["url"] or match["number"] or match["gh"]
        if len(digits) > _MAX_DIGITS or not int(digits):
            continue
        closes = match["keyword"] is not None and match["kind"] != "pull"
        key = (match["url_repo"] or match["repo"] or "", int(digits))
        found[key] = found.get(key, False) or closes
    return tuple(
        Reference(repo=repo, number=number, closes=closes)
        for (repo, number), closes in found.items()
    )


def visible(text: str, *, markdown: bool) -> str:
    """Return a text without code, quotations and comments, in which references do not count."""
    text = text.replace("\r\n", "\n")
    for pattern in (_HIDDEN, _FENCE, *((_INDENTED,) if markdown else ()), _SPAN, _QUOTE):
        text = pattern.sub(" ", text)
    return text


def pull_of_subject(message: str, *, merge: bool) -> int | None:
    """Return the pull request that a commit on a branch says it came from.

    Args:
        message: The commit's message.
        merge: It has several parents: GitHub's ``Merge pull request #N from ...``; otherwise the
            ``(#N)`` that GitHub puts at the end of a squashed one's first line.
    """
    subject = message.lstrip().partition("\n")[0]
    found = _MERGE_PULL.match(subject) if merge else _SQUASHED.search(subject)
    return int(found[1]) if found and len(found[1]) <= _MAX_DIGITS else None
