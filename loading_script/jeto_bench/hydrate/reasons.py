"""Why a row cannot be made a record: a closed list. Pure."""

from __future__ import annotations

from enum import StrEnum

from jeto_bench.errors import InputError

__all__ = ["HydrationError", "Missing"]


class Missing(StrEnum):
    """What a row lacks; each has one remedy."""

    CLONE = "no_clone"
    """There is no clone of the repository, and none could be made."""

    FIX = "no_fix_commit"
    """The clone does not have the fix: it is on a branch or pull request that was not fetched."""

    BASE = "no_base_commit"
    """The clone does not have the base, or the fix has no parent."""

    CONTENT = "no_content"
    """The clone lacks the content of a file that the diff needs: it is partial."""

    OTHER_FILES = "other_files"
    """The diff changes other files than the index says."""

    NOT_TEXT = "not_text"
    """The diff is not UTF-8, so a record cannot hold it."""

    NO_PATCH = "no_patch"
    """There is no difference, or none that can be read as a patch."""

    ISSUE = "no_issue_text"
    """The source of texts has neither the issue nor, without an issue, the pull request."""

    SOURCE = "source_failed"
    """The source of texts could not answer; try again."""

    RECORD = "not_a_record"
    """What was found does not make a record that follows the schema."""


class HydrationError(InputError):
    """A row that cannot be made a record.

    Attributes:
        reason: The reason, from the closed list.
    """

    def __init__(self, reason: Missing, detail: str) -> None:
        super().__init__(f"{detail} ({reason.value})")
        self.reason = reason
        self.detail = detail
