"""What a record says of an issue: its text, and what was said before the fix. Pure."""

from __future__ import annotations

from datetime import datetime

from jeto_bench.github.model import Issue, PullRequest

__all__ = ["first_seen", "hints_text", "problem_statement"]


def problem_statement(subject: Issue | PullRequest) -> str:
    """Return the title, and below a blank line the body if there is one."""
    return f"{subject.title}\n\n{subject.body}".rstrip() + "\n"


def first_seen(written: str, pull: PullRequest | None) -> str:
    """Return when a fix may first have been seen: written, or proposed, whichever was earlier.

    The author's time of a squash is when it was merged, so the pull request tells more; of a long
    branch it is the other way round.

    Args:
        written: Author's time of the fix's first commit; ISO 8601.
        pull: Its pull request, if it is known.
    """
    if pull is None:
        return written
    return min(written, pull.created_at, key=datetime.fromisoformat)


def hints_text(issue: Issue, *, before: str) -> str:
    """Return the comments of an issue until a time, ISO 8601; later ones may tell the answer."""
    end = datetime.fromisoformat(before)
    said = [text for when, text in issue.comments if datetime.fromisoformat(when) < end]
    return "\n\n".join(said)
